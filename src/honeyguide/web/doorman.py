"""robots.txt of every origin: fetched once a day, asked before every page; unreadable means not now."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import Excluded, FetchError, NotNow
from honeyguide.web.content import decoded
from honeyguide.web.manners import retry_after
from honeyguide.web.opt_outs import of_tdmrep
from honeyguide.web.robots import LONGEST, Rules, read_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.settings import Settings
    from honeyguide.web.exchange import Exchange
    from honeyguide.web.http import Http

REDIRECTS = 5
FRESH = 24 * 3600.0  # seconds
TRIES = 3  # then the origin is left alone for this run; its URLs stay queued
PAUSE = 2.0  # seconds, doubled at each try


@dataclass
class _Door:
    """What is known of one origin's robots.txt."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    rules: Rules | None = None
    read_at: float = -math.inf
    tries: int = 0
    shut_until: float = -math.inf
    trouble: str = ""
    tdmrep: bytes | None = None  # what /.well-known/tdmrep.json holds, once it was asked for


class Doorman:
    """Lets URLs pass that robots.txt allows."""

    def __init__(self, http: Http, settings: Settings, now: Callable[[], float], gap: Callable[[str], float]) -> None:
        self.requests = 0
        self._http = http
        self._agent = settings.user_agent
        self._reads_tdmrep = settings.tdmrep or settings.skip_opted_out
        self._now = now
        self._gap = gap
        self._doors: dict[str, _Door] = {}

    def take_over(self, earlier: Doorman) -> None:
        """Know the rules that another doorman of this run has read."""
        self._doors = earlier._doors

    def troubles(self) -> dict[str, str]:
        """Origins whose robots.txt could not be read, and why."""
        return {origin: door.trouble for origin, door in self._doors.items() if door.trouble}

    async def rules(self, url: str) -> tuple[Rules, bool]:
        """The rules for a URL, and whether they were fetched just now; NotNow while they cannot be had."""
        origin = urls.origin(url)
        door = self._doors.setdefault(origin, _Door())
        async with door.lock:  # one at a time asks for robots.txt
            if door.rules is not None and self._now() - door.read_at < FRESH:
                return door.rules, False
            if door.shut_until > self._now():
                raise NotNow("robots_unavailable", door.shut_until, door.trouble)
            return await self._read(origin, door), True

    async def reservations(self, url: str) -> tuple[frozenset[str], bool]:
        """What tdmrep.json of a URL's origin says of it, where it is to be read, and whether it was just now."""
        if not self._reads_tdmrep:
            return frozenset(), False
        door, just_now = self._doors[urls.origin(url)], False
        async with door.lock:
            if door.tdmrep is None:
                door.tdmrep = await self._tdmrep(f"{urls.origin(url)}/.well-known/tdmrep.json")
                just_now = True
        return of_tdmrep(door.tdmrep, urls.split(url)[2]), just_now

    async def _tdmrep(self, url: str) -> bytes:
        self.requests += 1
        try:
            exchange = await self._http.get(url, LONGEST)
            if exchange.status != 200 or exchange.truncated:
                return b""
            return decoded(exchange.body, exchange.headers.get("content-encoding", ""), LONGEST)
        except FetchError:
            return b""

    async def _read(self, origin: str, door: _Door) -> Rules:
        try:
            door.rules = await self._fetched(f"{origin}/robots.txt")
        except Excluded:
            raise
        except FetchError as error:
            if error.reason in ("dns", "out_of_files"):
                raise
            self._shut(door, error, self._gap(urls.host(origin)))
            raise NotNow("robots_unavailable", door.shut_until, door.trouble) from None
        door.read_at, door.tries, door.trouble = self._now(), 0, ""
        return door.rules

    def _shut(self, door: _Door, error: FetchError, gap: float) -> None:
        door.tries += 1
        door.trouble = error.detail if error.reason == "robots_unavailable" else str(error)
        asked = error.until - self._now() if isinstance(error, NotNow) else 0.0
        pause = max(asked, PAUSE * 2 ** (door.tries - 1), gap) if door.tries < TRIES else math.inf
        door.shut_until = self._now() + pause

    async def _fetched(self, url: str) -> Rules:
        for hops in range(REDIRECTS + 1):
            if hops:
                await asyncio.sleep(self._gap(urls.host(url)))
            self.requests += 1
            try:
                exchange = await self._http.get(url, LONGEST + 1)  # to see that there is more
            except FetchError as error:
                if not hops:
                    raise
                raise FetchError("robots_unavailable", f"it leads to {url[:200]}: {error}") from error
            target = urls.normalize(exchange.headers.get("location", ""), url)
            if 300 <= exchange.status < 400 and exchange.headers.get("location") and isinstance(target, str):
                url = target
                continue
            return self._understood(exchange)
        return Rules(agent=self._agent)  # more hops than RFC 9309 asks to follow: as if there were none

    def _understood(self, exchange: Exchange) -> Rules:
        """4xx: there are no rules. 429, 5xx, or half an answer: they cannot be had now."""
        if exchange.status == 429 or exchange.status >= 500:
            wait = retry_after(exchange.headers.get("retry-after", "")) or 0.0
            raise NotNow("robots_unavailable", self._now() + wait, f"status {exchange.status}")
        if exchange.truncated in ("time", "disconnect"):
            raise FetchError("robots_unavailable", "the answer broke off")
        if not 200 <= exchange.status < 300:
            return Rules(agent=self._agent)
        body = decoded(exchange.body, exchange.headers.get("content-encoding", ""), 8 * LONGEST)
        return read_rules(body, self._agent)
