"""Random: any queued URL is as good as another. What a strategy must beat to have learned anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.strategy import register
from honeyguide.strategy.base import Strategy

if TYPE_CHECKING:
    from honeyguide.strategy.base import Ids, Scores


@register
class Random(Strategy):
    """Each URL has a number drawn once, made from the seed and its id, so that nothing need be kept."""

    name = "random"

    def score(self, ids: Ids) -> Scores:
        return (mixed(ids, self.seed) >> np.uint64(40)).astype(np.float32) / np.float32(2**24)

    def explain(self, id: int) -> list[str]:
        return [f"drawn at random: {self.score(np.array([id]))[0]:.4f} for random seed {self.seed}"]


def mixed(ids: Ids, seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Sixty-four well-mixed bits for each id (the finaliser of SplitMix64)."""
    with np.errstate(over="ignore"):
        x = ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x += np.uint64((seed * 0xD1B54A32D192ED03 + 0x9E3779B97F4A7C15) % 2**64)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
