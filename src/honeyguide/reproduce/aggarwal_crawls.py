"""The crawls of Aggarwal's experiment: predicates of several kinds, far places to start, harvest along the way."""

from __future__ import annotations

import gc
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from honeyguide.base import BESIDE
from honeyguide.crawl import Crawl
from honeyguide.reproduce.kept_web import KeptWeb
from honeyguide.running import no_garbage, run_async
from honeyguide.topic import as_topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honeyguide.base import Reply, Visit
    from honeyguide.reproduce.findings import Scale
    from honeyguide.synthetic import World

CHECKPOINTS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)  # shares of the pages; most is learned early
EARLY = CHECKPOINTS.index(0.2)

Key = tuple[str, int, str]  # the topic, the number of the start, the strategy


class Predicate(NamedTuple):
    """What is looked for, and the kind of predicate it stands for."""

    kind: str
    topic: str


class Task(NamedTuple):
    """One crawl to make; its harvest is measured for each of the topics."""

    topics: tuple[str, ...]
    start: int
    strategy: str
    learned: dict[str, Any] | None = None  # what another crawl has learned


class Made(NamedTuple):
    """What came of a crawl: for each topic the harvest by checkpoint, and what was learned."""

    harvest: tuple[tuple[float, ...], ...]
    knowledge: dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """What all crawls share."""

    world: World
    starts: tuple[tuple[str, ...], ...]
    pages: int
    random_seed: int
    replies: dict[str, Reply] = field(default_factory=dict)

    @property
    def checkpoints(self) -> list[int]:
        """After how many pages the harvest is looked at."""
        return [max(1, round(self.pages * share)) for share in CHECKPOINTS]

    def make(self, task: Task) -> Made:
        """Make one crawl; with several topics, of a strategy that pays no heed to them."""
        crawl = Crawl(
            self.starts[task.start],
            " | ".join(f"({topic})" for topic in task.topics),
            task.strategy,
            web=KeptWeb(self.world, self.replies),
            pages=self.pages,
            random_seed=self.random_seed + task.start,
        )
        if task.learned is not None:
            crawl.strategy.adopt(task.learned)
        return Made(self._harvest(task, run_async(_relevant(crawl, task.topics))), crawl.strategy.knowledge())

    def _harvest(self, task: Task, relevant: Sequence[tuple[bool, ...]]) -> tuple[tuple[float, ...], ...]:
        columns = list(zip(*relevant, strict=True)) or [()] * len(task.topics)
        return tuple(tuple(sum(column[:n]) / n for n in self.checkpoints) for column in columns)


async def _relevant(crawl: Crawl, topics: Sequence[str]) -> list[tuple[bool, ...]]:
    """Of each page asked for, which of the topics it is relevant to; copies are relevant to none."""
    judges = [as_topic(topic) for topic in topics]

    def judged(visit: Visit) -> tuple[bool, ...]:
        page = visit.page
        if len(judges) == 1 or page is None or not visit.relevant:
            return (visit.relevant,) * len(judges)
        return tuple(judge.relevant(judge.score(page)) for judge in judges)

    return [judged(visit) async for visit in crawl if visit.flag not in BESIDE]


def make_all(ground: Ground, tasks: Mapping[Key, Task], scale: Scale) -> dict[Key, Made]:
    """All crawls by their names, in so many processes; where processes cannot be forked, in this one."""
    if scale.processes < 2 or "fork" not in multiprocessing.get_all_start_methods():
        _take(ground)
        return _named(tasks, map(_make_here, tasks.values()), scale)
    with ProcessPoolExecutor(scale.processes, multiprocessing.get_context("fork"), _take, (ground,)) as pool:
        return _named(tasks, pool.map(_make_here, tasks.values()), scale)


def _named(tasks: Mapping[Key, Task], made: Iterable[Made], scale: Scale) -> dict[Key, Made]:
    return dict(zip(tasks, scale.watched(made, len(tasks)), strict=True))


_taken: list[Ground] = []


def _take(ground: Ground) -> None:
    _taken[:] = [ground]


def _make_here(task: Task) -> Made:
    with no_garbage():
        try:
            return _taken[0].make(task)
        finally:  # pages are kept: what is there now need not be looked at again
            gc.collect()
            gc.freeze()
