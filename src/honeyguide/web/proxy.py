"""Requests that go through a proxy: how it is connected to, and which targets it may be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from honeyguide.base import BadInput, Excluded, FetchError, HoneyguideError

if TYPE_CHECKING:
    import aiohttp

    from honeyguide.web.guard import Guard
    from honeyguide.web.resolver import Resolver

SOCKS = ("socks4", "socks4a", "socks5", "socks5h")


class ProxyDown(HoneyguideError):
    """The proxy itself does not answer: no request can be sent, and none has failed."""


def check_proxy(address: str) -> str:
    """The scheme of a proxy's address; refused when it is none."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", *SOCKS) and parts.hostname and parts.port
    except ValueError:
        usable = False
    if not usable:
        raise BadInput(f"--proxy {_shown(address)!r}: write it as http://HOST:PORT or socks5://HOST:PORT")
    return parts.scheme


def _shown(address: str) -> str:
    return address.rpartition("@")[2][:80]  # without the password


def socks_connector(address: str, resolver: Resolver) -> aiohttp.TCPConnector:
    """A connector that reaches everything through a SOCKS proxy."""
    try:
        from aiohttp_socks import ProxyConnector
    except ImportError:
        raise BadInput("SOCKS proxies need an extra: pip install 'honeyguide[socks]'") from None
    by_proxy = address.startswith(("socks5h:", "socks4a:"))
    plain = address.replace("socks5h:", "socks5:").replace("socks4a:", "socks4:")

    class Connector(ProxyConnector):
        """Names the address that was checked, so that no second lookup can lead elsewhere."""

        async def _connect_via_proxy(self, host: str, port: int, ssl: Any = None, timeout: Any = None) -> Any:  # noqa: ASYNC109
            if ssl is None and not by_proxy:  # an encrypted connection is checked by the name in its certificate
                host = (await resolver.resolve(host))[0]["host"]
            return await super()._connect_via_proxy(host, port, ssl, timeout)

    connector: aiohttp.TCPConnector = Connector.from_url(plain, rdns=by_proxy, limit=0)
    return connector


async def check_target(hostname: str, resolver: Resolver, guard: Guard) -> None:
    """Refuse a target whose addresses may not be connected to: behind a proxy, its socket is never seen."""
    if guard.permits_all:
        return
    try:
        found = await resolver.resolve(hostname.strip("[]"))
    except OSError as error:
        raise FetchError("dns", f"{hostname} cannot be looked up here, so it cannot be checked ({error})") from error
    for one in found:
        if not guard.permits(one["host"]):
            raise Excluded("private_address", f"{one['host']} is a private address (--allow-private lifts this)")


def named(error: Exception, proxy: str) -> HoneyguideError:
    """What a failure on the way through a proxy means."""
    import aiohttp

    if isinstance(error, aiohttp.ClientProxyConnectionError) or type(error).__name__ == "ProxyConnectionError":
        return ProxyDown(
            f"the proxy {_shown(proxy)} cannot be reached ({error}); nothing was lost, start again later"
        )
    if isinstance(error, aiohttp.ClientHttpProxyError) and error.status in (401, 407):
        return refusal(proxy, f"status {error.status}")
    if "authentication" in str(error).lower():
        return refusal(proxy, str(error))
    return FetchError("unreachable", f"by the proxy: {error}")


def refusal(proxy: str, words: str) -> ProxyDown:
    """The proxy does not let us through."""
    return ProxyDown(f"the proxy {_shown(proxy)} refuses us: {words}; are name and password right?")


def is_of_a_proxy(error: BaseException) -> bool:
    """Whether an error was raised on the way to or through a proxy."""
    import aiohttp

    ours = (aiohttp.ClientProxyConnectionError, aiohttp.ClientHttpProxyError)
    return isinstance(error, ours) or type(error).__module__.partition(".")[0] in ("python_socks", "aiohttp_socks")
