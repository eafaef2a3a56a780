"""One crawl of a comparison: how it is made, and what is measured in it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from honeyguide import urls
from honeyguide.base import BESIDE, BadInput
from honeyguide.crawl import Crawl
from honeyguide.evaluate.comparison import Cut, Result
from honeyguide.evaluate.held_index import HeldIndex
from honeyguide.evaluate.measures import curve_points, fetches_to, found_by, nauc
from honeyguide.evaluate.oracle import ORACLE, Oracle
from honeyguide.evaluate.relevance import Relevance
from honeyguide.running import run_async

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.evaluate.collection import Collection
    from honeyguide.evaluate.design import Design
    from honeyguide.evaluate.network import Network
    from honeyguide.evaluate.starting import Start
    from honeyguide.strategy import Strategy
    from honeyguide.topic.judged import Judged


class Job(NamedTuple):
    """One crawl to make."""

    start: int  # its number among the starts
    repeat: int
    strategy: str


@dataclass(frozen=True)
class Bench:
    """What all crawls share; a process gets it once."""

    web: Collection
    topics: dict[str, Judged]
    starts: Sequence[Start]
    budget: int
    design: Design
    network: Network | None = None  # for the oracle

    def cuts(self, start: Start) -> tuple[int, ...]:
        """The further budgets of crawls from a start, in pages."""
        return self.design.cuts(len(self.web.pages), start.reachable)

    def random_seed(self, job: Job) -> int:
        """That of a crawl: the same for every strategy."""
        return self.design.random_seed + self.starts[job.start].seed_set + job.repeat * self.design.seed_sets

    def name(self, job: Job) -> tuple[str, str, str, int, int]:
        """What tells a crawl from all others, as in its result."""
        start = self.starts[job.start]
        return job.strategy, start.topic, start.start, start.seed_set, job.repeat


@dataclass(frozen=True)
class Refusal:
    """A strategy that cannot be used with a topic, and why."""

    strategy: str
    topic: str
    reason: str


class Track:
    """Makes one crawl after the other, in one process."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self._bench = bench
        self._index = HeldIndex(bench.web, folder)
        self._relevant: dict[str, NDArray[np.int64]] = {}  # pages by topic, for the oracle

    def run(self, job: Job) -> Result | Refusal:
        """Make one crawl and measure it."""
        start = self._bench.starts[job.start]
        before = self._cpu_time()
        try:
            crawl = self._crawl(start, job)
            visits = run_async(_visits(crawl))
        except BadInput as error:
            return Refusal(job.strategy, start.topic, str(error))
        seconds = self._cpu_time() - before
        measured = _measured(visits, start, job, self._bench)
        return replace(measured, searches=crawl.asking.searches, seconds=seconds)

    def _crawl(self, start: Start, job: Job) -> Crawl:
        """The crawl of a strategy from a start: the one place where they are made."""
        return Crawl(
            start.seeds,
            self._bench.topics[start.topic],
            self._strategy(job.strategy, start.topic),
            web=self._bench.web.web(),
            search=self._index,
            pages=max(self._bench.budget, *self._bench.cuts(start), 0),
            random_seed=self._bench.random_seed(job),
        )

    def _strategy(self, name: str, topic: str) -> str | Strategy:
        """A strategy by its name; the oracle is told all there is to know of the topic."""
        if name != ORACLE or self._bench.network is None:
            return name
        if topic not in self._relevant:
            self._relevant[topic] = Relevance(self._bench.topics[topic], self._bench.web.pages).ids
        return Oracle(network=self._bench.network, relevant=self._relevant[topic])

    def _cpu_time(self) -> float:
        """That of this process; the index serves all crawls and is not the first one's cost."""
        return time.process_time() - self._index.made_in

    def close(self) -> None:
        """Let go of the index."""
        self._index.end()


async def _visits(crawl: Crawl) -> list[Visit]:
    return [visit async for visit in crawl if visit.flag not in BESIDE]


def _measured(visits: list[Visit], start: Start, job: Job, bench: Bench) -> Result:
    reachable, cuts = start.reachable, bench.cuts(start)
    relevant = [visit.relevant for visit in visits]
    found = found_by(relevant, max(bench.budget, *cuts, 0), reachable)
    within = found[: bench.budget]
    return Result(
        strategy=job.strategy,
        topic=start.topic,
        start=start.start,
        seed_set=start.seed_set,
        repeat=job.repeat,
        reachable=reachable,
        fetched=min(len(visits), bench.budget),
        relevant=sum(relevant[: bench.budget]),
        hosts=_hosts(visits[: bench.budget]),
        nauc=nauc(within, reachable),
        found=tuple(within[curve_points(bench.budget) - 1].tolist()),
        links=sum(len(visit.targets) for visit in visits),
        crawled=len(visits),
        reached=fetches_to(found, reachable),
        cuts=tuple(_cut(visits, found[:cut], reachable) for cut in cuts),
    )


def _cut(visits: list[Visit], found: NDArray[np.int64], reachable: int) -> Cut:
    pages, relevant = len(found), int(found[-1])
    recall = relevant / reachable if reachable else 0.0
    return Cut(pages, relevant, _hosts(visits[:pages]), nauc(found, reachable), recall)


def _hosts(visits: list[Visit]) -> int:
    return len({urls.host(visit.url) for visit in visits if visit.relevant})
