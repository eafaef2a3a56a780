"""Writing the arrays of an atlas: piece by piece where they are long, and as a whole where they are there."""

from __future__ import annotations

from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from honeyguide.atlas.layout import ARRAYS, file_of
from honeyguide.atlas.strings import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

AT_ONCE = 1 << 22  # entries


class Spool:
    """An array that grows at its end, on disk."""

    def __init__(self, directory: Path, name: str) -> None:
        self._dtype = np.dtype(ARRAYS[name])
        self._file = file_of(directory, name).open("wb")
        self.length = 0

    def append(self, values: ArrayLike | bytes) -> None:
        """Add some entries."""
        data = values if isinstance(values, bytes) else np.asarray(values, self._dtype).tobytes()
        self._file.write(data)
        self.length += len(data) // self._dtype.itemsize

    def close(self) -> None:
        """Have all of it on disk."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Rows:
    """Rows of different lengths, end to end, and where each starts."""

    def __init__(self, directory: Path, values: str, start: str) -> None:
        self._values, self._start = Spool(directory, values), Spool(directory, start)
        self._start.append([0])

    def append(self, row: ArrayLike | bytes) -> None:
        """Add a row."""
        self._values.append(row)
        self._start.append([self._values.length])

    def extend(self, rows: Sequence[Sequence[int]]) -> None:
        """Add some rows at once, which is faster where they are short."""
        first = self._values.length
        self._values.append(list(chain.from_iterable(rows)))
        self._start.append(list(accumulate(map(len, rows), initial=first))[1:])

    def close(self) -> None:
        """Have all of it on disk."""
        self._values.close()
        self._start.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_array(directory: Path, name: str, values: NDArray[Any]) -> None:
    """Write an array in parts, so that none of it is held twice."""
    with Spool(directory, name) as spool:
        for first in range(0, len(values), AT_ONCE):
            spool.append(values[first : first + AT_ONCE])


def write_strings(directory: Path, texts: Iterable[str], name: str) -> None:
    """Write texts end to end: hosts, words."""
    with Rows(directory, f"{name}_text", f"{name}_start") as rows:
        for text in texts:
            rows.append(text.encode())


def write_urls(directory: Path, urls: Iterable[str]) -> None:
    """Write URLs in the order of their numbers, and the index by which they are found."""
    hashes: list[NDArray[np.int64]] = []
    some: list[int] = []
    with Rows(directory, "url_text", "url_start") as rows:
        for url in urls:
            rows.append(url.encode())
            some.append(url_hash(url))
            if len(some) == AT_ONCE:
                hashes.append(np.array(some, np.int64))
                some.clear()
    known = np.concatenate([*hashes, np.array(some, np.int64)])
    order = np.argsort(known, kind="stable")
    write_array(directory, "url_hash", known[order])
    write_array(directory, "url_by_hash", order)


def write_links(directory: Path, out_start: NDArray[np.int64], out: NDArray[np.int32]) -> None:
    """Write links as they are, and the other way round; there are as many addresses as starts, but for one."""
    write_array(directory, "out_start", out_start)
    write_array(directory, "out", out)
    order = np.argsort(out, kind="stable")
    sources = np.repeat(np.arange(len(out_start) - 1, dtype=np.int32), np.diff(out_start))
    write_array(directory, "into", sources[order])
    counts = np.bincount(out, minlength=len(out_start) - 1)
    write_array(directory, "into_start", np.concatenate([[0], np.cumsum(counts)]))
