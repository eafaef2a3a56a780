"""The server: three files, a stream of what changed, a few actions, the metrics. It listens on this machine only."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from honeyguide.base import BadInput
from honeyguide.dashboard import connections
from honeyguide.dashboard.door import Door
from honeyguide.dashboard.looks import TICK, Looks
from honeyguide.dashboard.metrics import CONTENT_TYPE, exposition
from honeyguide.dashboard.note import Note
from honeyguide.dashboard.token import new_token

if TYPE_CHECKING:
    from honeyguide.dashboard.view import View

HOME = "127.0.0.1"
HEARTBEAT = 10.0  # seconds; then something is sent though nothing is new
STALLED = 10.0  # seconds after which a window that does not read what it is sent is given up
MOST_STREAMS = 16
_FILES = {"/": "index.html", "/app.js": "app.js", "/style.css": "style.css"}
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


class Server:
    """Open with `async with`; then `note` says where it is."""

    def __init__(self, view: View, port: int = 0, token: str = "") -> None:
        self._view = view
        self._port = port
        self._door = Door(token or new_token())
        self._connections = connections.Connections()
        self._looks = Looks(view)
        self._closing = asyncio.Event()
        self._streams = 0

    @property
    def note(self) -> Note:
        """Where to reach it."""
        return Note(os.getpid(), self._port, self._door.token)

    async def __aenter__(self) -> Self:
        application = self._door.application()
        for path in _FILES:
            application.router.add_get(path, self._file)
        application.router.add_get("/api/events", self._events)
        application.router.add_get("/api/why/{id:[0-9]{1,9}}", self._why)
        application.router.add_get("/metrics", self._metrics)
        application.router.add_post("/api/{action:[a-z_]+}", self._act)
        application.on_response_prepare.append(self._connections.answered)
        self._runner = web.AppRunner(
            application,
            access_log=None,
            shutdown_timeout=2.0,
            logger=_SILENT,
            keepalive_timeout=connections.PATIENCE,
            lingering_time=0.0,  # of a request that was refused, the rest is not waited for
        )
        await self._runner.setup()
        await self._listen()
        return self

    async def _listen(self) -> None:
        assert self._runner.server is not None
        protocol = self._connections.guarding(self._runner.server)
        try:
            self._listening = await asyncio.get_running_loop().create_server(protocol, HOME, self._port)
        except OSError as error:
            await self._runner.cleanup()
            raise BadInput(f"the dashboard cannot listen on port {self._port}: {error.strerror}") from None
        self._port = self._door.port = self._listening.sockets[0].getsockname()[1]

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        self._listening.close()
        await self._runner.cleanup()

    async def _file(self, request: web.Request) -> web.Response:
        name = _FILES[request.path]
        text = files("honeyguide.dashboard").joinpath("static", name).read_text(encoding="utf-8")
        return web.Response(text=text, content_type=_TYPES[name.rpartition(".")[2]], charset="utf-8")

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """What is new, as long as somebody reads it."""
        if self._streams >= MOST_STREAMS:
            raise web.HTTPServiceUnavailable(text="Too many windows show this dashboard.\n")
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        self._streams += 1
        try:
            await response.prepare(request)
            await self._stream(response)
        except (ConnectionError, TimeoutError):  # the window was closed, or does not read
            if request.transport:
                request.transport.abort()
        finally:
            self._streams -= 1
        return response

    async def _stream(self, response: web.StreamResponse) -> None:
        sent, heard = dict[str, str](), time.monotonic()
        while True:
            over = self._closing.is_set()
            now = self._looks.now(anew=over)
            news = {name: text for name, text in now.items() if sent.get(name) != text}
            if news:
                members = ",".join(f"{json.dumps(name)}:{text}" for name, text in news.items())
                await _send(response, f"data: {{{members}}}\n\n")
                sent |= news
                heard = time.monotonic()
            elif time.monotonic() - heard > HEARTBEAT:
                await _send(response, ": still here\n\n")
                heard = time.monotonic()
            if over:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), TICK)

    async def _why(self, request: web.Request) -> web.Response:
        return _told({"why": self._view.why(int(request.match_info["id"]))})

    async def _act(self, request: web.Request) -> web.Response:
        try:
            given = json.loads(await request.text())
        except (ValueError, LookupError, RecursionError):  # LookupError: there is no such charset
            given = None
        if not isinstance(given, dict):
            return _told({"error": "send a JSON object"}, 400)
        done = await self._view.act(request.match_info["action"], given)
        self._looks.look_anew()
        return _told(done)

    async def _metrics(self, _: web.Request) -> web.Response:
        text = exposition([*self._view.metrics(), self._looks.metric()])
        return web.Response(body=text.encode(), headers={"Content-Type": CONTENT_TYPE})


async def _send(response: web.StreamResponse, text: str) -> None:
    await asyncio.wait_for(response.write(text.encode("ascii")), STALLED)


def _told(answer: dict[str, Any], status: int = 200) -> web.Response:
    return web.Response(text=json.dumps(answer), status=status, content_type="application/json")


_SILENT = logging.getLogger("honeyguide.dashboard")  # errors are told to who asked, not to the terminal
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False
