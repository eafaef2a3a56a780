"""When a crawl has had enough: pages, bytes, time, or too little to be expected."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from honeyguide.crawl.forecast import expected

if TYPE_CHECKING:
    from honeyguide.crawl.tally import Tally
    from honeyguide.graph import Graph
    from honeyguide.settings import Settings
    from honeyguide.web import Web

LOOK_AHEAD_EVERY = 50  # visits
FREE_SITEMAPS = 1000  # requests for sitemaps that do not count as pages


class Limits:
    """The limits of the settings, against what was counted."""

    def __init__(self, settings: Settings, web: Web, tally: Tally, graph: Graph) -> None:
        self._settings = settings
        self._web = web
        self._tally = tally
        self._graph = graph
        self._look_ahead_at = 0
        self._began = self._began_on_web = 0.0

    def begin(self) -> None:
        """Let the time run, where it does not yet."""
        if not self._began:
            self._began, self._began_on_web = time.monotonic(), self._web.now()

    def take_over(self, earlier: Limits) -> None:
        """Count the time from where another crawl of this run began."""
        self._began, self._began_on_web = earlier._began, earlier._began_on_web

    def reached(self) -> str:
        """The limit that is reached, if any; that of pages aside, for some may be under way."""
        limits = self._settings
        if limits.max_time is not None and self._seconds() >= limits.max_time:
            return "max_time"
        if limits.max_bytes is not None and self._tally.bytes >= limits.max_bytes:
            return "max_bytes"
        if limits.until_yield is not None and self._is_barren(limits.until_yield):
            return "until_yield"
        return ""

    @property
    def pages_left(self) -> int:
        """How many pages may still be asked for; sitemaps are free, but not without end."""
        return self._settings.pages - self._tally.fetched - max(0, self._tally.sitemaps - FREE_SITEMAPS)

    def within_time(self, until: float) -> float:
        """A moment on the web's clock, or the end of the time where that comes first."""
        longest = self._settings.max_time
        return until if longest is None else min(until, self._began_on_web + longest)

    def _seconds(self) -> float:
        """How long the crawl has been running, by the web's clock or ours, whichever ran longer."""
        return max(self._web.now() - self._began_on_web, time.monotonic() - self._began)

    def _is_barren(self, least: float) -> bool:
        """Whether too few relevant pages are to be expected; looked at now and then."""
        if self._graph.visits < self._look_ahead_at:
            return False
        self._look_ahead_at = self._graph.visits + LOOK_AHEAD_EVERY
        ahead = expected(self._graph)
        return ahead is not None and ahead.rate < least
