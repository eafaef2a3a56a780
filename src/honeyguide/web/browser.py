"""A Chromium without a network of its own: every request of a page is answered by us, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import time
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput, FetchError
from honeyguide.web.supplies import Wanted

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright, Route, WebSocketRoute

    from honeyguide.web.supplies import Supplies

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = 0.5  # seconds without a request after which a page counts as done
LOOK_EVERY = 0.05
GRACE = 3.0  # seconds in which a page whose time is up must say what it holds
START = 60.0  # seconds the browser may take to be there
CLOSING = 5.0  # seconds a page may take to be closed before its browser is
HEAP = 512  # megabytes of a page's scripts
# No name and no address leads anywhere, there is no proxy that could, and no datagram leaves. Requests that we do not
# see, of which there should be none, end here.
NO_NETWORK = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=socks5://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its name in older versions
    "--disable-quic",
    "--dns-prefetch-disable",
)
# What speaks with others in ways that cannot be answered for is not there at all.
_WITHOUT = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete window[name]"
# Run in a world of its own, where nothing a page has redefined is in the way.
_HTML = (
    "(() => {{ const html = document.documentElement?.outerHTML ?? ''; return html.length > {} ? null : html }})()"
)


class RenderFailed(Exception):
    """A page that the browser could not show. The message says why."""


class BrowserGone(RenderFailed):
    """The browser ended with a page in it, which may have been no fault of the page's."""


def find_browser(given: str) -> str:
    """The path of the browser to use; refused, with a way out, when something is missing."""
    try:
        import playwright.async_api  # noqa: F401
    except ImportError:
        raise BadInput("rendering needs an extra: pip install 'honeyguide[browser]'") from None
    names = (given,) if given else NAMES
    found = next((path for name in names if (path := shutil.which(name))), None)
    if not found:
        what = f"--browser {given} is no program" if given else "no Chromium or Chrome is on the PATH"
        raise BadInput(f"{what}: install one (Debian: apt-get install chromium), or name it with --browser")
    return found


class Chromium:
    """Started with the first page, and again when it is gone."""

    def __init__(self, path: str, agent: str, largest: int) -> None:
        self._path = path
        self._agent = agent
        self._largest = largest
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._starts = 0

    async def html(self, url: str, supplies: Supplies, seconds: float) -> tuple[str, str]:
        """What the scripts of a page make of it, and the browser's name; RenderFailed where they do not get there."""
        import playwright.async_api

        browser = await self._ready()
        try:
            async with asyncio.timeout(START):
                context = await self._context(browser)
        except (TimeoutError, playwright.async_api.Error) as error:
            await self._end(browser)
            raise BrowserGone("the browser did not answer") from error
        try:
            async with asyncio.timeout(seconds + GRACE):
                shown = await _shown(context, url, supplies, seconds, self._largest)
            return shown, f"Chromium {browser.version}"
        except TimeoutError:
            raise RenderFailed(f"its scripts took more than {seconds:g} s") from None
        except playwright.async_api.Error as error:
            failed = RenderFailed if browser.is_connected() else BrowserGone
            raise failed(error.message.partition("\n")[0][:200]) from error
        finally:
            await self._let_go(browser, context)

    async def _ready(self) -> Browser:
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                await self._end(self._browser)
                self._browser = await self._started()
            return self._browser

    async def _started(self) -> Browser:
        from playwright.async_api import Error, async_playwright

        self._playwright = await async_playwright().start()
        try:
            browser = await self._playwright.chromium.launch(
                executable_path=self._path,
                args=[*NO_NETWORK, f"--js-flags=--max-old-space-size={HEAP}"],
                chromium_sandbox=os.geteuid() != 0,  # it refuses to start as root with one
                handle_sigint=False,
                handle_sigterm=False,
                timeout=1000 * START,
            )
        except Error as error:
            if self._starts:
                raise BrowserGone("the browser could not be started again") from error
            reason = error.message.partition("\n")[0][:300]
            raise BadInput(f"{self._path} could not be started to render pages: {reason}") from error
        self._starts += 1
        return browser

    async def _context(self, browser: Browser) -> BrowserContext:
        """Fresh for every page: nothing one page leaves behind is seen by another."""
        return await browser.new_context(
            user_agent=self._agent, service_workers="block", accept_downloads=False, ignore_https_errors=False
        )

    async def _let_go(self, browser: Browser, context: BrowserContext) -> None:
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(CLOSING):
                await context.close()
        except (TimeoutError, Error):
            await self._end(browser)

    async def _end(self, browser: Browser | None) -> None:
        """End a browser, unless another one has taken its place already."""
        if browser is not self._browser:
            return
        self._browser = None
        playwright, self._playwright = self._playwright, None
        for closing in (browser.close if browser else None, playwright.stop if playwright else None):
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CLOSING):
                    await (closing() if closing else asyncio.sleep(0))

    async def close(self) -> None:
        """End the browser."""
        async with self._starting:
            await self._end(self._browser)


