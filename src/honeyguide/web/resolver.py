"""Names to addresses: those given on the command line first, then the system's name server."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import aiohttp.abc
import aiohttp.resolver

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp.abc import ResolveResult


class Resolver(aiohttp.abc.AbstractResolver):
    """The system's resolver, with a table of exceptions."""

    def __init__(self, pinned: Mapping[str, str]) -> None:
        self._pinned = pinned
        self._system = aiohttp.resolver.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a host."""
        address = self._pinned.get(host.lower())
        if address is None:
            return await self._system.resolve(host, port, family)
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [{"hostname": host, "host": address, "port": port, "family": kind, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        """Nothing to let go of."""
