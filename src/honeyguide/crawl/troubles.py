"""Hosts that could not be asked when they were last tried: kept, for their URLs wait and somebody will ask why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import NotNow
from honeyguide.web.manners import AWAY

if TYPE_CHECKING:
    from honeyguide.crawl.flights import Landing

ROBOTS = "robots_unavailable"
SHUT = frozenset([ROBOTS, *AWAY])
NOBODY_ASKED = frozenset(["host_rests", "address_rests", "out_of_files"])  # which tells nothing of the host


class Troubles:
    """Origins and why, and which of them changed since they were last written down."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._changed: set[str] = set()

    def recall(self, known: dict[str, str]) -> None:
        """Begin with those of earlier runs."""
        self._known = known

    def after(self, landing: Landing) -> None:
        """Take in what came of a request."""
        put_off = landing.error if isinstance(landing.error, NotNow) else None
        if put_off and put_off.reason in SHUT:
            where = "robots.txt: " if put_off.reason == ROBOTS else ""
            self._shut(urls.origin(landing.url), where + (put_off.detail or put_off.reason))
        elif self._known and not (put_off and put_off.reason in NOBODY_ASKED):
            self._open(urls.origin(landing.url))

    def _shut(self, origin: str, why: str) -> None:
        if self._known.get(origin) != why:
            self._known[origin] = why
            self._changed.add(origin)

    def _open(self, origin: str) -> None:
        if self._known.pop(origin, None) is not None:
            self._changed.add(origin)

    def changes(self) -> dict[str, str | None]:
        """What is to be written down: origins, and why; None where they answer again."""
        found = {origin: self._known.get(origin) for origin in self._changed}
        self._changed.clear()
        return found
