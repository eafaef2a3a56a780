"""Runs simulated crawls on a stored web, one after the other, in memory that is held between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.simulate.arrays import check_ends, frozen_arrays, judge, places_of
from honeyguide.simulate.loop import forget_hosts, plant, rank_all_anew, run
from honeyguide.simulate.queue import BEST, SAMPLE, SHARE, SPREAD
from honeyguide.simulate.records import BOOK, EVERYTHING, HOST, LINK, LISTING, PAGE, URL, WAITING
from honeyguide.simulate.result import Simulated
from honeyguide.strategy.rank_weights import FIRST_SCORES, LAST_SCORES, filled_up, generation, oldest, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.simulate.arrays import LinkedWeb
    from honeyguide.strategy.rank_weights import Stages, Weights

LONGEST_LIST = 10_000
AT_ONCE = 10_000  # random numbers
CACHE_LINE = 64  # bytes
HIGHEST_NUMBER = 2**32 - 1


class Simulator:
    """Crawls a stored web as `Crawl` does with the strategy `evolved`.

    It has room for all of the web; what a crawl does not touch takes no memory. Threads need a simulator each.
    """

    def __init__(self, web: LinkedWeb) -> None:
        arrays = frozen_arrays(web)
        check_ends(arrays)
        self.places = places_of(arrays)
        self._out, self._anchor = arrays["out"], arrays["anchor"]
        addresses = len(self.places)
        self._number_of = np.zeros(addresses, np.uint32)  # of URLs by address, plus one, plus all of earlier crawls
        self._earlier = 0
        self._urls = lined_up(addresses, URL)
        self._judged = lined_up(0, np.dtype(np.uint32))
        self._links = np.empty(len(self._out), LINK)
        self._hosts = np.zeros(int(self.places["host"].max()) + 1, HOST)
        self._todo = np.empty(addresses, WAITING)
        self._listing = np.empty(LONGEST_LIST + 1, LISTING)
        self._visited = np.empty(addresses, np.int32)
        self._heap = np.empty(SPREAD * max(BEST, addresses // SHARE) + 2, np.uint64)
        self._keys = np.empty(addresses + SAMPLE, np.uint64)

    def turn_to(self, web: LinkedWeb) -> None:
        """Crawl the same web for another topic from now on: only judgments and scores of anchors are taken over."""
        arrays = frozen_arrays(web)
        if len(arrays["host"]) != len(self.places) or len(arrays["out"]) != len(self._out):
            raise BadInput("another web needs a simulator of its own; this one can only turn to another topic")
        judge(self.places, arrays)
        self._anchor = arrays["anchor"]

    def run(
        self,
        seeds: Sequence[int] | NDArray[np.integer],
        weights: Mapping[str, float] | Stages,
        pages: int,
        *,
        drift: float = 0.01,
        current_list: int = 0,
        random_seed: int = 0,
        max_redirects: int = 20,
    ) -> Simulated:
        """Visit so many pages from the seeds; the weights are by the names of scores, others count nothing.

        Where they come with the number of visits after which they are those to go by, there may be several.
        """
        stages = [(0, weights)] if isinstance(weights, Mapping) else list(weights)
        book = np.zeros(1, BOOK)[0]
        _plan(book, pages, drift, current_list, max_redirects)
        weighed = [(after, self._filled_up(given)) for after, given in stages]
        _keep_what_counts(book, together(weighed))
        book["floor"], book["in_heap_at_first"], book["earlier"] = EVERYTHING, BEST, self._earlier
        judged = self._room_for_judgments(int(book["oldest"]))
        found, random = self._checked(seeds), np.random.default_rng(random_seed)
        try:
            plant(book, self._urls, judged, self._hosts, self._todo, self.places, self._number_of, found)
            numbers = random.random(AT_ONCE)
            for n, (after, given) in enumerate(weighed):
                _weigh(book, given)
                if after:
                    rank_all_anew(book, self._urls, self._todo)
                book["budget"] = min(pages, weighed[n + 1][0]) if n + 1 < len(weighed) else pages
                while run(
                    book, self._urls, judged, self._links, self._hosts, self._todo, self._listing, self._visited,
                    self.places, self._out, self._anchor, self._number_of, self._heap, self._keys, numbers,
                ):  # fmt: skip
                    numbers, book["drawn"] = random.random(AT_ONCE), 0
            visited = self._visited[: book["visits"]].copy()
        finally:
            self._forget(book)
        return Simulated(visited, self._relevant(visited))

    def _forget(self, book: Any) -> None:
        """The next crawl takes numbers that no crawl had: so those of this one need not be looked for and cleared."""
        self._earlier += int(book["known"])
        if self._earlier + len(self.places) > HIGHEST_NUMBER:
            self._number_of[:], self._earlier = 0, 0
        if book["keeps_host"]:
            forget_hosts(book, self._urls, self._hosts, self.places)

    def _filled_up(self, given: Mapping[str, float]) -> Weights:
        generations = max(1, *map(generation, given)) if given else 1
        weights = filled_up(given, generations, "the weights of a simulated crawl")
        if weights.get("anchor") and len(self._anchor) != len(self._out):
            raise BadInput("the web has no scores of anchors; give anchor no weight, or add anchor_score to the web")
        return weights

    def _checked(self, seeds: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int32]:
        found = np.array(list(dict.fromkeys(int(seed) for seed in seeds)), np.int64)
        if not len(found):
            raise BadInput("a simulated crawl needs at least one seed: the number of an address to start from")
        if found.min() < 0 or found.max() >= len(self.places):
            raise BadInput(f"seeds are numbers of addresses, from 0 to {len(self.places) - 1}")
        return found.astype(np.int32)

    def _room_for_judgments(self, generations: int) -> NDArray[np.uint32]:
        columns = 1 << (generations + 1).bit_length()  # so that no row lies across cache lines
        size = columns * len(self.places)
        if len(self._judged) < size:
            self._judged = lined_up(size, np.dtype(np.uint32))
        return self._judged[:size].reshape(-1, columns)

    def _relevant(self, visited: NDArray[np.int32]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.places["relevant"][visited] & (self.places["kind"][visited] == PAGE)
        return found


def lined_up(size: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array that begins where a cache line does."""
    room = np.empty(size * dtype.itemsize + CACHE_LINE, np.uint8)
    first = -room.ctypes.data % CACHE_LINE
    return room[first : first + size * dtype.itemsize].view(dtype)


