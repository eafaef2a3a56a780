"""Which pages are shown to a browser, and what came of it, counted."""

from __future__ import annotations

import asyncio
import functools
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide import urls
from honeyguide.web.browser import BrowserGone, Chromium, RenderFailed, find_browser
from honeyguide.web.preparing import Rendering
from honeyguide.web.supplies import Shelf, Supplies

if TYPE_CHECKING:
    from honeyguide.base import Page, Reply
    from honeyguide.settings import Settings
    from honeyguide.web.exchange import Exchange
    from honeyguide.web.supplies import Ask

AT_ONCE = 2  # pages in the browser
NEEDS_IT = 3  # pages of a host that gained by it: all its pages are shown
NO_USE = 5  # pages of a host that did not, and none that did: no more are
HTML = ("text/html", "application/xhtml+xml")


class Need:
    """Which pages need a browser: by what they are like, and by what came of others of their host."""

    def __init__(self, always: bool = False) -> None:
        self._always = always
        self._gained: Counter[str] = Counter()
        self._tried: Counter[str] = Counter()

    def of(self, page: Page) -> bool:
        """Whether a page should be shown; a gate is none that scripts may open."""
        if page.type not in HTML or page.listing or page.gate:
            return False
        host = urls.host(page.url)
        if self._always or (page.scripted and self._gained[host] >= NEEDS_IT):
            return True
        return page.scripted == "waits" and (self._gained[host] > 0 or self._tried[host] < NO_USE)

    def learn(self, url: str, gained: bool) -> None:
        """Take in what came of showing a page."""
        self._tried[urls.host(url)] += 1
        self._gained[urls.host(url)] += gained


class Renderer:
    """Shows pages to a browser. Close it at the end."""

    def __init__(self, settings: Settings, ask: Ask, agent: str) -> None:
        self._settings = settings
        self._ask = ask
        self._need = Need(settings.render == "always")
        self._agent = agent
        self._shelf = Shelf()
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._counts: Counter[str] = Counter()

    @functools.cached_property
    def _browser(self) -> Chromium:
        """Found when it is needed: what is stored can be read without it."""
        return Chromium(find_browser(self._settings.browser), self._agent, self._settings.max_page_bytes)

    def check(self) -> None:
        """Refuse where there is no browser."""
        find_browser(self._settings.browser)

    def wants(self, reply: Reply) -> bool:
        """Whether a page should be shown."""
        return reply.page is not None and self._need.of(reply.page)

    async def render(self, exchange: Exchange) -> Rendering | str:
        """What a browser makes of an answer, or why it makes nothing of it."""
        try:
            async with self._turns:
                try:
                    return await self._shown(exchange)
                except BrowserGone:
                    return await self._shown(exchange)
        except RenderFailed as failure:
            self._counts["render_failed"] += 1
            self._need.learn(exchange.url, gained=False)
            return str(failure)

    async def _shown(self, exchange: Exchange) -> Rendering:
        supplies = Supplies(exchange, self._ask, self._shelf, self._settings)
        try:
            html, name = await self._browser.html(exchange.url, supplies, self._settings.render_timeout)
        finally:
            self._counts["render_requests"] += supplies.requests
            self._counts["render_refused"] += supplies.refused
        return Rendering(_bytes(html, supplies.leads_to), supplies.received, name)

    def better(self, plain: Reply, rendered: Reply) -> Reply:
        """The rendered page where it says more than the plain one, else the plain one."""
        gained = _says_more(rendered.page, plain.page)
        self._counts["rendered"] += 1
        self._counts["render_gained"] += gained
        if plain.page:
            self._need.learn(plain.page.url, gained)
        return rendered if gained else replace(plain, size=rendered.size)

    def notes(self) -> dict[str, int]:
        """Pages rendered, those that gained by it, those that failed; the requests that took, and those refused."""
        names = ("rendered", "render_gained", "render_failed", "render_requests", "render_refused")
        return {name: self._counts[name] for name in names}

    async def close(self) -> None:
        """End the browser."""
        if "_browser" in self.__dict__:
            await self._browser.close()


def _says_more(rendered: Page | None, plain: Page | None) -> bool:
    if rendered is None or plain is None:
        return rendered is not None
    return len(rendered.text) > len(plain.text) or len(rendered.links) > len(plain.links)


def _bytes(html: str, leads_to: str) -> bytes:
    """The page as it stood; where a script sends the reader on, a tag says so, as a page without scripts would."""
    sent_on = f'<meta http-equiv="refresh" content="0; url={escape(leads_to)}">' if leads_to else ""
    head, tag, rest = html.partition("<head>")
    marked = f"{head}{tag}{sent_on}{rest}" if tag else f"{sent_on}{html}"
    return f"<!DOCTYPE html>\n{marked}".encode("utf-8", "replace")
