"""Shark-search: relevance is inherited along links and fades; anchor and nearby words add to it.

Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim, Ur: The shark-search algorithm, 1998.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.text import content_words

if TYPE_CHECKING:
    from honeyguide.base import Link, Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic


@register
@dataclass
class SharkSearch(Strategy):
    """Needs a topic that knows words; without any, only what is inherited counts."""

    name = "shark-search"
    needs_pages = True
    needs_main_text = False

    decay: float = knob(0.5, "how much of a page's relevance its links inherit", 0, 1)
    inherited_share: float = knob(0.5, "weight of what is inherited against what stands around the link", 0, 1)
    anchor_share: float = knob(0.8, "weight of the anchor against the words around it", 0, 1)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.inherited = np.zeros(1024, np.float32)  # by id
        self.around = np.zeros(1024, np.float32)
        self.words: dict[str, float] = {}
        for term, weight in topic.words().items():
            for word in content_words(term):
                self.words[word] = max(weight, self.words.get(word, 0.0))
        self._norm = math.sqrt(sum(w * w for w in self.words.values())) or 1.0

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        targets = visit.targets
        if visit.error == "redirect":
            self.inherited[targets] = np.maximum(self.inherited[targets], self.inherited[visit.id])
            self.around[targets] = np.maximum(self.around[targets], self.around[visit.id])
        elif visit.page is not None:
            passed_on = visit.relevance if visit.relevance > 0 else float(self.inherited[visit.id])
            gain = np.float32(self.decay * passed_on)
            self.inherited[targets] = np.maximum(self.inherited[targets], gain)
            near = np.array([self._neighbourhood(link) for link in visit.page.links], np.float32)
            np.maximum.at(self.around, targets, near)
        return Lesson()

    def _make_room(self) -> None:
        if len(self.graph) > len(self.inherited):
            self.inherited = enlarged(self.inherited, len(self.graph))
            self.around = enlarged(self.around, len(self.graph))

    def _neighbourhood(self, link: Link) -> float:
        anchor = self._similarity(link.anchor)
        context = 1.0 if anchor > 0 else self._similarity(link.context)
        return self.anchor_share * anchor + (1 - self.anchor_share) * context

    def _similarity(self, text: str) -> float:
        """Cosine between the topic's words and the distinct words of a text."""
        if not self.words or not text:
            return 0.0
        found = set(content_words(text))
        dot = sum(self.words.get(word, 0.0) for word in found)
        return dot / (self._norm * math.sqrt(len(found))) if dot else 0.0

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        share = np.float32(self.inherited_share)
        return share * self.inherited[ids] + (1 - share) * self.around[ids]

    def explain(self, id: int) -> list[str]:
        self._make_room()
        return [
            f"inherited relevance {self.inherited[id]:.3f} (weight {self.inherited_share})",
            f"anchor and words around it {self.around[id]:.3f} (weight {1 - self.inherited_share:g})",
        ]

    def save(self) -> dict[str, Any]:
        known = len(self.graph)
        self._make_room()
        return {"inherited": self.inherited[:known].copy(), "around": self.around[:known].copy()}

    def load(self, state: dict[str, Any]) -> None:
        self.inherited = np.array(state["inherited"], np.float32)
        self.around = np.array(state["around"], np.float32)
        self._make_room()