def _keep_what_counts(book: Any, weights: Mapping[str, float]) -> None:
    """What scores are made of is only kept where they count, in any stage."""
    book["oldest"] = oldest(weights)
    for name in ("comm_out", "anchor", "host"):
        book[f"keeps_{name}"] = weights.get(name, 0.0) > 0


def _weigh(book: Any, weights: Mapping[str, float]) -> None:
    for name in (*FIRST_SCORES, *LAST_SCORES):
        book[name] = weights.get(name, 0.0)
    for k in range(1, book["oldest"] + 1):
        book["parents"][k - 1] = weights.get(f"parent_{k}", 0.0)


def _plan(book: Any, pages: int, drift: float, current_list: int, max_redirects: int) -> None:
    if pages < 1 or not 0 <= drift <= 1 or not 0 <= max_redirects <= 100:
        raise BadInput("a simulated crawl needs pages >= 1, drift from 0 to 1 and max_redirects from 0 to 100")
    if not 0 <= current_list <= LONGEST_LIST:
        raise BadInput(f"current_list={current_list}: it may be as long as {LONGEST_LIST}, or 0 for none")
    book["budget"], book["drift"], book["max_redirects"] = pages, drift, max_redirects
    book["list_size"] = max(current_list, 1)  # of a list of one, the best is drawn
