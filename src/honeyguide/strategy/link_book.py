"""What is known of links before they are followed: the parts of their scores, and their levels."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.base import HELD_BACK, NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores

# Where a URL stands. Of two places that pages want a URL in, the smaller number wins.
UNSEEN, QUEUE, TABLE = 0, 1, 2  # TABLE + n: in the irrelevant table at level n
HELD, MOVED = 254, 255
DEEPEST = 250  # levels there is room for

_COLUMNS: dict[str, type[np.generic]] = {
    "url": np.float32,
    "anchor": np.float32,
    "anchor_terms": np.uint64,
    "relevant_links": np.int32,
    "parents": np.float32,
    "relevance": np.float32,
    "place": np.uint8,
}


class LinkBook:
    """Columns by URL id, each with room to spare."""

    url: NDArray[np.float32]  # cosine of the URL's words
    anchor: NDArray[np.float32]  # the best cosine of an anchor
    anchor_terms: NDArray[np.uint64]  # the terms of that anchor, packed
    relevant_links: NDArray[np.int32]  # relevant pages that link here
    parents: NDArray[np.float32]  # sum of the relevance of all pages that link here
    relevance: NDArray[np.float32]  # of the page itself, once it was read
    place: NDArray[np.uint8]

    def __init__(self, graph: Graph, max_level: int) -> None:
        self._graph = graph
        self._max_level = max_level
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.zeros(1024, dtype))

    def make_room(self) -> None:
        """Have a row for every URL of the graph."""
        if len(self._graph) > len(self.place):
            for name in _COLUMNS:
                setattr(self, name, enlarged(getattr(self, name), len(self._graph)))

    def link_scores(self, ids: Ids) -> Scores:
        """The sum of the four parts."""
        counted = self.relevant_links[ids].astype(np.float32)
        return self.url[ids] + self.anchor[ids] + counted + self.parents[ids]

    def scores(self, ids: Ids) -> Scores:
        """The same, but for what is held back."""
        return np.where(self.place[ids] == HELD, HELD_BACK, self.link_scores(ids))

    def level(self, id: int) -> int:
        """The level of a URL in the irrelevant table; -1 where it is not there."""
        return max(int(self.place[id]) - TABLE, -1)

    def place_at(self, level: int) -> int:
        """The place of a level; links beyond the highest are held back."""
        return TABLE + level if level <= self._max_level else HELD

    def open(self, ids: Ids) -> Ids:
        """Those not asked for yet."""
        unread: Ids = ids[self._graph.visit_of[ids] == 0]
        return unread

    def enter(self, ids: Ids, place: int) -> None:
        """Put links in a place, unless they have a better one."""
        now = self.place[ids]
        self.place[ids] = np.where(now == UNSEEN, place, np.minimum(now, place))

    def pass_on(self, ids: Ids, relevance: float, relevant: bool) -> None:
        """Let links profit from the page they stand on."""
        self.parents[ids] += np.float32(relevance)
        self.relevant_links[ids] += int(relevant)

    def move(self, source: int, target: int) -> None:
        """Let the target of a redirect stand where its source stood."""
        if self.anchor[source] > self.anchor[target]:
            self.anchor[target], self.anchor_terms[target] = self.anchor[source], self.anchor_terms[source]
        self.relevant_links[target] += self.relevant_links[source]
        self.parents[target] += self.parents[source]
        self.enter(np.array([target]), int(self.place[source]))
        self.place[source] = MOVED

    def push_down(self, id: int) -> Ids:
        """Put an entry that proved irrelevant down a level, with its siblings of that level that score no more.

        Gives back the siblings that are held back from now on.
        """
        siblings = self.open(self._siblings(id))
        siblings = siblings[self.place[siblings] == self.place[id]]
        lesser = siblings[self.link_scores(siblings) <= self.link_scores(np.array([id]))]
        level = self.level(id) + 1
        self.place[id] = min(TABLE + level, HELD)
        self.place[lesser] = place = self.place_at(level)
        return lesser if place == HELD else NOTHING

    def _siblings(self, id: int) -> Ids:
        found = [self._graph.links_from(parent) for parent in self.parents_of(id)]
        return np.unique(np.concatenate(found)) if found else NOTHING

    def parents_of(self, id: int) -> list[int]:
        """The fetched pages that link to a URL, or to one that was redirected to it."""
        found, known = self._graph.links_to(id), {id}
        while moved := [page for page in found if self.place[page] == MOVED and page not in known]:
            known.update(moved)
            found = [page for page in found if page not in known]
            found += [above for page in moved for above in self._graph.links_to(page)]
        return found

    def save(self) -> dict[str, Any]:
        """The columns, without the room to spare."""
        self.make_room()
        return {name: getattr(self, name)[: len(self._graph)].copy() for name in _COLUMNS}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.array(state[name], dtype))
        self.make_room()


def anchors(graph: Graph, visit: Visit, page: Page) -> Iterable[tuple[int, str]]:
    """The links of a page with their anchors, by id.

    A page read again may have links that its visit had to leave out, or lack some that were added.
    """
    ids, links = visit.targets.tolist(), page.links
    if len(ids) == len(links) and all(graph.url(ids[end]) == links[end].url for end in (0, -1) if ids):
        return zip(ids, map(attrgetter("anchor"), links), strict=True)
    kept = {graph.url(id): id for id in ids}
    return [(kept[link.url], link.anchor) for link in links if link.url in kept]


def packed(numbers: Iterable[int]) -> int:
    """Up to four numbers below 65,535 as one."""
    small = [number + 1 for number in numbers if number < 0xFFFF]
    return sum(part << 16 * n for n, part in enumerate(small[:4]))


def unpacked(number: int) -> list[int]:
    """The numbers that were packed."""
    return [part - 1 for n in range(4) if (part := number >> 16 * n & 0xFFFF)]
