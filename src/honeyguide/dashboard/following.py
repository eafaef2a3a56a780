"""A crawl that another process makes, seen through its directory: it can be looked at, not steered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.dashboard.metrics import Metric
from honeyguide.dashboard.watch import PAGES_SHOWN, Watch
from honeyguide.store import Store

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path

HOW = "another process makes this crawl; to steer it, stop it and go on with: honeyguide crawl DIR --dashboard"
AT_ONCE = 2000  # visits read in one go


class Following:
    """Reads what was committed since it last looked."""

    def __init__(self, directory: Path) -> None:
        self._store = Store.open(directory, write=False)
        relevant = self._store.verdicts()
        latest = list(self._store.visits(max(0, len(relevant) - PAGES_SHOWN)))
        self._watch = Watch(relevant, latest)

    def close(self) -> None:
        """Let go of the directory."""
        self._store.close()

    def _catch_up(self) -> None:
        for _, visit in zip(range(AT_ONCE), self._store.visits(self._watch.curve.asked), strict=False):
            self._watch.took(visit, visit.title)

    def version(self) -> Hashable:
        """Another value whenever there may be something new to show."""
        self._catch_up()
        return self._watch.curve.asked

    def parts(self) -> dict[str, Any]:
        """What the log says."""
        settings, watch = self._store.settings, self._watch
        curve, recent = watch.curve, watch.recent
        return {
            "about": {
                "topic": settings.topic,
                "strategy": settings.strategy,
                "directory": str(self._store.directory),
                "steered": True,
            },
            "state": {"phase": "following", "note": HOW, "reason": "", "marks": 0, "new_marks": 0, "markable": False},
            "figures": {
                "fetched": curve.asked,
                "pages": settings.pages,
                "relevant": curve.found,
                "harvest": curve.found / curve.asked if curve.asked else 0.0,
                "now": sum(recent) / len(recent) if recent else 0.0,
                "speed": round(watch.speed.now(), 2),
            },
            "curve": curve.points(),
            "speed": watch.speed.by_second(),
            "pages": [{**row, "mark": None} for _, row in reversed(watch.pages)],
        }

    def slow_parts(self) -> dict[str, Any]:
        """What the books say."""
        books, reasons = self._store.books_and_reasons()
        return {"books": {**books, "reasons": reasons, "flags": {}, "blocked": []}}

    def why(self, id_: int) -> list[str]:
        """What speaks for a URL, which only the other process knows."""
        raise BadInput(HOW)

    async def act(self, action: str, given: dict[str, Any]) -> dict[str, Any]:
        """Nothing can be done from here."""
        raise BadInput(HOW)

    def metrics(self) -> Iterator[Metric]:
        """The figures that the directory holds."""
        self._catch_up()
        books = self.slow_parts()["books"]
        yield Metric("visits_total", "Visits, whatever came of them", self._watch.curve.asked, kind="counter")
        yield Metric("relevant_pages", "Relevant pages found", self._watch.curve.found)
        yield Metric("pages_per_second", "Visits a second, of late", self._watch.speed.now())
        yield Metric(
            "urls", "URLs known", {s: books.get(s, 0) for s in ("queued", "done", "failed", "excluded")}, "state"
        )
        for state in ("failed", "excluded"):
            yield Metric(f"urls_{state}", f"URLs {state}", books["reasons"].get(state, {}), "reason")
