"""The live web: HTTP with robots.txt, gaps between requests, and second tries."""

from __future__ import annotations

import asyncio
import concurrent.futures
import dataclasses
import functools
import importlib.metadata
import resource
import time
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from msgspec.structs import replace

from honeyguide import urls
from honeyguide.base import Excluded, FetchError, Link, NotNow
from honeyguide.settings import split_header
from honeyguide.store.archive_files import now as utc_now
from honeyguide.web.base import Web
from honeyguide.web.doorman import Doorman
from honeyguide.web.guard import Guard, pinned_hosts
from honeyguide.web.http import Http, Unheard
from honeyguide.web.manners import AWAY, Manners, retry_after
from honeyguide.web.preparing import NOT_KEPT, Job, failure
from honeyguide.web.robots import product
from honeyguide.web.workshop import Workshop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from honeyguide.base import Original, Reply
    from honeyguide.parse import Reading
    from honeyguide.settings import Settings
    from honeyguide.web.exchange import Exchange
    from honeyguide.web.rendering import Renderer
    from honeyguide.web.robots import Rules

_Args = ParamSpec("_Args")
_Result = TypeVar("_Result")

FILES_KEPT = 40  # open files for everything but requests
RETRY_PAUSE = 1.0  # seconds, doubled at each try
PASSING = ("timeout", "disconnected", "unreachable", "dns_unavailable", "incomplete")  # errors worth a second try
PASSING_STATUS = (408, 425, 429, 500, 502, 503, 504)


