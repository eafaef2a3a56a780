"""Links as hashed n-grams of letters: of the anchor, and of the address."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

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
        self._columns = Rows(np.int32)  # of the anchor, of the address, and SAME_HOST where it is so
        self._sizes = np.zeros((1024, 3), np.int32)  # how many there are of each
        self._anchors = Rows(np.int32)  # as they are, to be saved

    def __len__(self) -> int:
        return len(self._anchors)

    def add(self, anchors: list[str], addresses: list[str], same: NDArray[np.bool_]) -> None:
        """Rows for links."""
        first, end = len(self), len(self) + len(anchors)
        if end > len(self._sizes):
            self._sizes = np.vstack((self._sizes, np.zeros((end, 3), np.int32)))
        letters, counts = n_grams(addresses, (4, 5))
        agree = np.full(int(same.sum()), SAME_HOST, np.int32)
        found = [n_grams(anchors, (3, 4, 5)), (letters + (1 << BITS), counts), (agree, same.astype(np.int64))]
        self._sizes[first:end] = np.transpose([counts for _, counts in found])
        owners = np.concatenate([np.repeat(np.arange(len(anchors)), counts) for _, counts in found])
        columns = np.concatenate([columns for columns, _ in found])
        self._columns.extend(columns[np.argsort(owners, kind="stable")], self._sizes[first:end].sum(axis=1))
        texts = [np.frombuffer(anchor.encode("utf-32-le", "replace"), np.int32) for anchor in anchors]
        self._anchors.extend(np.concatenate(texts), np.array([len(text) for text in texts]))

    def values(self, rows: Ids, weights: Numbers) -> Numbers:
        """The product of rows and weights; letters of either kind have length 1 together."""
        sizes = self._sizes[rows].ravel()
        ends = np.cumsum(sizes)
        lengths = sizes.reshape(-1, 3).sum(axis=1)
        places = np.arange(len(rows) and int(ends[-1]))
        places += np.repeat(self._columns.ends[rows + 1] - ends[2::3], lengths)
        known = np.append(weights[self._columns.items[places]], np.float32(0))
        sums = np.add.reduceat(known, ends - sizes) * (sizes > 0) if len(rows) else known[:0]
        scaled = (sums / _norms(sizes)).reshape(-1, 3)
        return np.asarray(scaled[:, 0] + scaled[:, 1] + scaled[:, 2], np.float32)

    def example(self, row: int) -> tuple[NDArray[np.int32], Numbers]:
        """The columns of a row, and what stands in them."""
        columns = self._columns.items[self._columns.ends[row] : self._columns.ends[row + 1]]
        sizes = self._sizes[row]
        return columns.astype(np.int32, copy=False), np.repeat(1 / _norms(sizes), sizes)

    def anchor(self, row: int) -> str:
        """The anchor of a link."""
        kept = self._anchors.items[self._anchors.ends[row] : self._anchors.ends[row + 1]]
        return kept.astype(np.int32).tobytes().decode("utf-32-le", "replace")

    def save(self) -> dict[str, Any]:
        """What the features can be made from again, with the addresses."""
        anchors, ends = self._anchors.items.copy(), self._anchors.ends.copy()
        return {"anchors": anchors, "anchor_ends": ends, "same": self._sizes[: len(self), 2].copy()}

    def load(self, state: dict[str, Any], addresses: list[str]) -> None:
        """Make the features again."""
        kept, ends = np.array(state["anchors"], np.int32), state["anchor_ends"].tolist()
        if addresses:
            texts = [kept[start:end].tobytes().decode("utf-32-le", "replace") for start, end in pairwise(ends)]
            self.add(texts, addresses, np.array(state["same"], np.bool_))


def _norms(sizes: NDArray[np.integer[Any]]) -> Numbers:
    """The lengths of so many ones; 1 for none."""
    return np.asarray(np.sqrt(np.maximum(sizes, 1), dtype=np.float32))
