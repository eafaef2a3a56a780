"""Links as hashed n-grams of letters: of the anchor, and of the address."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.noted import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Numbers = NDArray[np.float32]

BITS = 20
SAME_HOST = 2 << BITS  # the column after those of anchors and of addresses
COLUMNS = SAME_HOST + 1


def n_grams(texts: Sequence[str], sizes: Iterable[int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The distinct hashed n-grams of texts, end to end, and how many each text has."""
    joined = "\0".join([*(text.replace("\0", " ") for text in texts), ""])
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    ends = codes == 0
    owners = np.cumsum(ends, dtype=np.uint64) - ends
    found = []
    for size in sizes:
        value, last = np.full(max(len(codes) - size, 0), size, np.uint64), size - 1
        for i in range(size):
            value = (value * np.uint64(0x9E3779B97F4A7C15)) ^ codes[i : i + len(value)]
        value ^= value >> np.uint64(29)
        whole = owners[: len(value)] == owners[last : last + len(value)]
        whole &= ~ends[last : last + len(value)]
        hashed = value * np.uint64(0xBF58476D1CE4E5B9) >> np.uint64(64 - BITS)
        found.append((owners[: len(value)] << np.uint64(BITS) | hashed)[whole])
    distinct = np.unique(np.concatenate(found))
    counts = np.bincount((distinct >> np.uint64(BITS)).astype(np.int64), minlength=len(texts))
    return (distinct & np.uint64((1 << BITS) - 1)).astype(np.int32), counts


class LinkTable:
    """Features of links, a row for each: letters of the anchor, letters of the address, and whether hosts agree."""

    def __init__(self) -> None:
        self._letters = Rows(np.int32), Rows(np.int32)
        self._anchors = Rows(np.int32)  # as they are, to be saved
        self._same = np.zeros(1024, np.float32)

    def __len__(self) -> int:
        return len(self._anchors)

    def add(self, anchors: list[str], addresses: list[str], same: NDArray[np.bool_]) -> None:
        """Rows for links."""
        first, end = len(self), len(self) + len(anchors)
        if end > len(self._same):
            self._same = enlarged(self._same, end)
        self._same[first:end] = same
        self._letters[0].extend(*n_grams(anchors, (3, 4, 5)))
        columns, counts = n_grams(addresses, (4, 5))
        self._letters[1].extend(columns + (1 << BITS), counts)
        texts = [np.frombuffer(anchor.encode("utf-32-le", "replace"), np.int32) for anchor in anchors]
        self._anchors.extend(np.concatenate(texts), np.array([len(text) for text in texts]))

    def values(self, rows: Ids, weights: Numbers) -> Numbers:
        """The product of rows and weights; letters of either kind have length 1 together."""
        total: Numbers = self._same[rows] * weights[SAME_HOST]
        for letters in self._letters:
            starts, lengths = letters.ends[rows], letters.ends[rows + 1] - letters.ends[rows]
            before = np.cumsum(lengths) - lengths
            places = np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
            some = np.flatnonzero(lengths)
            if len(some):
                sums = np.add.reduceat(weights[letters.items[places]], before[some])
                total[some] += sums / np.sqrt(lengths[some], dtype=np.float32)
        return total

    def example(self, row: int) -> tuple[NDArray[np.int32], Numbers]:
        """The columns of a row, and what stands in them."""
        parts = [letters.items[letters.ends[row] : letters.ends[row + 1]] for letters in self._letters]
        columns = np.concatenate([*parts, [SAME_HOST]]).astype(np.int32)
        values = [np.full(len(part), 1 / np.sqrt(max(len(part), 1)), np.float32) for part in parts]
        return columns, np.concatenate([*values, self._same[row : row + 1]])

    def anchor(self, row: int) -> str:
        """The anchor of a link."""
        kept = self._anchors.items[self._anchors.ends[row] : self._anchors.ends[row + 1]]
        return kept.astype(np.int32).tobytes().decode("utf-32-le", "replace")

    def save(self) -> dict[str, Any]:
        """What the features can be made from again, with the addresses."""
        anchors, ends = self._anchors.items.copy(), self._anchors.ends.copy()
        return {"anchors": anchors, "anchor_ends": ends, "same": self._same[: len(self)].copy()}

    def load(self, state: dict[str, Any], addresses: list[str]) -> None:
        """Make the features again."""
        kept, ends = np.array(state["anchors"], np.int32), state["anchor_ends"].tolist()
        if addresses:
            texts = [kept[start:end].tobytes().decode("utf-32-le", "replace") for start, end in pairwise(ends)]
            self.add(texts, addresses, np.array(state["same"], np.bool_))
