"""A crawl under watch: it is run, paused, stopped, gone on with, and replaced by one with a better topic."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput, HoneyguideError
from honeyguide.crawl.resume import rejudge
from honeyguide.dashboard import looking
from honeyguide.dashboard.actions import steered
from honeyguide.dashboard.journal import Journal
from honeyguide.dashboard.learning import learned
from honeyguide.dashboard.measuring import measured
from honeyguide.dashboard.watch import PAGES_SHOWN, Watch, page_row
from honeyguide.store import Store, read_settings
from honeyguide.topic import Classifier

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterable
    from pathlib import Path

    from honeyguide.base import Visit
    from honeyguide.crawl import Crawl
    from honeyguide.dashboard.metrics import Metric
    from honeyguide.settings import Settings

    Remake = Callable[[Settings], Crawl]


class Session:
    """Iterate over it for the visits of its crawl, or `open` it to look at a crawl that rests.

    `remake` gives a fresh crawl of the same directory by other settings.
    """

    def __init__(self, crawl: Crawl, remake: Remake, journal: Journal | None = None, steered: bool = True) -> None:
        self.crawl = crawl
        self.journal = journal or Journal()
        self.begun: Callable[[], None] = lambda: None  # called when the directory is there
        self.phase = "starting"  # then running, training, judging, resting
        self.note = ""  # what the page says beside it
        self._remake = remake
        self._steered = steered
        self._watch = Watch(np.zeros(0, np.bool_))
        self._marks: dict[str, bool] = {}
        self._learns = False  # when the crawl is drained
        self._asked_to_stop = ""
        self._judged = 0
        self._changes = 0  # anything but visits that the page should show
        self._driving: asyncio.Task[None] | None = None

    # -- running ----------------------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncIterator[Visit]:
        while True:
            self.crawl.tell = self._heard
            async for visit in self.crawl:
                self._watch.took(visit, visit.page.title if visit.page else "")
                self.journal.visit(visit)
                yield visit
            if not self._learns:
                break
            self._learns = False
            following = await self._learn()
            if self._asked_to_stop:
                self.crawl.stopped = self._asked_to_stop
                break
            self.crawl = following
        self._become("resting", self.note)
        self.journal.event("ended", {"reason": self.crawl.stopped, "fetched": self.crawl.fetched})

    def stop(self, reason: str) -> None:
        """End as a signal ends it: requests under way are given a few seconds."""
        self._asked_to_stop = reason
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
        if self._driving:
            await asyncio.gather(self._driving, return_exceptions=True)

    async def _crawl_on(self) -> None:
        async for _ in self:
            pass

    async def _drive(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do what was asked for on the page; what goes wrong is told there."""
        try:
            await doing
        except Exception as error:
            self._become("resting", _plainly(error))
            self.journal.event("failed", {"error": _plainly(error)})

    def _heard(self, kind: str, about: dict[str, Any]) -> None:
        """What the crawl tells beside its visits."""
        if kind == "begun":
            self._look_around()
            self._become("running", self.note)
            self.begun()
        self._changes += 1
        self.journal.event(kind, about)

    def _look_around(self) -> None:
        """Begin with what the crawl has done before."""
        graph, directory = self.crawl.graph, self.crawl.directory
        latest = []
        if directory:
            with Store.open(directory, write=False) as store:
                self._marks = store.marks()
                latest = list(store.visits(max(0, graph.visits - PAGES_SHOWN)))
        self._watch = Watch(graph.relevant[graph.visited()], latest)

    def _become(self, phase: str, note: str = "") -> None:
        self.phase, self.note = phase, note
        self._changes += 1

    # -- learning from marks ----------------------------------------------------------------------------------

    async def _learn(self) -> Crawl:
        """The crawl that goes on, with a topic that heeds the marks; with the old one where that failed."""
        crawl, settings = self.crawl, self.crawl.settings
        assert crawl.directory is not None
        self._become("training", "a classifier learns from your marks")
        try:
            model = await asyncio.to_thread(
                learned, crawl.directory, lambda: self._remake(settings).web, settings.random_seed
            )
            note = await self._judge_anew(replace(settings, topic=str(model)), model)
        except Exception as error:
            note = f"nothing was learned: {_plainly(error)}"
            self.journal.event("not_learned", {"error": _plainly(error)})
        following = self._remake(replace(settings, topic=read_settings(crawl.directory).topic))
        if crawl.paused:
            following.pause()
        self._become("starting", note)
        return following

    async def _judge_anew(self, settings: Settings, model: Classifier) -> str:
        self._judged = 0
        self._become("judging", "the stored pages are judged anew")
        before = self._relevant()
        fresh = self._remake(settings)
        assert fresh.directory is not None
        count = await rejudge(fresh.directory, fresh.web, fresh.topic, self._count_judged)
        after = self._relevant()
        changed = len(before ^ after)
        told = {"topic": str(model), "marks": len(model.marked), "judged": count, "changed": changed}
        self.journal.event("learned", told)
        marks = f"{len(model.marked):,} mark{'s' * (len(model.marked) != 1)}"
        return (
            f"learned from {marks}: of {count:,} stored pages, {changed:,} verdicts changed"
            f" ({len(after - before):,} now relevant, {len(before - after):,} no longer)"
        )

    def _count_judged(self, number: int) -> None:
        self._judged = number

    def _relevant(self) -> set[int]:
        assert self.crawl.directory is not None
        with Store.open(self.crawl.directory, write=False) as store:
            return set(np.flatnonzero(store.verdicts()).tolist())

    async def _learn_at_rest(self) -> None:
        fresh = await self._learn()
        note, self.crawl = self.note, fresh
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
        if self._steered:
            raise BadInput("this process ends with its crawl")
        self.crawl = self._remake(replace(self.crawl.settings, pages=self.crawl.fetched + more))
        self._asked_to_stop = ""
        self._become("starting")
        self._driving = asyncio.create_task(self._drive(self._crawl_on()))

    def keep_mark(self, url: str, relevant: bool) -> None:
        """Keep what somebody says of a page."""
        if self.crawl.directory is None:
            raise BadInput("marks are kept in the crawl directory, and this crawl has none: add -o DIR")
        if self.phase not in ("running", "resting"):
            raise BadInput("wait until the pages are judged anew")
        if self.phase == "running" and self.crawl.store:
            self.crawl.store.mark(url, relevant)
            self.crawl.store.commit()
        else:
            with Store.open(self.crawl.directory) as store:
                store.mark(url, relevant)
                store.commit()
        self._marks[url] = relevant

    def keep_rule(self, kind: str, host: str) -> int:
        """Block or unblock a host; how many URLs that concerns."""
        crawl = self.crawl
        if self.phase == "running" and not crawl.stopped:
            return crawl.block(host) if kind == "block" else crawl.unblock(host)
        if self.phase != "resting":
            raise BadInput("wait until the crawl runs or rests")
        if crawl.directory is None:
            raise BadInput("the crawl is over, and has no directory to keep that in")
        with Store.open(crawl.directory) as store:
            store.record_at_rest(kind, host)
            store.commit()
        count = crawl.guide.block(host) if kind == "block" else crawl.guide.unblock(host)
        self.journal.event(kind, {"host": host, "urls": count})
        return count

    def learn(self) -> None:
        """Learn from the marks: at once where the crawl rests, else as soon as what is under way has landed."""
        if not self._new_marks():
            raise BadInput("there is no new mark to learn from: mark some pages first")
        if self.phase == "running" and not self.crawl.stopped:
            self._learns = True
            self.crawl.stop("learning")
        elif self.phase == "resting":
            self._become("training")
            self._driving = asyncio.create_task(self._drive(self._learn_at_rest()))
        else:
            raise BadInput("wait until the crawl runs or rests")

    # -- what there is to see ---------------------------------------------------------------------------------

    def version(self) -> Hashable:
        """Another value whenever there may be something new to show."""
        return self._changes, self._watch.curve.asked, self._judged // 100, id(self.crawl)

    def parts(self) -> dict[str, Any]:
        """What is quick to tell."""
        crawl, marks = self.crawl, self._marks
        return {
            "about": {
                "topic": crawl.settings.topic,
                "strategy": crawl.settings.strategy,
                "directory": str(crawl.directory or ""),
                "steered": self._steered,
            },
            "state": {
                "phase": self._shown_phase(),
                "note": self.note,
                "reason": crawl.stopped,
                "judged": self._judged if self.phase == "judging" else 0,
                "marks": len(marks),
                "new_marks": self._new_marks(),
                "markable": crawl.directory is not None,
            },
            "figures": looking.figures(crawl, self._watch, self.phase == "running"),
            "curve": self._watch.curve.points(),
            "speed": self._watch.speed.by_second() if self.phase == "running" else [],
            "pages": [{**row, "mark": marks.get(url)} for url, row in reversed(self._watch.pages)],
        }

    def _shown_phase(self) -> str:
        if self.phase == "running" and self.crawl.stopped:
            return "stopping"
        return "paused" if self.phase == "running" and self.crawl.paused else self.phase

    def _new_marks(self) -> int:
        """How many marks the topic does not know of."""
        topic = self.crawl.topic
        known = topic.marked if isinstance(topic, Classifier) else {}
        return sum(known.get(url) != relevant for url, relevant in self._marks.items())

    def slow_parts(self) -> dict[str, Any]:
        """What takes a look at all that is queued or was fetched."""
        if self.phase not in ("running", "resting"):
            return {}
        return {"books": looking.books(self.crawl), **looking.queue(self.crawl), "unsure": self._unsure()}

    def _unsure(self) -> list[dict[str, Any]]:
        """Pages that a mark would tell most about."""
        directory, graph = self.crawl.directory, self.crawl.graph
        if directory is None:
            return []
        rows = list[dict[str, Any]]()
        with self._books(directory) as store:
            for id_ in looking.least_sure(self.crawl, self._marks):
                visit = store.visit(int(graph.visit_of[id_]) - 1)
                if visit and not visit.flag and not visit.error:
                    rows.append({**page_row(visit, visit.title), "mark": None})
                if len(rows) == looking.ASKED_ABOUT:
                    break
        return rows

    def _books(self, directory: Path) -> contextlib.AbstractContextManager[Store]:
        """The crawl's own where it has them open: they hold what is not committed yet."""
        if self.phase == "running" and self.crawl.store:
            return contextlib.nullcontext(self.crawl.store)
        return Store.open(directory, write=False)

    def why(self, id_: int) -> list[str]:
        """What speaks for a URL."""
        if not 0 <= id_ < len(self.crawl.graph):
            raise BadInput("no such URL is known to this crawl")
        return looking.reasons(self.crawl, id_)

    def metrics(self) -> Iterable[Metric]:
        """Figures for Prometheus."""
        return measured(self.crawl, self._watch.speed.now(), self._shown_phase())


def _plainly(error: Exception) -> str:
    return str(error) if isinstance(error, HoneyguideError) else f"{type(error).__name__}: {error}"
