"""A lesson: a classifier is trained on the marks, judges the stored pages, and becomes the topic."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide.crawl.rejudging import adopt, judged_anew
from honeyguide.crawl.resume import learn_anew
from honeyguide.dashboard.learning import learned
from honeyguide.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.crawl import Crawl
    from honeyguide.crawl.rejudging import Progress, Verdict
    from honeyguide.settings import Settings
    from honeyguide.strategy import Strategy
    from honeyguide.topic import Classifier

    Remake = Callable[[Settings], Crawl]


class HeadStart(NamedTuple):
    """What a strategy has learned from the visits so far, as the classifier judges them: the crawl waits less."""

    visits: int
    events: int
    settings: Settings
    strategy: Strategy


class Lesson(NamedTuple):
    """A classifier, and what it says of the pages that were stored when it was asked."""

    model: Classifier
    verdicts: list[Verdict]
    head_start: HeadStart | None


class Outcome(NamedTuple):
    """What came of a lesson: pages judged, and how many of them are relevant now, or no longer."""

    marks: int
    judged: int
    gained: int
    lost: int

    def __str__(self) -> str:
        return (
            f"learned from {self.marks:,} mark{'s' * (self.marks != 1)}: of {self.judged:,} stored pages, "
            f"{self.gained + self.lost:,} verdicts changed ({self.gained:,} now relevant, {self.lost:,} no longer)"
        )


def prepared(directory: Path, settings: Settings, remake: Remake, progress: Progress) -> Lesson:
    """Train, and judge what is stored; takes a while, changes nothing, and may run in a thread beside a crawl."""
    model = learned(directory, lambda: remake(settings).web, settings.random_seed)
    fresh = remake(replace(settings, topic=str(model)))
    with Store.open(directory, write=False) as store:
        verdicts = asyncio.run(judged_anew(store, fresh.web, fresh.topic, progress))
    return Lesson(model, verdicts, _head_start(remake(fresh.settings), verdicts))


def _head_start(fresh: Crawl, verdicts: list[Verdict]) -> HeadStart | None:
    """What its strategy learns from the verdicts; None where it would have to ask somebody before it begins."""
    if fresh.settings.search or not verdicts:
        return None
    try:
        judged = {number: (score, relevant) for score, relevant, number in verdicts}
        events = asyncio.run(learn_anew(fresh, judged))
    except Exception:  # a strategy that asks for pages: nothing is asked for beside a crawl, it learns later
        return None
    return HeadStart(fresh.graph.visits, events, fresh.settings, fresh.strategy)


async def learned_by(directory: Path, lesson: Lesson, fresh: Crawl) -> Outcome:
    """Judge what has come since the lesson was prepared, and let the directory be known by its classifier."""
    with Store.open(directory) as store:
        before = store.verdicts()
        start = lesson.verdicts[-1][2] + 1 if lesson.verdicts else 0
        verdicts = lesson.verdicts + await judged_anew(store, fresh.web, fresh.topic, start=start)
        adopt(store, fresh.topic, verdicts)
        if head := lesson.head_start:
            store.save_knowledge(head.visits, head.settings, head.strategy, head.events)
            store.commit()
        return _outcome(lesson, before, store.verdicts(), len(verdicts))


def _outcome(lesson: Lesson, before: NDArray[np.bool_], after: NDArray[np.bool_], judged: int) -> Outcome:
    gained, lost = (int(np.count_nonzero(x & ~y)) for x, y in ((after, before), (before, after)))
    return Outcome(len(lesson.model.marked), judged, gained, lost)
