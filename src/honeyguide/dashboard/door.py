"""Who may come in: only pages of this very server, only with its token, and nothing changes by a mere GET."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from aiohttp import web

from honeyguide.base import HoneyguideError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

OPEN = ("/", "/app.js", "/style.css")  # what holds nothing of the crawl
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


class Door:
    """Checks every request before anything else looks at it."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.port = 0  # set when it is known

    def application(self) -> web.Application:
        """A server behind this door, without any room in it yet."""
        application = web.Application(middlewares=[self._check], client_max_size=10_000)
        application.on_response_prepare.append(_dress)
        return application

    @web.middleware
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        if request.headers.getall("Host", []) != [request.host] or request.host.lower() not in hosts:
            raise web.HTTPForbidden(text="This server answers to its own name only.\n")
        self._check_where_from(request, {f"http://{host}" for host in hosts})
        if request.path not in OPEN:
            self._check_token(request.headers.get("Authorization", ""))
        if request.method == "POST" and request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="Send JSON.\n")
        try:
            return await handler(request)
        except (web.HTTPException, ConnectionError):
            raise
        except HoneyguideError as error:
            return web.json_response({"error": str(error)}, status=409)
        except Exception as error:
            raise web.HTTPInternalServerError(text=f"{type(error).__name__}\n") from error

    def _check_where_from(self, request: web.Request, origins: set[str]) -> None:
        """A page of another server may neither read nor do anything here."""
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
        foreign = origin is not None and origin.lower() not in origins
        if foreign or (origin is None and request.method not in ("GET", "HEAD")):
            raise web.HTTPForbidden(text="Only the dashboard's own page may do that.\n")
        if site not in (None, "same-origin", "none"):
            raise web.HTTPForbidden(text="Only the dashboard's own page may do that.\n")

    def _check_token(self, given: str) -> None:
        scheme, _, token = given.partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self.token.encode()):
            raise web.HTTPUnauthorized(
                text="Open the address that honeyguide printed: it ends with #token=…\n",
                headers={"WWW-Authenticate": "Bearer"},
            )


async def _dress(_: web.Request, response: web.StreamResponse) -> None:
    """Every answer, errors included, forbids what the page does not need."""
    response.headers.update(HEADERS)
