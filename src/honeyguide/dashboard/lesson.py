"""A lesson: a classifier is trained on the marks, takes its place in the topic, and stored pages are judged anew."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide.crawl.rejudging import adopt, judged_anew
from honeyguide.crawl.resume import learn_anew
from honeyguide.dashboard.learning import learned
from honeyguide.dashboard.recalled import recalled, unanswered
from honeyguide.dashboard.taught import taught
from honeyguide.dashboard.teacher import plainly
from honeyguide.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from honeyguide.crawl import Crawl
    from honeyguide.crawl.rejudging import Progress, Verdict
    from honeyguide.settings import Settings
    from honeyguide.topic import Classifier, Topic

    Remake = Callable[[Settings], Crawl]


ROUNDS, FEW = 5, 20  # a lesson is brought to where the crawl is by then, until few pages are left for the change-over


class Lesson(NamedTuple):
    """A classifier, the topic with it, and what that says of the pages that were stored when it was asked.

    `ahead` is a crawl that was brought so far and has learned from these verdicts, so that the one that runs waits
    less; None where there is a `hindrance`.
    """

    model: Classifier
    topic: Topic
    before: Topic
    verdicts: list[Verdict]
    ahead: Crawl | None
    unanswered: dict[str, str]  # pages about which a condition gave no answer, and why
    hindrance: str = ""


class Outcome(NamedTuple):
    """What came of a lesson: pages judged, how many of them are relevant now, or no longer, and what did not work."""

    marks: int
    judged: int
    gained: int
    lost: int
    not_followed: int  # marks that other parts of the topic outvote
    unanswered: int  # pages that stay off topic, for a condition gave no answer about them
    why_unanswered: str  # most often
    hindrance: str  # why the crawl had to be replayed as a whole

    def __str__(self) -> str:
        told = (
            f"learned from {self.marks:,} mark{'s' * (self.marks != 1)}: of {self.judged:,} stored pages, "
            f"{self.gained + self.lost:,} verdicts changed ({self.gained:,} now relevant, {self.lost:,} no longer)"
        )
        if self.not_followed:
            told += f"; {self.not_followed:,} marked pages stay otherwise, for another part of the topic says so"
        if self.unanswered:
            stay = "page stays" if self.unanswered == 1 else "pages stay"
            told += f"; {self.unanswered:,} {stay} off topic, for a condition gave no answer: {self.why_unanswered}"
        if self.hindrance:
            told += f"; the crawl could not be made ready beside, and takes longer to go on: {self.hindrance}"
        return told


def prepared(directory: Path, settings: Settings, remake: Remake, progress: Progress) -> Lesson:
    """Train, and judge what is stored; takes a while, changes nothing, and may run in a thread beside a crawl."""
    now = remake(settings)
    model = learned(now)
    topic = taught(now.topic, model)
    fresh = remake(replace(settings, topic=str(topic)))
    lesson = Lesson(model, topic, now.topic, [], remake(fresh.settings), {})
    for _ in range(ROUNDS):  # a crawl that goes on fetches some while others are judged
        with Store.open(directory, write=False) as store:
            store.hold_still()  # what was said of a page and the page itself are looked up one after the other
            came = asyncio.run(_judged(store, fresh, lesson, progress))
        lesson = _brought_on(lesson, came)
        if len(came) < FEW:
            break
    return lesson


async def _judged(store: Store, fresh: Crawl, lesson: Lesson, progress: Progress = lambda _: None) -> list[Verdict]:
    """What the lesson's topic says of pages that came since it was asked; the lesson notes who gave no answer."""
    start = lesson.verdicts[-1][2] + 1 if lesson.verdicts else 0
    topic = recalled(fresh.topic, lesson.before, store, start)
    verdicts = await judged_anew(store, fresh.web, topic, progress, start)
    lesson.unanswered.update(unanswered(topic))
    return verdicts


def _brought_on(lesson: Lesson, came: list[Verdict]) -> Lesson:
    """A lesson with more verdicts, and its crawl as far; without one where that would have to ask somebody."""
    lesson = lesson._replace(verdicts=lesson.verdicts + came)
    if lesson.ahead is None or not came:
        return lesson
    if lesson.ahead.settings.search:
        return lesson._replace(ahead=None, hindrance="what its strategy searches for is not asked for twice")
    try:
        asyncio.run(learn_anew(lesson.ahead, {number: (score, relevant) for score, relevant, number in came}))
    except Exception as error:  # a strategy that asks for pages: nothing is asked for beside a crawl, it learns later
        return lesson._replace(ahead=None, hindrance=plainly(error))
    return lesson


async def learned_by(directory: Path, lesson: Lesson, fresh: Crawl) -> Outcome:
    """Judge what has come since the lesson was prepared, and let the directory be known by its topic."""
    with Store.open(directory) as store:
        before = store.verdicts()
        verdicts = lesson.verdicts + await _judged(store, fresh, lesson)
        adopt(store, fresh.topic, verdicts)
        if ahead := lesson.ahead:
            store.save_knowledge(ahead.graph.visits, ahead.settings, ahead.strategy, ahead.events_replayed)
            store.commit()
        after = store.verdicts()
        gained, lost = (int(np.count_nonzero(x & ~y)) for x, y in ((after, before), (before, after)))
        return Outcome(
            len(lesson.model.marked),
            len(verdicts),
            gained,
            lost,
            store.marks_not_followed(),
            len(lesson.unanswered),
            _most_often(lesson.unanswered),
            lesson.hindrance,
        )


def _most_often(reasons: dict[str, str]) -> str:
    return Counter(reasons.values()).most_common(1)[0][0] if reasons else ""
