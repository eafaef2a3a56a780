"""An HTTP answer that remembers where it came from."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

import aiohttp

if TYPE_CHECKING:
    from aiohttp.connector import Connection


class Answer(aiohttp.ClientResponse):
    """A response with the address of its server; a short one has let go of its connection before it can be asked."""

    address: str = ""
    sent: float = 0.0  # when its request was, by the monotonic clock

    async def start(self, connection: Connection) -> Self:
        """Note address and time, then read the head of the response."""
        self.sent = time.monotonic()
        peer = connection.transport.get_extra_info("peername") if connection.transport else None
        self.address = str(peer[0]) if peer else ""
        await super().start(connection)
        return self
