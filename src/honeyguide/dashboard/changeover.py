"""The change from a crawl to the one that goes on in its place, by what was learned."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from honeyguide.dashboard.lesson import learned_by
from honeyguide.dashboard.teacher import plainly
from honeyguide.store import read_settings

if TYPE_CHECKING:
    from honeyguide.crawl import Crawl
    from honeyguide.dashboard.journal import Journal
    from honeyguide.dashboard.lesson import Lesson, Remake


async def changed_over(earlier: Crawl, lesson: Lesson, remake: Remake, journal: Journal) -> tuple[Crawl, str]:
    """The crawl that goes on, with the lesson's topic, and what came of it; with the old topic where that failed."""
    assert earlier.directory is not None
    try:
        came = await learned_by(earlier.directory, lesson, remake(replace(earlier.settings, topic=str(lesson.topic))))
        told = {"topic": str(lesson.topic), **came._asdict(), "changed": came.gained + came.lost}
        journal.event("learned", told)
        note = str(came)
    except Exception as error:
        note = f"nothing was learned: {plainly(error)}"
        journal.event("not_learned", {"error": plainly(error)})
    following = _following(earlier, lesson, remake)
    following.take_over(earlier)
    return following, note


def _following(earlier: Crawl, lesson: Lesson, remake: Remake) -> Crawl:
    """The crawl that the lesson made ready, or a fresh one where it would not be asked the same."""
    assert earlier.directory is not None
    wanted = replace(earlier.settings, topic=read_settings(earlier.directory).topic)
    if lesson.ahead and lesson.ahead.settings == wanted:
        return lesson.ahead
    return remake(wanted)
