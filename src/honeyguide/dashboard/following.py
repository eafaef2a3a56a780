"""A crawl seen through its directory: to be looked at, not steered, for another process makes it, or nobody can."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.crawl.resume import blocked_hosts
from honeyguide.dashboard.hindsight import Hindsight
from honeyguide.dashboard.measuring import phases
from honeyguide.dashboard.metrics import Metric
from honeyguide.dashboard.watch import PAGES_SHOWN, Watch
from honeyguide.graph import STATES
from honeyguide.store import Store, being_crawled
from honeyguide.store.own_models import kept_topic

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator
    from pathlib import Path

    from honeyguide.crawl import Crawl

HOW = "another process makes this crawl; to steer it, stop it and go on with: honeyguide crawl {} --dashboard"
OVER = "nobody makes this crawl any more; to mark its pages or go on with it, open it anew: honeyguide dashboard {}"
AT_ONCE = 2000  # visits read in one go


class Following:
    """Reads what was committed since it last looked; `remake` gives a fresh crawl of the directory, to replay it.

    `only_shown` says why nothing else can be done with it, where that is not for the process that makes it.
    """

    def __init__(self, directory: Path, remake: Callable[[], Crawl], only_shown: str = "") -> None:
        self._only_shown = only_shown
        self._hindsight = Hindsight(remake)
        self._store = Store.open(directory, write=False)
        relevant = self._store.verdicts()
        latest = list(self._store.visits(max(0, len(relevant) - PAGES_SHOWN)))
        self._watch = Watch(relevant, latest)
        self._over = not being_crawled(directory)

    def close(self) -> None:
        """Let go of the directory."""
        self._store.close()

    def _catch_up(self) -> None:
        ago = 0.0
        for _, visit in zip(range(AT_ONCE), self._store.visits(self._watch.curve.asked), strict=False):
            ago = _age(visit.date) if visit.date else ago  # what failed has no date
            self._watch.took(visit, visit.title, ago)

    def version(self) -> Hashable:
        """Another value whenever there may be something new to show."""
        self._catch_up()
        return self._watch.curve.asked, self._over, self._hindsight.note

    @property
    def _phase(self) -> str:
        return "ended" if self._over else "following"

    def _how(self) -> str:
        return self._only_shown or (OVER if self._over else HOW).format(shlex.quote(str(self._store.directory)))

    def parts(self) -> dict[str, Any]:
        """What the log says."""
        settings, watch = self._store.settings, self._watch
        curve, recent, marks = watch.curve, watch.recent, self._store.marks()
        return {
            "about": {
                "topic": kept_topic(settings.topic, self._store.directory),
                "strategy": settings.strategy,
                "directory": str(self._store.directory),
                "steered": True,
            },
            "state": {
                "phase": self._phase,
                "note": self._how(),
                "reason": "",
                "markable": False,
            },
            "figures": {
                "fetched": curve.asked,
                "pages": settings.pages,
                "relevant": curve.found,
                "harvest": curve.found / curve.asked if curve.asked else 0.0,
                "now": sum(recent) / len(recent) if recent else 0.0,
                "speed": round(watch.speed.now(), 2),
                **self._hindsight.figures,
            },
            "queue_note": self._hindsight.note,
            **self._hindsight.parts,
            "curve": curve.points(),
            "speed": watch.speed.by_second(),
            "pages": [{**row, "mark": marks.get(url)} for url, row in reversed(watch.pages)],
        }

    def slow_parts(self) -> dict[str, Any]:
        """What the books say, and whether somebody still writes them."""
        books = self._books()
        self._hindsight.look(sum(books.get(state, 0) for state in set(STATES)))
        return {"books": books}

    def _books(self) -> dict[str, Any]:
        self._over = not being_crawled(self._store.directory)
        books, reasons = self._store.books_and_reasons()
        return {**books, "reasons": reasons, "flags": {}, "blocked": blocked_hosts(self._store)}

    def why(self, id_: int) -> list[str]:
        """What spoke for a URL when the queue was last read."""
        return self._hindsight.why(id_)

    async def act(self, action: str, given: dict[str, Any]) -> dict[str, Any]:
        """Nothing can be done from here."""
        raise BadInput(self._how())

    def metrics(self) -> Iterator[Metric]:
        """The figures that the directory holds."""
        self._catch_up()
        books = self._books()
        yield Metric("phase", "What the crawl is doing", phases(self._phase), "phase")
        yield Metric("visits_total", "Visits, whatever came of them", self._watch.curve.asked, kind="counter")
        yield Metric("relevant_pages", "Relevant pages found", self._watch.curve.found)
        yield Metric("pages_per_second", "Visits a second, of late", self._watch.speed.now())
        yield Metric("urls", "URLs known", {state: books.get(state, 0) for state in STATES}, "state")
        for state in ("failed", "excluded"):
            yield Metric(f"urls_{state}", f"URLs {state}", books["reasons"].get(state, {}), "reason")


def _age(date: str) -> float:
    """How many seconds ago something was written down."""
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(date)).total_seconds())
