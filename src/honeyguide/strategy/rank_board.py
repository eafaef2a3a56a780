"""The ranks that a crawl goes by: exact for the best URLs, and made known late for the rest.

A page that joins the community changes the ranks of hundreds of URLs, nearly all of them far from being fetched. So
a change is only made known when the rank is, or was, at or above a floor, which some of the best URLs reach. As long
as one of them is left, the next URL is the same as if all had been made known.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged

if TYPE_CHECKING:
    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores

BEST = 200  # URLs to be at or above the floor, or
SHARE = 1 / 100  # of those not visited
SPREAD = 4  # times as many, or as few, before the floor is moved
_NUMBERS = ("floor", "_share", "_above", "_aimed", "_first_new", "_known", "_missed")


class RankBoard:
    """Ranks by URL id, and the floor. It goes by what was visited and by nothing else, so that it can be replayed."""

    def __init__(self, graph: Graph, exact: bool) -> None:
        self._graph = graph
        self._ranks = np.zeros(1024, np.float32)
        self.floor = -math.inf
        self._share = 1.0 if exact else SHARE
        self._above = self._aimed = 0  # URLs not visited above the floor: now, and when it was moved
        self._first_new = self._known = 0  # the number of URLs known before the latest visit, and after it
        self._missed = False  # a URL below the floor was visited

    def of(self, ids: Ids | int | slice) -> Scores:
        """The ranks of some URLs, as they were last made known; nothing speaks for or against a new one."""
        if len(self._graph) > len(self._ranks):
            self._ranks = enlarged(self._ranks, len(self._graph))
        return self._ranks[ids]

    def visited(self, visit: Visit) -> None:
        """Take a URL off; one from below the floor shows that those above it cannot be had."""
        self._first_new, self._known = self._known, len(self._graph)
        if self.floor <= 0:
            self._above += self._known - self._first_new
        if self.of(visit.id) >= self.floor:
            self._above -= 1
        if visit.score < self.floor:
            self._share = min(1.0, 2 * self._share)
            self._missed = True

    def unvisited(self) -> Ids:
        """All URLs not visited."""
        return np.flatnonzero(self._graph.visit_of[: self._known] == 0)

    def best(self) -> Ids:
        """Those at or above the floor."""
        unvisited = self._graph.visit_of[: self._known] == 0
        return np.flatnonzero(unvisited & (self._ranks[: self._known] >= self.floor))

    def unvisited_of(self, ids: Ids) -> Ids:
        """Those of some URLs that are not visited, each once."""
        found = np.sort(ids[self._graph.visit_of.take(ids) == 0])
        return found[np.flatnonzero(np.diff(found, prepend=-1))]

    def note(self, ids: Ids, ranks: Scores) -> Ids:
        """Note the ranks of some URLs, each named once; those that are made known."""
        old = self._ranks.take(ids)
        telling = (np.maximum(ranks, old) >= self.floor) | (ids >= self._first_new)
        due = np.flatnonzero(telling & (ranks != old))
        due = due[self._graph.visit_of[ids[due]] == 0]
        ids, ranks, old = ids[due], ranks[due], old[due]
        self._ranks[ids] = ranks
        self._above += int(np.count_nonzero(ranks >= self.floor) - np.count_nonzero(old >= self.floor))
        return ids

    @property
    def out_of_step(self) -> bool:
        """Whether too few or too many URLs are above the floor."""
        few = self.floor > -math.inf and self._above * SPREAD < self._aimed
        return self._missed or few or self._above > max(BEST, self._aimed) * SPREAD

    def renew(self, ids: Ids, ranks: Scores) -> Ids:
        """Note the ranks of all URLs not visited, and move the floor; those that are made known."""
        wanted = max(BEST, int(len(ids) * self._share))
        self.floor = float(np.partition(ranks, -wanted)[-wanted]) if wanted < len(ids) else -math.inf
        known = self.note(ids, ranks)
        self._above = self._aimed = int(np.count_nonzero(self._ranks[ids] >= self.floor))
        self._missed = False
        return known

    def save(self) -> dict[str, Any]:
        """All of it, as an array and numbers."""
        known = slice(len(self._graph))
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        return {"ranks": self.of(known).copy(), "board": numbers}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._ranks = np.array(state["ranks"], np.float32)
        for name in _NUMBERS:
            setattr(self, name, state["board"][name])
