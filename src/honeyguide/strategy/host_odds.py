"""Host-odds: the share of relevant parents, times the odds of the host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import knob
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy, in_words_parents, share_of_relevant_parents

if TYPE_CHECKING:
    from honeyguide.base import Visit
    from honeyguide.strategy.base import Ids, Scores


@register
@dataclass
class HostOdds(Strategy):
    """Score = (share of relevant parents + floor) × (good + 1) / (bad + 1), counted on the URL's host."""

    name = "host-odds"

    floor: float = knob(0.001, "added to the share, so that a good host counts where no parent is relevant", 0, 1)

    def learn(self, visit: Visit) -> Lesson:
        return Lesson(hosts=self.graph.host[visit.id : visit.id + 1])

    def score(self, ids: Ids) -> Scores:
        return share_of_relevant_parents(self.graph, ids) + np.float32(self.floor)

    def weight(self, hosts: Ids) -> Scores:
        odds = (self.graph.good[hosts] + 1) / (self.graph.bad[hosts] + 1)
        return odds.astype(np.float32)

    def explain(self, id: int) -> list[str]:
        host = self.graph.host[id : id + 1]
        good, bad = int(self.graph.good[host][0]), int(self.graph.bad[host][0])
        return [
            in_words_parents(self.graph, id),
            f"host {self.graph.hosts[host[0]]}: {good} of {good + bad} fetched pages relevant",
            f"({self.score(np.array([id]))[0] - self.floor:.3f} + {self.floor}) × ({good} + 1) / ({bad} + 1)",
        ]
