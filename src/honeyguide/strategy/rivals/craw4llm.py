"""Craw4LLM: a URL is worth the quality of the page it was found on.

Yu, Liu, Xiong: Craw4LLM: Efficient Web Crawling for LLM Pretraining, Findings of ACL 2025 (arXiv 2502.13347v3), and
the code at github.com/cxcscmu/Craw4LLM as of February 2025.

What differs from it:
- Theirs scores a URL by its own content, which its stored web gives away before the URL is chosen. Here a URL has to
  be fetched to be read, so the page it was found on stands for it: the paper measures that scores of linked pages
  go together.
- The topic's relevance stands for the DCLM fastText score.
- One URL is taken at a time. Theirs takes 10,000 of 20 million at a time, one in two thousand.
- A redirect hands on the score of the old address.
As in theirs, a URL is scored once, when it is first met; later pages that link to it change nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy

if TYPE_CHECKING:
    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

UNMET = -1


@register
@dataclass
class Craw4LLM(Strategy):
    """Score = relevance of the page that the URL was first found on; 0 where it was found on none."""

    name = "craw4llm"

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.found_on = np.full(1024, UNMET, np.int32)  # by id: the id of the page, or of the old address
        self.quality = np.zeros(1024, np.float32)

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        new = visit.targets[self.found_on[visit.targets] == UNMET]
        self.found_on[new] = visit.id
        self.quality[new] = self.quality[visit.id] if visit.error == "redirect" else visit.relevance
        return Lesson()

    def _make_room(self) -> None:
        if len(self.graph) > len(self.quality):
            self.found_on = enlarged(self.found_on, len(self.graph), UNMET)
            self.quality = enlarged(self.quality, len(self.graph))

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        return self.quality[ids]

    def explain(self, id: int) -> list[str]:
        self._make_room()
        if self.found_on[id] == UNMET:
            return ["found on no page"]
        return [f"found on {self.graph.url(int(self.found_on[id]))}, with score {self.quality[id]:.3f} handed on"]

    def save(self) -> dict[str, Any]:
        self._make_room()
        known = len(self.graph)
        return {"found_on": self.found_on[:known].copy(), "quality": self.quality[:known].copy()}

    def load(self, state: dict[str, Any]) -> None:
        self.found_on = np.array(state["found_on"], np.int32)
        self.quality = np.array(state["quality"], np.float32)
        self._make_room()
