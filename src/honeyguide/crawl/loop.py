"""The loop, and the only one: ask the frontier, get from the web, judge, learn, rank, record."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from honeyguide.base import BadInput, Excluded, FetchError, NotNow, Page, Visit
from honeyguide.crawl.asking import Asking
from honeyguide.crawl.copies import Copies
from honeyguide.crawl.flights import Flights, Landing
from honeyguide.crawl.forecast import Yield, expected
from honeyguide.crawl.guide import Guide
from honeyguide.crawl.judge import Judge
from honeyguide.crawl.keeping import Keeping
from honeyguide.crawl.limits import Limits
from honeyguide.crawl.memory import CrawlMemory
from honeyguide.crawl.needs import needed
from honeyguide.crawl.outcome import Outcomes, answered_quickly
from honeyguide.crawl.parents import Parents
from honeyguide.crawl.resting import Resting
from honeyguide.crawl.searching import Searching
from honeyguide.crawl.summary import Summary, summary_of
from honeyguide.crawl.tally import Tally
from honeyguide.documents import load_documents
from honeyguide.running import run_async
from honeyguide.settings import DEFAULT_STRATEGY, Settings
from honeyguide.store import Store, is_crawl_directory
from honeyguide.store.errors import damage_told
from honeyguide.strategy import Strategy, create
from honeyguide.topic import BudgetSpent, Topic, as_topic
from honeyguide.web import LiveWeb, Web

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from honeyguide.frontier import Frontier
    from honeyguide.graph import Graph
    from honeyguide.search import Search

GRACE = 5.0  # seconds that requests under way are given when a crawl is stopped
BREATHE_EVERY = 0.05  # seconds, on stored webs
MOST_STIRRED = 100  # times in a row that a strategy may try to make something of what is left


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
        search: str | Search = "",
        **settings: Any,
    ) -> None:
        if topic is None:
            raise BadInput("a crawl needs a topic, e.g. topic='keyword:solar'")
        self.topic = as_topic(topic, load_documents)
        self.directory = Path(directory) if directory else None
        self.strategy = create(strategy, self.directory) if isinstance(strategy, str) else strategy
        name = strategy if isinstance(strategy, str) else self.strategy.name
        engine = search if isinstance(search, str) else search.name
        self.settings = Settings(topic=str(self.topic), seed=list(seeds), strategy=name, search=engine, **settings)
        if reason := self.topic.impossible():
            raise BadInput(f"the topic {self.settings.topic} can match nothing: {reason}")
        self.web = LiveWeb(self.settings) if web is None else web
        self.settings.web = self.web.source
        self.web.reading = needed(self.topic, self.strategy, self.settings.read_all)
        self.guide = Guide(self.settings, self.strategy, self.topic, self.web.by_request)
        self.store: Store | None = None
        self.stopped = ""
        self.paused = False
        self.events_replayed = 0  # of its directory
        self.tell: Callable[[str, dict[str, Any]], None] = _tell_nobody  # what happens beside visits
        self.copies = Copies(self.settings)
        self.tally = Tally()
        self.asking = Asking(self.settings, self.web, search)
        self._searching = Searching(self.asking, self.guide, self._happened)
        self._outcomes = Outcomes(self.settings, self.topic, self.web, self.guide, self.copies)
        self._judge = Judge(self.topic, self.web)
        self._flights = Flights(self.web.concurrency)
        self.resting = Resting(self.guide, self.web)
        self._limits = Limits(self.settings, self.web, self.tally, self.graph)
        self._keeping = Keeping(self.guide, self.resting, self.settings, self.strategy, self._noted)
        self._parents = Parents(self.graph, self.web)
        self._stopped_at = self._breathed = 0.0
        self._stirred = self._stirred_at = 0
        self._course: AsyncGenerator[Visit, None] | None = None  # of a loop over visits

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

    def pause(self) -> None:
        """Send no more requests until told to `proceed`; what is under way is taken in."""
        self.paused = True

    def proceed(self) -> None:
        """Send requests again."""
        self.paused = False
        self._flights.wake()

    def take_over(self, earlier: Crawl) -> None:
        """Go on in the place of a crawl of the same directory that was stopped: as politely, and in the same time."""
        self.paused = earlier.paused
        self._limits.take_over(earlier._limits)
        if self.web.live:  # a simulated clock is taken up where it stood anyway
            self.resting.take_over(earlier.resting)
            self.web.take_over(earlier.web)

    def block(self, host: str) -> int:
        """Never ask a host again, in later runs neither; how many queued URLs that leaves out."""
        return self._rule("block", host, self.guide.block(host))

    def unblock(self, host: str) -> int:
        """Let a blocked host be asked; how many URLs are queued again."""
        return self._rule("unblock", host, self.guide.unblock(host))

    def _rule(self, kind: str, host: str, count: int) -> int:
        self._keeping.note_event(kind, host)
        self.tell(kind, {"host": host, "urls": count})
        self._keeping.commit()
        self._flights.wake()
        return count

    def __aiter__(self) -> AsyncIterator[Visit]:
        self._course = self._run_through()
        return self._course

    async def aclose(self) -> None:
        """After a `break` out of `async for`: call back what is under way, and let go of the directory."""
        if self._course is not None:
            await self._course.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _run_through(self) -> AsyncGenerator[Visit, None]:
        async with self.web:
            try:
                await self.begin()
                async for visit in self._visits():
                    yield visit
                self._keeping.end(self.stopped)
            except GeneratorExit:
                self._keeping.keep()
                raise
            finally:
                await self._flights.end()
                self._let_go()

    def end(self) -> None:
        """Keep what was learned and let go of the directory: for those who take the steps one by one."""
        try:
            self._keeping.end(self.stopped)
        finally:
            self._let_go()

    def keep(self) -> None:
        """Make all that happened so far last: likewise."""
        self._keeping.keep()

    def _let_go(self) -> None:
        self.asking.close()
        if self.store:
            self.store.close()

    def summary(self) -> Summary:
        """Where the crawl stands."""
        return summary_of(self, self._keeping.seconds)

    def _noted(self) -> dict[str, int]:
        """What was asked for beside pages."""
        return {**self.web.notes(), **self.asking.notes()}

    def notes(self) -> dict[str, int]:
        """What was asked for beside pages, in earlier runs too."""
        return self._keeping.notes()

    @property
    def fetched(self) -> int:
        """How many pages were asked for."""
        return self.tally.fetched

    @property
    def relevant(self) -> int:
        """How many of them are relevant."""
        return self.tally.relevant

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

    def beside_the_frontier(self) -> dict[str, int]:
        """How many URLs the books have as queued, though the frontier does not, and why."""
        known = {
            "under_way": self.graph.under_way,
            "not_ranked_yet": self.guide.to_be_ranked,
            "shut": len(self.guide.shut_origins),
        }
        missing = self.graph.books()["queued"] - len(self.frontier)
        return {**known, "held_back": missing - sum(known.values())}

    async def look_back(self) -> None:
        """Bring graph and strategy to where the directory stands, without crawling."""
        from honeyguide.crawl.resume import reopen

        with await reopen(self, write=False) as store:
            self._keeping.recall(store)

    # -- the loop ---------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Start, or take up where the directory stands."""
        self.web.check()
        self._limits.begin()
        self._keeping.begin()
        if self.directory and is_crawl_directory(self.directory):
            from honeyguide.crawl.resume import reopen

            self.store = await reopen(self)
        elif not self.settings.seed and not self.settings.seed_query and not self.web.by_request:
            raise BadInput("a crawl needs at least one seed: a URL to start from")
        elif self.settings.seed_query and not self.asking.has_search:
            raise BadInput("--seed-query needs something to search with: --search ddgs, searxng:URL or index:DIR")
        else:
            await self.prepare()
            if self.directory:
                self.store = Store.create(self.directory, self.settings)
        self._keeping.open(self.store)
        if self.store and self.web.live:
            self.web.memory = CrawlMemory(self.store, self.graph, self.copies)
        if not self.graph.visits:
            self.guide.plant(self.settings.seed)
            if not any(event.kind == "seeds" for event in (self.store.events() if self.store else ())):
                await self._searching.find_seeds(self.settings.seed_query)
            self._keeping.snapshot()
        if self.store and (earlier := self.store.earlier_urls()):
            with damage_told(self.store.directory):
                self.guide.put_first(earlier)
        self.resting.begin()
        self._keeping.commit()
        self.tell("begun", {"topic": self.settings.topic, "visits": self.graph.visits})
        for remark in self.asking.remarks:
            self.tell("remark", {"text": remark})

    async def prepare(self) -> None:
        """Give the strategy what it needs to begin, and what another crawl has learned."""
        if self.settings.learn_from:
            self.asking.learn_from(Path(self.settings.learn_from), self.strategy)
        await self.strategy.prepare(self.asking)

    def _happened(self, kind: str, query: str = "", found: Sequence[int] | NDArray[np.intp] = ()) -> None:
        """Note an event, and tell whoever listens."""
        self._keeping.note_event(kind, query, found)
        self.tell(kind, {"query": query, "found": len(found)})

    async def _visits(self) -> AsyncIterator[Visit]:
        while True:
            await self._launch()
            if not len(self._flights):
                if self._finished():
                    return
                if self._stuck() and not self.paused:
                    await self._stir()
                    continue
            landed = await self._flights.landings(self._alarm)
            visits = [visit for landing in landed if (visit := self.settle(landing))]
            if self.guide.questions:
                await self.search()
            if landed:
                self._keeping.keep_in_time(at_once=self.web.live)  # before the next request is sent
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
            host = self.graph.host.item(best[0])
            if self.web.gap(self.graph.hosts[host]):
                self.frontier.rest(host, math.inf)
            elif self._flights.crowded(host, self.guide.under_way(host)):
                self.guide.hold(best[0])
                continue
            await self._flights.launch(self.fly(*best))

    def _may_launch(self) -> bool:
        if reason := self._limits.reached():
            self.stop(reason)
        if self.stopped or self.paused or self._flights.full():
            return False
        return len(self._flights) < self._limits.pages_left

    def forecast(self) -> Yield | None:
        """Relevant pages to be expected of the next 1,000 fetches; None where it is too soon, or nothing is left."""
        nothing_left = not len(self.frontier) and not self.graph.books()["queued"]
        return None if nothing_left else expected(self.graph)

    def _finished(self) -> bool:
        if not self.stopped and self._limits.pages_left <= 0:
            self.stopped = "pages"
        return bool(self.stopped)

    def _stuck(self) -> bool:
        """Nothing is under way: is there nothing that is worth waiting for, either?"""
        rest = self.guide.next_time() - self.web.now()
        too_long = self.web.live and rest > max(self.settings.max_wait, self.settings.delay)
        return not self.guide.waiting or rest == math.inf or too_long

    async def _stir(self) -> None:
        """Let the strategy make something of what is left; when it cannot, the crawl is over."""
        busy, reason = self.guide.idle()
        if busy:
            self._happened("idle")
        await self.search()
        self._stirred = self._stirred + 1 if self._stirred_at == self.graph.visits else 1
        self._stirred_at = self.graph.visits
        if reason:
            self.stop(reason)
        elif not busy or self._stirred > MOST_STIRRED:
            self.stopped = "nothing_may_be_fetched" if self.guide.waiting else "nothing_left"

    async def search(self) -> list[int]:
        """Search for what the strategy asks, before anything else is fetched; the ids of what was found."""
        found, reason = await self._searching.answer()
        if reason:
            self.stop(reason)
        return found

    async def _alarm(self) -> None:
        """Wait for a host to have rested, for the end of the time, or for the end of the grace."""
        if self.stopped:
            await asyncio.sleep(max(0.0, self._stopped_at + GRACE - time.monotonic()))
            self._flights.call_back()
            return
        if self.paused:
            await asyncio.Event().wait()
        full = self._flights.full()
        until = self.web.now() + self._flights.frees() if full else self.guide.next_time()
        until = self._limits.within_time(until)
        if until == math.inf:
            await asyncio.Event().wait()
        await self.web.wait(until)

    async def fly(self, id_: int, score: float, given_up: float) -> Landing:
        """Get a URL from the web and judge what came."""
        landing = Landing(id_, self.graph.url(id_), score, given_up, self.web.now())
        try:
            landing.reply = await self.web.get(landing.url)
            landing.seconds = self.web.now() - landing.started
            if landing.reply.page and not self.guide.resources.kind(id_):
                began = time.perf_counter()
                page = landing.reply.page
                if self.topic.needs_parents:
                    page = await self._parents.with_parents(id_, page, self.store)
                landing.relevance = await self._judge.score(page)
                judging = 0.0 if self.topic.slow else time.perf_counter() - began
                landing.cost = landing.reply.cost + judging
        except Exception as error:
            landing.seconds = landing.seconds or self.web.now() - landing.started
            landing.error = error
        return landing

    # -- what came back ---------------------------------------------------------------------------------------

    def settle(self, landing: Landing) -> Visit | None:
        """Take in what came of a request; a visit, when it was a request for a page."""
        host = self.graph.host.item(landing.id)
        self.guide.landed(landing.id, self.web.now())
        self._flights.answered(host, answered_quickly(landing))
        self.resting.after(landing)
        self._keeping.troubles.after(landing)
        error = landing.error
        if isinstance(error, Excluded):
            self.guide.exclude(landing.id, error.reason)
            self.tell("excluded", {"url": landing.url, "reason": error.reason, "detail": error.detail})
            return None
        if isinstance(error, NotNow):
            self.guide.requeue(landing.id)
            self.tell("put_off", {"url": landing.url, "reason": error.reason, "detail": error.detail})
            return None
        if isinstance(error, BudgetSpent):
            self.stop("judge_budget_spent")
        elif error is not None and not isinstance(error, FetchError):
            raise error
        began = time.perf_counter()
        visit = self._outcomes.visit(landing)
        self.enter(visit)
        if reason := self.guide.learn(visit):
            self.stop(reason)
        if self.store:
            self.store.record(self.graph, visit, landing.reply)
            self.store.note_weights(self.graph.visits, self.strategy)
        if self.resting.pays(host, landing.cost + time.perf_counter() - began):
            self._flights.answered(host, quickly=False)
        return visit

    def enter(self, visit: Visit) -> None:
        """Enter a visit in graph and counts: the same way when it happens and when a stored one is replayed."""
        self.guide.enter(visit)
        self._outcomes.remember(visit)
        self.tally.count(visit)


def _tell_nobody(_: str, __: dict[str, Any]) -> None:
    return
