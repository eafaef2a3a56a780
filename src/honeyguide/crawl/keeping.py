"""What a crawl writes down beside its visits: events, changed URLs, what was learned, time spent and notes."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.crawl.troubles import Troubles
from honeyguide.store import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from honeyguide.crawl.guide import Guide
    from honeyguide.crawl.resting import Resting
    from honeyguide.settings import Settings
    from honeyguide.store import Store
    from honeyguide.strategy import Strategy

COMMIT_EVERY = 1.0  # seconds, where it need not be before the next request
SNAPSHOT_EVERY = 1000  # visits, or a fiftieth of them


class Keeping:
    """Makes what happened last, where there is a directory to keep it in."""

    def __init__(
        self,
        guide: Guide,
        resting: Resting,
        settings: Settings,
        strategy: Strategy,
        noted: Callable[[], dict[str, int]],
    ) -> None:
        self._guide = guide
        self._resting = resting
        self._settings = settings
        self._strategy = strategy
        self._noted = noted
        self._store: Store | None = None
        self._committed = self._began = self._timed = self._earlier_seconds = 0.0
        self._snapped = 0  # visits
        self._earlier_notes: Counter[str] = Counter()
        self._written: dict[str, int] = {}  # the latest notes
        self._written_rests: dict[str, float] = {}
        self.troubles = Troubles()

    def begin(self) -> None:
        """Let the time run."""
        self._began = time.monotonic()

    def open(self, store: Store | None) -> None:
        """Keep everything here from now on."""
        self._store = store
        if store:
            self._earlier_seconds, self._earlier_notes = store.begin_run()
            self.troubles.recall(store.troubles())
            self._written_rests = store.rests()
            self._resting.recall(self._written_rests)

    def recall(self, store: Store) -> None:
        """Know what earlier runs noted, without beginning one."""
        self._earlier_notes = store.runs()[1]

    @property
    def seconds(self) -> float:
        """What all runs took so far."""
        return self._earlier_seconds + time.monotonic() - self._began

    def notes(self) -> dict[str, int]:
        """What was asked for beside pages, in earlier runs too."""
        now = self._noted()
        return {name: now.get(name, 0) + self._earlier_notes[name] for name in {**now, **self._earlier_notes}}

    def note_event(self, kind: str, query: str = "", found: Iterable[int] = ()) -> None:
        """Note what happened beside visits."""
        if self._store:
            graph = self._guide.graph
            self._store.record_event(Event(graph.visits, len(graph), kind, query, tuple(map(int, found))))

    def keep_in_time(self, at_once: bool) -> None:
        """Keep what happened, if it is time to."""
        if at_once or time.monotonic() - self._committed > COMMIT_EVERY:
            self.keep()

    def keep(self) -> None:
        """Make all that happened so far last, and now and then what was learned from it."""
        visits = self._guide.graph.visits
        if visits - self._snapped > max(SNAPSHOT_EVERY, visits / 50):
            self.snapshot()
        self.commit()

    def commit(self) -> None:
        """Make all that happened so far last."""
        if self._store:
            self._write(self._store)
        self._guide.changed.clear()
        self._guide.list_events.clear()
        self._committed = time.monotonic()

    def _write(self, store: Store) -> None:
        guide = self._guide
        for event in guide.list_events:  # from which a resumed crawl makes its current list again
            self.note_event(*event)
        store.update_urls(guide.graph, guide.changed)
        if guide.not_kept:
            store.mark_not_kept(guide.not_kept)
            guide.not_kept.clear()
        if troubles := self.troubles.changes():
            store.note_troubles(troubles)
        if (rests := self._resting.asked) != self._written_rests:
            store.note_rests(rests)
            self._written_rests = dict(rests)
        if (notes := self._noted()) != self._written or time.monotonic() - self._timed > COMMIT_EVERY:
            self._time_run(store, notes)
        store.commit()

    def end(self, stopped: str) -> None:
        """Keep what was learned, and why it is over."""
        self.snapshot()
        if self._store and stopped:
            self._store.note_ending(stopped)
        self.commit()

    def snapshot(self) -> None:
        """Keep what the strategy has learned."""
        visits = self._guide.graph.visits
        if self._store:
            self._store.save_knowledge(visits, self._settings, self._strategy)
            self._time_run(self._store, self._noted())
        self._snapped = visits

    def _time_run(self, store: Store, notes: dict[str, int]) -> None:
        """Write down how long this run has taken so far, and what was asked for beside pages."""
        self._timed, self._written = time.monotonic(), notes
        store.end_run(self._timed - self._began, notes)
