"""The tokens of URLs, and what those of many URLs are worth together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.noted import Rows, sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.graph import Graph


def url_tokens(url: str) -> list[str]:
    """The distinct tokens of a URL: what stands between dots and slashes, the scheme left out.

    >>> url_tokens("http://www.ski.test/alps/ski.html")
    ['www', 'ski', 'test', 'alps', 'html']
    """
    return list(dict.fromkeys(filter(None, url.partition("://")[2].replace("/", ".").split("."))))


class UrlTokens:
    """The tokens of all known URLs, as hashes: most stand in one URL only, and their texts would fill the memory.

    Hashes are Python's own, keyed anew in each process, so they are made again from the graph and never saved.
    """

    def __init__(self) -> None:
        self._hashes = Rows(np.int64)
        self.judge_by([], np.zeros(0))

    def read(self, graph: Graph) -> None:
        """Take in the URLs that are new in the graph."""
        hashes: list[int] = []
        lengths = []
        for id_ in range(len(self._hashes), len(graph)):
            tokens = url_tokens(graph.url(id_))
            hashes.extend(map(hash, tokens))
            lengths.append(len(tokens))
        self._hashes.extend(np.array(hashes, np.int64), np.array(lengths, np.int64))

    def judge_by(self, tokens: Sequence[str], logs: NDArray[np.float64]) -> None:
        """Value URLs by the worth of these tokens from now on."""
        told = np.flatnonzero(logs).tolist()
        hashes = np.fromiter((hash(tokens[i]) for i in told), np.int64, len(told))
        order = np.argsort(hashes)
        self._telling, self._worth = hashes[order], logs[told][order]

    def values(self, ids: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """What the tokens of each URL are worth."""
        if not len(self._telling):
            return np.zeros(len(ids))
        hashes, owners = self._hashes.gather(ids)
        place = np.searchsorted(self._telling, hashes)
        place[place == len(self._telling)] = 0
        told = self._telling[place] == hashes
        return sums(owners[told], self._worth[place[told]], len(ids))
