"""Breadth-first: nearest to the seeds first, in the order found. The yardstick of every comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.strategy import register
from honeyguide.strategy.base import Strategy

if TYPE_CHECKING:
    from honeyguide.strategy.base import Ids, Scores


@register
class BreadthFirst(Strategy):
    """A URL scores minus its distance from the seeds, in links."""

    name = "breadth-first"

    def score(self, ids: Ids) -> Scores:
        return -self.graph.depth[ids].astype(np.float32)

    def explain(self, id: int) -> list[str]:
        return [f"{self.graph.depth[id]} links from a seed; among equals the one found first"]
