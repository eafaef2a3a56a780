"""Chance, which has a say in what is fetched while nothing is known: until the first relevant page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.strategy.random import mixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.strategy.base import Ids

_BITS = 40


def drawn(ids: Ids, seed: int) -> NDArray[np.float32]:
    """A number for each URL, the same whenever it is asked for.

    Added to ranks, it has each URL come first as likely as exp(rank) is large beside the others' (the Gumbel trick).
    """
    even = ((mixed(ids, seed) >> np.uint64(64 - _BITS)).astype(np.float64) + 0.5) / 2**_BITS
    found: NDArray[np.float32] = -np.log(-np.log(even)).astype(np.float32)
    return found
