"""Crawl4ai: best-first by the share of the topic's keywords that stand in the URL.

Source: crawl4ai 0.7.4 (github.com/unclecode/crawl4ai), BestFirstCrawlingStrategy with a KeywordRelevanceScorer.

Deviations:
- The keywords are the single words of the topic; there the user lists them.
- One URL is taken at a time; there ten leave the queue together before their links are looked at.
- The highest score comes first, as its manual says; releases before the sign was corrected took the lowest.
- Equal score and depth: the URL found first; there the first by the alphabet.
- Its limits (max_depth, include_external, max_pages, filters) are the crawl's own settings here.
- The weight is that of its manual's examples, 0.7; the class has 1.0. The order is the same for any weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import Strategy
from honeyguide.text import content_words

if TYPE_CHECKING:
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

DEPTH_STEP = np.float32(1e-6)  # settles ties only: keywords make steps of more than a thousandth


@register
@dataclass
class Crawl4ai(Strategy):
    """Score = share × keywords found in the URL / keywords, the URL nearer to the seeds first among equals."""

    name = "crawl4ai"

    share: float = knob(0.7, "weight of the keyword score", 0)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.keywords = sorted({word for term in topic.words() for word in content_words(term)})
        self._found = np.zeros(1024, np.float32)  # keywords found in the URL, by id
        self._read = 0  # URLs that were looked at

    def _look_at_new(self) -> None:
        known = len(self.graph)
        if known > len(self._found):
            self._found = enlarged(self._found, known)
        if self.keywords:
            for id_ in range(self._read, known):
                self._found[id_] = len(self.keywords_in(id_))
        self._read = known

    def keywords_in(self, id_: int) -> list[str]:
        """The keywords that a URL contains, anywhere in it."""
        url = unquote(self.graph.url(id_)).lower()
        return [word for word in self.keywords if word in url]

    def score(self, ids: Ids) -> Scores:
        self._look_at_new()
        found = self._found[ids] / np.float32(max(len(self.keywords), 1))
        return np.float32(self.share) * found - DEPTH_STEP * self.graph.depth[ids].astype(np.float32)

    def figures(self) -> dict[str, str]:
        return {"keywords": ", ".join(self.keywords) or "the topic has none, so it went breadth-first"}

    def explain(self, id: int) -> list[str]:
        found = self.keywords_in(id)
        named = f": {', '.join(found)}" if found else ""
        return [
            f"{len(found)} of {len(self.keywords)} keywords stand in the URL{named} (weight {self.share:g})",
            f"{self.graph.depth[id]} links from a seed, which settles ties",
        ]
