"""Requests that go through a proxy: how it is connected to, and which targets it may be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING
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


def socks_connector(address: str, **options: object) -> aiohttp.TCPConnector:
    """A connector that reaches everything through a SOCKS proxy."""
    try:
        from aiohttp_socks import ProxyConnector
    except ImportError:
        raise BadInput("SOCKS proxies need an extra: pip install 'honeyguide[socks]'") from None
    by_proxy = address.startswith(("socks5h:", "socks4a:"))
    plain = address.replace("socks5h:", "socks5:").replace("socks4a:", "socks4:")
    connector: aiohttp.TCPConnector = ProxyConnector.from_url(plain, rdns=by_proxy, **options)
    return connector


async def check_target(hostname: str, resolver: Resolver, guard: Guard) -> None:
    """Refuse a target whose addresses may not be connected to: behind a proxy, its socket is never seen."""
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

    kind = type(error).__name__
    if isinstance(error, aiohttp.ClientProxyConnectionError) or kind == "ProxyConnectionError":
        return ProxyDown(
            f"the proxy {_shown(proxy)} cannot be reached ({error}); nothing was lost, start again later"
        )
    if isinstance(error, aiohttp.ClientHttpProxyError) and error.status in (401, 403, 407):
        return ProxyDown(f"the proxy {_shown(proxy)} refuses us: status {error.status}; are name and password right?")
    return FetchError("unreachable", f"by the proxy: {error}")
