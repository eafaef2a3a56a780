"""A connection that takes one answer for one request, and nothing after it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.helpers import set_exception
from aiohttp.http_exceptions import HttpProcessingError

from honeyguide.web.http import own_connection, taken_up

if TYPE_CHECKING:
    import asyncio

    from aiohttp.connector import Connection

MOST_INTERIM = 20  # 1xx answers before the one that was asked for
_END = b"\r\n\r\n"


class Wire(ResponseHandler):
    """What comes after the length a head names is dropped with the connection; a body that cannot be read on ends."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.touched = False  # whether anything came since it was taken up again
        self._begin()

    def _begin(self) -> None:
        self._interim = 0
        self._before = b""  # the last bytes of a head that is not all there
        self._in_head = True
        self._left: int | None = None  # bytes of the body that are to come, where it is known

    def set_response_params(self, **given: Any) -> None:
        self._begin()
        super().set_response_params(**given)

    def feed_data(self, data: Any, size: int = 0) -> None:
        message = data[0]
        if 100 <= message.code < 200 and message.code != 101:
            self._interim += 1
            if self._interim > MOST_INTERIM:
                self.set_exception(HttpProcessingError(code=502, message="too many interim answers"))
                if self.transport:
                    self.transport.close()
            return
        self._in_head = False
        length = message.headers.get("Content-Length", "")
        if not message.chunked and length.isdigit():
            self._left = int(length)
        super().feed_data(data, size)

    def data_received(self, data: bytes) -> None:
        self.touched = True
        if not data:  # the parser goes on with what it has
            super().data_received(data)
            return
        while self._in_head and data and self._exception is None:
            seen = self._before + data
            end = seen.find(_END)
            if end < 0:
                self._before = seen[-3:]
                super().data_received(data)
                return
            cut = end + len(_END) - len(self._before)
            self._before = b""
            super().data_received(data[:cut])
            data = data[cut:]
        if self._left is not None and len(data) > self._left:
            data = data[: self._left]
            self.force_close()
        if self._left is not None:
            self._left -= len(data)
        if data:
            super().data_received(data)

    def set_exception(self, exc: BaseException, *cause: BaseException) -> None:
        payload = self._payload
        super().set_exception(exc, *cause)
        if payload is not None and not payload.is_eof():
            set_exception(payload, aiohttp.ClientPayloadError(str(exc)), exc)


class Connector(aiohttp.TCPConnector):
    """Takes no connection up again on which something came that nobody had asked for."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._factory = functools.partial(Wire, loop=self._loop)  # type: ignore[assignment]

    async def _get(self, key: Any, traces: Any) -> Connection | None:
        while not own_connection.get() and (connection := await super()._get(key, traces)) is not None:
            if isinstance(connection.protocol, Wire) and not connection.protocol.should_close:
                connection.protocol.touched = False
                taken_up.set(connection.protocol)
                return connection
            connection.close()
        return None
