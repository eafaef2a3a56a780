"""What came of pages' links: counted for each page, and around each link of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.honeyguide.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]

BESIDE = 2  # newest links to a relevant page whose neighbours are worth another look
REACH = 10  # places before and after a link that count as near it
FARTHEST = 5  # links from a relevant page that are told apart
CHILDREN, GOOD_CHILDREN, HOPS, LEADS = range(4)  # columns of a page; the last: 1 where it led to a relevant one,
MOVED = -1  # and this where it is a redirect
REDIRECTS = 3  # in a row behind which a page is looked for,
LINKS_LOOKED_AT = 50  # and links to each, the newest
NEAR, GOOD_NEAR = range(2)  # columns of a link: fetched ones beside it, by closeness
_STEPS = np.concatenate([np.arange(-REACH, 0), np.arange(1, REACH + 1)])
_CLOSENESS = (1 / np.abs(_STEPS)).astype(np.float32)


class Family:
    """A row for each visit, and one for each link."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.pages = Table((0, 0, FARTHEST, 0))
        self.links = Table((0, 0))

    def make_room(self) -> None:
        """Have a row for every visit and every link of the graph."""
        self.pages.make_room(self._graph.visits)
        self.links.make_room(self._graph.edges)

    def parents(self, links: Ids) -> Ids:
        """The visits that brought the pages on which links stand."""
        found: Ids = self._graph.visit_of[self._graph.link_source[links]] - 1
        return found

    def lead_to(self, links: Ids) -> Ids:
        """The visits of pages that led to relevant ones, by the oldest link of each line, and to none before."""
        there = (links >= 0).sum(axis=1)
        first = links[np.arange(len(links)), there - 1][there > 0]  # the newest come first
        visits = np.unique(self._behind_redirects(self.parents(first)))
        found: Ids = visits[self.pages.rows[visits, LEADS] == 0]
        self.pages.rows[found, LEADS] = 1
        return found

    def _behind_redirects(self, visits: Ids) -> Ids:
        """In place of redirects, the pages with links to them that were known when they were visited."""
        for _ in range(REDIRECTS):
            moved = self.pages.rows[visits, LEADS] == MOVED
            if moved.any():
                known = self._graph.newest_links_to(self._graph.visited()[visits], LINKS_LOOKED_AT)
                before = np.where(known < self._graph.links_of(visits)[0][:, None], known, -1).max(axis=1)
                visits = np.where(moved & (before >= 0), self.parents(before), visits)
        return visits

    def add(self, visits: Ids, links: Ids, good: Flags) -> Ids:
        """Enter what came of visits that these links led to, a line a visit; the links beside those to good ones."""
        pages, (line, place) = self.pages.rows, np.nonzero(links >= 0)
        found = links[line, place]
        parents = self.parents(found)
        np.add.at(pages[:, CHILDREN], parents, 1)
        np.add.at(pages[:, GOOD_CHILDREN], parents[good[line]], 1)
        pages[visits[good], HOPS] = 0
        nearest = np.full(len(visits), FARTHEST - 1, np.float32)
        np.minimum.at(nearest, line, pages[parents, HOPS])
        pages[visits[~good], HOPS] = nearest[~good] + 1
        return self._tell_neighbours(found, parents, good[line], place < BESIDE)

    def _tell_neighbours(self, links: Ids, parents: Ids, good: Flags, newest: Flags) -> Ids:
        first, end = self._graph.links_of(parents)
        near: Ids = links[:, None] + _STEPS
        there = (near >= first[:, None]) & (near < end[:, None])
        closeness = np.broadcast_to(_CLOSENESS, near.shape)
        np.add.at(self.links.rows[:, NEAR], near[there], closeness[there])
        there &= good[:, None]
        np.add.at(self.links.rows[:, GOOD_NEAR], near[there], closeness[there])
        beside: Ids = near[there & newest[:, None]]
        return beside

    def move(self, visit: int, link: int) -> None:
        """Let a redirect, and the one link of its own, stand where a link to it stands, if there is one."""
        if link >= 0:
            self.pages.rows[visit] = self.pages.rows[self.parents(np.array([link]))[0]]
            self.links.rows[self._graph.links_of(np.array([visit]))[0][0]] = self.links.rows[link]
        self.pages.rows[visit, LEADS] = MOVED

    def save(self) -> dict[str, Any]:
        """All rows."""
        return {"pages": self.pages.save(self._graph.visits), "links": self.links.save(self._graph.edges)}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.pages.load(state["pages"])
        self.links.load(state["links"])
