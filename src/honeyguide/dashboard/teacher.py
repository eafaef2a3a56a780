"""When lessons are given: shortly after pages were marked, beside the crawl, and one after the other."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, HoneyguideError

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.crawl.rejudging import Progress
    from honeyguide.dashboard.lesson import Lesson

QUIET = 5.0  # seconds after the last mark: somebody who marks one page marks others
REST = 20  # times as long as the crawl had to stand still for the last lesson, before it does so again


class Teacher:
    """Prepares lessons in a thread; `ready` is called when there is one to be taken."""

    def __init__(self, prepare: Callable[[Progress], Lesson], ready: Callable[[], None]) -> None:
        self.judged = 0  # pages, in the present lesson
        self.trouble = ""  # why the last one came to nothing
        self._prepare = prepare
        self._ready = ready
        self._timer: asyncio.TimerHandle | None = None
        self._working: asyncio.Task[None] | None = None
        self._lesson: Lesson | None = None
        self._once_more = False  # marks came while it was at work
        self._not_before = 0.0
        self._over = False

    @property
    def has_lesson(self) -> bool:
        """Whether one is ready to be taken."""
        return self._lesson is not None

    @property
    def busy(self) -> bool:
        """Whether a lesson is prepared or ready."""
        return self._working is not None or self.has_lesson

    @property
    def state(self) -> str:
        """What it does: nothing, due (soon), training or judging."""
        if self.busy:
            return "judging" if self.judged else "training"
        return "due" if self._timer else ""

    def marked(self) -> None:
        """Give a lesson soon; more marks put it off."""
        if self._timer:
            self._timer.cancel()
        wait = max(QUIET, self._not_before - time.monotonic())
        self._timer = asyncio.get_running_loop().call_later(wait, self._begin)

    def begin(self) -> None:
        """Give a lesson now."""
        if self.busy:
            raise BadInput("it is learning already")
        self._begin()

    def _begin(self) -> None:
        self._forget()
        if self.busy:
            self._once_more = True
        elif not self._over:
            self.judged, self.trouble, self._once_more = 0, "", False
            self._working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        try:
            self._lesson = await asyncio.to_thread(self._prepare, self._progress)
        except Exception as error:
            self.trouble = plainly(error)
        self._working = None
        if not self._over:
            self._ready()

    def _progress(self, number: int) -> None:
        """Called from the thread: count, and end early where nobody waits any more."""
        if self._over:
            raise BadInput("the crawl has ended")
        self.judged = number

    async def lesson(self) -> Lesson | None:
        """The lesson that is ready, or will be; None where there is none."""
        if self._working:
            await asyncio.gather(self._working)
        return self.take()

    def take(self) -> Lesson | None:
        """The lesson that is ready, if any."""
        lesson, self._lesson = self._lesson, None
        return lesson

    def took(self, seconds: float) -> None:
        """A lesson was taken, for which the crawl had to stand still so long."""
        self.judged = 0
        self._not_before = time.monotonic() + REST * seconds
        if self._once_more:
            self.marked()

    def end(self) -> None:
        """Give no more lessons."""
        self._over = True
        self._forget()

    def _forget(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None


def plainly(error: Exception) -> str:
    """What went wrong, in a line."""
    return str(error) if isinstance(error, HoneyguideError) else f"{type(error).__name__}: {error}"
