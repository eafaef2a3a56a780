"""The loop, and the only one: ask the frontier, get from the web, judge, learn, rank, record."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, deque
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from honeyguide import urls
from honeyguide.base import BadInput, Excluded, FetchError, NotNow, Page, Reply, Visit
from honeyguide.crawl.judge import Judge
from honeyguide.crawl.scope import Scope
from honeyguide.crawl.summary import Summary
from honeyguide.frontier import Frontier
from honeyguide.graph import DONE, EXCLUDED, FAILED, QUEUED, UNDER_WAY, Graph
from honeyguide.settings import DEFAULT_STRATEGY, Settings
from honeyguide.store import Store, is_crawl_directory
from honeyguide.strategy import Strategy, create
from honeyguide.topic import BudgetSpent, Topic, as_topic
from honeyguide.web import LiveWeb, Web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence

    from numpy.typing import NDArray

_Result = TypeVar("_Result")

GRACE = 5.0  # seconds that requests under way are given when a crawl is stopped
COMMIT_EVERY = 1.0  # seconds, on stored webs; a live crawl commits before it sends the next request
SNAPSHOT_EVERY = 1000  # visits, or a fiftieth of them
NO_LINKS = np.zeros(0, np.int32)


@dataclass
class Landing:
    """A request that came back, one way or another."""

    id: int
    url: str
    score: float
    started: float
    seconds: float = 0.0
    reply: Reply | None = None
    error: BaseException | None = None
    relevance: float = 0.0


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
        self.topic = as_topic(topic)
        self.strategy = create(strategy) if isinstance(strategy, str) else strategy
        name = strategy if isinstance(strategy, str) else self.strategy.name
        seeds = normalized_seeds(seeds)
        self.settings = Settings(topic=str(self.topic), seed=seeds, strategy=name, **settings)
        self.web = LiveWeb(self.settings) if web is None else web
        self.directory = Path(directory) if directory else None
        self.store: Store | None = None
        self.graph = Graph()
        self.frontier = Frontier()
        self.stopped = ""
        self.fetched = self.relevant = self.redirects = self.bytes = 0
        self._judge = Judge(self.topic, self.web)
        self._scope = Scope(self.settings, self.settings.seed)
        self._asked: Counter[int] = Counter()  # pages asked for, by host
        self._out: Counter[int] = Counter()  # of these, still under way
        self._last_asked: dict[int, float] = {}
        self._flying: set[asyncio.Task[None]] = set()
        self._landed: deque[Landing] = deque()
        self._news = asyncio.Event()
        self._alarm: asyncio.Task[None] | None = None
        self._hosts_weighed = 0
        self._committed = self._snapped = 0.0
        self._began = self._began_on_web = 0.0
        self._impossible()

    @classmethod
    def from_settings(cls, settings: Settings, topic: Topic, web: Web, directory: Path | None = None) -> Crawl:
        """A crawl as settings describe it, on a given web."""
        rest = {f.name: getattr(settings, f.name) for f in fields(settings)}
        for given_otherwise in ("topic", "seed", "strategy", "web"):
            del rest[given_otherwise]
        crawl = cls(settings.seed, topic, settings.strategy, web=web, directory=directory, **rest)
        crawl.settings.web = settings.web
        return crawl

    def _impossible(self) -> None:
        reason = self.topic.impossible()
        if reason:
            raise BadInput(f"the topic {self.settings.topic} can match nothing: {reason}")

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
        self.stopped = self.stopped or reason
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[Visit]:
        async with self.web:
            try:
                await self._begin()
                async for visit in self._visits():
                    yield visit
                self._snapshot()
                self._commit()
            finally:
                await self._end()

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
            seconds=round(time.monotonic() - self._began, 3),
            stopped=self.stopped,
            notes=self.web.notes(),
        )

    @property
    def busy_hosts(self) -> int:
        """From how many hosts a page is under way."""
        return len(self._out)

    async def look_back(self) -> None:
        """Bring graph and strategy to where the directory stands, without crawling."""
        from honeyguide.crawl.resume import reopen

        self.strategy.begin(self.graph, self.topic, self.settings.random_seed)
        (await reopen(self, write=False)).close()

    # -- beginning and end ------------------------------------------------------------------------------------

    async def _begin(self) -> None:
        self._began, self._began_on_web = time.monotonic(), self.web.now()
        self.strategy.begin(self.graph, self.topic, self.settings.random_seed)
        if self.directory and is_crawl_directory(self.directory):
            from honeyguide.crawl.resume import reopen

            self.store = await reopen(self)
        elif self.directory:
            self.store = Store.create(self.directory, self.settings)
        if not self.graph.visits:
            self._plant()

    def _plant(self) -> None:
        if not self.settings.seed:
            raise BadInput("a crawl needs at least one seed: a URL to start from")
        ids = self.graph.intern(self.settings.seed)
        self._apply_scope(range(len(self.graph)), 0)
        self._rank(ids)
        if self.store:
            self.store.update_urls(self.graph, ())
            self.store.commit()

    async def _end(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        for task in self._flying:
            task.cancel()
        await asyncio.gather(*self._flying, return_exceptions=True)
        if self.store:
            self.store.close()

    # -- the loop ---------------------------------------------------------------------------------------------

    async def _visits(self) -> AsyncIterator[Visit]:
        while True:
            await self._launch()
            if not self._flying and not self._landed:
                if self._finished():
                    return
                await self.web.wait(self.frontier.next_time())
                continue
            visits = [visit for landing in await self._landings() if (visit := self._settle(landing))]
            self._commit_in_time()
            for visit in visits:
                yield visit

    async def _launch(self) -> None:
        """Send requests while there is room and something may be fetched."""
        while self._may_launch():
            popped = self.frontier.pop(self.web.now())
            if popped is None:
                return
            id_, score = popped
            host = int(self.graph.host[id_])
            if self._enough_of(host):
                self._exclude(id_, "per_host")
                continue
            self._out[host] += 1
            self.graph.state[id_] = UNDER_WAY
            if self.web.gap(self.graph.hosts[host]):
                self.frontier.rest(host, math.inf)
            flight = self._fly(id_, score)
            if self.web.concurrency == 1:  # nothing to overlap: no task needed
                await flight
            else:
                task = asyncio.create_task(flight)
                self._flying.add(task)
                task.add_done_callback(self._cleared)

    def _enough_of(self, host: int) -> bool:
        limit = self.settings.per_host
        return limit is not None and self._asked[host] + self._out[host] >= limit

    def _may_launch(self) -> bool:
        if self.stopped or (self._landed and self.web.concurrency == 1):
            return False
        out = len(self._flying) + len(self._landed)
        if self.fetched + out >= self.settings.pages or out >= self.web.concurrency:
            return False
        limits = self.settings
        if limits.max_time is not None and self.web.now() - self._began_on_web >= limits.max_time:
            self.stop("max_time")
        if limits.max_bytes is not None and self.bytes >= limits.max_bytes:
            self.stop("max_bytes")
        return not self.stopped

    def _finished(self) -> bool:
        """Nothing is under way: is there anything to wait for?"""
        if self.stopped:
            return True
        if self.fetched >= self.settings.pages:
            self.stopped = "pages"
        elif not len(self.frontier):
            self.stopped = "nothing_left"
        elif self.frontier.next_time() == math.inf:
            self.stopped = "nothing_may_be_fetched"
        return bool(self.stopped)

    async def _landings(self) -> list[Landing]:
        """Wait for requests to come back, for a host to have rested, or for the end of the grace."""
        if not self._landed:
            self._set_alarm()
            self._news.clear()
            await self._news.wait()
        landed = list(self._landed)
        self._landed.clear()
        return landed

    def _set_alarm(self) -> None:
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if self.stopped:
            self._alarm = asyncio.create_task(self._call_back())
        elif (until := self._next_event()) < math.inf:
            self._alarm = asyncio.create_task(self._ring(until))

    def _next_event(self) -> float:
        free = len(self._flying) < self.web.concurrency
        until = self.frontier.next_time() if free else math.inf
        if self.settings.max_time is not None:
            until = min(until, self._began_on_web + self.settings.max_time)
        return until

    async def _ring(self, until: float) -> None:
        await self.web.wait(until)
        self._news.set()

    async def _call_back(self) -> None:
        await asyncio.sleep(GRACE)
        for task in self._flying:
            task.cancel()
        self._news.set()

    async def _fly(self, id_: int, score: float) -> None:
        landing = Landing(id_, self.graph.url(id_), score, self.web.now())
        try:
            landing.reply = await self.web.get(landing.url)
            landing.seconds = self.web.now() - landing.started
            if landing.reply.page:
                landing.relevance = await self._judge.score(self._with_parents(id_, landing.reply.page))
        except Exception as error:
            landing.error = error
        self._landed.append(landing)
        if task := asyncio.current_task():
            self._flying.discard(task)  # now, not when the task is cleared away: its place is free
        self._news.set()

    def _cleared(self, task: asyncio.Task[None]) -> None:
        self._flying.discard(task)
        self._news.set()

    def _with_parents(self, id_: int, page: Page) -> Page:
        if not self.topic.needs_parents:
            return page
        return replace(page, parents=tuple(self.graph.url(parent) for parent in self.graph.links_to(id_)))

    # -- what came back ---------------------------------------------------------------------------------------

    def _settle(self, landing: Landing) -> Visit | None:
        """Enter what came of a request in graph, strategy, frontier and store."""
        self._let_rest(landing)
        error = landing.error
        self._out -= Counter([int(self.graph.host[landing.id])])  # which drops hosts at zero
        if isinstance(error, (Excluded, NotNow)):
            self._exclude(landing.id, error.reason) if isinstance(error, Excluded) else self._requeue(landing)
            return None
        if isinstance(error, BudgetSpent):
            self.stop("judge_budget_spent")
        elif error is not None and not isinstance(error, FetchError):
            raise error
        visit = self._visit(landing)
        self.enter(visit)
        self._learn(visit)
        if self.store:
            self.store.record(self.graph, visit, landing.reply)
        return visit

    def _visit(self, landing: Landing) -> Visit:
        reply = landing.reply or Reply(status=0)
        error = landing.error
        reason = "redirect" if reply.redirect else reply.error
        if reply.redirect == landing.url:
            reason = "redirect_loop"
        if isinstance(error, FetchError):
            reason = error.reason
        elif isinstance(error, BudgetSpent):
            reason = "unjudged"
        return Visit(
            number=self.graph.visits,
            id=landing.id,
            url=landing.url,
            targets=self._targets(landing.id, reply) if reason in ("", "redirect") else NO_LINKS,
            page=reply.page,
            score=landing.score,
            relevance=landing.relevance,
            relevant=reply.page is not None and self.topic.relevant(landing.relevance),
            error=reason,
            detail=error.detail if isinstance(error, FetchError) else reply.detail,
            status=reply.status,
            size=reply.size,
            started=landing.started,
            seconds=landing.seconds,
        )

    def _targets(self, id_: int, reply: Reply) -> NDArray[np.int32]:
        """The ids of what a page links to; what is new is put under the rules of scope."""
        depth, known = int(self.graph.depth[id_]), len(self.graph)
        if reply.redirect:
            found = [reply.redirect]
        else:
            assert reply.page is not None
            depth += 1
            found = [] if "nofollow" in reply.page.robots else [link.url for link in reply.page.links]
        targets = self.graph.intern(found, depth) if found else NO_LINKS
        self._apply_scope(range(known, len(self.graph)), depth)
        if self.settings.depth is not None:
            self._bring_nearer(targets)
        return targets

    def _bring_nearer(self, targets: NDArray[np.int32]) -> None:
        """Queue what was too deep, now that a shorter way to it is known."""
        for id_ in targets[self.graph.state[targets] == EXCLUDED].tolist():
            depth = int(self.graph.depth[id_])
            if self.graph.why(id_) == "too_deep" and not self._scope.too_deep(depth):
                objection = self._scope.objection(self.graph.url(id_), depth)
                self._mark(id_, EXCLUDED if objection else QUEUED, objection)

    def _apply_scope(self, new: range, depth: int) -> None:
        for id_ in new if self._scope.bounded(depth) else ():
            objection = self._scope.objection(self.graph.url(id_), depth)
            if objection:
                self.graph.mark(id_, EXCLUDED, objection)

    def enter(self, visit: Visit) -> None:
        """Enter a visit in graph and counts: the same way when it happens and when a stored one is replayed."""
        if visit.error == "redirect":
            self.graph.record_redirect(visit.id, int(visit.targets[0]))
            self.redirects += 1
        else:
            self.graph.record(visit.id, visit.targets, visit.relevance, visit.relevant)
        failed = visit.error not in ("", "redirect", "unjudged")
        self.graph.mark(visit.id, FAILED if failed else DONE, visit.error if failed else "")
        host = int(self.graph.host[visit.id])
        self._asked[host] += 1
        self._last_asked[host] = visit.started
        self.fetched += 1
        self.relevant += visit.relevant
        self.bytes += visit.size

    async def catch_up(self) -> None:
        """After a replay: rank all that is queued, and take up a simulated clock where it stood."""
        self._rank(self.graph.queued())
        self._weigh(np.arange(len(self.graph.hosts)))
        if not self.web.live and self._last_asked:
            await self.web.wait(max(self._last_asked.values()))
            for host, asked in self._last_asked.items():
                if gap := self.web.gap(self.graph.hosts[host]):
                    self.frontier.rest(host, asked + gap)

    def _learn(self, visit: Visit) -> None:
        lesson = self.strategy.learn(visit)
        self._weigh(lesson.hosts)
        ids: NDArray[np.integer[Any]] = self.graph.links_from(visit.id)
        if lesson.everything:
            ids = self.graph.queued()
        elif len(lesson.ids):
            ids = np.union1d(lesson.ids, ids)
        for id_, reason in lesson.exclude:
            self._exclude(id_, reason)
        if lesson.propose:
            ids = np.union1d(ids, self._proposed(lesson.propose))
        self._rank(ids)
        if self.settings.max_queue and len(self.frontier) > 1.25 * self.settings.max_queue:
            self._truncate(self.settings.max_queue)
        if lesson.stop:
            self.stop(lesson.stop)

    def _proposed(self, found: Sequence[str]) -> NDArray[np.int32]:
        known = len(self.graph)
        ids = self.graph.intern(normalized_seeds(found), 1)
        self._apply_scope(range(known, len(self.graph)), 1)
        return ids

    def _rank(self, ids: NDArray[np.integer[Any]]) -> None:
        """Score queued URLs; seeds come before everything."""
        ids = ids[self.graph.state[ids] == QUEUED]
        if not len(ids):
            return
        if self._hosts_weighed < len(self.graph.hosts):
            self._weigh(np.arange(self._hosts_weighed, len(self.graph.hosts)))
            self._hosts_weighed = len(self.graph.hosts)
        scores = np.where(self.graph.depth[ids] == 0, np.float32(np.inf), self.strategy.score(ids))
        self.frontier.push(ids, scores, self.graph.host[ids])

    def _weigh(self, hosts: NDArray[np.integer[Any]]) -> None:
        if len(hosts):
            self.frontier.weigh(hosts, self.strategy.weight(hosts))

    def _truncate(self, keep: int) -> None:
        dropped = self.frontier.worst(keep)
        self.frontier.drop(dropped)
        self.graph.mark(dropped, EXCLUDED, "queue_full")
        if self.store:
            self.store.update_urls(self.graph, dropped.tolist())

    def _exclude(self, id_: int, reason: str) -> None:
        self._mark(id_, EXCLUDED, reason)

    def _mark(self, id_: int, state: int, reason: str) -> None:
        self.graph.mark(id_, state, reason)
        if self.store:
            self.store.update_urls(self.graph, [id_])

    def _let_rest(self, landing: Landing) -> None:
        host = int(self.graph.host[landing.id])
        if isinstance(landing.error, NotNow):
            self.frontier.rest(host, landing.error.until)
        elif gap := self.web.gap(self.graph.hosts[host]):
            asked = not isinstance(landing.error, Excluded)
            self.frontier.rest(host, landing.started + gap if asked else self.web.now())

    def _requeue(self, landing: Landing) -> None:
        self.graph.state[landing.id] = QUEUED
        ids = np.array([landing.id])
        self._rank(ids)

    # -- keeping ----------------------------------------------------------------------------------------------

    def _commit_in_time(self) -> None:
        if self.store and (self.web.live or time.monotonic() - self._committed > COMMIT_EVERY):
            if self.fetched - self._snapped > max(SNAPSHOT_EVERY, self.fetched / 50):
                self._snapshot()
            self._commit()

    def _commit(self) -> None:
        if self.store:
            self.store.commit()
            self._committed = time.monotonic()

    def _snapshot(self) -> None:
        if self.store:
            self.store.save_knowledge(self.fetched, self.settings.strategy, self.strategy.save())
            self._snapped = self.fetched


def normalized_seeds(seeds: Iterable[str]) -> list[str]:
    """Seeds in canonical form, each once."""
    found = []
    for seed in seeds:
        url = urls.normalize(seed)
        if not isinstance(url, str):
            raise BadInput(f"the seed {seed!r} is no URL that can be crawled ({url.reason}); write it as https://…")
        found.append(url)
    return list(dict.fromkeys(found))


def run_async(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(coroutine)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(coroutine)
