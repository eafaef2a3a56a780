"""Relevant parents: the share of relevant pages among those that link to a URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.strategy import register
from honeyguide.strategy.base import Strategy, in_words_parents, share_of_relevant_parents

if TYPE_CHECKING:
    from honeyguide.strategy.base import Ids, Scores


@register
class RelevantParents(Strategy):
    """Counts, and learns nothing else; hard to beat all the same."""

    name = "relevant-parents"

    def score(self, ids: Ids) -> Scores:
        return share_of_relevant_parents(self.graph, ids)

    def explain(self, id: int) -> list[str]:
        return [in_words_parents(self.graph, id)]
