"""Best-first: a link is worth what the page it stands on is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.strategy import register
from honeyguide.strategy.base import Strategy

if TYPE_CHECKING:
    from honeyguide.strategy.base import Ids, Scores


@register
class BestFirst(Strategy):
    """A URL scores the relevance of the best fetched page that links to it."""

    name = "best-first"

    def score(self, ids: Ids) -> Scores:
        return self.graph.best_parent[ids]

    def explain(self, id: int) -> list[str]:
        return [f"its best fetched parent has relevance {self.graph.best_parent[id]:.3f}"]
