"""The live web: HTTP with robots.txt, gaps between requests, and second tries."""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib.metadata
import time
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from honeyguide import urls
from honeyguide.base import Excluded, FetchError, NotNow, Reply
from honeyguide.store.archive_files import now as utc_now
from honeyguide.store.warc import exchange_records
from honeyguide.web.base import Web
from honeyguide.web.content import read
from honeyguide.web.doorman import Doorman
from honeyguide.web.guard import Guard, pinned_hosts
from honeyguide.web.http import Exchange, Http
from honeyguide.web.manners import Manners, retry_after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from honeyguide.settings import Settings

_Args = ParamSpec("_Args")
_Result = TypeVar("_Result")

RETRY_PAUSE = 1.0  # seconds, doubled at each try
PASSING = ("timeout", "disconnected", "unreachable", "dns_unavailable", "incomplete")  # errors worth a second try
PASSING_STATUS = (408, 425, 429, 500, 502, 503, 504)
_TRUNCATED = {"length": "too_large", "time": "timeout", "disconnect": "incomplete"}


class LiveWeb(Web):
    """Fetches over HTTP, politely; parsing and compressing happen in threads."""

    live = True
    source = ""

    def __init__(self, settings: Settings, allowed_addresses: Iterable[str] = ()) -> None:
        self.concurrency = settings.concurrency
        self._settings = settings
        guard = Guard(settings.allow_private, allowed_addresses)
        self._http = Http(request_headers(settings), settings.timeout, guard, pinned_hosts(settings.resolve))
        self._manners = Manners(settings.delay, settings.ip_delay, self.now)
        self._doorman = Doorman(self._http, settings.user_agent, self.now, self.gap)
        self._tries: dict[str, int] = {}  # of URLs that failed in a way that may pass
        self._retries = 0
        self._pool = concurrent.futures.ThreadPoolExecutor(2, "page")

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.__aexit__()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, until: float) -> None:
        await asyncio.sleep(max(0.0, until - self.now()))

    def gap(self, host: str) -> float:
        return self._manners.gap(host)

    async def work(self, function: Callable[_Args, _Result], *args: _Args.args, **kwargs: _Args.kwargs) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: function(*args, **kwargs))

    def notes(self) -> dict[str, int]:
        return {"robots_requests": self._doorman.requests, "retries": self._retries}

    def troubles(self) -> dict[str, str]:
        return self._doorman.troubles()

    async def get(self, url: str) -> Reply:
        host = urls.host(url)
        await self._wait_for_address(url)
        rules, just_now = await self._doorman.rules(url)
        self._manners.crawl_delay(host, rules.delay)
        if just_now and (gap := self.gap(host)):
            raise NotNow("robots_read", self.now() + gap)  # it was a request too: whatever comes next waits its turn
        if not rules.allow(url):
            raise Excluded("robots", "robots.txt of the host forbids it")
        return await self._fetch(url, host)

    async def _wait_for_address(self, url: str) -> None:
        """Not now, when another name of the same address was asked a moment ago."""
        if not self._manners.counts_addresses:
            return
        address = await self._http.address_of(urls.hostname(url))
        if self._manners.address_rests_until(address) > self.now():
            raise NotNow("address_rests", self._manners.address_rests_until(address))
        self._manners.asked(address)

    async def _fetch(self, url: str, host: str) -> Reply:
        try:
            exchange = await self._http.get(url, self._settings.max_page_bytes)
        except FetchError as error:
            if error.reason in PASSING:
                self._perhaps_later(url, error.reason, error.detail)
            raise
        self._manners.answered(host, exchange.status)
        failed = _TRUNCATED.get(exchange.truncated, "")
        if exchange.status in PASSING_STATUS:
            self._perhaps_later(url, f"http_{exchange.status}", "", exchange.headers.get("retry-after", ""))
        elif failed in PASSING:
            self._perhaps_later(url, failed, "the answer broke off")
        self._tries.pop(url, None)
        return await self.work(self._reply, exchange, failed)

    def _perhaps_later(self, url: str, reason: str, detail: str, asked_pause: str = "") -> None:
        """Raise NotNow while there are tries left. A pause the server asks for is kept; the host rests with it."""
        tries = self._tries[url] = self._tries.get(url, 0) + 1
        if tries > self._settings.retries:
            del self._tries[url]
            return
        self._retries += 1
        pause = max(RETRY_PAUSE * 2 ** (tries - 1), retry_after(asked_pause) or 0.0, self.gap(urls.host(url)))
        raise NotNow(reason, self.now() + pause, detail)

    def _reply(self, exchange: Exchange, failed: str) -> Reply:
        asked = [("Host", urls.host(exchange.url)), *self._http.headers.items()]
        record = exchange_records(
            exchange.url,
            utc_now(),
            exchange.address,
            asked,
            exchange.status_line,
            exchange.raw_headers,
            exchange.body,
            exchange.truncated,
        )
        answered = Reply(status=exchange.status, size=len(exchange.body), record=record)
        if 300 <= exchange.status < 400 and exchange.headers.get("location"):
            target = urls.normalize(exchange.headers["location"], exchange.url)
            if isinstance(target, str):
                return replace(answered, redirect=target)
            if target.reason == "not http or https":
                return replace(answered, error="bad_scheme", detail=exchange.headers["location"][:200])
        if failed or not 200 <= exchange.status < 300:
            return replace(answered, error=failed or f"http_{exchange.status}")
        try:
            page = read(exchange.url, exchange.headers, exchange.body, self._settings.max_page_bytes)
        except FetchError as error:
            return replace(answered, error=error.reason, detail=error.detail)
        return replace(answered, page=page)


def request_headers(settings: Settings) -> dict[str, str]:
    """What every request says of us."""
    contact = f" (+{settings.contact})" if settings.contact else ""
    version = importlib.metadata.version("honeyguide")
    return {
        "User-Agent": f"{settings.user_agent}/{version}{contact}",
        "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.5",
        "Accept-Encoding": "gzip, deflate, br, zstd",
    }
