"""What came of pages' links: counted for each page, and around each link of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.honeyguide.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]

REACH = 10  # places before and after a link that count as near it
FARTHEST = 5  # links from a relevant page that are told apart
CHILDREN, GOOD_CHILDREN, HOPS = range(3)  # columns of a page
NEAR, GOOD_NEAR = range(2)  # columns of a link: fetched ones beside it, by closeness
_STEPS = np.concatenate([np.arange(-REACH, 0), np.arange(1, REACH + 1)])
_CLOSENESS = (1 / np.abs(_STEPS)).astype(np.float32)


class Family:
    """A row for each visit, and one for each link."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.pages = Table((0, 0, FARTHEST))
        self.links = Table((0, 0))

    def make_room(self) -> None:
        """Have a row for every visit and every link of the graph."""
        self.pages.make_room(self._graph.visits)
        self.links.make_room(self._graph.edges)

    def parents(self, links: Ids) -> Ids:
        """The visits that brought the pages on which links stand."""
        found: Ids = self._graph.visit_of[self._graph.link_source[links]] - 1
        return found

    def add(self, visit: int, links: Ids, good: bool) -> Ids:
        """Enter what came of a URL that these links led to; the links beside them."""
        pages, parents = self.pages.rows, self.parents(links)
        pages[parents, :2] += (1, good)
        nearest = float(pages[parents, HOPS].min()) if len(parents) else FARTHEST
        pages[visit, HOPS] = 0 if good else min(FARTHEST, nearest + 1)
        return self._tell_neighbours(links, parents, good)

    def _tell_neighbours(self, links: Ids, parents: Ids, good: bool) -> Ids:
        first, end = self._graph.links_of(parents)
        near: Ids = links[:, None] + _STEPS
        there = (near >= first[:, None]) & (near < end[:, None])
        closeness = np.broadcast_to(_CLOSENESS, near.shape)[there]
        near = near[there]
        self.links.rows[near, NEAR] += closeness
        if good:
            self.links.rows[near, GOOD_NEAR] += closeness
        return near

    def move(self, visit: int, link: int) -> None:
        """Let a redirect stand where a link to it stands."""
        self.pages.rows[visit] = self.pages.rows[self.parents(np.array([link]))[0]]
        self.links.rows[self._graph.edges - 1] = self.links.rows[link]

    def save(self) -> dict[str, Any]:
        """All rows."""
        return {"pages": self.pages.save(self._graph.visits), "links": self.links.save(self._graph.edges)}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.pages.load(state["pages"])
        self.links.load(state["links"])
