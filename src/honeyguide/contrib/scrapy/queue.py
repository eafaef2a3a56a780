"""The requests that wait: in memory, or on disk where there is a JOBDIR."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from honeyguide.contrib.scrapy.keeping import Keeping

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler

    from honeyguide.contrib.ordering import Choice, Ordering

logger = logging.getLogger(__name__)
NO_URL = -1  # the id of requests that are none of the web's, such as data: and file:


@dataclass
class Waiting:
    """A request; without it where it is on disk, under its number."""

    number: int
    request: Request | None
    kept: bool


class Queue:
    """All requests that wait. Those that are none of the web's go first within their priority."""

    def __init__(self, ordering: Ordering[Waiting], crawler: Crawler) -> None:
        assert crawler.stats is not None
        self._ordering = ordering
        self._stats = crawler.stats
        self._tell = crawler.settings.getbool("SCHEDULER_DEBUG")
        self._others: list[tuple[int, int, Waiting]] = []
        self._keeping: Keeping | None = None
        self._made = 0

    def __len__(self) -> int:
        return len(self._ordering) + len(self._others)

    def open(self, spider: Spider) -> None:
        """Take up what was kept."""
        self._spider = spider
        if store := self._ordering.crawl.store:
            self._keeping = Keeping(store, spider)
            for number, url, priority in self._keeping.rows():
                waiting = Waiting(number, None, True)
                self._enter(waiting, self._ordering.crawl.graph.url(url) if url != NO_URL else None, priority)
                self._made = number + 1
            if lost := self._ordering.forget_others():
                logger.warning("%d requests that could not be kept were lost when the job stopped", lost)
            self._ordering.crawl.keep()

    def put(self, request: Request, url: str | None) -> bool:
        """Let a request wait; whether it is kept on disk."""
        text = self._text(request)
        waiting = Waiting(self._made, None if text else request, bool(text))
        self._made += 1
        depth = 0 if request.meta.get("is_start_request") else request.meta.get("depth", 1)
        id_ = self._enter(waiting, url, request.priority, depth)
        if self._keeping and text:
            self._keeping.add(waiting.number, id_, request.priority, text)
        self.keep()
        return waiting.kept

    def _enter(self, waiting: Waiting, url: str | None, priority: int, depth: int | None = None) -> int:
        if url is not None:
            return self._ordering.put(url, waiting.number, waiting, priority, depth)
        heappush(self._others, (-priority, waiting.number, waiting))
        return NO_URL

    def _text(self, request: Request) -> str:
        if self._keeping is None:
            return ""
        try:
            return self._keeping.text(request)
        except ValueError as error:
            if self._tell:
                logger.warning("%s cannot be kept for another run: %s (no more are told)", request, error)
                self._tell = False
            self._stats.inc_value("scheduler/unserializable")
            return ""

    def look(self, waiting: Waiting) -> Request:
        """A waiting request itself."""
        if waiting.request is None:
            assert self._keeping is not None
            waiting.request = self._keeping.request(waiting.number)
        return waiting.request

    def pop_other(self) -> Waiting | None:
        """The next request that is none of the web's."""
        return heappop(self._others)[2] if self._others else None

    def done(self, waiting: Waiting) -> None:
        """A request need not be made again."""
        if self._keeping and waiting.kept:
            self._keeping.remove(waiting.number)

    def keep(self) -> None:
        """Make what happened last."""
        if self._keeping:
            self._ordering.crawl.keep()

    def close(self) -> None:
        """Keep all and let go of the directory."""
        self._ordering.crawl.end()

    def waiting_at(self, choice: Choice) -> Request:
        """The request behind a choice."""
        return self.look(self._ordering.waiting_at(choice.id))
