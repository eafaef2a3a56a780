"""Requests that Scrapy was given, from then until their callbacks are done."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from honeyguide.base import Excluded, FetchError
from honeyguide.contrib.reading import key_of, moved, reply
from honeyguide.contrib.scrapy.slots import Slots

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response

    from honeyguide.base import Reply
    from honeyguide.contrib.ordering import Choice, Ordering
    from honeyguide.contrib.scrapy.queue import Queue, Waiting


@dataclass
class Flight:
    """A request under way."""

    waiting: Waiting
    choice: Choice | None  # None where it is none of the web's
    slot: str
    sent: bool = False  # to the network: a middleware may have refused it, or answered by itself
    settled: bool = False  # what came of it is known
    landed: bool = False  # the downloader is done with it


class Flights:
    """Chooses, and learns what came of each choice.

    Scrapy tells of responses by a signal, and of nothing else that may become of a request: what its downloader no
    longer has, and for which nothing came, was redirected, put back, refused or never answered.
    """

    def __init__(self, ordering: Ordering[Waiting], queue: Queue, crawler: Crawler) -> None:
        self._ordering = ordering
        self._queue = queue
        self._crawler = crawler
        self._slots = Slots(crawler)
        self._flights: dict[Request, Flight] = {}
        self._judging: set[asyncio.Future[Any]] = set()
        self._reading = ordering.crawl.web.reading

    def launch(self) -> Waiting | None:
        """The best request that would be sent soon, if any."""
        if other := self._queue.pop_other():
            return self._launched(other, None)
        for host, held in self._ordering.held():
            if self._has_room(held):
                self._ordering.release(host)
        while choice := self._ordering.choose():
            if self._has_room(choice):
                return self._launched(self._ordering.take(choice), choice)
            self._ordering.hold(choice)
        return None

    def _has_room(self, choice: Choice) -> bool:
        return not self._slots.full(self._slots.key(self._queue.waiting_at(choice)))

    def _launched(self, waiting: Waiting, choice: Choice | None) -> Waiting:
        request = self._queue.look(waiting)
        slot = self._slots.key(request)
        self._slots.enter(slot)
        self._flights[request] = Flight(waiting, choice, slot)
        return waiting

    def sent(self, request: Request) -> None:
        """A request has passed all middlewares."""
        if flight := self._flights.get(request):
            flight.sent = True

    def received(self, response: Response, request: Request) -> None:
        """Learn from a response; what pipelines and robots.txt ask for by themselves is none of ours."""
        flight = self._flights.get(request) or self._flight_to(request.url)
        if flight and flight.choice and not flight.settled:
            self._settle(flight, self._reply(flight.choice, response, request), latency(request))
            self._queue.keep()

    def _reply(self, choice: Choice, response: Response, request: Request) -> Reply:
        return reply(
            self._ordering.crawl.graph.url(choice.id),
            response.status,
            list(_pairs(response.headers)),
            response.body,
            self._reading,
            archive=self._ordering.crawl.store is not None,
            sent=list(_pairs(request.headers)),
            seconds=latency(request),
            protocol=response.protocol or "HTTP/1.1",
            address=str(response.ip_address or ""),
        )

    def _flight_to(self, url: str) -> Flight | None:
        """An unsettled flight to a URL, where a middleware replaced the request by another."""
        key = key_of(url)
        id_ = self._ordering.crawl.graph.table.find(key) if key else None
        found = (f for f in self._flights.values() if f.choice and f.choice.id == id_ and not f.settled)
        return next(found, None) if id_ is not None else None

    def redirected(self, request: Request) -> None:
        """Learn where a URL moved to, when a request made by a redirect comes in."""
        sources, target = request.meta.get("redirect_urls"), key_of(request.url)
        flight = self._flight_to(sources[-1]) if sources else None
        if not flight or not flight.choice or target is None:
            return
        if self._ordering.crawl.graph.url(flight.choice.id) == target:  # the same URL to us: it waits again
            flight.settled = True
            self._ordering.put_back(flight.choice)
        else:
            self._settle(flight, moved(target, request.meta.get("redirect_reasons", [0])[-1]))

    def _settle(self, flight: Flight, answer: Reply | FetchError, seconds: float = 0.0) -> None:
        assert flight.choice is not None
        flight.settled = True
        learning = self._ordering.learn(flight.choice, answer, seconds)
        if not self._ordering.crawl.topic.slow:
            return at_once(learning)
        task = asyncio.ensure_future(learning)
        self._judging.add(task)
        task.add_done_callback(self._judged)
        return None

    def _judged(self, task: asyncio.Future[Any]) -> None:
        self._judging.discard(task)
        task.result()

    def clear(self) -> None:
        """Let go of what has landed; of its row only when its callback has put in all that it had to."""
        engine = self._crawler.engine
        assert engine is not None
        at_work = engine.scraper.slot.active if engine.scraper.slot else ()
        for request, flight in list(self._flights.items()):
            if not flight.landed and request not in engine.downloader.active:
                self._land(request, flight)
            if flight.landed and request not in at_work:
                del self._flights[request]
                self._queue.done(flight.waiting)

    def _land(self, request: Request, flight: Flight) -> None:
        flight.landed = True
        self._slots.leave(flight.slot, latency(request))
        if flight.settled or not flight.choice:
            return
        if self._ordering.waits(flight.choice.id):  # it was put back, to be tried again
            flight.settled = True
            self._ordering.put_back(flight.choice)
        else:
            self._settle(flight, FetchError("no_answer") if flight.sent else Excluded("not_sent"))

    async def end(self) -> None:
        """Wait for the pages that are still being judged."""
        self.clear()
        if self._judging:
            await asyncio.wait(self._judging)


def latency(request: Request) -> float:
    """How long the answer took."""
    return float(request.meta.get("download_latency", 0.0))


def _pairs(headers: Headers) -> Iterator[tuple[bytes, bytes]]:
    for name, values in headers.items():
        for value in values:
            yield name, value


def at_once(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Run a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise RuntimeError("this topic must wait for something, and does not say so: give it slow = True")
