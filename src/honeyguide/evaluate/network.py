"""The links between the pages of a web, as arrays: what can be reached from where, and how far it is."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Link, Page
    from honeyguide.evaluate.collection import Collection

    Ids = NDArray[np.integer[Any]]
    Ways = tuple[NDArray[np.int64], NDArray[np.integer]]  # where each page's neighbours begin, and all neighbours

MOST_HOPS = 20  # redirects in a row, as a crawl follows them


class Network:
    """Pages by number, in the order of their URLs; links to what is not in the web do not count."""

    def __init__(self, web: Collection) -> None:
        self.urls = [page.url for page in web.pages]
        self._number = {url: i for i, url in enumerate(self.urls)}
        self._redirects = web.redirects
        ends = [self._ends(page) for page in web.pages]
        sources = np.repeat(np.arange(len(ends)), [len(found) for found in ends])
        targets = np.array([i for found in ends for i in found], np.int64)
        self._onwards = ways_of(sources, targets, len(ends))
        self._backwards = ways_of(targets, sources, len(ends))

    def _ends(self, page: Page) -> list[int]:
        return sorted({end for link in followed(page) if (end := self._end(link.url)) is not None})

    def _end(self, url: str) -> int | None:
        for _ in range(MOST_HOPS):
            if url not in self._redirects:
                break
            url = self._redirects[url]
        return self._number.get(url)

    def number(self, url: str) -> int | None:
        """The page that an address leads to, by way of redirects; None where the web has none."""
        return self._end(url)

    def pages_to(self, page: int) -> NDArray[np.int64]:
        """The pages that link to one, each once."""
        return neighbours(self._backwards, np.array([page]))

    def links_from(self, ids: Ids) -> NDArray[np.int32]:
        """How many links away each page is from the nearest of these; -1 where no way leads there."""
        return distances(self._onwards, ids)

    def links_to(self, ids: Ids) -> NDArray[np.int32]:
        """How many links away from each page the nearest of these is; -1 where none can be reached."""
        return distances(self._backwards, ids)


def followed(page: Page) -> tuple[Link, ...]:
    """The links a crawl may follow."""
    if "nofollow" not in page.robots:
        return page.links
    return tuple(link for link in page.links if "sitemap" in link.rel)


def ways_of(sources: Ids, targets: Ids, size: int) -> Ways:
    """Links from and to so many pages, by the page they start at."""
    order = np.argsort(sources, kind="stable")
    first = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=size), out=first[1:])
    return first, targets[order].astype(np.int64)


def distances(ways: Ways, ids: Ids) -> NDArray[np.int32]:
    """How many steps away each id is from the nearest of these, by links as (starts, ends); -1: out of reach."""
    found = np.full(len(ways[0]) - 1, -1, np.int32)
    found[ids] = 0
    reached = np.unique(ids)
    for step in count(1):
        reached = neighbours(ways, reached)
        reached = reached[found[reached] < 0]
        if not len(reached):
            break
        found[reached] = step
    return found


def neighbours(ways: Ways, ids: Ids) -> NDArray[np.int64]:
    """All neighbours of these pages, each once."""
    first, ends = ways
    counts = first[ids + 1] - first[ids]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.unique(ends[np.repeat(first[ids], counts) + within])
