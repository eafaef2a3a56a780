"""What is measured in one crawl."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

CURVE_POINTS = 100
RECALLS = (0.25, 0.5, 0.9)


def found_by(relevant: Sequence[bool], budget: int, reachable: int) -> NDArray[np.int64]:
    """Relevant pages found after 1, 2, … budget pages; a crawl that ends early keeps its last value.

    Never more than can be reached: of copies of copies, a crawl may count one more than was counted beforehand.

    >>> found_by([True, False, True], 5, 10).tolist()
    [1, 1, 2, 2, 2]
    """
    fetched = np.zeros(budget, np.int64)
    fetched[: len(relevant)] = relevant[:budget]
    return np.minimum(np.cumsum(fetched), reachable)


def nauc(found: NDArray[np.int64], reachable: int) -> float:
    """The mean, over the budget, of what was found to what could have been found by then.

    >>> nauc(found_by([True, False, True, False], 4, 2), 2)  # 1/1, 1/2, 2/2, 2/2
    0.875
    """
    if not len(found) or reachable < 1:
        return 0.0
    return float(np.mean(found / np.minimum(np.arange(1, len(found) + 1), reachable)))


def fetches_to(found: NDArray[np.int64], reachable: int) -> tuple[int | None, ...]:
    """How many pages it took to find 25, 50 and 90 % of what can be reached; None where the crawl ended before.

    >>> fetches_to(found_by([True, False, True, True], 4, 4), 4)
    (1, 3, None)
    """
    wanted = [max(1, math.ceil(share * reachable)) for share in RECALLS]
    places = [int(np.searchsorted(found, number)) for number in wanted]
    return tuple(place + 1 if place < len(found) else None for place in places)


def curve_points(budget: int) -> NDArray[np.int64]:
    """The numbers of pages at which a curve is kept: about a hundred, the last one being all.

    >>> curve_points(4).tolist()
    [1, 2, 3, 4]
    """
    return np.unique(np.linspace(1, budget, min(budget, CURVE_POINTS)).round().astype(np.int64))
