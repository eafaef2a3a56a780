"""What Scrapy asks of a scheduler, answered by the crawl."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.exceptions import CloseSpider
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler, load_object

from honeyguide.base import BadInput
from honeyguide.contrib.ordering import Ordering
from honeyguide.contrib.reading import key_of
from honeyguide.contrib.scrapy.flights import Flights
from honeyguide.contrib.scrapy.queue import Queue
from honeyguide.settings import DEFAULT_STRATEGY

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.internet.defer import Deferred

    from honeyguide.contrib.scrapy.queue import Waiting

logger = logging.getLogger(__name__)
REFUSED = "honeyguide_refused"  # why a spider was closed whose job cannot begin


class Scheduler(BaseScheduler):
    """Gives the request of the highest priority, and among equals the one that promises most for the topic.

    It sees every response, reads and judges it, and learns which links lead to the topic. Requests pass through
    as they are, and none is dropped but by the dupefilter.
    """

    def __init__(self, crawler: Crawler) -> None:
        assert crawler.stats is not None
        self._crawler = crawler
        self._stats = crawler.stats
        self._filter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        self._begun = False  # from then on there are ordering, queue and flights
        self._search: asyncio.Future[None] | None = None  # under way

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The scheduler; what it is asked for is looked at when it is opened, for only then can it be refused."""
        scheduler = cls(crawler)
        crawler.signals.connect(scheduler._check_begun, signals.spider_opened)
        return scheduler

    def open(self, spider: Spider) -> Deferred[None] | None:
        """Start, or take up the job of JOBDIR."""
        self._spider = spider
        return deferred_from_coro(self._open(spider))

    async def _open(self, spider: Spider) -> None:
        try:
            await self._begin()
        except BadInput as error:
            logger.error("%s", error, extra={"spider": spider})
            return
        self._queue.open(spider)
        if len(self._queue):
            logger.info("Resuming crawl (%d requests scheduled)", len(self._queue), extra={"spider": spider})
        if opening := self._filter.open():
            await opening

    async def _begin(self) -> None:
        """Make the crawl that is asked for, and be told by signals what becomes of its requests."""
        crawler = self._crawler
        self._ordering = ordering_of(crawler.settings)
        self._queue = Queue(self._ordering, crawler)
        self._flights = Flights(self._ordering, self._queue, crawler)
        await self._ordering.begin()
        self._begun = True
        crawler.signals.connect(self._sent, signals.request_reached_downloader)
        crawler.signals.connect(self._received, signals.response_received)

    def _check_begun(self) -> None:
        """Close the spider of a job that was refused: only when all is open can Scrapy close it cleanly."""
        if not self._begun:
            raise CloseSpider(REFUSED)

    def close(self, reason: str) -> Deferred[None] | None:
        """Keep what waits and what was learned."""
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        if not self._begun:
            return
        if self._search:
            self._search.cancel()
        await self._flights.end()
        self._count()
        for remark in self._ordering.crawl.asking.remarks:
            logger.warning("%s", remark, extra={"spider": self._spider})
        self._queue.close()
        if closing := self._filter.close(reason):
            await closing

    def has_pending_requests(self) -> bool:
        """Whether any request waits, or a search may bring some."""
        return self._begun and (len(self._queue) > 0 or self._ordering.asks)

    def __len__(self) -> int:
        return len(self._queue) if self._begun else 0

    def enqueue_request(self, request: Request) -> bool:
        """Let a request wait, unless the dupefilter has seen it."""
        self._check_begun()
        self._flights.redirected(request)
        if not request.dont_filter and self._filter.request_seen(request):
            self._filter.log(request, self._spider)
            return False
        kept = self._queue.put(request, key_of(request.url))
        if file := getattr(self._filter, "file", None):
            file.flush()  # only now: a process killed in between asks twice, where it would have lost the request
        self._stats.inc_value(f"scheduler/enqueued/{'disk' if kept else 'memory'}")
        self._stats.inc_value("scheduler/enqueued")
        return True

    def next_request(self) -> Request | None:
        """The best request of a download slot that has room."""
        if not self._begun:
            return None
        self._flights.clear()
        waiting = self._flights.launch()
        if waiting is None:
            self._begin_search()
            return None
        self._stats.inc_value(f"scheduler/dequeued/{'disk' if waiting.kept else 'memory'}")
        self._stats.inc_value("scheduler/dequeued")
        return waiting.request

    def _begin_search(self) -> None:
        """Search, where the strategy asks for it; until it has its answer, no request is given."""
        if self._ordering.asks and self._search is None:
            self._search = asyncio.ensure_future(self._request_found())
            self._search.add_done_callback(self._searched)

    async def _request_found(self) -> None:
        """Ask for what a search finds as for any link: the spider's own `parse` gets it."""
        engine = self._crawler.engine
        assert engine is not None
        for url in await self._ordering.search():
            engine.crawl(Request(url))
        self._queue.keep()

    def _searched(self, task: asyncio.Future[None]) -> None:
        self._search = None
        if not task.cancelled():
            task.result()

    def _sent(self, request: Request) -> None:
        self._flights.sent(request)

    def _received(self, response: Response, request: Request) -> None:
        self._flights.received(response, request)
        self._count()

    def _count(self) -> None:
        for name, value in self._ordering.figures().items():
            self._stats.set_value(f"honeyguide/{name}", value)


def ordering_of(settings: BaseSettings) -> Ordering[Waiting]:
    """The crawl that Scrapy's settings describe."""
    topic = settings.get("HONEYGUIDE_TOPIC")
    if not topic:
        raise BadInput(
            "the scheduler of honeyguide needs a topic: add HONEYGUIDE_TOPIC to the settings, as in "
            "HONEYGUIDE_TOPIC = 'keyword:solar & ~url:shop'"
        )
    directory, more = job_dir(settings), dict[str, Any]()
    if pages := settings.getint("CLOSESPIDER_PAGECOUNT"):
        more["pages"] = pages
    return Ordering(
        topic,
        settings.get("HONEYGUIDE_STRATEGY") or DEFAULT_STRATEGY,
        Path(directory) / "honeyguide" if directory else None,
        search=settings.get("HONEYGUIDE_SEARCH") or "",
        random_seed=settings.getint("HONEYGUIDE_RANDOM_SEED"),
        **more,
    )
