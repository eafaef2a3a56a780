"""What a page in the browser asks for: fetched by us within the page's limits, or refused."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from honeyguide import urls
from honeyguide.base import Excluded, FetchError
from honeyguide.web.content import decoded

if TYPE_CHECKING:
    from honeyguide.settings import Settings
    from honeyguide.web.exchange import Exchange

AT_ONCE = 4  # requests of one page
REDIRECTS = 5
SHELF = 50_000_000  # bytes of scripts that are kept for later pages
FETCHED = ("script", "xhr", "fetch")
_PASSED_ON = ("content-type", "content-security-policy", "x-content-type-options")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request of a page, as the browser describes it."""

    kind: str  # document, script, stylesheet, fetch, image …
    url: str
    method: str = "GET"
    accept: str = "*/*"
    whole_page: bool = False  # whether the answer would take the place of the page


@dataclass(frozen=True, slots=True)
class Supply:
    """An answer as the browser gets it."""

    status: int
    headers: dict[str, str]
    body: bytes


# A style sheet shows nothing that is read, but some pages wait for it.
NO_STYLE = Supply(200, {"content-type": "text/css"}, b"")


class Ask(Protocol):
    """Sends a request for a part of a page, where its server allows it."""

    async def __call__(self, url: str, page: str, limit: int, headers: dict[str, str]) -> Exchange:
        """The answer, of which at most `limit` bytes are read; FetchError where there is none."""


class Shelf:
    """Scripts that pages share: the latest ones, up to a size."""

    def __init__(self, size: int = SHELF) -> None:
        self._room = size
        self._kept: OrderedDict[tuple[str, str], Supply] = OrderedDict()

    def get(self, key: tuple[str, str]) -> Supply | None:
        """A script that is here."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: tuple[str, str], supply: Supply) -> None:
        """Keep a script; those that were not asked for the longest make room."""
        if key in self._kept:
            return
        self._kept[key] = supply
        self._room -= len(supply.body)
        while self._room < 0:
            self._room += len(self._kept.popitem(last=False)[1].body)


class Supplies:
    """Answers the requests of one page."""

    def __init__(self, page: Exchange, ask: Ask, shelf: Shelf, limits: Settings) -> None:
        self.requests = self.received = self.refused = 0
        self.under_way = 0  # requests without an answer yet
        self.leads_to = ""  # where a script sends the reader
        self._page = page
        self._begun = False  # whether the browser has the page
        self._ask = ask
        self._shelf = shelf
        self._limits = limits
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def get(self, wanted: Wanted) -> Supply:
        """The answer to a request; FetchError where the page gets none."""
        if wanted.whole_page:
            return await self._whole_page(wanted.url)
        if wanted.kind == "stylesheet":
            return NO_STYLE
        if wanted.kind not in FETCHED:
            raise Excluded("not_needed", wanted.kind)
        try:
            return await self._part(wanted)
        except FetchError:
            self.refused += 1
            raise

    async def _whole_page(self, url: str) -> Supply:
        """The page itself, once; any other page is another visit."""
        if not self._begun:
            self._begun = True
            return await self._supply(self._page)
        target = urls.normalize(url)
        self.leads_to = target if isinstance(target, str) and target != self._page.url else self.leads_to
        raise Excluded("another_page", url)

    async def _part(self, wanted: Wanted) -> Supply:
        url = urls.normalize(wanted.url)
        if not isinstance(url, str):
            raise Excluded("bad_url", url.reason)
        if wanted.method != "GET":  # it could change something
            raise Excluded("method", wanted.method)
        own, page = urls.origin(url), urls.origin(self._page.url)
        key = (url, "" if own == page else page)
        if wanted.kind == "script" and (kept := self._shelf.get(key)):
            return kept
        headers = {"Accept": wanted.accept} | ({} if own == page else {"Origin": page})
        async with self._turns:
            exchange = await self._followed(url, headers)
        supply = await self._supply(exchange)
        if wanted.kind == "script" and supply.status == 200:
            self._shelf.put(key, supply)
        return supply

    async def _followed(self, url: str, headers: dict[str, str]) -> Exchange:
        for _ in range(REDIRECTS + 1):
            exchange = await self._asked(url, headers)
            target = exchange.headers.get("location", "") if 300 <= exchange.status < 400 else ""
            if not target:
                return exchange
            found = urls.normalize(target, url)
            if not isinstance(found, str):
                raise Excluded("bad_url", found.reason)
            url = found
        raise FetchError("redirect_chain")

    async def _asked(self, url: str, headers: dict[str, str]) -> Exchange:
        left = self._limits.render_bytes - self.received
        if self.requests >= self._limits.render_requests or left <= 0:
            raise Excluded("render_limit", "the page has asked for as much as it may")
        self.requests += 1
        exchange = await self._ask(url, self._page.url, min(left, self._limits.max_page_bytes), headers)
        self.received += len(exchange.body)
        if exchange.truncated:
            raise FetchError("incomplete", exchange.truncated)
        return exchange

    async def _supply(self, exchange: Exchange) -> Supply:
        told = {
            name: value
            for name, value in exchange.headers.items()
            if name in _PASSED_ON or name.startswith("access-control-")
        }
        most, ratio = self._limits.max_page_bytes, self._limits.max_ratio
        coding = exchange.headers.get("content-encoding", "")
        return Supply(exchange.status, told, await asyncio.to_thread(decoded, exchange.body, coding, most, ratio))
