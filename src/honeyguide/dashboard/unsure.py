"""Which pages somebody is asked about: those the crawl is least sure of."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.dashboard.looking import best_places
from honeyguide.graph import DONE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from honeyguide.crawl import Crawl

ASKED_ABOUT = 10  # pages that somebody is asked to judge
OF_A_HOST = 2  # of these
LOOKED_AT = 400  # of either verdict, to find these


def least_sure(crawl: Crawl, marked: Collection[str]) -> Iterator[int]:
    """Ids of pages whose relevance is nearest to where the verdict turns, few of a host, none marked.

    A topic that says yes or no is as sure of one page as of any other: relevant ones and others come in turn then.
    """
    graph, of_host = crawl.graph, Counter[int]()
    sides = [deque(side) for side in _by_verdict(crawl)]
    found = [0, 0]
    while rest := [side for side in (0, 1) if sides[side]]:
        next_ = min(rest, key=lambda side: (sides[side][0][0], found[side]))
        id_ = sides[next_].popleft()[1]
        host = int(graph.host[id_])
        if of_host[host] < OF_A_HOST and not crawl.guide.redirected(id_) and graph.url(id_) not in marked:
            of_host[host] += 1
            found[next_] += 1
            yield id_


def _by_verdict(crawl: Crawl) -> Iterator[list[tuple[float, int]]]:
    """How sure it is of relevant pages, then of the others, with their ids; the least sure first."""
    graph, threshold = crawl.graph, crawl.topic.threshold
    ids = graph.visited()
    ids = ids[graph.state[ids] == DONE]
    for verdict, end in ((True, 1.0), (False, 0.0)):
        side = ids[graph.relevant[ids] == verdict]
        sure = _sure(graph.relevance[side], threshold, end)
        best = best_places(side, -sure, LOOKED_AT)
        yield list(zip(sure[best].tolist(), side[best].tolist(), strict=True))


def _sure(relevance: NDArray[np.float32], threshold: float, end: float) -> NDArray[np.float64]:
    """How far from the threshold to one end of the scale it is; rounded, for a threshold may be 0.5 and a bit."""
    sure: NDArray[np.float64] = np.abs(relevance.astype(np.float64) - threshold) / (abs(end - threshold) or 1.0)
    return np.round(sure, 6)
