"""The live web: HTTP, robots.txt, and gaps between requests."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib.metadata
import time
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from honeyguide import urls
from honeyguide.base import Excluded, FetchError, NotNow, Reply
from honeyguide.store.archive_files import now as utc_now
from honeyguide.store.warc import exchange_records, header_table
from honeyguide.web.base import Web
from honeyguide.web.content import decoded, read
from honeyguide.web.guard import Guard, pinned_hosts, refused
from honeyguide.web.robots import LONGEST, Rules, read_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import aiohttp

    from honeyguide.settings import Settings

_Args = ParamSpec("_Args")
_Result = TypeVar("_Result")

ROBOTS_REDIRECTS = 5
ROBOTS_TRIES = 3  # then the host counts as out of reach for this crawl
ROBOTS_PAUSE = 10.0  # seconds, doubled at each try


class LiveWeb(Web):
    """Fetches over HTTP, politely; parsing and compressing happen in threads."""

    live = True

    def __init__(self, settings: Settings, allowed_addresses: Iterable[str] = ()) -> None:
        self.concurrency = settings.concurrency
        self._settings = settings
        self._guard = Guard(settings.allow_private, allowed_addresses)
        self._pinned = pinned_hosts(settings.resolve)
        self._rules: dict[str, Rules] = {}
        self._robots_tries: dict[str, int] = {}
        self._doors: dict[str, asyncio.Lock] = {}
        self._shut_until: dict[str, float] = {}  # hosts whose robots.txt could not be had
        self._robots_requests = 0
        self._session: aiohttp.ClientSession | None = None
        self._pool = concurrent.futures.ThreadPoolExecutor(2, "page")

    async def __aenter__(self) -> Self:
        import aiohttp

        from honeyguide.web.answer import Answer
        from honeyguide.web.resolver import Resolver

        connector = aiohttp.TCPConnector(
            limit=0, resolver=Resolver(self._pinned), socket_factory=self._guard.socket, ttl_dns_cache=300
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            response_class=Answer,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            headers=self.request_headers(),
            timeout=aiohttp.ClientTimeout(total=self._settings.timeout),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session:
            await self._session.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def request_headers(self) -> dict[str, str]:
        """What every request says of us."""
        contact = f" (+{self._settings.contact})" if self._settings.contact else ""
        version = importlib.metadata.version("honeyguide")
        return {
            "User-Agent": f"{self._settings.user_agent}/{version}{contact}",
            "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.5",
            "Accept-Encoding": "gzip, deflate, br",
        }

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, until: float) -> None:
        await asyncio.sleep(max(0.0, until - self.now()))

    def gap(self, host: str) -> float:
        if self._settings.delay == 0:
            return 0.0
        rules = self._rules.get(host)
        return max(self._settings.delay, rules.delay if rules else 0.0)

    async def work(self, function: Callable[_Args, _Result], *args: _Args.args, **kwargs: _Args.kwargs) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: function(*args, **kwargs))

    def notes(self) -> dict[str, int]:
        return {"robots_requests": self._robots_requests}

    async def get(self, url: str) -> Reply:
        host = urls.host(url)
        async with self._doors.setdefault(host, asyncio.Lock()):  # one at a time asks for robots.txt
            if host not in self._rules:
                await self._meet(url, host)
        if not self._rules[host].allow(url):
            raise Excluded("robots", "robots.txt of the host forbids it")
        return await self._fetch(url)

    async def _meet(self, url: str, host: str) -> None:
        """Read a host's robots.txt. It is a request too: a page of the host waits for its gap."""
        if self._shut_until.get(host, 0.0) > self.now():
            raise NotNow("robots_unavailable", self._shut_until[host])
        try:
            rules = await self._robots(f"{url.partition('://')[0]}://{host}/robots.txt")
        except Excluded:
            raise
        except FetchError as error:
            tries = self._robots_tries[host] = self._robots_tries.get(host, 0) + 1
            if tries >= ROBOTS_TRIES or error.reason in ("dns", "unreachable", "tls"):
                raise FetchError(error.reason, f"robots.txt: {error.detail or error.reason}") from None
            self._shut_until[host] = self.now() + ROBOTS_PAUSE * 2**tries
            raise NotNow("robots_unavailable", self._shut_until[host], str(error)) from None
        self._rules[host] = rules
        if gap := self.gap(host):
            raise NotNow("robots_read", self.now() + gap)

    async def _robots(self, url: str) -> Rules:
        for _ in range(ROBOTS_REDIRECTS + 1):
            self._robots_requests += 1
            status, headers, body, *_rest = await self._exchange(url, LONGEST)
            if 300 <= status < 400 and "location" in headers:
                target = urls.normalize(headers["location"], url)
                if not isinstance(target, str):
                    break
                url = target
                continue
            if status == 429 or status >= 500:
                raise FetchError("robots_unavailable", f"status {status}")
            agent = self._settings.user_agent
            if status >= 400:
                return Rules(agent=agent)
            return read_rules(decoded(body, headers.get("content-encoding", ""), 8 * LONGEST), agent)
        return Rules(agent=self._settings.user_agent)  # more hops than RFC 9309 asks to follow: as if there were none

    async def _fetch(self, url: str) -> Reply:
        status, headers, body, address, status_line, raw_headers = await self._exchange(
            url, self._settings.max_page_bytes, whole=True
        )
        return await self.work(self._reply, url, status, headers, body, address, status_line, raw_headers)

    def _reply(
        self,
        url: str,
        status: int,
        headers: dict[str, str],
        body: bytes,
        address: str,
        status_line: str,
        raw_headers: list[tuple[bytes, bytes]],
    ) -> Reply:
        asked = [("Host", urls.host(url)), *self.request_headers().items()]
        record = exchange_records(url, utc_now(), address, asked, status_line, raw_headers, body)
        size = len(body)
        if 300 <= status < 400:
            target = urls.normalize(headers["location"], url) if headers.get("location") else None
            if isinstance(target, str):
                return Reply(redirect=target, status=status, size=size, record=record)
        if not 200 <= status < 300:
            return Reply(error=f"http_{status}", status=status, size=size, record=record)
        try:
            page = read(url, headers, body, self._settings.max_page_bytes)
        except FetchError as error:
            return Reply(error=error.reason, detail=error.detail, status=status, size=size, record=record)
        return Reply(page, status=status, size=size, record=record)

    async def _exchange(self, url: str, limit: int, whole: bool = False) -> tuple[Any, ...]:
        """One request and its answer: status, headers, body, address, status line and raw headers."""
        import yarl

        from honeyguide.web.answer import Answer

        assert self._session is not None, "use it as: async with web"
        with _named_errors():
            async with self._session.get(yarl.URL(url, encoded=True), allow_redirects=False) as answer:
                assert isinstance(answer, Answer)
                body = await _body(answer, limit, whole)
        version = answer.version or (1, 1)
        return (
            answer.status,
            header_table(answer.headers.items()),
            body,
            answer.address,
            f"HTTP/{version[0]}.{version[1]} {answer.status} {answer.reason or ''}".rstrip(),
            list(answer.raw_headers),
        )


