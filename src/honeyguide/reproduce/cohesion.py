"""How a crawl hangs together: links into the community, and links away from the seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.atlas import Atlas

    Ids = NDArray[np.integer]


def cohesiveness(atlas: Atlas, pages: Ids, community: Ids) -> float:
    """Links of these pages that lead into the community, by the number of the pages (equation 13)."""
    inside = np.zeros(len(atlas), np.bool_)
    inside[community] = True
    return float(inside[links_of(atlas, pages)].sum()) / max(1, len(pages))


def links_of(atlas: Atlas, pages: Ids) -> NDArray[np.int32]:
    """The targets of all links of some pages."""
    start, end = atlas.out_start[pages], atlas.out_start[np.asarray(pages) + 1]
    counts = end - start
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    found: NDArray[np.int32] = atlas.out[np.repeat(start, counts) + within]
    return found


def histogram(distance: NDArray[np.int32], visited: Ids) -> NDArray[np.int64]:
    """How many of the visited pages are 0, 1, 2 … links away from the seeds."""
    found = distance[visited]
    return np.bincount(found[found >= 0])
