"""The loop, and the only one: ask the frontier, get from the web, judge, learn, rank, record."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput, Excluded, FetchError, NotNow, Page, Reply, Visit
from honeyguide.crawl.copies import Copies
from honeyguide.crawl.flights import Flights, Landing
from honeyguide.crawl.guide import NO_LINKS, Guide, normalized_seeds
from honeyguide.crawl.judge import Judge
from honeyguide.crawl.memory import CrawlMemory
from honeyguide.crawl.summary import Summary
from honeyguide.documents import load_documents
from honeyguide.graph import EXCLUDED, FAILED
from honeyguide.running import run_async
from honeyguide.settings import DEFAULT_STRATEGY, Settings
from honeyguide.store import Store, is_crawl_directory
from honeyguide.strategy import Strategy, create
from honeyguide.topic import BudgetSpent, Topic, as_topic
from honeyguide.web import LiveWeb, Web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from honeyguide.frontier import Frontier
    from honeyguide.graph import Graph

GRACE = 5.0  # seconds that requests under way are given when a crawl is stopped
COMMIT_EVERY = 1.0  # seconds, on stored webs; a live crawl commits before it sends the next request
BREATHE_EVERY = 0.05  # seconds, on stored webs
SLOW_ANSWER = 2.0  # seconds
COSTLY = 0.1  # seconds of this machine's time for one page
PAUSE_BY_COST = 10.0
FREE_SITEMAPS = 1000  # requests for sitemaps that do not count as pages
PARENTS_LOOKED_AT = 50
PARENTS_KEPT = 2000  # pages, for topics that look at the pages that link to one
SNAPSHOT_EVERY = 1000  # visits, or a fiftieth of them


class Crawl:
    """A focused crawl. Iterate over it for its visits, or `run()` it.

    Given a directory that holds a crawl already, it goes on with that crawl.
    """

    def __init__(
        self,
        seeds: Sequence[str] = (),
        topic: str | Topic | Callable[[Page], float | bool] | None = None,
        strategy: str | Strategy = DEFAULT_STRATEGY,
        *,
        web: Web | None = None,
        directory: str | Path | None = None,
        **settings: Any,
    ) -> None:
        if topic is None:
            raise BadInput("a crawl needs a topic, e.g. topic='keyword:solar'")
        self.topic = as_topic(topic, load_documents)
        self.strategy = create(strategy) if isinstance(strategy, str) else strategy
        name = strategy if isinstance(strategy, str) else self.strategy.name
        seeds = normalized_seeds(seeds)
        self.settings = Settings(topic=str(self.topic), seed=seeds, strategy=name, **settings)
        if reason := self.topic.impossible():
            raise BadInput(f"the topic {self.settings.topic} can match nothing: {reason}")
        self.web = LiveWeb(self.settings) if web is None else web
        self.settings.web = self.web.source
        self.web.surroundings = self.strategy.needs_pages or self.topic.reads_everything
        self.directory = Path(directory) if directory else None
        self.guide = Guide(self.settings, self.strategy, self.topic)
        self.store: Store | None = None
        self.stopped = ""
        self.copies = Copies(self.settings)
        self.fetched = self.relevant = self.redirects = self.unjudged = self.bytes = 0
        self.sitemaps = self.bad_links = self.cut_links = 0
        self.flags: Counter[str] = Counter()  # pages that do not count, by why
        self.changes: Counter[str] = Counter()  # pages against the crawl before
        self._judge = Judge(self.topic, self.web)
        self._flights = Flights(self.web.concurrency)
        self._committed = self._snapped = self._stopped_at = self._breathed = 0.0
        self._parents: dict[int, Page] = {}  # the latest pages, for topics that ask for parents
        self._began = self._began_on_web = self._earlier_seconds = 0.0
        self._earlier_notes: Counter[str] = Counter()
        self._noted: dict[str, int] = {}

    @classmethod
    def from_settings(cls, settings: Settings, topic: Topic, web: Web, directory: Path | None = None) -> Crawl:
        """A crawl as settings describe it, on a given web."""
        rest = {f.name: getattr(settings, f.name) for f in fields(settings)}
        for given_otherwise in ("topic", "seed", "strategy", "web"):
            del rest[given_otherwise]
        return cls(settings.seed, topic, settings.strategy, web=web, directory=directory, **rest)

    # -- what a user calls ------------------------------------------------------------------------------------

    def run(self) -> Summary:
        """Crawl to the end and say what came of it."""
        return run_async(self._run())

    async def _run(self) -> Summary:
        async for _ in self:
            pass
        return self.summary()

    def stop(self, reason: str) -> None:
        """Send no more requests; those under way are given a few seconds."""
        if not self.stopped:
            self.stopped, self._stopped_at = reason, time.monotonic()
        self._flights.wake()

    async def __aiter__(self) -> AsyncIterator[Visit]:
        async with self.web:
            try:
                await self._begin()
                async for visit in self._visits():
                    yield visit
                self._snapshot()
                self._commit()
            finally:
                await self._flights.end()
                if self.store:
                    self.store.close()

    def summary(self) -> Summary:
        """Where the crawl stands."""
        books = self.graph.books()
        return Summary(
            fetched=self.fetched,
            relevant=self.relevant,
            done=books["done"],
            redirects=self.redirects,
            queued=books["queued"],
            discovered=len(self.graph),
            failed=self.graph.reasons(FAILED),
            excluded=self.graph.reasons(EXCLUDED),
            bytes=self.bytes,
            seconds=round(self._earlier_seconds + time.monotonic() - self._began, 3),
            stopped=self.stopped,
            unjudged=self.unjudged,
            flags=dict(self.flags.most_common()),
            changes=dict((self.changes + Counter(excluded=self.guide.first_excluded())).most_common()),
            notes={
                **self._notes(),
                "sitemaps": self.sitemaps,
                "bad_links": self.bad_links,
                "cut_links": self.cut_links,
            },
        )

    def _notes(self) -> dict[str, int]:
        """What the web notes, with what it noted in earlier runs."""
        return {name: count + self._earlier_notes[name] for name, count in self.web.notes().items()}

    @property
    def graph(self) -> Graph:
        """The part of the web known so far."""
        return self.guide.graph

    @property
    def frontier(self) -> Frontier:
        """The queue."""
        return self.guide.frontier

    @property
    def busy_hosts(self) -> int:
        """From how many hosts a page is under way."""
        return self.guide.busy_hosts

    async def look_back(self) -> None:
        """Bring graph and strategy to where the directory stands, without crawling."""
        from honeyguide.crawl.resume import reopen

        (await reopen(self, write=False)).close()

    # -- the loop ---------------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        self._began, self._began_on_web = time.monotonic(), self.web.now()
        if self.directory and is_crawl_directory(self.directory):
            from honeyguide.crawl.resume import reopen

            self.store = await reopen(self)
        elif not self.settings.seed:
            raise BadInput("a crawl needs at least one seed: a URL to start from")
        elif self.directory:
            self.store = Store.create(self.directory, self.settings)
        if self.store:
            self._earlier_seconds, self._earlier_notes = self.store.begin_run()
            if self.web.live:
                self.web.memory = CrawlMemory(self.store, self.graph, self.copies)
        if not self.graph.visits:
            self.guide.plant(self.settings.seed)
        if self.store and (earlier := self.store.earlier_urls()):
            self.guide.put_first(earlier)
        self._commit()

    async def _visits(self) -> AsyncIterator[Visit]:
        while True:
            await self._launch()
            if not len(self._flights) and self._finished():
                return
            landed = await self._flights.landings(self._alarm())
            visits = [visit for landing in landed if (visit := self._settle(landing))]
            if landed:
                self._commit_in_time()
            await self._breathe()
            for visit in visits:
                yield visit

    async def _breathe(self) -> None:
        """Let signals and others in: a stored web never makes the loop wait."""
        if not self.web.live and time.monotonic() - self._breathed > BREATHE_EVERY:
            await asyncio.sleep(0)
            self._breathed = time.monotonic()

    async def _launch(self) -> None:
        """Send requests while there is room and something may be fetched."""
        while self._may_launch():
            best = self.guide.next(self.web.now())
            if best is None:
                return
            host = int(self.graph.host[best[0]])
            if self.web.gap(self.graph.hosts[host]):
                self.frontier.rest(host, math.inf)
            elif self._flights.crowded(host, self.guide.under_way(host)):
                self.guide.hold(best[0])
                continue
            await self._flights.launch(self._fly(*best))

    def _may_launch(self) -> bool:
        limits = self.settings
        if limits.max_time is not None and self._seconds() >= limits.max_time:
            self.stop("max_time")
        if limits.max_bytes is not None and self.bytes >= limits.max_bytes:
            self.stop("max_bytes")
        return not self.stopped and not self._flights.full() and self._spent() + len(self._flights) < limits.pages

    def _spent(self) -> int:
        """How many of the pages asked for were; sitemaps are free, but not without end."""
        return self.fetched + max(0, self.sitemaps - FREE_SITEMAPS)

    def _seconds(self) -> float:
        """How long the crawl has been running, by the web's clock or ours, whichever ran longer."""
        return max(self.web.now() - self._began_on_web, time.monotonic() - self._began)

    def _finished(self) -> bool:
        """Nothing is under way: is there anything to wait for?"""
        if self.stopped:
            return True
        if self._spent() >= self.settings.pages:
            self.stopped = "pages"
        elif not len(self.frontier):
            self.stopped = "nothing_left"
        elif self.frontier.next_time() == math.inf:
            self.stopped = "nothing_may_be_fetched"
        return bool(self.stopped)

    async def _alarm(self) -> None:
        """Wait for a host to have rested, for the end of the time, or for the end of the grace."""
        if self.stopped:
            await asyncio.sleep(max(0.0, self._stopped_at + GRACE - time.monotonic()))
            self._flights.call_back()
            return
        full = self._flights.full()
        until = self.web.now() + self._flights.frees() if full else self.frontier.next_time()
        if self.settings.max_time is not None:
            until = min(until, self._began_on_web + self.settings.max_time)
        if until == math.inf:
            await asyncio.Event().wait()
        await self.web.wait(until)

    async def _fly(self, id_: int, score: float, given_up: float) -> Landing:
        landing = Landing(id_, self.graph.url(id_), score, given_up, self.web.now())
        try:
            landing.reply = await self.web.get(landing.url)
            landing.seconds = self.web.now() - landing.started
            if landing.reply.page:
                began = time.perf_counter()
                landing.relevance = await self._judge.score(await self._with_parents(id_, landing.reply.page))
                judging = 0.0 if self.topic.slow else time.perf_counter() - began
                landing.cost = landing.reply.cost + judging
        except Exception as error:
            landing.seconds = landing.seconds or self.web.now() - landing.started
            landing.error = error
        return landing

    async def _with_parents(self, id_: int, page: Page) -> Page:
        if not self.topic.needs_parents:
            return page
        parents = [await self._parent(parent) for parent in self.graph.links_to(id_)[:PARENTS_LOOKED_AT]]
        self._parents[id_] = replace(page, links=())
        if len(self._parents) > PARENTS_KEPT:
            del self._parents[next(iter(self._parents))]
        return replace(page, parents=tuple(parents))

    async def _parent(self, id_: int) -> Page:
        """A fetched page, from memory or from where it is stored; its address alone where it is nowhere."""
        from honeyguide.crawl.resume import stored_page

        page = self._parents.get(id_)
        if page is None and self.store:
            visit = next(self.store.visits(int(self.graph.visit_of[id_]) - 1), None)
            page = await stored_page(self.web, self.store, visit) if visit else None
        return page or Page(self.graph.url(id_))

    # -- what came back ---------------------------------------------------------------------------------------

    def _settle(self, landing: Landing) -> Visit | None:
        """Take in what came of a request; a visit, when it was a request for a page."""
        self.guide.landed(landing.id, self.web.now())
        self._flights.answered(int(self.graph.host[landing.id]), _quick(landing))
        self._let_rest(landing)
        error = landing.error
        if isinstance(error, Excluded):
            self.guide.exclude(landing.id, error.reason)
            return None
        if isinstance(error, NotNow):
            self.guide.requeue(landing.id)
            return None
        if isinstance(error, BudgetSpent):
            self.stop("judge_budget_spent")
        elif error is not None and not isinstance(error, FetchError):
            raise error
        began = time.perf_counter()
        visit = self._visit(landing)
        self.enter(visit)
        if reason := self.guide.learn(visit):
            self.stop(reason)
        if self.store:
            self.store.record(self.graph, visit, landing.reply)
        self._make_pay(int(self.graph.host[landing.id]), landing.cost + time.perf_counter() - began)
        return visit

    def _make_pay(self, host: int, cost: float) -> None:
        """Let a host rest whose page took much of this machine's time, where others have something to give."""
        if self.web.live and cost > COSTLY and self.frontier.hosts > 1:
            until = self.web.now() + PAUSE_BY_COST * cost
            self.frontier.rest(host, max(until, self.frontier.rests_until(host)))
            self._flights.answered(host, quickly=False)

    def _let_rest(self, landing: Landing) -> None:
        host = int(self.graph.host[landing.id])
        if isinstance(landing.error, NotNow):  # of several requests under way, the longest rest counts
            self.frontier.rest(host, max(landing.error.until, self.frontier.rests_until(host)))
        elif gap := self.web.gap(self.graph.hosts[host]):
            asked = not isinstance(landing.error, Excluded)
            since = self.web.asked_at(self.graph.hosts[host], landing.started)
            self.frontier.rest(host, since + gap if asked else self.web.now())

    def _visit(self, landing: Landing) -> Visit:
        reply, reason = landing.reply or Reply(status=0), _reason(landing)
        if reason == "redirect" and self.guide.leads_back(landing.id, reply.redirect):
            reason = "redirect_loop"
        page = self.guide.within_bounds(reply.page) if reply.page else None
        host = int(self.graph.host[landing.id])
        if page and self.copies.says_nothing(host, reply.digest):
            reason = "soft_404"
        flag, copy_of = self._flag(page, reply.digest) if page and not reason else ("", -1)
        return Visit(
            number=self.graph.visits,
            id=landing.id,
            url=landing.url,
            targets=self.guide.targets(landing.id, page, reply.redirect) if reason in ("", "redirect") else NO_LINKS,
            page=page,
            score=landing.score,
            relevance=landing.relevance,
            relevant=not (landing.error or reason or flag) and self.topic.relevant(landing.relevance),
            error=reason,
            detail=landing.error.detail if isinstance(landing.error, FetchError) else reply.detail,
            status=reply.status,
            size=reply.size,
            started=landing.started,
            seconds=landing.seconds,
            flag=flag,
            copy_of=copy_of,
            given_up=landing.given_up,
            change="" if flag == "sitemap" else self.web.memory.change(landing.url, reply, reason),
            bad_links=page.bad_links if page else 0,
            cut_links=page.cut_links if page else 0,
            digest=reply.digest,
            fingerprint=page.fingerprint if page else 0,
        )

    def _flag(self, page: Page, digest: bytes) -> tuple[str, int]:
        """Why a page does not count, and which page it is a copy of."""
        if page.listing or page.gate:
            return page.listing or page.gate, -1
        flag, copy_of = self.copies.original(digest, page.fingerprint)
        if not flag and page.opt_outs and self.settings.skip_opted_out:
            flag = "opted_out"
        return flag, copy_of

    def enter(self, visit: Visit) -> None:
        """Enter a visit in graph and counts: the same way when it happens and when a stored one is replayed."""
        self.guide.enter(visit)
        self._remember(visit)
        self.fetched += visit.flag != "sitemap"
        self.sitemaps += visit.flag == "sitemap"
        self.relevant += visit.relevant
        self.redirects += visit.error == "redirect"
        self.unjudged += visit.error == "unjudged"
        self.bytes += visit.size
        self.bad_links += visit.bad_links
        self.cut_links += visit.cut_links
        self.flags.update([visit.flag] if visit.flag else ())
        self.changes.update([visit.change] if visit.change else ())

    def _remember(self, visit: Visit) -> None:
        """Let later copies of a page be known as such."""
        host = int(self.graph.host[visit.id])
        if visit.copy_of >= 0:
            original = int(self.graph.host[visit.copy_of])
            self.copies.add_copy(host, visit.digest, original)
            if self.copies.is_mirror(host, original):
                self.guide.close(host, "mirror")
        elif visit.error in ("", "unjudged") and visit.flag in ("", "opted_out"):
            self.copies.add(visit.id, host, visit.digest, visit.fingerprint)

    async def catch_up(self) -> None:
        """After a replay: rank all that is queued, and take up a simulated clock where it stood."""
        self.guide.rank(self.graph.queued())
        self.guide.weigh(np.arange(len(self.graph.hosts)))
        last = self.guide.last_asked
        if not self.web.live and last:
            await self.web.wait(max(last.values()))
            for host, asked in last.items():
                if gap := self.web.gap(self.graph.hosts[host]):
                    self.frontier.rest(host, asked + gap)

    # -- keeping ----------------------------------------------------------------------------------------------

    def _commit_in_time(self) -> None:
        if self.web.live or time.monotonic() - self._committed > COMMIT_EVERY:
            if self.graph.visits - self._snapped > max(SNAPSHOT_EVERY, self.graph.visits / 50):
                self._snapshot()
            self._commit()

    def _commit(self) -> None:
        if self.store:
            self.store.update_urls(self.graph, self.guide.changed)
            if (notes := self.web.notes()) != self._noted:
                self.store.end_run(time.monotonic() - self._began, notes)
                self._noted = notes
            self.store.commit()
        self.guide.changed.clear()
        self._committed = time.monotonic()

    def _snapshot(self) -> None:
        if self.store:
            self.store.save_knowledge(self.graph.visits, self.settings.strategy, self.strategy.save())
            self.store.end_run(time.monotonic() - self._began, self.web.notes())
        self._snapped = self.graph.visits


def _quick(landing: Landing) -> bool:
    """Whether a server answered in good time, whatever it said."""
    return landing.seconds < SLOW_ANSWER and (landing.reply is not None or isinstance(landing.error, Excluded))


def _reason(landing: Landing) -> str:
    """Why a landing is no page to judge; empty when it is one."""
    if isinstance(landing.error, FetchError):
        return landing.error.reason
    if isinstance(landing.error, BudgetSpent):
        return "unjudged"
    reply = landing.reply or Reply()
    if reply.redirect:
        return "redirect"
    return reply.error
