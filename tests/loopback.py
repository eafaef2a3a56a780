"""A web server on this machine for tests: what it answers is a table of paths, what it was asked is a list.

And a live web to ask it with.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from honeyguide.base import FetchError
from honeyguide.settings import Settings
from honeyguide.web import LiveWeb

if TYPE_CHECKING:
    import ssl


@dataclass(frozen=True)
class Request:
    """One request as it came in, and when."""

    path: str
    headers: dict[str, str]  # names in lower case
    time: float
    connection: int = 0  # the how-manieth connection it came on


Handler = bytes | Callable[[Request, asyncio.StreamWriter], Awaitable[None]]
Handlers = Handler | list[Handler]  # a list is gone through, one a request; the last one stays


def answer(body: bytes = b"", status: str = "200 OK", type: str = "text/html", **headers: str) -> bytes:
    """A whole HTTP answer; underscores in header names stand for dashes."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {type}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


async def never(_: Request, __: asyncio.StreamWriter) -> None:
    """Take the request and stay silent."""
    await asyncio.Event().wait()


async def hang_up(_: Request, __: asyncio.StreamWriter) -> None:
    """Take the request and close the connection."""


async def reset(_: Request, writer: asyncio.StreamWriter) -> None:
    """Take the request and break the connection off."""
    break_off(writer)


def break_off(writer: asyncio.StreamWriter) -> None:
    """End a connection with a reset."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


NOT_FOUND = answer(b"<title>Nothing here</title>", "404 Not Found")


@dataclass
class Loopback:
    """Open with `with`; runs in a thread. A path that is not in the table is a 404."""

    pages: dict[str, Handlers]
    host: str = "127.0.0.1"
    requests: list[Request] = field(default_factory=list)
    port: int = 0
    tls: ssl.SSLContext | None = None
    clock: Callable[[], float] = time.monotonic
    connections: int = 0

    @property
    def origin(self) -> str:
        """The beginning of all its URLs."""
        return f"http{'s' if self.tls else ''}://{self.host}:{self.port}"

    @property
    def paths(self) -> list[str]:
        """What was asked for, in its order."""
        return [request.path for request in self.requests]

    def hits(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(request.path == path for request in self.requests)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._tasks: set[asyncio.Task[None]] = set()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._accept, self.host, self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._serve(reader, writer, self.connections))
        self._tasks.add(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            try:
                await self._converse(reader, writer, number)
            finally:
                writer.close()
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            request = _request(head.decode("latin-1"), self.clock(), number)
            self.requests.append(request)
            handler = self._handler(request.path)
            if not isinstance(handler, bytes):
                await handler(request, writer)
                return
            writer.write(handler)
            await writer.drain()

    def _handler(self, path: str) -> Handler:
        found = self.pages.get(path, NOT_FOUND)
        if isinstance(found, list):
            return found.pop(0) if len(found) > 1 else found[0]
        return found


def _request(head: str, arrived: float, connection: int) -> Request:
    first, *lines = head.strip().split("\r\n")
    fields = (line.partition(": ") for line in lines)
    return Request(first.split(" ")[1], {name.lower(): value for name, _, value in fields}, arrived, connection)


def settings(**given: object) -> Settings:
    """Settings to ask this machine with, at once."""
    return Settings(**{"delay": 0, "allow_private": True, "timeout": 5, **given})


def ask(web, *urls):
    """What comes of asking a web for URLs one after the other: replies and errors."""

    async def run():
        came = []
        async with web:
            for url in urls:
                try:
                    came.append(await web.get(url))
                except FetchError as error:
                    came.append(error)
        return came

    return asyncio.run(run())


def get(*urls, allowed=(), **given):
    """What comes of asking the live web for URLs one after the other: replies and errors."""
    came = ask(LiveWeb(settings(**given), allowed), *urls)
    return came[0] if len(urls) == 1 else came
