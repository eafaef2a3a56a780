"""Names to addresses: those given on the command line first, then the system's name server."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import aiohttp.abc
import aiohttp.resolver

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp.abc import ResolveResult


LASTING = 300.0  # seconds an answer is kept
MOST_KEPT = 10_000


class Resolver(aiohttp.abc.AbstractResolver):
    """The system's resolver with a memory, and a table of exceptions."""

    def __init__(self, pinned: Mapping[str, str]) -> None:
        self._pinned = pinned
        self._system = aiohttp.resolver.ThreadedResolver()
        self._kept: dict[tuple[str, int], tuple[float, list[ResolveResult]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host."""
        address = self._pinned_address(host.lower())
        if address is not None:
            kind = socket.AF_INET6 if ":" in address else socket.AF_INET
            return [{"hostname": host, "host": address, "port": port, "family": kind, "proto": 0, "flags": 0}]
        expires, found = self._kept.get((host, family), (0.0, []))
        if expires < time.monotonic():
            try:
                found = await self._system.resolve(host, port, family)
            except UnicodeError as error:  # a label that is empty, or longer than a name server can be asked for
                raise socket.gaierror(socket.EAI_NONAME, "no name that could exist") from error
            if not found:
                raise socket.gaierror(getattr(socket, "EAI_NODATA", socket.EAI_NONAME), "the name has no address")
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[host, family] = (time.monotonic() + LASTING, found)
        return [{**one, "port": port} for one in found]

    def _pinned_address(self, host: str) -> str | None:
        """What is pinned for a host; `*.test` stands for all names that end so, and a longer ending goes first."""
        endings = (f"*.{host[dot + 1 :]}" for dot, sign in enumerate(host) if sign == ".")
        return next((self._pinned[name] for name in (host, *endings) if name in self._pinned), None)

    async def close(self) -> None:
        """Nothing to let go of."""
