"""Hosts on this machine to crawl: a good one, an endless one, and hostile ones, each on an address of its own.

python -m benchmarks.hosts good|endless|hostile PORT serves until it is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import random
import socket
import struct
import subprocess
import sys
import time
import zlib
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import web

    Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], Awaitable[None]]

GOOD, PORTAL, ENDLESS = "127.0.0.2", "127.0.0.3", "127.0.0.4"
GOOD_PAGES = 600
GOOD_SECONDS = 0.02  # for one page, and the good host makes one at a time
HOSTILE_PAGES = 50  # of each hostile host
LINKS = 20  # on a page of the endless host
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
WORDS = "honey wax swarm queen hive nectar pollen comb smoker drone brood clover apiary frame colony sting".split()
GONE = (ConnectionError, RuntimeError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)  # uvloop: RuntimeError


class Hosts:
    """A process that serves. Use it with `with`."""

    def __init__(self, kind: str, address: str) -> None:
        self._kind, self._address = kind, address

    def __enter__(self) -> Self:
        self.port = _free_port(self._address)
        self._process = subprocess.Popen([sys.executable, "-m", "benchmarks.hosts", self._kind, str(self.port)])
        for _ in range(600):
            with socket.socket() as probe:
                if not probe.connect_ex((self._address, self.port)):
                    return self
            time.sleep(0.05)
        self.__exit__()
        raise SystemExit(f"the {self._kind} hosts do not answer")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)


def _free_port(address: str) -> int:
    with socket.socket() as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


def hostile_addresses() -> dict[str, str]:
    """By kind of hostility, the address."""
    return {name: f"127.0.0.{number}" for number, name in enumerate(HOSTILE, 10)}


# -- the good host, and the portal that leads to all ----------------------------------------------------------


async def serve_good(port: int) -> None:
    """A small server, with a few links a page and a log of when it was asked; the portal beside it."""
    from aiohttp import web

    hits: list[float] = []
    one_at_a_time = asyncio.Lock()

    async def answer(request: web.Request) -> web.Response:
        if request.path == "/robots.txt":
            return web.Response(status=404)
        if request.path == "/hits":
            return web.json_response(hits)
        if request.path.startswith("/portal"):
            return _html(request.path.rpartition("/")[2], _portal(request))
        async with one_at_a_time:
            await asyncio.sleep(GOOD_SECONDS)
        hits.append(time.monotonic())
        number = int(request.path.strip("/") or 0)
        return _html(f"Page {number}", [f"/{(number + step) % GOOD_PAGES}" for step in range(1, 11)])

    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    for address in (GOOD, PORTAL):
        await web.TCPSite(runner, address, port).start()
    await asyncio.Event().wait()


def _portal(request: web.Request) -> list[str]:
    """Links to all pages of the good host and, where a port is given, of the hostile ones, well mixed."""
    port, hostile = request.url.port, request.query.get("hostile")
    links = [f"http://{GOOD}:{port}/{number}" for number in range(GOOD_PAGES)]
    if hostile:
        chosen = request.query.get("kinds", "").split("|")
        for name, address in hostile_addresses().items():
            if name in chosen:
                links += [f"http://{address}:{hostile}/{number}/" for number in range(HOSTILE_PAGES)]
    random.Random(1).shuffle(links)
    return links


def _html(title: str, links: list[str]) -> web.Response:
    from aiohttp import web

    anchors = "".join(f"<li><a href='{link}'>{WORDS[len(link) % len(WORDS)]}</a></li>" for link in links)
    text = f"<!DOCTYPE html><title>{title}</title><p>{_sentences(title)}</p><ul>{anchors}</ul>"
    return web.Response(text=text, content_type="text/html")


def _sentences(seed: str) -> str:
    """Text that no other page has."""
    return " ".join(random.Random(seed).choices(WORDS, k=300))


async def serve_endless(port: int) -> None:
    """Each page links to pages that nobody has seen."""
    from aiohttp import web

    made = iter(range(1, sys.maxsize))

    async def answer(request: web.Request) -> web.Response:
        if request.path == "/robots.txt":
            return web.Response(status=404)
        return _html(request.path, [f"/section-{next(made) % 97}/page-{next(made)}.html" for _ in range(LINKS)])

    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, ENDLESS, port).start()
    await asyncio.Event().wait()


# -- hostile hosts --------------------------------------------------------------------------------------------


async def never(_: asyncio.StreamReader, __: asyncio.StreamWriter, ___: str) -> None:
    """Takes the request and never answers."""
    await asyncio.sleep(3600)


async def slow_headers(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """A byte of the headers now and then."""
    await _drip(writer, OK + b"X-Slow: " + b"x" * 10_000)


async def slow_body(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """A byte of the page now and then."""
    writer.write(OK + b"\r\n")
    await _drip(writer, b"x" * 10_000)


async def _drip(writer: asyncio.StreamWriter, content: bytes) -> None:
    for start in range(len(content)):
        writer.write(content[start : start + 1])
        await writer.drain()
        await asyncio.sleep(0.2)


async def endless_body(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """A page without end."""
    writer.write(OK + b"\r\n")
    await _pour(writer, b"<p>And so on and so forth.</p>\n" * 2000)


async def header_flood(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """Headers without end."""
    writer.write(OK)
    await _pour(writer, b"".join(b"X-Flood-%d: water\r\n" % number for number in range(1000)))


async def _pour(writer: asyncio.StreamWriter, content: bytes) -> None:
    while True:
        writer.write(content)
        await writer.drain()


async def reset(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """Hangs up in the rudest way."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def bomb(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """A fifth of a megabyte that unpacks to two hundred."""
    writer.write(OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(_bomb()) + _bomb())
    await writer.drain()


@functools.cache
def _bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(bytes(1_000_000)) for _ in range(200)), packer.flush()])


async def large(_: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
    """Nearly as large as is taken, and all of it text."""
    await _send(writer, path, _large())


@functools.cache
def _large() -> bytes:
    return (f"<p>{_sentences('large')}</p>" * 6000).encode()[:9_900_000]


async def many_links(_: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
    """A hundred thousand links on a page, to pages of the same kind."""
    await _send(writer, path, _many_links())


@functools.cache
def _many_links() -> bytes:
    return "".join(f"<a href='{n}/'>{WORDS[n % len(WORDS)]}</a>\n" for n in range(100_000)).encode()


async def _send(writer: asyncio.StreamWriter, path: str, body: bytes) -> None:
    """A page, different for each path: the same bytes again would be no work."""
    title = f"<!DOCTYPE html><title>{path}</title>".encode()
    writer.write(OK + b"Content-Length: %d\r\n\r\n" % (len(title) + len(body)) + title)
    writer.write(body)
    await writer.drain()


async def redirect_loop(_: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
    """Always one further."""
    where = f"{path}-again".encode()
    writer.write(b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % where)


async def unavailable(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """Always too busy."""
    writer.write(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


async def garbage(_: asyncio.StreamReader, writer: asyncio.StreamWriter, __: str) -> None:
    """Speaks something else."""
    writer.write(os.urandom(50_000))


async def robots_hangs(_: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
    """Never says what is allowed."""
    if path == "/robots.txt":
        await asyncio.sleep(3600)
    writer.write(OK + b"\r\n<p>You should not have come.</p>")


HOSTILE: dict[str, Answering] = {
    "never answers": never,
    "slow headers": slow_headers,
    "slow body": slow_body,
    "endless body": endless_body,
    "endless headers": header_flood,
    "resets": reset,
    "gzip bombs": bomb,
    "10 MB pages": large,
    "100,000 links": many_links,
    "redirects on and on": redirect_loop,
    "status 503": unavailable,
    "garbage": garbage,
    "robots.txt hangs": robots_hangs,
}


def _connected(answering: Answering) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(*GONE):
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split()[1].decode("latin-1")
            if path == "/robots.txt" and answering is not robots_hangs:
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            else:
                await answering(reader, writer, path)
        with contextlib.suppress(*GONE):
            writer.close()
            await writer.wait_closed()

    return serve


async def serve_hostile(port: int) -> None:
    """All of them, on as many addresses; what takes long to make is made first."""
    _bomb(), _large(), _many_links()
    for name, address in hostile_addresses().items():
        await asyncio.start_server(_connected(HOSTILE[name]), address, port)
    await asyncio.Event().wait()


def hits_of(port: int) -> list[float]:
    """When the good host was asked, by its own clock."""
    import urllib.request

    with urllib.request.urlopen(f"http://{GOOD}:{port}/hits", timeout=10) as answer:
        return list(json.load(answer))


def main() -> None:
    """Serve until ended."""
    import uvloop

    kind, port = sys.argv[1], int(sys.argv[2])
    serve = {"good": serve_good, "endless": serve_endless, "hostile": serve_hostile}[kind]
    uvloop.run(serve(port))


if __name__ == "__main__":
    main()