class LiveWeb(Web):
    """Fetches over HTTP, politely; pages are read, and their records made, in the workshop."""

    live = True
    source = ""

    def __init__(self, settings: Settings, allowed_addresses: Iterable[str] = ()) -> None:
        self.concurrency = min(settings.concurrency, max(1, _open_files() - FILES_KEPT))
        self._settings = settings
        guard = Guard(settings.allow_private, allowed_addresses)
        pinned = pinned_hosts(settings.resolve)
        self._http = Http(request_headers(settings), settings.timeout, guard, pinned, settings.proxy)
        self._manners = Manners(settings.delay, settings.ip_delay, self.now)
        self._slowed_before = 0  # hosts that another web of this run has counted
        self._doorman = Doorman(self._http, settings, self.now, self.gap)
        self._tries: dict[str, int] = {}  # of URLs that failed in a way that may pass
        self._retries = 0
        self._workshop = Workshop(settings.workers, settings.parse_timeout)
        self._own_headers = dict(map(split_header, settings.header))
        self._own_origins = {urls.origin(seed) for seed in settings.seed}
        self._announced: set[str] = set()  # origins whose sitemaps are known
        self._renderer = self._new_renderer() if settings.render != "never" else None
        self._pool = concurrent.futures.ThreadPoolExecutor(2, "page")

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._renderer:
            await self._renderer.close()
        await self._http.__aexit__()
        await self._workshop.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    @functools.cached_property
    def _reading(self) -> Reading:
        limits = self._settings
        agent = product(limits.user_agent).lower()
        return dataclasses.replace(
            self.reading,
            most_links=limits.max_links,
            largest=limits.max_page_bytes,
            ratio=limits.max_ratio,
            agent=agent,
            resources=limits.resources,
            scripts=limits.render == "auto",
        )

    def _new_renderer(self) -> Renderer:
        from honeyguide.web.rendering import Renderer

        return Renderer(self._settings, self._part, self._http.headers["User-Agent"])

    def check(self) -> None:
        if self._renderer:
            self._renderer.check()

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, until: float) -> None:
        await asyncio.sleep(max(0.0, until - self.now()))

    def take_over(self, earlier: Web) -> None:
        if isinstance(earlier, LiveWeb):
            self._manners, self._slowed_before = earlier._manners, earlier._manners.slowed_hosts
            self._doorman.take_over(earlier._doorman)
            self._tries, self._announced = earlier._tries, earlier._announced

    def gap(self, host: str) -> float:
        return self._manners.gap(host)

    def rests_until(self, host: str) -> float:
        return self._manners.host_rests_until(host)

    def asked_at(self, host: str, started: float) -> float:
        return max(started, self._http.sent.get(host, started))

    async def work(self, function: Callable[_Args, _Result], *args: _Args.args, **kwargs: _Args.kwargs) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: function(*args, **kwargs))

    def notes(self) -> dict[str, int]:
        slowed = self._manners.slowed_hosts - self._slowed_before
        asking = {"hosts_asking_for_delays": slowed} if slowed else {}
        rendering = self._renderer.notes() if self._renderer else {}
        return {"robots_requests": self._doorman.requests, "retries": self._retries, **asking, **rendering}

    def troubles(self) -> dict[str, str]:
        return self._doorman.troubles()

    async def get(self, url: str) -> Reply:
        try:
            return await self._got(url)
        except FetchError as error:
            if error.reason != "out_of_files":
                raise
            raise NotNow(error.reason, self.now() + RETRY_PAUSE, error.detail) from error  # no fault of the server's

    async def _got(self, url: str) -> Reply:
        host = urls.host(url)
        if (rested := self._manners.host_rests_until(host)) > self.now():
            raise NotNow("host_rests", rested)
        await self._wait_for_address(url)
        rules, just_now = await self._doorman.rules(url)
        self._manners.crawl_delay(host, rules.delay)
        self._rest_after(just_now, host)
        if not rules.allow(url):
            raise Excluded("robots", "robots.txt of the host forbids it")
        reserved, just_now = await self._doorman.reservations(url)
        self._rest_after(just_now, host)
        reply = await self._fetch(url, host, rules.opt_outs(url) | reserved)
        return self._with_sitemaps(url, rules, reply) if self._settings.sitemaps else reply

    def _rest_after(self, asked: bool, host: str) -> None:
        """Not now, when the host was asked for one of its own files: that was a request like any other."""
        if asked and (gap := self.gap(host)):
            raise NotNow("robots_read", self.now() + gap)

    def _with_sitemaps(self, url: str, rules: Rules, reply: Reply) -> Reply:
        """The sitemaps that robots.txt names count as links of the first page of an origin."""
        origin = urls.origin(url)
        if not reply.page or origin in self._announced:
            return reply
        self._announced.add(origin)
        found = [target for each in rules.sitemaps if isinstance(target := urls.normalize(each, url), str)]
        new = (Link(target, "sitemap", rel=frozenset(["sitemap"])) for target in found)
        links = tuple(link._replace(position=i) for i, link in enumerate((*reply.page.links, *new)))
        return replace(reply, page=replace(reply.page, links=links))

    async def _wait_for_address(self, url: str) -> None:
        """Not now, when another name of the same address was asked a moment ago."""
        if not self._manners.counts_addresses:
            return
        address = await self._http.address_of(urls.hostname(url))
        if self._manners.address_rests_until(address) > self.now():
            raise NotNow("address_rests", self._manners.address_rests_until(address))
        self._manners.asked(address)

    async def _fetch(self, url: str, host: str, opt_outs: frozenset[str]) -> Reply:
        began, earlier = self.now(), self.memory.by_url(url)
        conditions, own = _conditions(earlier), self._headers_for(url)
        try:
            again = url in self._tries  # over a connection of its own, and what happens then counts
            exchange = await self._http.get(url, self._settings.max_page_bytes, conditions | own, again)
        except Unheard as error:
            self._tries[url] = 0
            self._retries += 1
            raise NotNow(error.reason, self.now() + self.gap(host), error.detail) from error
        except FetchError as error:
            if error.reason in AWAY and (until := self._manners.away(host)) is not None:
                raise NotNow(error.reason, until, error.detail) from error
            if error.reason in PASSING:
                self._perhaps_later(url, error.reason, error.detail)
            raise
        self._manners.answered(host, exchange.status)
        failed = failure(exchange)
        if exchange.status in PASSING_STATUS:
            self._perhaps_later(url, failed, "", exchange.headers.get("retry-after", ""))
        elif failed in PASSING:
            self._perhaps_later(url, failed, "the answer broke off")
        self._tries.pop(url, None)
        unchanged = earlier if exchange.status == 304 and conditions else None
        job = Job(
            exchange=exchange,
            date=utc_now(),
            request=(
                *(("Host", host), *self._http.headers.items(), *conditions.items()),
                *((name, NOT_KEPT) for name in own),
            ),
            seconds=self.now() - began,
            reading=self._reading,
            opt_outs=opt_outs,
            original=unchanged or self._archived_already(exchange, earlier),
            stored=self.memory.read(unchanged) if unchanged else None,
        )
        reply = await self._workshop.do(job)
        return await self._rendered(job, reply) if self._renderer and not job.stored else reply

    async def _rendered(self, job: Job, reply: Reply) -> Reply:
        """A page as a browser shows it, where it needs one and gains by it."""
        assert self._renderer is not None
        if not self._renderer.wants(reply):
            return reply
        made = await self._renderer.render(job.exchange)
        if isinstance(made, str):
            told = f"not rendered: {made}"
            return replace(reply, detail=f"{reply.detail}; {told}" if reply.detail else told)
        rendered = await self._workshop.do(dataclasses.replace(job, rendering=made, original=None))
        return self._renderer.better(reply, rendered)

    async def _part(self, url: str, page: str, limit: int, headers: dict[str, str]) -> Exchange:
        """Ask for a part of a page that a browser shows, under the rules of its host; which rests for it later."""
        host, own = urls.host(url), self._headers_for(url) if urls.origin(url) == urls.origin(page) else {}
        rules, _ = await self._doorman.rules(url)
        self._manners.crawl_delay(host, rules.delay)
        if not rules.allow(url):
            raise Excluded("robots", "robots.txt of the host forbids it")
        self._manners.asked_beside(host)
        exchange = await self._http.get(url, limit, headers | own)
        self._manners.answered(host, exchange.status)
        return exchange

    def _archived_already(self, exchange: Exchange, earlier: Original | None) -> Original | None:
        if not exchange.body or failure(exchange):
            return None
        if earlier and earlier.digest == exchange.digest:
            return earlier
        return self.memory.by_digest(exchange.digest)

    def _headers_for(self, url: str) -> dict[str, str]:
        """The user's own headers, for the origins of the seeds and no other."""
        return self._own_headers if urls.origin(url) in self._own_origins else {}

    def _perhaps_later(self, url: str, reason: str, detail: str, asked_pause: str = "") -> None:
        """Raise NotNow while there are tries left. A pause the server asks for is kept; the host rests with it."""
        tries = self._tries[url] = self._tries.get(url, 0) + 1
        host, asked = urls.host(url), retry_after(asked_pause) or 0.0
        self._manners.rest(host, asked)
        if tries > self._settings.retries:
            del self._tries[url]
            return
        self._retries += 1
        pause = max(RETRY_PAUSE * 2 ** (tries - 1), asked, self.gap(host))
        raise NotNow(reason, self.now() + pause, detail)


def _open_files() -> int:
    """How many files and sockets this process may have open."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _conditions(earlier: Original | None) -> dict[str, str]:
    """Ask only for what changed since an earlier crawl."""
    if earlier is None or earlier.rendered:  # what is sent may be the same, and what its scripts show may not
        return {}
    asked = {"If-None-Match": earlier.etag, "If-Modified-Since": earlier.modified}
    return {name: value for name, value in asked.items() if value and value.isprintable() and value.isascii()}


def request_headers(settings: Settings) -> dict[str, str]:
    """What every request says of us."""
    contact = f" (+{settings.contact})" if settings.contact else ""
    version = importlib.metadata.version("honeyguide")
    return {
        "User-Agent": f"{settings.user_agent}/{version}{contact}",
        "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.5",
        "Accept-Encoding": "gzip, deflate, br, zstd",
    }
