"""The ceiling: a strategy that knows the verdict on every page before it asks for one, and where all links lead."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.strategy.base import Lesson, Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.evaluate.network import Network
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

ORACLE = "oracle"
RELEVANT, LEADING = 2.0, 1.0  # the least score of a relevant page, and of one that links to one not fetched yet


@dataclass
class Oracle(Strategy):
    """Greedy: relevant pages, then those with most links to relevant pages, then those on the shortest way to one."""

    name = ORACLE

    network: Network = field(kw_only=True)
    relevant: NDArray[np.int64] = field(kw_only=True)  # pages, by their number in the network

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        distance = self.network.links_to(self.relevant)
        self._known = np.where(distance > 0, 1 / (1.0 + np.maximum(distance, 1)), 0.0)
        self._known[self.relevant] = RELEVANT
        self._leads = np.zeros(len(distance), np.int64)  # links to relevant pages that were not fetched
        for page in self.relevant.tolist():
            self._leads[self.network.pages_to(page)] += 1
        self._numbers: list[int] = []  # in the network, by id in the graph
        self._ids: dict[int, int] = {}

    def learn(self, visit: Visit) -> Lesson:
        self._look_up()
        if not visit.relevant or self._numbers[visit.id] < 0:
            return Lesson()
        parents = self.network.pages_to(self._numbers[visit.id])
        self._leads[parents] -= 1
        return Lesson(ids=np.array([self._ids[n] for n in parents.tolist() if n in self._ids], np.int64))

    def _look_up(self) -> None:
        for id_ in range(len(self._numbers), len(self.graph)):
            number = self.network.number(self.graph.url(id_))
            self._numbers.append(-1 if number is None else number)
            self._ids[self._numbers[-1]] = id_

    def score(self, ids: Ids) -> Scores:
        self._look_up()
        numbers = np.array([self._numbers[id_] for id_ in ids.tolist()], np.int64)
        leads = self._leads[numbers]
        leading = np.where(leads > 0, LEADING + leads / (leads + 1.0), 0.0)
        return np.where(numbers < 0, 0.0, np.maximum(self._known[numbers], leading)).astype(np.float32)

    def explain(self, id: int) -> list[str]:
        self._look_up()
        number = self._numbers[id]
        if number < 0:
            return ["the web does not hold it"]
        told = "relevant" if self._known[number] == RELEVANT else "not relevant"
        return [f"it is known to be {told}, with links to {self._leads[number]} relevant pages that were not fetched"]
