"""The links among exported pages: redirects followed, and copies taken for what they are copies of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide.export.cleaning import address, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from honeyguide.export.source import Source
    from honeyguide.store import StoredVisit


class Edge(NamedTuple):
    """A page links to another, by however many links."""

    source: str
    target: str
    anchor: str  # the first that says something
    links: int


class Resolver:
    """By URL id: the wanted page that a link arrives at, or -1."""

    def __init__(self, source: Source) -> None:
        self.wanted = source.choice()
        self._ends = np.where(self.wanted, np.arange(len(self.wanted)), -1)
        onward = {visit.id: _next(visit) for visit in source.store.visits() if _next(visit) >= 0}
        for start in onward:
            self._ends[start] = self._end(start, onward)

    def _end(self, id_: int, onward: dict[int, int]) -> int:
        passed = set[int]()
        while not self.wanted[id_] and id_ in onward and id_ not in passed:
            passed.add(id_)
            id_ = onward[id_]
        return id_ if self.wanted[id_] else -1

    def __call__(self, targets: NDArray[np.intp]) -> NDArray[np.int64]:
        """Where links arrive."""
        return self._ends[targets]


def _next(visit: StoredVisit) -> int:
    """What a visit stands for, where it is no page of its own."""
    if visit.error == "redirect" and len(visit.targets):
        return int(visit.targets[0])
    return -1 if visit.copy_of is None else visit.copy_of


def edges_of(source: Source, visit: StoredVisit, resolve: Resolver) -> dict[int, tuple[str, int]]:
    """The pages a page links to, itself apart: the anchor and the number of links, by id."""
    found: dict[int, tuple[str, int]] = {}
    anchors = source.store.anchors(visit.id) if len(visit.targets) else []
    for end, anchor in zip(resolve(visit.targets).tolist(), anchors, strict=False):
        if end >= 0 and end != visit.id:
            first, count = found.get(end, ("", 0))
            found[end] = (first or one_line(anchor), count + 1)
    return found


def links(source: Source) -> Iterator[Edge]:
    """The links among the pages that are wanted."""
    resolve = Resolver(source)
    for visit in source.chosen():
        for id_, (anchor, count) in edges_of(source, visit, resolve).items():
            yield Edge(address(visit.url), address(source.store.url(id_)), anchor, count)
