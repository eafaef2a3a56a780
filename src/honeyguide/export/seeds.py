"""The best hubs of a crawl, to start another one from: pages that together link to most of what is wanted."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import WITH_PAGE
from honeyguide.export.cleaning import address, one_line
from honeyguide.export.links import Resolver
from honeyguide.export.outputs import new_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.export.source import Source


def write_seeds(source: Source, path: Path, most: int) -> int:
    """A file for `--seed @FILE`: hubs, the best first; how many."""
    written = 0
    with new_text(path) as file:
        file.write(f"# hubs of a crawl for {one_line(source.store.settings.topic)}\n")
        for url, count, new in hubs(source, most):
            file.write(f"# links to {count} of the wanted pages; to {new} of them none above does\n{address(url)}\n")
            written += 1
    return written


def hubs(source: Source, most: int) -> Iterator[tuple[str, int, int]]:
    """Pages, with how many wanted pages they link to and how many of these no better hub does; greedily chosen."""
    resolve = Resolver(source)
    queue = list(_candidates(source, resolve))
    heapq.heapify(queue)
    covered = np.zeros(len(resolve.wanted), np.bool_)
    while queue and most:
        gain, number, id_ = heapq.heappop(queue)
        ends = _ends(resolve, source.store.targets(id_), id_)
        new = int((~covered[ends]).sum())
        if new and new < -gain:  # since then, better hubs have taken some of its pages
            heapq.heappush(queue, (-new, number, id_))
        elif new:
            covered[ends] = True
            most -= 1
            yield source.store.url(id_), len(ends), new


def _candidates(source: Source, resolve: Resolver) -> Iterator[tuple[int, int, int]]:
    """Every fetched page that links to a wanted one: how many, to be sorted by."""
    for visit in source.store.visits():
        if visit.error in WITH_PAGE and not visit.flag:
            ends = _ends(resolve, visit.targets, visit.id)
            if len(ends):
                yield -len(ends), visit.number, visit.id


def _ends(resolve: Resolver, targets: NDArray[np.intp], id_: int) -> NDArray[np.int64]:
    ends = np.unique(resolve(targets))
    found: NDArray[np.int64] = ends[(ends >= 0) & (ends != id_)]
    return found
