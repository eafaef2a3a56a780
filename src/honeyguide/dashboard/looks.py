"""Looks at a crawl: not more often than it can bear, and one that fails ends nothing."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from honeyguide.dashboard.metrics import Metric
from honeyguide.dashboard.teacher import plainly

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from honeyguide.dashboard.view import View

TICK = 0.5  # seconds between two looks at the crawl
SLOW_TICK = 2.0  # the same for what takes a look at the whole queue
PATIENCE = 40  # times as long as a look took, before the next one


class Looks:
    """What the crawl looks like now, as texts; nobody looks when nobody asks."""

    def __init__(self, view: View) -> None:
        self.failed = 0
        self._view = view
        self._texts: dict[str, str] = {}
        self._seen: Hashable = None
        self._next = self._next_slow = 0.0
        self._troubles: dict[str, str] = {}  # why the latest look of a kind failed, if it did

    def now(self, anew: bool = False) -> dict[str, str]:
        """Each part as JSON; what could not be looked at is as it was, and `unseen` tells that."""
        began = time.monotonic()
        if began >= self._next or anew:
            everything = began >= self._next_slow or anew
            self._try("quick", lambda: self._look(everything))
            if everything:
                self._try("slow", lambda: self._take(self._view.slow_parts()))
                self._next_slow = began + max(SLOW_TICK, PATIENCE * (time.monotonic() - began))
            self._next = began + max(0.8 * TICK, PATIENCE * (time.monotonic() - began))
        return self._texts

    def look_anew(self) -> None:
        """Look at everything the next time: somebody changed something."""
        self._next = self._next_slow = 0.0

    def metric(self) -> Metric:
        """How often it went wrong."""
        return Metric("looks_failed_total", "Looks at the crawl that failed", self.failed, kind="counter")

    def _look(self, everything: bool) -> None:
        version = self._view.version()
        if everything or version != self._seen:
            self._take(self._view.parts())
            self._seen = version

    def _try(self, kind: str, look: Callable[[], None]) -> None:
        """Look; a failure is counted and told, for the window is to see what comes after it."""
        trouble = ""
        try:
            look()
        except Exception as error:
            self.failed += 1
            trouble = plainly(error)
        if trouble != self._troubles.get(kind, ""):
            self._troubles[kind] = trouble
            self._take({"unseen": self._told()})

    def _told(self) -> str:
        troubles = "; ".join(dict.fromkeys(filter(None, self._troubles.values())))
        return f"some of this is as it was before, for a look at the crawl failed: {troubles}" if troubles else ""

    def _take(self, parts: dict[str, Any]) -> None:
        self._texts = {**self._texts, **{name: json.dumps(part) for name, part in parts.items()}}
