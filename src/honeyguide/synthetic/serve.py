"""Serves an invented web over real HTTP on this machine, each site under its own Host."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from aiohttp import web

    from honeyguide.synthetic.world import World

_HOME = "127.0.0.1"


class Server:
    """Open with `async with`; then `port` is set, and `world` has it in all its URLs."""

    def __init__(self, world: World, port: int = 0) -> None:
        self.world, self.port = world, port
        self.requests: Counter[str] = Counter()  # by URL

    async def __aenter__(self) -> Self:
        from aiohttp import web

        application = web.Application()
        application.router.add_get("/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, _HOME, self.port).start()
        self.port = self._runner.addresses[0][1]
        self.world = self.world.at_port(self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        host = request.host.partition(":")[0].lower()
        url = f"http://{host}:{self.port}{request.raw_path}"
        self.requests[url] += 1
        if host not in self.world.hosts:
            return _page(421, b"<!DOCTYPE html><title>Misdirected</title><p>No such site here.</p>")
        if request.path == "/robots.txt":
            return _robots(self.world.robots(host))
        return self._page(url)

    def _page(self, url: str) -> web.Response:
        moved = self.world.redirect(url)
        if moved is not None:
            return _page(301, b"<!DOCTYPE html><title>Moved</title><p>Moved.</p>", {"Location": moved})
        body = self.world.html(url)
        if body is None:
            return _page(404, b"<!DOCTYPE html><title>Not found</title><p>Nothing is here.</p>")
        return _page(200, body)


def _page(status: int, body: bytes, headers: dict[str, str] | None = None) -> web.Response:
    from aiohttp import web

    return web.Response(status=status, body=body, content_type="text/html", charset="utf-8", headers=headers)


def _robots(text: str) -> web.Response:
    from aiohttp import web

    return web.Response(text=text, content_type="text/plain", charset="utf-8")
