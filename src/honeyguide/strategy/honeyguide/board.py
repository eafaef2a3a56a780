"""The ranks that a crawl goes by: precise for the best URLs, and for others as they were when they came."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph import EXCLUDED
from honeyguide.graph.table import enlarged
from honeyguide.strategy.base import HELD_BACK, NOTHING
from honeyguide.strategy.honeyguide.pace import slight

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores

BEST = 500  # URLs that are kept precise, or
SHARE = 1 / 20  # of those not visited


class Board:
    """Ranks by URL id. They change only when a visit is learned from, so that a resumed crawl has the same ones."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ranks = np.zeros(1024, np.float32)
        self.known = 0  # URLs that have a rank
        self.floor = -math.inf  # that the best URLs reached when all were ranked

    def of(self, ids: Ids) -> Scores:
        """The ranks of URLs; those that have none yet are held back."""
        self._make_room()
        if not len(ids) or ids.max() < self.known:
            return self._ranks[ids]
        return np.where(ids < self.known, self._ranks[ids], HELD_BACK)

    def _make_room(self) -> None:
        if len(self._graph) > len(self._ranks):
            self._ranks = enlarged(self._ranks, len(self._graph))

    def open(self) -> Ids:
        """All URLs that may still be fetched."""
        known = slice(len(self._graph))
        return np.flatnonzero((self._graph.visit_of[known] == 0) & (self._graph.state[known] != EXCLUDED))

    def best(self) -> Ids:
        """Those that reach the floor."""
        ids = self.open()
        found: Ids = ids[self.of(ids) >= self.floor]
        return found

    def note(self, ids: Ids, ranks: Scores) -> Ids:
        """Note ranks; the ids of those that differ enough from what they were."""
        if not len(ids):
            return NOTHING
        self._make_room()
        changed = (np.abs(ranks - self._ranks[ids]) > slight(self._graph.visits)) | (ids >= self.known)
        self._ranks[ids[changed]] = ranks[changed]
        self.known = len(self._graph)
        told: Ids = ids[changed]
        return told

    def unranked(self) -> NDArray[np.int64]:
        """The URLs that have no rank yet."""
        return np.arange(self.known, len(self._graph))

    def note_all(self, ids: Ids, ranks: Scores) -> Ids:
        """Note the ranks of all open URLs. Those that neither were nor are among the best keep an earlier one."""
        if not len(ids):
            return NOTHING
        best = max(BEST, int(SHARE * len(ids)))
        self.floor = float(np.partition(ranks, -best)[-best]) if best < len(ids) else -math.inf
        self._make_room()
        close = (np.maximum(ranks, self._ranks[ids]) >= self.floor) | (ids >= self.known)
        return self.note(ids[close], ranks[close])

    def save(self) -> dict[str, Any]:
        """The ranks and the floor."""
        self._make_room()
        return {"ranks": self._ranks[: len(self._graph)].copy(), "known": self.known, "floor": self.floor}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._ranks = np.array(state["ranks"], np.float32)
        self.known, self.floor = int(state["known"]), float(state["floor"])
        self._make_room()
