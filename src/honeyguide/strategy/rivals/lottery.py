"""One URL that goes before all others, for rivals that choose by chance: the frontier itself never does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph import QUEUED

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]
    Rule = Callable[[Ids, np.random.Generator], int]

NONE = -1
FIRST = np.float32(1e38)  # the score of what was drawn


class Lottery:
    """Draws after each visit, from the queued URLs, by a rule; the same for the same seed, visits and queue."""

    def __init__(self, graph: Graph, seed: int, rule: Rule) -> None:
        self._graph, self._seed, self._rule = graph, seed, rule
        self.drawn = NONE
        self._not_queued = 0  # when it was drawn
        self._looked_at = True

    def draw(self) -> Ids:
        """Draw anew; the ids whose scores this changed."""
        before = self.drawn
        self._draw()
        self._looked_at = False
        return np.array(sorted({before, self.drawn} - {NONE}), np.int64)

    def _draw(self) -> None:
        state = self._graph.state[: len(self._graph)]
        queued = np.flatnonzero(state == QUEUED)
        self._not_queued = len(state) - len(queued)
        random = np.random.default_rng([self._seed, self._graph.visits])
        self.drawn = self._rule(queued, random) if len(queued) else NONE

    def first(self, ids: Ids) -> NDArray[np.bool_]:
        """Which of these URLs was drawn."""
        if not self._looked_at:
            self._looked_at = True
            if np.count_nonzero(self._graph.state[: len(self._graph)] != QUEUED) != self._not_queued:
                self._draw()  # a crawl was resumed, and what is excluded became known after its last visit
        return np.asarray(ids == self.drawn)

    def save(self) -> dict[str, Any]:
        """What was drawn."""
        return {"drawn": self.drawn, "not_queued": self._not_queued, "looked_at": self._looked_at}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.drawn, self._not_queued = int(state["drawn"]), int(state["not_queued"])
        self._looked_at = bool(state["looked_at"])
