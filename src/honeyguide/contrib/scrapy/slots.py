"""Which of Scrapy's download slots have room: a request that is chosen long before it is sent is chosen badly."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.core.downloader import Downloader
    from scrapy.crawler import Crawler


class Slots:
    """Counts what was handed out to each slot and has not come back."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._out: Counter[str] = Counter()
        self._latency: dict[str, float] = {}  # seconds the last answer took
        self._usual = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")

    @property
    def _downloader(self) -> Downloader:
        assert self._crawler.engine is not None
        return self._crawler.engine.downloader

    def key(self, request: Request) -> str:
        """The slot of a request."""
        return self._downloader.get_slot_key(request)

    def full(self, key: str) -> bool:
        """Whether one more request would only wait there."""
        return self._out[key] >= self._room(key)

    def _room(self, key: str) -> int:
        """As many as may be sent; with a delay, those it lets out while one is answered, and one that waits."""
        slot = self._downloader.slots.get(key)
        room = max(1, slot.concurrency if slot else self._usual)
        delay = slot.delay if slot else self._crawler.settings.getfloat("DOWNLOAD_DELAY")
        return min(room, 1 + math.ceil(self._latency.get(key, 0.0) / delay)) if delay else room

    def enter(self, key: str) -> None:
        """A request is on its way."""
        self._out[key] += 1

    def leave(self, key: str, latency: float) -> None:
        """It has come back, after so many seconds where it was sent."""
        self._out[key] -= 1
        if not self._out[key]:
            del self._out[key]
        if latency:
            self._latency[key] = latency
