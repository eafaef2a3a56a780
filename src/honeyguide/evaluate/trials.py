"""Making the crawls of a comparison, in as many processes as are wanted."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import BESIDE, BadInput, HoneyguideError
from honeyguide.crawl import Crawl
from honeyguide.evaluate.comparison import Result
from honeyguide.evaluate.held_index import HeldIndex
from honeyguide.evaluate.measures import curve_points, found_by, nauc
from honeyguide.running import run_async

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.context import BaseContext

    from honeyguide.base import Visit
    from honeyguide.evaluate.collection import Collection
    from honeyguide.evaluate.starting import Start
    from honeyguide.topic.judged import Judged

    Job = tuple[int, str]  # the number of a start, and a strategy


@dataclass(frozen=True)
class Bench:
    """What all crawls share; a process gets it once."""

    web: Collection
    topics: dict[str, Judged]
    starts: Sequence[Start]
    budget: int
    random_seed: int


@dataclass(frozen=True)
class Refusal:
    """A strategy that cannot be used with a topic, and why."""

    strategy: str
    topic: str
    reason: str


def run_jobs(bench: Bench, jobs: Sequence[Job], processes: int) -> Iterator[Result | Refusal]:
    """What came of each job, in the order of the jobs."""
    if processes < 2:
        with contextlib.closing(Track(bench)) as track:
            yield from map(track.run, jobs)
        return
    pool = ProcessPoolExecutor(min(processes, len(jobs) or 1), _context(), _take, (bench,))
    try:
        yield from pool.map(_run_held, jobs)
    except BrokenProcessPool:
        raise HoneyguideError("a process was killed, most likely for want of memory; try fewer --jobs") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> BaseContext:
    """Forked processes share the pages; where there are none, each is sent a copy."""
    return multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)


_held: list[Track] = []


def _take(bench: Bench) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked is told, and ends the others
    _held[:] = [Track(bench)]


def _run_held(job: Job) -> Result | Refusal:
    return _held[0].run(job)


class Track:
    """Makes one crawl after the other, in one process."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._index = HeldIndex(bench.web)

    def run(self, job: Job) -> Result | Refusal:
        """Make one crawl and measure it."""
        start, strategy = self._bench.starts[job[0]], job[1]
        before = self._cpu_time()
        try:
            crawl = self._crawl(start, strategy)
            visits = run_async(_visits(crawl))
        except BadInput as error:
            return Refusal(strategy, start.topic, str(error))
        measured = _measured(visits, start, strategy, self._bench.budget)
        return replace(measured, searches=crawl.asking.searches, seconds=self._cpu_time() - before)

    def _crawl(self, start: Start, strategy: str) -> Crawl:
        """The crawl of a strategy from a start: the one place where they are made."""
        return Crawl(
            start.seeds,
            self._bench.topics[start.topic],
            strategy,
            web=self._bench.web.web(),
            search=self._index,
            pages=self._bench.budget,
            random_seed=self._bench.random_seed + start.seed_set,
        )

    def _cpu_time(self) -> float:
        """That of this process; the index serves all crawls and is not the first one's cost."""
        return time.process_time() - self._index.made_in

    def close(self) -> None:
        """Let go of the index."""
        self._index.end()


async def _visits(crawl: Crawl) -> list[Visit]:
    return [visit async for visit in crawl if visit.flag not in BESIDE]


def _measured(visits: list[Visit], start: Start, strategy: str, budget: int) -> Result:
    found = found_by([visit.relevant for visit in visits], budget, start.reachable)
    return Result(
        strategy=strategy,
        topic=start.topic,
        start=start.start,
        seed_set=start.seed_set,
        reachable=start.reachable,
        fetched=len(visits),
        relevant=sum(visit.relevant for visit in visits),
        hosts=len({urls.host(visit.url) for visit in visits if visit.relevant}),
        nauc=nauc(found, start.reachable),
        found=tuple(found[curve_points(budget) - 1].tolist()),
    )
