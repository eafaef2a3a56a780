"""Which addresses may be connected to: checked on the address itself, at the moment of connecting."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING, Any

from honeyguide import urls
from honeyguide.base import BadInput, Excluded

if TYPE_CHECKING:
    from collections.abc import Iterable

    IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # IPv4 as networks without it write it (RFC 6052)


class Guard:
    """Refuses private, loopback and other inner addresses, but for those named or when all are allowed."""

    def __init__(self, allow_private: bool = False, allowed: Iterable[str] = ()) -> None:
        self.permits_all = allow_private
        self._allowed = frozenset(ipaddress.ip_address(address) for address in allowed)

    def permits(self, address: str) -> bool:
        """Whether an address may be connected to."""
        ip = _meant(ipaddress.ip_address(address.partition("%")[0]))
        return self.permits_all or ip in self._allowed or _is_public(ip)

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address that is about to be connected to: the one place all connections pass."""
        family, kind, protocol, _, address = info
        if not self.permits(str(address[0])):
            raise RefusedAddress(f"{address[0]} is a private address (--allow-private lifts this)")
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        return made


def _meant(ip: IPAddress) -> IPAddress:
    """The IPv4 address inside an IPv6 one, where there is one."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip
    if ip in _TRANSLATED:
        return ipaddress.IPv4Address(ip.packed[-4:])
    return ip.ipv4_mapped or ip.sixtofour or ip


def _is_public(ip: IPAddress) -> bool:
    inner = ip.is_multicast or ip.is_reserved or (ip.version == 6 and ip.is_site_local)
    return ip.is_global and not inner


class RefusedAddress(OSError):
    """An address that may not be connected to."""


def refused(error: BaseException | None) -> Excluded | None:
    """The refusal behind an error, however deep a library wrapped it."""
    while error is not None:
        if isinstance(error, RefusedAddress):
            return Excluded("private_address", str(error))
        error = error.__cause__ or error.__context__ or getattr(error, "os_error", None)
    return None


def pinned_hosts(pairs: Iterable[str]) -> dict[str, str]:
    """HOST=ADDRESS pairs as a table."""
    table = {}
    for pair in pairs:
        host, equals, address = pair.partition("=")
        try:
            table[urls.host_written(host.strip())] = str(ipaddress.ip_address(address.strip().strip("[]")))
        except ValueError:
            equals = ""
        if not equals or not host.strip():
            raise BadInput(f"--resolve {pair!r}: write it as HOST=ADDRESS, e.g. bees.test=127.0.0.1")
    return table
