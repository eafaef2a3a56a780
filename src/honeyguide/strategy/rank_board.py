"""The ranks that a crawl goes by: exact for the best URLs, and made known late for the rest.

A page that joins the community changes the ranks of hundreds of URLs, nearly all of them far from being fetched. So
a change is only made known when the rank is, or was, at or above a floor, which some of the best URLs reach. As long
as one of them can be had, the next URL is the same as if all had been made known.
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

BEST = 200  # URLs that are to reach the floor, or
SHARE = 1 / 100  # of those not visited
SPREAD = 4  # times as many, or as few, before the floor is moved
_NUMBERS = ("floor", "_times", "_reach", "_reached", "_first_new", "_known", "_score", "_missed")


class RankBoard:
    """Ranks by URL id, and the floor. It goes by what was visited and by nothing else, so that it can be replayed.

    Which URLs were excluded is not known when visits are replayed. But what ranks higher than a URL that was fetched
    cannot be had, or not now, and is not counted among those that reach the floor.
    """

    def __init__(self, graph: Graph, exact: bool) -> None:
        self._graph = graph
        self._ranks = np.zeros(1024, np.float32)
        self._passed = np.zeros(1024, np.bool_)  # over, by a URL of lower rank
        self.floor = -math.inf
        self._times = math.inf if exact else 1.0  # as many as usual are to reach the floor
        self._reach = self._reached = 0  # how many do now, and did when it was moved
        self._first_new = self._known = 0  # the number of URLs known before the latest visit, and after it
        self._score = math.inf  # of the latest visit
        self._missed = False  # it was below the floor

    def of(self, ids: Ids | int | slice) -> Scores:
        """The ranks of some URLs, as they were last made known; nothing speaks for or against a new one."""
        if len(self._graph) > len(self._ranks):
            self._ranks = enlarged(self._ranks, len(self._graph))
            self._passed = enlarged(self._passed, len(self._graph))
        return self._ranks[ids]

    def visited(self, visit: Visit) -> None:
        """Take a URL off; one from below the floor shows that none above it could be had."""
        self._first_new, self._known, self._score = self._known, len(self._graph), visit.score
        if self.floor <= 0:
            self._reach += self._known - self._first_new
        if self.of(visit.id) >= self.floor and not self._passed[visit.id]:
            self._reach -= 1
        if visit.score < self.floor:
            self._missed = True
            self._times *= 2

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
        ids, ranks, counts = ids[due], ranks[due], ~self._passed[ids[due]]
        self._ranks[ids] = ranks
        before, now = counts & (old[due] >= self.floor), counts & (ranks >= self.floor)
        self._reach += int(np.count_nonzero(now)) - int(np.count_nonzero(before))
        return ids

    @property
    def out_of_step(self) -> bool:
        """Whether too few or too many URLs reach the floor."""
        few = self.floor > -math.inf and self._reach * SPREAD < self._reached
        return self._missed or few or self._reach > max(BEST, self._reached) * SPREAD

    def renew(self, ids: Ids, ranks: Scores) -> Ids:
        """Note the ranks of all URLs not visited, and move the floor; those that are made known."""
        self._passed[ids] |= self._ranks[ids] > self._score
        to_be_had = ranks[~self._passed[ids]]
        wanted = min(len(to_be_had), self._times * max(BEST, SHARE * len(ids)))
        cut = len(to_be_had) - int(wanted)
        self.floor = float(np.partition(to_be_had, cut)[cut]) if cut else -math.inf
        known = self.note(ids, ranks)
        self._reach = self._reached = int(np.count_nonzero(to_be_had >= self.floor))
        self._missed = False
        return known

    def save(self) -> dict[str, Any]:
        """All of it, as arrays and numbers."""
        known = slice(len(self._graph))
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        return {"ranks": self.of(known).copy(), "passed": self._passed[known].copy(), "board": numbers}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._ranks, self._passed = np.array(state["ranks"], np.float32), np.array(state["passed"], np.bool_)
        for name in _NUMBERS:
            setattr(self, name, state["board"][name])