async def _body(answer: aiohttp.ClientResponse, limit: int, whole: bool) -> bytes:
    """The body up to a limit; past it an error where it is wanted whole, else the rest is left unread."""
    parts, size = [], 0
    async for part in answer.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > limit:
            answer.close()
            if whole:
                raise FetchError("too_large", f"more than {limit} bytes")
            break
    return b"".join(parts)[:limit]


@contextlib.contextmanager
def _named_errors() -> Any:
    """Whatever the library or the system raises, as a FetchError with a name people understand."""
    import aiohttp

    try:
        yield
    except TimeoutError as error:
        raise FetchError("timeout") from error
    except aiohttp.ClientConnectorDNSError as error:
        raise FetchError("dns", str(error)) from error
    except (aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch) as error:
        raise FetchError("tls", str(error)) from error
    except aiohttp.ClientConnectorError as error:
        raise refused(error) or FetchError("unreachable", str(error)) from error
    except aiohttp.ClientPayloadError as error:
        raise FetchError("incomplete", str(error)) from error
    except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, ConnectionError) as error:
        raise refused(error) or FetchError("disconnected", str(error)) from error
    except (aiohttp.ClientError, ValueError) as error:
        raise FetchError("protocol_error", f"{type(error).__name__}: {error}") from error
    except OSError as error:
        raise refused(error) or FetchError("unreachable", str(error)) from error
