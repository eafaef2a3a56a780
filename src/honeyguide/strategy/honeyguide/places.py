"""What hosts and folders brought: ever, and lately, so that one that has dried up is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.honeyguide.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]

SEEN, GOOD = EVER = 0, 1  # columns: pages that were fetched there, and relevant ones among them
LATELY = 2, 3  # the same, the newest counting most


class Places(Table):
    """A row for each place. With every fetch there, what it brought lately fades a little."""

    def __init__(self, memory: int) -> None:
        super().__init__((0,) * 4)
        self._kept = 1 - 1 / memory

    def count(self, places: Ids, good: Flags) -> None:
        """Enter fetches in their order, each with its place."""
        order = np.argsort(places, kind="stable")
        which, first, fetched = np.unique(places[order], return_index=True, return_counts=True)
        later = np.repeat(first + fetched, fetched) - np.arange(1, len(places) + 1)  # fetches there after each
        cases = np.stack([np.ones(len(places)), good[order]], axis=1)
        at = which[:, None]
        self.rows[at, EVER] += np.add.reduceat(cases, first)
        new = np.add.reduceat(cases * (self._kept**later)[:, None], first)
        self.rows[at, LATELY] = self.rows[at, LATELY] * (self._kept**fetched)[:, None] + new

    def told(self, places: Ids) -> Iterator[tuple[Any, Any]]:
        """Relevant pages and all that were fetched, by place: ever, and lately."""
        rows = self.rows[places]
        return ((rows[:, good], rows[:, seen]) for seen, good in (EVER, LATELY))
