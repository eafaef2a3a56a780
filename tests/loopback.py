"""A web server on this machine for tests: what it answers is a table of paths, what it was asked is a list."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True)
class Request:
    """One request as it came in, and when."""

    path: str
    headers: dict[str, str]  # names in lower case
    time: float


Handler = bytes | Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def answer(body: bytes = b"", status: str = "200 OK", type: str = "text/html", **headers: str) -> bytes:
    """A whole HTTP answer; underscores in header names stand for dashes."""
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {type}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


async def never(_: Request, __: asyncio.StreamWriter) -> None:
    """Take the request and stay silent."""
    await asyncio.Event().wait()


NOT_FOUND = answer(b"<title>Nothing here</title>", "404 Not Found")


@dataclass
class Loopback:
    """Open with `with`; runs in a thread. A path that is not in the table is a 404."""

    pages: dict[str, Handler]
    host: str = "127.0.0.1"
    requests: list[Request] = field(default_factory=list)
    port: int = 0

    @property
    def origin(self) -> str:
        """The beginning of all its URLs."""
        return f"http://{self.host}:{self.port}"

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
        self._server = await asyncio.start_server(self._accept, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            try:
                await self._converse(reader, writer)
            finally:
                writer.close()
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await _request(reader):
            self.requests.append(request)
            handler = self.pages.get(request.path, NOT_FOUND)
            if not isinstance(handler, bytes):
                await handler(request, writer)
                return
            writer.write(handler)
            await writer.drain()


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    arrived = time.monotonic()
    first, *lines = head.strip().split("\r\n")
    fields = (line.partition(": ") for line in lines)
    return Request(first.split(" ")[1], {name.lower(): value for name, _, value in fields}, arrived)
