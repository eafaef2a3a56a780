"""A crawl whose pages another crawler fetches: which of its requests is next, and what each page teaches."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from honeyguide.crawl import Crawl
from honeyguide.crawl.bounds import NOT_REQUESTED
from honeyguide.graph import DONE, FAILED, NO_LINKS
from honeyguide.web import Handed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from honeyguide.base import FetchError, Page, Reply, Visit
    from honeyguide.frontier.tiers import Tiers
    from honeyguide.strategy import Strategy
    from honeyguide.topic import Topic

Item = TypeVar("Item")

# A request that was made is never dropped: what would exclude URLs of its own accord is switched off.
NEVER_EXCLUDE: dict[str, Any] = {"trap_after": 0, "mirror_after": 0, "max_redirects": 100}


class Choice(NamedTuple):
    """A URL whose turn has come, as the frontier gave it."""

    id: int
    score: float
    given_up: float


class Ordering(Generic[Item]):
    """Put requests in, of any kind, and take the best out; several may wait for one URL.

    Higher priority goes first, then the better score; a URL that was asked for from the start has the best of all.
    """

    def __init__(
        self,
        topic: str | Topic | Callable[[Page], float | bool],
        strategy: str | Strategy,
        directory: Path | None,
        **settings: Any,
    ) -> None:
        self._web = Handed()
        self.crawl = Crawl([], topic, strategy, web=self._web, directory=directory, **NEVER_EXCLUDE, **settings)
        self._waiting: dict[int, list[tuple[int, int, Item]]] = {}  # by id, heaps of priority, number and request
        self._count = 0
        self._under_way = 0
        self._held: dict[int, Choice] = {}  # by host, what could not be taken now
        self._judged: set[int] = set()  # ids whose pages are just being judged
        self._searching = False
        self.unanswered = 0  # searches that a strategy asked for where there is nothing to search with

    def __len__(self) -> int:
        return self._count

    async def begin(self) -> None:
        """Start, or take up where the directory stands; requests that wait are put in anew by whoever kept them."""
        await self.crawl.begin()
        self._answer_nothing()

    def put(self, url: str, number: int, item: Item, priority: int = 0, depth: int | None = None) -> int:
        """Let a request wait for a URL in normal form, which is told from others by its number; the URL's id.

        A depth of 0 makes it a seed; with None, or where a link to it is known, it stands where it was found.
        """
        guide, known = self.crawl.guide, self.crawl.graph.table.find(url)
        if depth != 0:
            depth = max(1, depth or 1) if known is None else int(self.crawl.graph.depth[known])
        id_ = guide.request(url, depth)
        heappush(self._waiting.setdefault(id_, []), (-priority, number, item))
        self._count += 1
        self._place(id_)
        return id_

    def _place(self, id_: int) -> None:
        """Queue a URL for the first of those that wait for it."""
        frontier: Tiers = self.crawl.guide.frontier  # type: ignore[assignment]
        frontier.place(id_, -self._waiting[id_][0][0])
        self.crawl.guide.requeue(id_)

    def waiting_at(self, id_: int) -> Item:
        """The request that is next for a URL."""
        return self._waiting[id_][0][2]

    def choose(self) -> Choice | None:
        """The best that may be taken now: `take` it, or `hold` it and choose again; nothing before a `search`."""
        if self.asks:
            return None
        found = self.crawl.guide.next(self._web.now())
        if found is None and self._count and not self._under_way and not self._held:
            found = self._stir()
        return Choice(*found) if found else None

    def _stir(self) -> tuple[int, float, float] | None:
        """Let the strategy make something of what is left; a request that it holds back or excludes is the next."""
        guide = self.crawl.guide
        guide.idle()
        self._answer_nothing()
        found = guide.next(self._web.now())
        if found is None and not self.asks:
            id_ = np.array([next(iter(self._waiting))])
            guide.frontier.push(id_, np.zeros(1, np.float32), self.crawl.graph.host[id_])
            found = guide.next(self._web.now())
        return found

    @property
    def asks(self) -> bool:
        """Whether the strategy wants something to be searched for, or waits for the answer."""
        return self._searching or bool(self.crawl.guide.questions)

    async def search(self) -> list[str]:
        """Search for what the strategy asks; the addresses that were found, to be requested by whoever fetches."""
        if self._searching:
            return []
        self._searching = True
        try:
            found = await self.crawl.search()
        finally:
            self._searching = False
        return [self.crawl.graph.url(id_) for id_ in dict.fromkeys(found)]

    def _answer_nothing(self) -> None:
        """Where there is nothing to search with, a strategy that asks is told that nothing was found."""
        guide = self.crawl.guide
        while guide.questions and not self.crawl.asking.has_search:
            self.unanswered += 1
            guide.found(guide.questions.pop(0), NO_LINKS)

    def take(self, choice: Choice) -> Item:
        """The request that was chosen; it is under way until `learn` or `put_back`."""
        item = heappop(self._waiting[choice.id])[2]
        self._count -= 1
        self._under_way += 1
        self._held.pop(int(self.crawl.graph.host[choice.id]), None)  # it has room, then
        self._wait_on(choice.id)
        return item

    def hold(self, choice: Choice) -> None:
        """Give nothing of a URL's host until told that it has room."""
        self.crawl.guide.hold(choice.id)
        self._held[int(self.crawl.graph.host[choice.id])] = choice

    def held(self) -> Iterator[tuple[int, Choice]]:
        """The hosts that have no room, each with what was chosen of it."""
        yield from list(self._held.items())

    def release(self, host: int) -> None:
        """A host has room."""
        del self._held[host]
        self.crawl.frontier.rest(host, self._web.now())

    async def learn(self, choice: Choice, answer: Reply | FetchError, seconds: float = 0.0) -> Visit | None:
        """Take in what came of a request; nothing where its URL taught its lesson before."""
        crawl, id_ = self.crawl, choice.id
        if crawl.graph.visit_of[id_] or id_ in self._judged:
            self.put_back(choice)
            return None
        self._judged.add(id_)
        self._web.hand(crawl.graph.url(id_), answer)
        self._under_way -= 1
        try:
            landing = await crawl.fly(*choice)
            landing.seconds = seconds
            return crawl.settle(landing)
        finally:
            self._judged.discard(id_)
            self._answer_nothing()
            self._wait_on(id_)

    def put_back(self, choice: Choice) -> None:
        """A request came to nothing that could be learned from: it waits again, or its URL was visited before."""
        graph = self.crawl.graph
        self._under_way -= 1
        self.crawl.guide.landed(choice.id, self._web.now())
        if graph.visit_of[choice.id]:
            self._restore(choice.id, graph.why(choice.id))
        self._wait_on(choice.id)

    def _restore(self, id_: int, why: str) -> None:
        """A URL that was visited is again what its visit made it."""
        self.crawl.graph.mark(id_, FAILED if why else DONE, why)
        self.crawl.guide.changed.append(id_)

    def _wait_on(self, id_: int) -> None:
        """Queue a URL again while requests wait for it."""
        if self._waiting.get(id_):
            self._place(id_)
        else:
            self._waiting.pop(id_, None)

    def waits(self, id_: int) -> bool:
        """Whether a request waits for a URL."""
        return id_ in self._waiting

    def forget_others(self) -> int:
        """After all that was kept has been put in: let go of URLs whose requests were lost; how many there are."""
        graph = self.crawl.graph
        lost = [id_ for id_ in graph.queued().tolist() if id_ not in self._waiting]
        for id_ in lost:
            why = graph.why(id_)
            self.crawl.guide.exclude(id_, NOT_REQUESTED)
            if graph.visit_of[id_]:
                self._restore(id_, why)
        return len(lost)

    def figures(self) -> dict[str, float]:
        """What is worth a line in a crawler's statistics."""
        tally = self.crawl.tally
        return {
            "visits": tally.fetched,
            "relevant": tally.relevant,
            "harvest_rate": round(tally.relevant / max(1, tally.fetched), 4),
            "queued": self._count,
            **({"searches": searches} if (searches := self.crawl.asking.searches) else {}),
        }
