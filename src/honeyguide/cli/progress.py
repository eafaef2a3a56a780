"""How a crawl is going, on one line that renews itself."""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Self

from honeyguide.cli.terminal import plain
from honeyguide.crawl.summary import duration

if TYPE_CHECKING:
    from honeyguide.base import Visit
    from honeyguide.crawl import Crawl

RECENT = 100  # visits that count as now
RENEWED_EVERY = 1.0  # seconds, where nothing comes
REMARKS_TOLD = 10  # while it goes on; the summary counts the rest
PLAIN_EVERY = 5.0  # seconds between lines where there is no terminal to renew one on


class Progress:
    """Pages, relevant, harvest now and overall, pages/s, queue, busy hosts, time left."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._began = time.monotonic()
        self._shown = self._began
        self._already = -1
        self._terminal = sys.stderr.isatty()
        self._remarks = 0  # that were told

    async def __aenter__(self) -> Self:
        self._renewing = asyncio.create_task(self._renew())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._renewing.cancel()
        if self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def follow(self, crawl: Crawl) -> None:
        """Tell of another crawl from here on: the same one, gone on with."""
        if crawl is not self._crawl:
            self._crawl, self._already, self._began = crawl, -1, time.monotonic()
            self._remarks = 0

    def update(self, visit: Visit) -> None:
        """Take note of a visit, and show it when it is time."""
        if self._already < 0:
            self._already = self._crawl.fetched - 1
        self._recent.append(visit.relevant)
        self._tell_remarks()
        self._show()

    def _tell_remarks(self) -> None:
        """Say at once what should be known; the summary says it again."""
        for remark in self._crawl.asking.remarks[self._remarks : REMARKS_TOLD]:
            self._remarks += 1
            sys.stderr.write(f"\r{plain(remark)}\x1b[K\n" if self._terminal else f"{plain(remark)}\n")

    async def _renew(self) -> None:
        """Show how it goes though nothing comes."""
        while True:
            await asyncio.sleep(RENEWED_EVERY)
            self._show()

    def _show(self) -> None:
        now = time.monotonic()
        if now - self._shown < (0.1 if self._terminal else PLAIN_EVERY):
            return
        self._shown = now
        sys.stderr.write(f"\r{self.line()}\x1b[K" if self._terminal else f"{self.line()}\n")
        sys.stderr.flush()

    def line(self) -> str:
        """The state of the crawl in a line."""
        crawl = self._crawl
        seconds = max(time.monotonic() - self._began, 1e-9)
        speed = (crawl.fetched - self._already) / seconds if self._already >= 0 else 0.0
        left = (crawl.settings.pages - crawl.fetched) / speed if speed else 0.0
        now = sum(self._recent) / len(self._recent) if self._recent else 0.0
        overall = crawl.relevant / crawl.fetched if crawl.fetched else 0.0
        return (
            f"{crawl.fetched:,}/{crawl.settings.pages:,} pages  {crawl.relevant:,} relevant  "
            f"harvest {now:.0%} now, {overall:.0%} overall  {speed:,.0f} pages/s  "
            f"queue {len(crawl.frontier):,}  {self._hosts()}  {duration(left)} left{self._ahead()}"
        )

    def _hosts(self) -> str:
        """How many are busy, or how long it is until the first of them has rested, where all rest."""
        crawl = self._crawl
        rest = crawl.frontier.next_time() - crawl.web.now()
        waits = not crawl.busy_hosts and 1 < rest < math.inf
        return f"all hosts rest, the next for {duration(rest)}" if waits else f"{crawl.busy_hosts} hosts busy"

    def _ahead(self) -> str:
        ahead = self._crawl.forecast()
        return f"  ahead: {ahead}" if ahead else ""
