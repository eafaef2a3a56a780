"""A crawl under watch: it is run, paused, stopped, gone on with, and replaced by one with a better topic."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.dashboard import lesson, looking, showing
from honeyguide.dashboard.actions import steered
from honeyguide.dashboard.changeover import changed_over
from honeyguide.dashboard.journal import Journal
from honeyguide.dashboard.marks import Marks
from honeyguide.dashboard.measuring import measured
from honeyguide.dashboard.teacher import Teacher, plainly
from honeyguide.dashboard.watch import PAGES_SHOWN, Watch
from honeyguide.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterable

    from honeyguide.base import Visit
    from honeyguide.crawl import Crawl
    from honeyguide.crawl.rejudging import Progress
    from honeyguide.dashboard.lesson import Lesson, Remake
    from honeyguide.dashboard.metrics import Metric


class Session:
    """Iterate over it for the visits of its crawl, or `open` it to look at a crawl that rests.

    `remake` gives a fresh crawl of the same directory by other settings.
    """

    def __init__(self, crawl: Crawl, remake: Remake, journal: Journal | None = None, steered: bool = True) -> None:
        self.crawl = crawl
        self.journal = journal or Journal()
        self.begun: Callable[[], None] = lambda: None  # called when the directory is there
        self.phase = "starting"  # then running, judging (when a lesson is taken), resting
        self.note = ""  # what the page says beside it
        self.steered = steered  # whether the process ends with its crawl
        self.watch = Watch(np.zeros(0, np.bool_))
        self.marks = Marks()
        self.first_topic = ""  # that was asked for, where another one was learned since
        self.teacher = Teacher(self._prepared, self._lesson_ready)
        self._remake = remake
        self._asked_to_stop = ""
        self._changes = 0  # anything but visits that the page should show
        self._driving: asyncio.Task[None] | None = None

    # -- running ----------------------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncIterator[Visit]:
        while True:
            self.crawl.tell = self._heard
            async for visit in self.crawl:
                self.watch.took(visit, visit.page.title if visit.page else "")
                self.journal.visit(visit)
                yield visit
            if not await self._goes_on_taught():
                break
        self._become("resting", self.note)
        self.journal.event("ended", {"reason": self.crawl.stopped, "fetched": self.crawl.fetched})

    async def _goes_on_taught(self) -> bool:
        """Whether another crawl goes on in the place of the one that was stopped, because something was learned."""
        if self._asked_to_stop or not self.teacher.busy:
            return False
        self._become("judging", "the crawl waits for what it is taught")
        ready = await self.teacher.lesson()
        if ready is None:
            return False
        self.crawl = await self._take(ready)
        if self._asked_to_stop:
            self.crawl.stop(self._asked_to_stop)
        return True

    @property
    def store(self) -> Store | None:
        """The books of the crawl, while it has them open: they hold what is not committed yet.

        A crawl closes them before its connections to the web, which may take a while.
        """
        store = self.crawl.store
        return store if self.phase == "running" and store and not store.closed else None

    def stop(self, reason: str) -> None:
        """End as a signal ends it: requests under way are given a few seconds."""
        self._asked_to_stop = reason
        if self.steered:
            self.teacher.end()
        if self.phase in ("starting", "running"):
            self.crawl.stop(reason)
        self._changes += 1

    async def open(self) -> None:
        """Show a crawl that nobody runs."""
        await self.crawl.look_back()
        self._look_around()
        self._become("resting")

    async def close(self) -> None:
        """Let what was started on the page come to its end."""
        self.stop("terminated")
        self.teacher.end()
        if self._driving:
            await asyncio.gather(self._driving, return_exceptions=True)

    async def _crawl_on(self) -> None:
        async for _ in self:
            pass

    def _drive(self, doing: Coroutine[Any, Any, None]) -> None:
        self._driving = asyncio.create_task(self._driven(doing))

    async def _driven(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do what was asked for on the page; what goes wrong is told there."""
        try:
            await doing
        except Exception as error:
            self._become("resting", plainly(error))
            self.journal.event("failed", {"error": plainly(error)})

    def _heard(self, kind: str, about: dict[str, Any]) -> None:
        """What the crawl tells beside its visits."""
        if kind == "begun":
            self._look_around()
            self._become("running", self.note)
            self.begun()
            self._lesson_ready()
        self._changes += 1
        self.journal.event(kind, about)

    def _look_around(self) -> None:
        """Begin with what the crawl has done before."""
        graph, directory = self.crawl.graph, self.crawl.directory
        latest = []
        if directory:
            with Store.open(directory, write=False) as store:
                self.marks.read(store)
                self.first_topic = next((event.query for event in store.events() if event.kind == "topic"), "")
                latest = list(store.visits(max(0, graph.visits - PAGES_SHOWN)))
        speed = self.watch.speed if self.watch.curve.asked else None
        self.watch = Watch(graph.relevant[graph.visited()], latest, speed)

    def _become(self, phase: str, note: str = "") -> None:
        self.phase, self.note = phase, note
        self._changes += 1

    # -- learning from marks ----------------------------------------------------------------------------------

    def _prepared(self, progress: Progress) -> Lesson:
        crawl = self.crawl
        assert crawl.directory is not None
        return lesson.prepared(crawl.directory, crawl.settings, self._remake, progress)

    def _lesson_ready(self) -> None:
        """Take a lesson as soon as the crawl can be stopped for it; or tell that it came to nothing."""
        if self.teacher.trouble:
            self._not_learned(self.teacher.trouble)
        elif self.teacher.has_lesson and self.phase == "running":
            self.crawl.stop("learning")
        elif self.teacher.has_lesson and self.phase == "resting":
            self._drive(self._take_at_rest())

    def _not_learned(self, trouble: str) -> None:
        self.teacher.trouble = ""
        self.journal.event("not_learned", {"error": trouble})
        self._become(self.phase, f"nothing was learned: {trouble}")

    async def _take(self, ready: Lesson) -> Crawl:
        """The crawl that goes on in the place of the present one."""
        began = time.monotonic()
        self._become("judging", "what was learned is put to use")
        following, note = await changed_over(self.crawl, ready, self._remake, self.journal)
        self.teacher.took(time.monotonic() - began)
        self._become("starting", note)
        return following

    async def _take_at_rest(self) -> None:
        ready = self.teacher.take()
        assert ready is not None
        self.crawl = await self._take(ready)
        note = self.note
        await self.open()
        self._become("resting", note)

    # -- what somebody asks for on the page -------------------------------------------------------------------

    async def act(self, action: str, given: dict[str, Any]) -> dict[str, Any]:
        """Do it, or say why not."""
        done = steered(self, action, given)
        self._changes += 1
        return done

    def go_on(self, more: int) -> None:
        """Ask for more pages."""
        if self.phase != "resting":
            raise BadInput("the crawl runs already")
        if self.steered:
            raise BadInput("this process ends with its crawl")
        self.crawl = self._remake(replace(self.crawl.settings, pages=self.crawl.fetched + more))
        self._asked_to_stop = ""
        self._become("starting")
        self._drive(self._crawl_on())

    # -- what there is to see ---------------------------------------------------------------------------------

    def version(self) -> Hashable:
        """Another value whenever there may be something new to show."""
        teacher = self.teacher
        return self._changes, self.watch.curve.asked, teacher.state, teacher.judged // 100, id(self.crawl)

    def parts(self) -> dict[str, Any]:
        """What is quick to tell."""
        return showing.parts(self)

    def slow_parts(self) -> dict[str, Any]:
        """What takes a look at all that is queued or was fetched."""
        return showing.slow_parts(self)

    def why(self, id_: int) -> list[str]:
        """What speaks for a URL."""
        return looking.why(self.crawl, id_)

    def metrics(self) -> Iterable[Metric]:
        """Figures for Prometheus."""
        return measured(self.crawl, self.watch.speed.now(), showing.phase(self))
