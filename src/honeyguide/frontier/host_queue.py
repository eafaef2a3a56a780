"""The queue of one host: the best entries in a heap, the rest packed in an array of eight bytes each."""

from __future__ import annotations

from array import array
from heapq import heappop, heappush
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

HOT = 16  # entries a heap is filled with, or the square root of all where that is more
_EVERYTHING = 1 << 60
_NONE = array("q")  # of queues in which nothing is above the limit; never added to


class HostQueue:
    """Integers, the smallest first. No entry of `cold` is smaller than any of `hot`, which is empty where all is."""

    __slots__ = ("cold", "hot", "limit")

    def __init__(self) -> None:
        self.hot: list[int] = []
        self.cold = _NONE
        self.limit = _EVERYTHING  # what is larger goes to `cold`

    def __len__(self) -> int:
        return len(self.hot) + len(self.cold)

    def push(self, key: int) -> None:
        """Add an entry."""
        if key > self.limit:
            self.cold.append(key)
            return
        heappush(self.hot, key)
        hot = len(self.hot)
        if hot > 2 * HOT and hot > 4 * isqrt(hot + len(self.cold)):
            self._cool()

    def pop(self) -> int:
        """Take the smallest entry; `hot[0]` shows it."""
        key = heappop(self.hot)
        if not self.hot and self.cold:
            self._fill(np.frombuffer(self.cold, np.int64))
        return key

    def keep(self, wanted: Callable[[NDArray[np.int64]], NDArray[np.bool_]]) -> None:
        """Only wanted entries stay, each once."""
        keys = np.unique(np.array([*self.hot, *self.cold], np.int64))
        self._fill(keys[wanted(keys)])

    def _cool(self) -> None:
        """Move all but the best hot entries to the cold ones."""
        self.hot.sort()
        self.cold = self.cold or array("q")
        self.cold.extend(self.hot[HOT:])
        del self.hot[HOT:]
        self.limit = self.hot[-1]

    def _fill(self, keys: NDArray[np.int64]) -> None:
        """Heat the best of these entries; the others are the cold ones."""
        size = max(HOT, isqrt(len(keys)))
        if len(keys) <= 2 * size:
            self.hot, self.cold, self.limit = sorted(keys.tolist()), _NONE, _EVERYTHING
            return
        keys = np.partition(keys, size - 1)
        self.hot, self.limit = sorted(keys[:size].tolist()), int(keys[:size].max())
        self.cold = array("q", keys[size:].tobytes())
