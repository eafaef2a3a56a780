"""The queue of a crawl that another process makes: its log is replayed here, now and then, beside everything else."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.dashboard import looking
from honeyguide.dashboard.teacher import plainly
from honeyguide.running import run_async

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.crawl import Crawl

SOONEST = 10.0  # seconds from one look to the next
PATIENCE = 20  # times as long as a look took, before the next one
MOST = 2_000_000  # URLs: what knows more is not held in memory a second time


class Hindsight:
    """What a crawl looked like a while ago, with all it had queued."""

    def __init__(self, remake: Callable[[], Crawl]) -> None:
        self.note = "the queue is being read from the directory"
        self.figures: dict[str, Any] = {}
        self.parts: dict[str, Any] = {}
        self._remake = remake
        self._crawl: Crawl | None = None
        self._next = 0.0
        self._looking: asyncio.Task[None] | None = None

    def look(self, known: int) -> None:
        """Look again, in a thread, where it is time to; so many URLs are known."""
        if known > MOST:
            self.note = f"the queue is not shown: {known:,} URLs would have to be held in memory a second time"
        elif self._looking is None and time.monotonic() >= self._next:
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        began = time.monotonic()
        try:
            self._saw(*await asyncio.to_thread(_replayed, self._remake))
        except Exception as error:
            self.note = f"the queue cannot be shown: {plainly(error)}"
        self._next = time.monotonic() + max(SOONEST, PATIENCE * (time.monotonic() - began))
        self._looking = None

    def _saw(self, crawl: Crawl, parts: dict[str, Any]) -> None:
        self._crawl, self.parts = crawl, parts
        self.figures = {"queued": len(crawl.frontier), "hosts": crawl.frontier.hosts, "known": len(crawl.graph)}
        self.note = (
            f"as it stood after {crawl.graph.visits:,} visits, read from the directory; which hosts rest, and why, "
            "is known to the process that crawls only"
        )

    def why(self, id_: int) -> list[str]:
        """What spoke for a URL then."""
        if self._crawl is None:
            raise BadInput(self.note)
        return looking.why(self._crawl, id_)


def _replayed(remake: Callable[[], Crawl]) -> tuple[Crawl, dict[str, Any]]:
    """The crawl as its directory tells, and what the page shows of its queue."""
    crawl = remake()
    run_async(crawl.look_back())
    parts = looking.queue(crawl)
    for row in parts["next"]:
        row["is_next"] = False  # its host may have to rest
    return crawl, {**parts, "hosts": _longest(crawl)}


def _longest(crawl: Crawl) -> list[dict[str, Any]]:
    """The hosts with the longest queues."""
    queued = np.bincount(crawl.graph.host[crawl.graph.queued()], minlength=len(crawl.graph.hosts))
    longest = np.argsort(-queued, kind="stable")[: looking.HOSTS_SHOWN]
    return [
        {"host": crawl.graph.hosts[host], "queued": int(queued[host]), "why": "", "seconds": None}
        for host in longest.tolist()
        if queued[host]
    ]
