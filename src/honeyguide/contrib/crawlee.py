"""A request manager for Crawlee that gives the most promising request first, and learns from every response."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput, FetchError
from honeyguide.contrib.ordering import Choice, Ordering
from honeyguide.contrib.reading import key_of, reply
from honeyguide.settings import DEFAULT_STRATEGY

try:
    from crawlee.request_loaders import RequestManager as Manager
    from crawlee.storage_clients.models import ProcessedRequest
except ImportError as error:
    raise ImportError("the request manager for Crawlee needs Crawlee: pip install honeyguide[crawlee]") from error

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawlee import Request
    from crawlee.crawlers import HttpCrawlingContext

    from honeyguide.base import Page
    from honeyguide.strategy import Strategy
    from honeyguide.topic import Topic

PATIENCE = 0.05  # seconds until Crawlee may ask again, where a strategy waits for what is under way


class RequestManager(Manager):
    """Hand it to a crawler, and its `learn` to the crawler's `post_navigation_hook`. Requests are held in memory."""

    def __init__(
        self,
        topic: str | Topic | Callable[[Page], float | bool],
        strategy: str | Strategy = DEFAULT_STRATEGY,
        **settings: Any,
    ) -> None:
        self._ordering: Ordering[Request] = Ordering(topic, strategy, None, **settings)
        self._reading = self._ordering.crawl.web.reading
        self._begun: asyncio.Task[None] | None = None
        self._seen: set[str] = set()
        self._under_way: dict[str, Choice | None] = {}  # by unique key; None where it has taught its lesson
        self._handled: set[str] = set()
        self._numbers = 0

    @property
    def figures(self) -> dict[str, float]:
        """Visits, relevant pages among them, the harvest rate, and what is queued."""
        return self._ordering.figures()

    async def learn(self, context: HttpCrawlingContext) -> None:
        """Read and judge a response: crawler.post_navigation_hook(manager.learn)."""
        request, response = context.request, context.http_response
        choice = self._under_way.get(request.unique_key)
        if choice is None:
            return
        headers = [(name.encode(), value.encode("utf-8", "replace")) for name, value in response.headers.items()]
        url = key_of(request.loaded_url or request.url) or request.url
        answer = reply(url, response.status_code, headers, await response.read(), self._reading)
        if answer.error and self._may_pass(response.status_code):
            return  # Crawlee will try again, or tell that it has given up
        self._under_way[request.unique_key] = None
        await self._ordering.learn(choice, answer)

    @staticmethod
    def _may_pass(status: int) -> bool:
        return status in (403, 429) or status >= 500

    async def add_request(self, request: str | Request, *, forefront: bool = False) -> ProcessedRequest | None:
        """Let a request wait, unless one with its unique key was added before."""
        await self._begin()
        made = self._transform_request(request)
        known = made.unique_key in self._seen
        if not known:
            self._seen.add(made.unique_key)
            self._put(made, forefront)
        return self._processed(made, known)

    def _put(self, request: Request, forefront: bool) -> None:
        url = key_of(request.url)
        if url is None:
            raise BadInput(f"{request.url!r:.200} is no URL that can be crawled")
        self._ordering.put(url, self._numbers, request, int(forefront), request.crawl_depth)
        self._numbers += 1

    async def fetch_next_request(self) -> Request | None:
        """The most promising request."""
        await self._begin()
        for url in await self._ordering.search() if self._ordering.asks else ():
            await self.add_request(url)
        choice = self._ordering.choose()
        if choice is None:
            await asyncio.sleep(PATIENCE if len(self._ordering) or self._ordering.asks else 0)
            return None
        request = self._ordering.take(choice)
        self._under_way[request.unique_key] = choice
        return request

    async def mark_request_as_handled(self, request: Request) -> ProcessedRequest | None:
        """Crawlee is done with a request; one from which nothing was learned brought no answer."""
        choice = self._under_way.pop(request.unique_key, None)
        if choice:
            await self._ordering.learn(choice, FetchError("no_answer"))
        self._handled.add(request.unique_key)
        return self._processed(request, known=True)

    async def reclaim_request(self, request: Request, *, forefront: bool = False) -> ProcessedRequest | None:
        """Let a request wait again."""
        choice = self._under_way.pop(request.unique_key, None)
        self._put(request, forefront)
        if choice:
            self._ordering.put_back(choice)
        return self._processed(request, known=True)

    def _processed(self, request: Request, known: bool) -> ProcessedRequest:
        handled = request.unique_key in self._handled
        return ProcessedRequest(unique_key=request.unique_key, was_already_present=known, was_already_handled=handled)

    async def _begin(self) -> None:
        if self._begun is None:
            self._begun = asyncio.create_task(self._ordering.begin())
        await self._begun

    async def get_handled_count(self) -> int:
        """How many requests are done with."""
        return len(self._handled)

    async def get_total_count(self) -> int:
        """How many were added."""
        return len(self._seen)

    async def is_empty(self) -> bool:
        """Whether none waits, and no search may bring some."""
        return not len(self._ordering) and not self._ordering.asks

    async def is_finished(self) -> bool:
        """Whether none waits and none is under way."""
        return await self.is_empty() and not self._under_way

    async def drop(self) -> None:
        """There is nothing on disk to remove."""
