"""Crossover: links score the fitness of the kept pages that hold them; the best are the queue of a generation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.base import HELD_BACK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores

NO_PARENT = -1  # the crossover score of a URL that no kept page links to


class Crossover:
    """Columns by id. Nothing here looks at a URL's state but its visit: a replayed crawl knows no other."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.generation = 0  # whose queue this is
        self.pending: set[int] = set()  # what of it was not visited yet
        self.sums = np.full(1024, NO_PARENT, np.float32)
        self.joined = np.zeros(1024, np.int32)  # the last generation that a URL was queued for; 0: none
        self.place = np.zeros(1024, np.float32)  # its score in that queue
        self._queue: list[int] = []

    def make_room(self) -> None:
        """Have a row for every URL that is known."""
        known = len(self.graph)
        if known > len(self.sums):
            self.sums = enlarged(self.sums, known, NO_PARENT)
            self.joined, self.place = enlarged(self.joined, known), enlarged(self.place, known)

    def add(self, pages: Sequence[int], fitness: Iterable[float]) -> None:
        """Let the links of kept pages gain by their fitness."""
        for page, fit in zip(pages, fitness, strict=True):
            links = self.graph.links_from(page)
            self.sums[links] = np.maximum(self.sums[links], 0) + np.float32(fit)

    def turn(self) -> list[int]:
        """Begin the next generation's queue; what was left of this one's."""
        left = [id_ for id_ in self._queue if not self.graph.visit_of[id_]]
        self._queue, self.pending = [], set()
        self.generation += 1
        return left

    def fill(self, places: int, share: float, hits: Iterable[int]) -> list[int]:
        """Queue so many URLs. Hits have no crossover score of their own: they get the mean of the others."""
        if places <= 0:
            return []
        linked, searched = self._chosen(places, share, hits)
        mean = np.float32(self.sums[linked].mean()) if linked else np.float32(0)
        self.enqueue(np.array(linked, np.int32), self.sums[linked])
        self.enqueue(np.array(searched, np.int32), mean)
        return [*linked, *searched]

    def _chosen(self, places: int, share: float, hits: Iterable[int]) -> tuple[list[int], list[int]]:
        """The best links, their share of the places, and the first hits; either fills up for the other."""
        ranked = self._best(places).tolist()
        linked = ranked[: round(share * places)]
        taken = set(linked)
        searched = [id_ for id_ in hits if self.is_new(id_) and id_ not in taken][: places - len(linked)]
        taken.update(searched)
        others = [id_ for id_ in ranked if id_ not in taken]
        return [*linked, *others[: places - len(taken)]], searched

    def is_new(self, id_: int) -> bool:
        """Whether a URL was neither visited nor ever queued."""
        return not self.joined[id_] and not self.graph.visit_of[id_]

    def _best(self, number: int) -> NDArray[np.int64]:
        """The new URLs with the highest sums, among equals those found first."""
        known = len(self.graph)
        new = (self.joined[:known] == 0) & (self.graph.visit_of[:known] == 0) & (self.sums[:known] >= 0)
        ids = np.flatnonzero(new)
        return ids[best(self.sums[ids], number)]

    def enqueue(self, ids: Ids, scores: Scores | np.float32) -> None:
        """Add URLs to the queue of the generation."""
        self.joined[ids], self.place[ids] = self.generation, scores
        fresh = [id_ for id_ in ids.tolist() if not self.graph.visit_of[id_]]
        self._queue += fresh
        self.pending.update(fresh)

    def holds(self, ids: Ids) -> NDArray[np.bool_]:
        """Which URLs are in the queue of the generation."""
        queued: NDArray[np.bool_] = (self.joined[ids] == self.generation) & (self.joined[ids] > 0)
        return queued

    def score(self, ids: Ids) -> Scores:
        """The places in the queue; everything else is held back."""
        return np.where(self.holds(ids), self.place[ids], HELD_BACK)

    def save(self) -> dict[str, Any]:
        """As arrays and plain values."""
        known = len(self.graph)
        return {
            "sums": self.sums[:known].copy(),
            "joined": self.joined[:known].copy(),
            "place": self.place[:known].copy(),
            "current": self.generation,
            "queue": self._queue,
            "pending": sorted(self.pending),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.sums = np.array(state["sums"], np.float32)
        self.joined = np.array(state["joined"], np.int32)
        self.place = np.array(state["place"], np.float32)
        self.generation, self._queue = state["current"], list(state["queue"])
        self.pending = set(state["pending"])
        self.make_room()


def best(scores: NDArray[np.float32], number: int) -> NDArray[np.int64]:
    """Where the highest scores are, the highest first and among equals the first first."""
    if number <= 0:
        return np.zeros(0, np.int64)
    if number < len(scores):
        bound = np.partition(scores, len(scores) - number)[len(scores) - number]
        above, equal = np.flatnonzero(scores > bound), np.flatnonzero(scores == bound)
        chosen = np.concatenate([above, equal[: number - len(above)]])
    else:
        chosen = np.arange(len(scores))
    return chosen[np.lexsort((chosen, -scores[chosen]))]
