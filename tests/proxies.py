"""Two small proxies on this machine, for tests: they pass everything on, and remember what they were asked for."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import socket
import struct
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Proxy:
    """Open with `with`; runs in a thread. `names` are hosts that only the proxy knows."""

    scheme = ""

    def __init__(self, host: str = "127.0.0.1", user: str = "", password: str = "", **names: str) -> None:
        self.host, self.port = host, 0
        self.asked: list[str] = []  # targets: HOST:PORT
        self.refused = 0
        self._user, self._password = user, password
        self._names = {name.replace("_", "."): address for name, address in names.items()}

    @property
    def address(self) -> str:
        """Where it can be reached, with name and password where it asks for them."""
        secret = f"{self._user}:{self._password}@" if self._user else ""
        return f"{self.scheme}://{secret}{self.host}:{self.port}"

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
        self._server = await asyncio.start_server(self._accept, self.host, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            try:
                await self._converse(reader, writer)
            finally:
                writer.close()
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError

    @contextlib.asynccontextmanager
    async def _target(self, host: str, port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        self.asked.append(f"{host}:{port}")
        reader, writer = await asyncio.open_connection(self._names.get(host, host), port)
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()


class HttpProxy(Proxy):
    """Takes GET with a whole URL, one request a connection, and CONNECT."""

    scheme = "http"

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, url, _ = head.split(" ", 2)
        secret = base64.b64encode(f"{self._user}:{self._password}".encode()).decode()
        if self._user and f"\r\nProxy-Authorization: Basic {secret}\r\n" not in head:
            self.refused += 1
            writer.write(b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        rest = url.partition("://")[2] or url
        place, _, path = rest.partition("/")
        host, _, port = place.partition(":")
        try:
            async with self._target(host, int(port or 80)) as (their_reader, their_writer):
                if method == "CONNECT":
                    writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                    await asyncio.gather(_pass_on(reader, their_writer), _pass_on(their_reader, writer))
                    return
                lines = [line for line in head.split("\r\n")[1:] if not line.lower().startswith("proxy-")]
                their_writer.write("\r\n".join([f"{method} /{path} HTTP/1.1", *lines]).encode("latin-1"))
                their_writer.write_eof()
                writer.write((await their_reader.readuntil(b"\r\n\r\n"))[:-2] + b"Connection: close\r\n\r\n")
                await _pass_on(their_reader, writer)
        except ConnectionRefusedError:
            writer.write(b"HTTP/1.1 502 Not there\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


class SocksProxy(Proxy):
    """SOCKS 5, with a name and a password where they are given."""

    scheme = "socks5"

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, count = await reader.readexactly(2)
        await reader.readexactly(count)
        writer.write(b"\x05\x02" if self._user else b"\x05\x00")
        if self._user and not await self._admitted(reader, writer):
            return
        _, _, _, kind = await reader.readexactly(4)
        if kind == 3:
            host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
            host = socket.inet_ntop(family, await reader.readexactly(size))
        (port,) = struct.unpack(">H", await reader.readexactly(2))
        try:
            async with self._target(host, port) as (their_reader, their_writer):
                writer.write(b"\x05\x00\x00\x01" + bytes(6))
                await asyncio.gather(_pass_on(reader, their_writer), _pass_on(their_reader, writer))
        except ConnectionRefusedError:
            writer.write(b"\x05\x05\x00\x01" + bytes(6))

    async def _admitted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        await reader.readexactly(1)
        user = await reader.readexactly((await reader.readexactly(1))[0])
        password = await reader.readexactly((await reader.readexactly(1))[0])
        right = (user.decode(), password.decode()) == (self._user, self._password)
        self.refused += not right
        writer.write(b"\x01\x00" if right else b"\x01\x01")
        return right
