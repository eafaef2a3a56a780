"""One HTTP request and its answer, within limits; what goes wrong gets a name people understand."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import errno
import hashlib
import math
import socket
import time
from typing import TYPE_CHECKING, Self

from honeyguide import urls
from honeyguide.base import FetchError, HoneyguideError
from honeyguide.store.warc import header_table
from honeyguide.web.exchange import Exchange
from honeyguide.web.guard import Guard, refused
from honeyguide.web.proxy import SOCKS, check_proxy, check_target, is_of_a_proxy, named, refusal, socks_connector

if TYPE_CHECKING:
    from collections.abc import Mapping

    import aiohttp

    from honeyguide.web.wire import Wire

LONGEST_HEADER = 65_536  # bytes
MOST_HEADERS = 256  # lines
# Of a request: the connection that was taken up again for it, and whether it must have one of its own.
taken_up: contextvars.ContextVar[Wire | None] = contextvars.ContextVar("taken_up", default=None)
own_connection: contextvars.ContextVar[bool] = contextvars.ContextVar("own_connection", default=False)
_TOO_LARGE = ("bytes when reading", "too many headers")  # how the library says that a header is too large


class Unheard(FetchError):
    """A connection that was kept open proved closed when it was used again: no fault of what was asked for."""


class Http:
    """Sends requests; open it with `async with`. Redirects are answers like any other, cookies are not kept."""

    def __init__(
        self,
        headers: Mapping[str, str],
        timeout: float,
        guard: Guard,
        pinned: Mapping[str, str],
        proxy: str = "",
    ) -> None:
        self.headers = dict(headers)
        self._proxy = proxy
        self._scheme = check_proxy(proxy) if proxy else ""
        self._timeout = timeout
        self._guard = guard
        self._pinned = pinned
        self._session: aiohttp.ClientSession | None = None
        self.sent: dict[str, float] = {}  # when a host was last asked, by the monotonic clock

    async def __aenter__(self) -> Self:
        import aiohttp

        from honeyguide.web.answer import Answer
        from honeyguide.web.resolver import Resolver
        from honeyguide.web.wire import Connector

        self.resolver = Resolver(self._pinned)
        # Through a proxy, all sockets lead to the proxy, which the user named; targets are checked by name.
        guard = Guard(allow_private=True) if self._proxy else self._guard
        connector = (
            socks_connector(self._proxy, self.resolver)
            if self._scheme in SOCKS
            else Connector(limit=0, resolver=self.resolver, socket_factory=guard.socket, ttl_dns_cache=300)
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            response_class=Answer,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers=self.headers,
            timeout=aiohttp.ClientTimeout(total=self._timeout),
            middlewares=(self._once,),
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            max_headers=MOST_HEADERS,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session:
            await self._session.close()

    async def _once(self, request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
        """Send a request; the library would send it again when the server hangs up, but not after our errors."""
        taken_up.set(None)
        try:
            with named_errors(self._proxy):
                return await send(request)
        except FetchError as error:
            wire = taken_up.get()
            if error.reason == "disconnected" and wire is not None and not wire.touched:
                raise Unheard(error.reason, error.detail) from error
            raise

    async def address_of(self, hostname: str) -> str:
        """The first address of a host, where one is known; the name itself where none is."""
        with contextlib.suppress(OSError):  # a name server that stays silent is one too
            async with asyncio.timeout(self._timeout):
                return (await self.resolver.resolve(hostname.strip("[]")))[0]["host"]
        return hostname

    async def get(
        self, url: str, limit: int, headers: Mapping[str, str] | None = None, alone: bool = False
    ) -> Exchange:
        """Ask for a URL, `alone` over a connection of its own; of the body at most `limit` bytes are read."""
        own_connection.set(alone)
        host = urls.host(url)
        self.sent[host] = math.inf
        try:
            return await self._exchange(url, limit, headers)
        finally:
            if self.sent[host] == math.inf:  # it never was, or nobody knows when
                self.sent[host] = time.monotonic()

    async def _exchange(self, url: str, limit: int, headers: Mapping[str, str] | None) -> Exchange:
        import yarl

        from honeyguide.web.answer import Answer

        assert self._session is not None, "use it as: async with web"
        if self._proxy:
            await check_target(urls.hostname(url), self.resolver, self._guard)
        proxy = self._proxy if self._scheme == "http" else None
        with named_errors(self._proxy):
            async with self._session.get(
                yarl.URL(url, encoded=True), allow_redirects=False, headers=headers, proxy=proxy
            ) as answer:
                assert isinstance(answer, Answer)
                self.sent[urls.host(url)] = answer.sent
                if proxy and answer.status == 407:
                    raise refusal(proxy, "status 407")
                body, truncated = await _body(answer, limit)
        version = answer.version or (1, 1)
        return Exchange(
            url,
            answer.status,
            header_table(answer.headers.items()),
            body,
            truncated,
            "" if self._proxy else answer.address,
            f"HTTP/{version[0]}.{version[1]} {answer.status} {_printable(answer.reason or '')}".rstrip(),
            hashlib.sha1(body).digest(),  # noqa: S324 - the digest WARC files name bodies by
            tuple(answer.raw_headers),
        )


def _printable(reason: str) -> str:
    return reason.encode("utf-8", "surrogateescape").decode("latin-1")


async def _body(answer: aiohttp.ClientResponse, limit: int) -> tuple[bytes, str]:
    """The body, and why it is not whole where it is not."""
    import aiohttp

    parts, size = [], 0
    try:
        async for part in answer.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > limit:
                answer.close()
                return b"".join(parts)[:limit], "length"
    except TimeoutError:
        return b"".join(parts), "time"
    except (aiohttp.ClientPayloadError, aiohttp.ClientOSError, ConnectionError):
        return b"".join(parts), "disconnect"
    return b"".join(parts), ""


class named_errors:  # noqa: N801 - a class only because it is entered twice a request, which costs half as much
    """Whatever the library or the system raises, as a FetchError."""

    __slots__ = ("_proxy",)

    def __init__(self, proxy: str = "") -> None:
        self._proxy = proxy

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if not isinstance(error, Exception) or isinstance(error, HoneyguideError):
            return
        if isinstance(error, TimeoutError):
            raise FetchError("timeout") from error
        raise (named(error, self._proxy) if is_of_a_proxy(error) else _named(error)) from error


def _named(error: Exception) -> Exception:
    """What went wrong, in a word of ours; an error that is none of the network's is left as it is."""
    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return FetchError("dns" if _no_such_name(error) else "dns_unavailable", str(error))
    if isinstance(error, (aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch)):
        return FetchError("tls", str(error))
    if isinstance(error, aiohttp.ClientConnectorError):
        return refused(error) or FetchError(_unreachable(error.os_error), str(error))
    if isinstance(error, (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, ConnectionError)):
        return refused(error) or FetchError("disconnected", str(error))
    if isinstance(error, (aiohttp.ClientError, ValueError)):
        large = any(words in str(error).lower() for words in _TOO_LARGE)
        return FetchError("header_too_large" if large else "protocol_error", _short(error))
    if isinstance(error, OSError):
        return refused(error) or FetchError(_unreachable(error), str(error))
    return error


def _unreachable(error: OSError) -> str:
    """Whose fault it is that no connection could be made: theirs, or this machine's."""
    return (
        "out_of_files" if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS) else "unreachable"
    )


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def _no_such_name(error: aiohttp.ClientConnectorDNSError) -> bool:
    """Whether the name server knows that there is no such name; any other failure may pass."""
    return error.os_error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
