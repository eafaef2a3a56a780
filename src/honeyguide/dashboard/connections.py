"""Connections: only so many at once, and none for somebody who does not ask; a crawl needs its files for itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

MOST = 64  # connections at once
PATIENCE = 5.0  # seconds until a connection must have been answered something


class Connections:
    """Counts the connections to a server, and ends those that waste its time."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.BaseTransport | None, asyncio.TimerHandle] = {}

    def guarding(self, protocol: Callable[[], asyncio.Protocol]) -> Callable[[], asyncio.Protocol]:
        """What makes the protocol of each connection, with an eye on it."""
        return lambda: _Guarded(self, protocol())

    def enter(self, transport: asyncio.Transport) -> bool:
        """Whether there is room for a connection; then its time runs."""
        if len(self._waiting) >= MOST:
            return False
        self._waiting[transport] = asyncio.get_running_loop().call_later(PATIENCE, transport.abort)
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """Make room for another one."""
        if waiting := self._waiting.pop(transport, None):
            waiting.cancel()

    async def answered(self, request: web.Request, _: web.StreamResponse) -> None:
        """From here on the server itself watches over a connection that rests."""
        if request.transport in self._waiting:
            self._waiting[request.transport].cancel()


class _Guarded(asyncio.Protocol):
    """Hands on all that a connection brings, once it was let in."""

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self._connections = connections
        self._inner = inner
        self._transport: asyncio.Transport | None = None

    def connection_made(self, made: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", made)  # that of uvloop is one by its methods only
        if self._connections.enter(transport):
            self._transport = transport
            self._inner.connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        if self._transport:
            self._connections.leave(self._transport)
            self._inner.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        if self._transport:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._transport else None

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
