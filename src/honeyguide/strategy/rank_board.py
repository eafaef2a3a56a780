"""The ranks that a crawl goes by: exact for the best URLs, and made known late for the rest.

A page that joins the community changes the ranks of hundreds of URLs, nearly all of them far from being fetched. So
a change is only made known when the rank is, or was, at or above a floor, which some of the best URLs reach. When
none of these can be had any more, all that may be among the best by their ceilings are ranked anew and the floor
moves: no URL is ever chosen by an earlier rank.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph import EXCLUDED
from honeyguide.graph.table import enlarged
from honeyguide.strategy.base import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores

BEST = 200  # URLs that are to reach the floor, or
SHARE = 1 / 100  # of those not visited
SPREAD = 4  # times as many before the floor is moved
CONTENDERS = 4  # times as many are ranked to find those, unless others might be among them
SOON = 50  # visits; when the floor must be moved again so soon, twice as many are to reach it
ROUNDING = 1e-6  # more than a rank can change by being rounded, as a share of it
_NUMBERS = ("floor", "_times", "_reach", "_reached", "_first_new", "_known", "_moved_at")


class RankBoard:
    """Ranks by URL id, and the floor. Where it lies makes no difference to what is fetched, only to the work."""

    def __init__(self, graph: Graph, exact: bool) -> None:
        self._graph = graph
        self._ranks = np.zeros(1024, np.float32)
        self._ceilings = np.zeros(1024)  # what the ranks are at most, as things stand
        self._move_floor(-math.inf)
        self._times = math.inf if exact else 1.0  # as many as usual are to reach the floor
        self._reach = self._reached = 0  # how many do now, and did when it was moved
        self._first_new = self._known = 0  # the number of URLs known before the latest visit, and after it
        self._moved_at = 0  # the number of visits when the floor was moved

    def of(self, ids: Ids | int | slice) -> Scores:
        """The ranks of some URLs, as they were last made known; nothing speaks for or against a new one."""
        self._make_room()
        return self._ranks[ids]

    def _make_room(self) -> None:
        if len(self._graph) > len(self._ranks):
            self._ranks = enlarged(self._ranks, len(self._graph))
            self._ceilings = enlarged(self._ceilings, len(self._graph))

    def visited(self, id_: int) -> None:
        """Take a URL off, and make room for those that its page brought."""
        self._first_new, self._known = self._known, len(self._graph)
        if self.floor <= 0:
            self._reach += self._known - self._first_new
        self._make_room()
        self._reach -= self._ranks.item(id_) >= self.floor

    def unvisited(self) -> Ids:
        """All URLs that may still be fetched."""
        return np.flatnonzero(self._open())

    def best(self) -> Ids:
        """Those at or above the floor."""
        return np.flatnonzero(self._open() & (self._ranks[: self._known] >= self.floor))

    def of_host(self, host: int) -> Ids:
        """Those of one host."""
        return np.flatnonzero(self._open() & (self._graph.host[: self._known] == host))

    def _open(self) -> Any:
        known = slice(self._known)
        return (self._graph.visit_of[known] == 0) & (self._graph.state[known] != EXCLUDED)

    def unvisited_of(self, ids: Ids) -> Ids:
        """Those of some URLs that are not visited."""
        found: Ids = ids[self._graph.visit_of[ids] == 0]
        return found

    def climb(self, ids: Ids, gains: NDArray[np.float64] | float, once: bool) -> Ids:
        """Let ranks rise, by no more than this each time a URL is named; those that may reach the floor.

        Where no URL is named more than `once`, it is done in half the time.
        """
        if once:
            ceilings = self._ceilings[ids] + gains
            self._ceilings[ids] = ceilings
        else:
            np.add.at(self._ceilings, ids, gains)
            ceilings = self._ceilings[ids]
        found: Ids = ids[ceilings >= self.floor - self._rounding]
        return found

    def _move_floor(self, to: float) -> None:
        self.floor = to
        self._rounding = ROUNDING * max(1.0, abs(to)) if math.isfinite(to) else 0.0

    def note(self, ids: Ids, ranks: Scores) -> Ids:
        """Note the ranks of some URLs; those that are made known, each once, new ones in any case."""
        old = self._ranks[ids]
        self._ceilings[ids] = ranks
        telling = (ranks != old) & (np.maximum(ranks, old) >= self.floor)
        (due,) = (telling | (ids >= self._first_new)).nonzero()
        if not len(due):
            return NOTHING
        once = dict(zip(ids[due].tolist(), due.tolist(), strict=True))
        due = np.fromiter(once.values(), np.intp, len(once))
        ids, ranks, old = ids[due], ranks[due], old[due]
        self._ranks[ids] = ranks
        self._reach += int(np.count_nonzero(ranks >= self.floor)) - int(np.count_nonzero(old >= self.floor))
        return ids

    def note_few(self, ranks: Mapping[int, float]) -> Ids:
        """The same for a few URLs, one by one."""
        due = []
        for id_, rank in ranks.items():
            old = self._ranks.item(id_)
            self._ceilings[id_] = rank
            if (rank != old and max(rank, old) >= self.floor) or id_ >= self._first_new:
                self._ranks[id_] = rank
                self._reach += (rank >= self.floor) - (old >= self.floor)
                due.append(id_)
        return np.array(due, np.intp)

    def lift(self, rise: float) -> bool:
        """Let the floor rise as far as ranks below it may have; whether that leaves too few that reach it."""
        if rise <= 0:
            return False
        self._ceilings += rise
        if self.floor == -math.inf:
            return False
        before = self._reach
        self._move_floor(float(np.float32(self.floor + rise + self._rounding)))
        self._reach = len(self.best())
        return self._reach < before / 2

    @property
    def out_of_step(self) -> bool:
        """Whether too many URLs reach the floor."""
        return self._reach > max(BEST, self._reached) * SPREAD

    def lower(self) -> None:
        """None that reaches the floor can be had: where it was moved just now, more are to reach it."""
        self._first_new = self._known  # those that the latest visit brought were made known with it
        if self._graph.visits - self._moved_at < SOON:
            self._times *= 2

    def renew(self, rank: Callable[[Ids], Scores]) -> Ids:
        """Move the floor to where the best of all URLs not visited reach it; those that are made known."""
        ids = self.unvisited()
        wanted = int(min(len(ids), self._times * max(BEST, SHARE * len(ids))))
        for many in (CONTENDERS * wanted, len(ids)):
            found, others = self._foremost(ids, many)
            ranks = rank(found)
            cut = len(found) - wanted
            self._move_floor(float(np.partition(ranks, cut)[cut]) if cut > 0 else -math.inf)
            if len(found) == len(ids) or self.floor - self._rounding > others:
                break
        known = self.note(found, ranks)
        self._reach = self._reached = int(np.count_nonzero(ranks >= self.floor))
        self._moved_at = self._graph.visits
        return known

    def _foremost(self, ids: Ids, many: int) -> tuple[Ids, float]:
        """About so many URLs that may rank highest, or are known to have; and what the others can rank at most."""
        if many >= len(ids):
            return ids, -math.inf
        highest = np.maximum(self._ceilings[ids], self._ranks[ids])
        cut = len(ids) - many - 1
        others = float(np.partition(highest, cut)[cut])
        return ids[highest > others], others

    def forget(self) -> None:
        """Ranks may be anything now."""
        self._ceilings[:] = math.inf

    def save(self) -> dict[str, Any]:
        """All of it, as arrays and numbers."""
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        return {"ranks": self.of(slice(len(self._graph))).copy(), "board": numbers}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._ranks = np.array(state["ranks"], np.float32)
        self._ceilings = np.full(len(self._ranks), math.inf)
        for name in _NUMBERS:
            setattr(self, name, state["board"][name])
        self._move_floor(self.floor)