async def _shown(context: BrowserContext, url: str, supplies: Supplies, seconds: float, largest: int) -> str:
    deadline = time.monotonic() + seconds
    page = await context.new_page()
    page.on("popup", lambda popup: asyncio.ensure_future(_shut(popup)))
    await context.add_init_script(_WITHOUT)
    await context.route_web_socket("**/*", _hang_up)
    desk = _Desk(page, supplies, deadline)
    await context.route("**/*", desk.answer)
    await page.goto(url, wait_until="commit", timeout=1000 * seconds)
    while True:
        await desk.quiet()
        html = await _html(context, page, largest)
        if not supplies.under_way or time.monotonic() >= deadline:
            return html


async def _html(context: BrowserContext, page: Page, largest: int) -> str:
    session = await context.new_cdp_session(page)
    tree: Any = await session.send("Page.getFrameTree")
    frame = {"frameId": tree["frameTree"]["frame"]["id"]}
    world: Any = await session.send("Page.createIsolatedWorld", frame)
    asked = {"contextId": world["executionContextId"], "returnByValue": True}
    answer: Any = await session.send("Runtime.evaluate", {"expression": _HTML.format(json.dumps(largest)), **asked})
    html = answer["result"].get("value")
    if not html:
        raise RenderFailed("nothing was left of it" if html == "" else f"it grew beyond {largest:,} characters")
    return str(html)


class _Desk:
    """Hands the requests of a page to its supplies, and the answers back."""

    def __init__(self, page: Page, supplies: Supplies, deadline: float) -> None:
        self._page = page
        self._supplies = supplies
        self._deadline = deadline
        self._last = time.monotonic()
        self._loaded = False
        page.on("load", self._load)

    def _load(self, _: object) -> None:
        self._loaded, self._last = True, time.monotonic()

    async def quiet(self) -> None:
        """Wait until the page has not asked for anything for a while, or its time is up."""
        while time.monotonic() < self._deadline:
            there = self._loaded or self._supplies.leads_to  # a page that is left never gets there
            if there and not self._supplies.under_way and time.monotonic() - self._last >= QUIET:
                return
            await asyncio.sleep(LOOK_EVERY)

    async def answer(self, route: Route) -> None:
        """Answer one request; what goes wrong with one the page has given up concerns nobody."""
        from playwright.async_api import Error

        self._supplies.under_way += 1
        try:
            async with asyncio.timeout(self._deadline - time.monotonic()):
                supply = await self._supplies.get(self._wanted(route))
            await route.fulfill(status=supply.status, headers=supply.headers, body=supply.body)
        except (FetchError, TimeoutError):
            with contextlib.suppress(Error):
                await route.abort("aborted")
        except Error:
            return
        finally:
            self._supplies.under_way -= 1
            self._last = time.monotonic()

    def _wanted(self, route: Route) -> Wanted:
        request = route.request
        accept = request.headers.get("accept", "*/*")
        whole = request.is_navigation_request() and request.frame == self._page.main_frame
        return Wanted(request.resource_type, request.url, request.method, accept, whole)


async def _shut(popup: Page) -> None:
    with contextlib.suppress(Exception):
        await popup.close()


async def _hang_up(socket: WebSocketRoute) -> None:
    with contextlib.suppress(Exception):
        await socket.close()
