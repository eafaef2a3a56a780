"""Many texts in two arrays, and URLs that are found by their hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.text import stable_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Strings:
    """Texts end to end, each decoded when it is asked for."""

    def __init__(self, text: NDArray[np.uint8], start: NDArray[np.int64]) -> None:
        self._text, self._start = text, start

    def __len__(self) -> int:
        return max(0, len(self._start) - 1)

    def __getitem__(self, i: int) -> str:
        if not 0 <= i < len(self):
            raise IndexError(i)
        return self._text[int(self._start[i]) : int(self._start[i + 1])].tobytes().decode()


def url_hash(url: str) -> int:
    """The stable hash of a URL as a number."""
    return int.from_bytes(stable_hash(url), "little", signed=True)


class UrlIndex:
    """The id of a URL: its hash is looked up, then the URL itself is compared."""

    def __init__(self, urls: Strings, hashes: NDArray[np.int64], ids: NDArray[np.int32]) -> None:
        self._urls, self._hashes, self._ids = urls, hashes, ids

    def find(self, url: str) -> int | None:
        """The id, or None where no such URL is known."""
        wanted = np.int64(url_hash(url))
        at = int(np.searchsorted(self._hashes, wanted))
        while at < len(self._hashes) and self._hashes[at] == wanted:
            if self._urls[found := int(self._ids[at])] == url:
                return found
            at += 1
        return None
