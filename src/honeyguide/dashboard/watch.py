"""What a crawl does, counted while it does it, so that looking at it costs little."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide import urls
from honeyguide.base import visit_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.store import StoredVisit

MOST_POINTS = 400  # of the curve
PAGES_SHOWN = 50
RECENT = 100  # visits that count as now
SECONDS_SHOWN = 60
SECONDS_MEANT = 10  # by "pages a second"
LONGEST_TITLE, LONGEST_URL = 200, 400  # characters that are shown


class Curve:
    """Relevant pages found against pages asked for, thinned by half whenever there are too many points."""

    def __init__(self, relevant: NDArray[np.bool_]) -> None:
        self.asked, self.found = len(relevant), int(np.count_nonzero(relevant))
        self._stride = 1
        while len(relevant) > MOST_POINTS * self._stride:
            self._stride *= 2
        found = np.cumsum(relevant)[self._stride - 1 :: self._stride].tolist()
        self._points = [((i + 1) * self._stride, each) for i, each in enumerate(found)]

    def add(self, relevant: bool) -> None:
        """Take in one page."""
        self.asked += 1
        self.found += relevant
        if self.asked % self._stride == 0:
            self._points.append((self.asked, self.found))
        if len(self._points) > MOST_POINTS:
            self._points = self._points[1::2]
            self._stride *= 2

    def points(self) -> list[tuple[int, int]]:
        """From nothing to now."""
        points = [(0, 0), *self._points]
        return points if points[-1][0] == self.asked else [*points, (self.asked, self.found)]


class Speed:
    """Pages by the second, for the last minute."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._seconds: deque[list[int]] = deque(maxlen=SECONDS_SHOWN)  # [second, pages]

    def add(self, ago: float = 0.0) -> None:
        """Count a page that came just now, or so many seconds ago."""
        second = int(time.monotonic() - ago)
        if not self._seconds or self._seconds[-1][0] < second:
            self._seconds.append([second, 0])
        self._seconds[-1][1] += 1

    def now(self) -> float:
        """Pages a second of late."""
        now = time.monotonic()
        span = min(max(now - self._began, 0.5), SECONDS_MEANT)
        return sum(pages for second, pages in self._seconds if second > now - span) / span

    def by_second(self) -> list[int]:
        """Pages in each of the last seconds that are over, the latest last."""
        now, counts = int(time.monotonic()), {second: pages for second, pages in self._seconds}  # noqa: C416
        first = max(int(self._began) + 1, now - SECONDS_SHOWN)
        return [counts.get(second, 0) for second in range(first, now)]


class Watch:
    """Curve, speed, and the last pages with their verdicts."""

    def __init__(
        self, relevant: NDArray[np.bool_], latest: Iterable[StoredVisit] = (), speed: Speed | None = None
    ) -> None:
        self.curve = Curve(relevant)
        self.speed = speed or Speed()
        # Whole addresses, and what is shown of the pages.
        self.pages = deque(((visit.url, page_row(visit, visit.title)) for visit in latest), maxlen=PAGES_SHOWN)
        self.recent = deque(relevant[-RECENT:].tolist(), maxlen=RECENT)

    def took(self, visit: Visit | StoredVisit, title: str, ago: float = 0.0) -> None:
        """Take in a visit that was made so many seconds ago."""
        self.curve.add(bool(visit.relevant))
        self.speed.add(ago)
        self.recent.append(bool(visit.relevant))
        self.pages.append((visit.url, page_row(visit, title)))


def page_row(visit: Visit | StoredVisit, title: str) -> dict[str, Any]:
    """What the page shows of a visit."""
    return {
        "id": visit.id,
        "number": visit_number(visit.number),
        "url": visit.url[:LONGEST_URL],
        "host": urls.host(visit.url),
        "title": title[:LONGEST_TITLE],
        "relevance": round(float(visit.relevance), 4),
        "relevant": bool(visit.relevant),
        "status": visit.status,
        "error": visit.error,
        "detail": visit.detail[:LONGEST_TITLE],
        "flag": visit.flag,
        "judged": not visit.error and not visit.flag,
    }
