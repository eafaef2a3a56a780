"""A lesson: a classifier is trained on the marks, judges the stored pages, and becomes the topic."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide.crawl.rejudging import adopt, judged_anew
from honeyguide.dashboard.learning import learned
from honeyguide.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.crawl import Crawl
    from honeyguide.crawl.rejudging import Progress, Verdict
    from honeyguide.settings import Settings
    from honeyguide.topic import Classifier

    Remake = Callable[[Settings], Crawl]


class Lesson(NamedTuple):
    """A classifier, and what it says of the pages that were stored when it was asked."""

    model: Classifier
    verdicts: list[Verdict]


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
        return Lesson(model, asyncio.run(judged_anew(store, fresh.web, fresh.topic, progress)))


async def learned_by(directory: Path, lesson: Lesson, fresh: Crawl) -> Outcome:
    """Judge what has come since the lesson was prepared, and let the directory be known by its classifier."""
    with Store.open(directory) as store:
        before = store.verdicts()
        start = lesson.verdicts[-1][2] + 1 if lesson.verdicts else 0
        verdicts = lesson.verdicts + await judged_anew(store, fresh.web, fresh.topic, start=start)
        adopt(store, fresh.topic, verdicts)
        return _outcome(lesson, before, store.verdicts(), len(verdicts))


def _outcome(lesson: Lesson, before: NDArray[np.bool_], after: NDArray[np.bool_], judged: int) -> Outcome:
    gained, lost = (int(np.count_nonzero(x & ~y)) for x, y in ((after, before), (before, after)))
    return Outcome(len(lesson.model.marked), judged, gained, lost)
