"""How a crawl hangs together: links into the community, within it, and away from the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.network import ways_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.evaluate.network import Ids, Ways


def cohesiveness(onwards: Ways, pages: Ids, community: Ids) -> float:
    """Links of these pages that lead into the community, by the number of the pages (equation 13)."""
    into, _ = links_into(onwards, pages, community)
    return into / max(1, len(pages))


def links_into(onwards: Ways, pages: Ids, community: Ids) -> tuple[int, int]:
    """Links of these pages that lead into the community, and all links of theirs."""
    ends = links_of(onwards, pages)
    inside = np.zeros(max(len(onwards[0]) - 1, ends.max(initial=-1) + 1), np.bool_)
    inside[community] = True
    return int(np.count_nonzero(inside[ends])), len(ends)


def links_of(onwards: Ways, pages: Ids) -> NDArray[np.integer]:
    """The targets of all links of some pages."""
    first, ends = onwards
    start, end = first[pages], first[np.asarray(pages) + 1]
    counts = end - start
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(ends[np.repeat(start, counts) + within])


def histogram(distance: NDArray[np.int32], visited: Ids) -> NDArray[np.int64]:
    """How many of the visited pages are 0, 1, 2 … links away from the seeds."""
    found = distance[visited]
    return np.bincount(found[found >= 0])


def nearest_other(sources: Ids, targets: Ids, size: int, community: Ids) -> NDArray[np.int32]:
    """How many links away from each page of a community another page of it is; -1 where no way leads to one.

    Every page hands on the two nearest pages of the community that it leads to, so that one is another's.
    """
    backwards = ways_of(targets, sources, size)
    nearest = np.full((size, 2), -1, np.int64)
    nearest[community, 0] = community
    away, pages, seen, steps = np.full(size, -1, np.int32), np.asarray(community), np.asarray(community), 0
    while len(pages):
        steps += 1
        pages, seen = _handed_on(backwards, pages, seen, nearest)
        nearest_is_second = nearest[pages, 1] == seen
        away[pages[nearest_is_second]] = steps
    return away[np.asarray(community)]


def _handed_on(backwards: Ways, pages: Ids, seen: Ids, nearest: NDArray[np.int64]) -> tuple[Ids, Ids]:
    """The pages that link to these learn what they lead to, two of it at most: who learned what."""
    counts = backwards[0][pages + 1] - backwards[0][pages]
    size = len(nearest)
    told = np.unique(links_of(backwards, pages).astype(np.int64) * size + np.repeat(seen, counts))
    learner, what = told // size, told % size
    new = (nearest[learner, 0] != what) & (nearest[learner, 1] < 0)
    learner, what = learner[new], what[new]
    place = np.arange(len(learner)) - np.searchsorted(learner, learner) + (nearest[learner, 0] >= 0)
    fits = place < 2
    nearest[learner[fits], place[fits]] = what[fits]
    return learner[fits], what[fits]
