"""The scores a rank is made of: the formulas, free of any crawl, so that simulations can use them too.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003; equations 2 to 12.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Numbers = NDArray[np.floating[Any]]
    Counts = NDArray[np.integer[Any]]

NEARLY = 1e-15  # how near to 0 or 1 a probability is taken to come


def rank(weights: Iterable[float], scores: Iterable[Numbers]) -> Numbers:
    """The weighted sum, added up score by score, so that a URL's rank does not depend on what it is ranked with."""
    total: Numbers | None = None
    for weight, score in zip(weights, scores, strict=True):
        if total is None:
            total = np.multiply(score, weight, dtype=np.float64)
        elif weight:
            total += weight * score
    assert total is not None
    return total


def hub(most_links: Counts, average: float) -> Numbers:
    """The links of the parent that has most, by the average of all fetched pages."""
    return most_links / average if average else np.zeros(len(most_links))


def authority(parents: Counts, average: float) -> Numbers:
    """The fetched pages that link to a URL, by the average of all URLs seen."""
    return parents / average if average else np.zeros(len(parents))


def community_in(community_parents: Counts, parents: Counts) -> Numbers:
    """The share of the parents that belong to the community."""
    return community_parents / np.maximum(parents, 1)


def community_share(links_into_community: int, links: int) -> float:
    """What one parent adds to comm_out: the share of its links that lead into the community."""
    return links_into_community / links if links else 0.0


def parent(highest: Numbers, lowest: Numbers) -> Numbers:
    """Of one generation's judgments the farthest from 0 where their signs agree, else the highest; 0 of none.

    Where there are none, the highest is minus infinity and the lowest plus infinity.
    """
    telling = np.where(highest >= 0, highest, lowest)
    return np.where(np.isfinite(telling), telling, 0.0)


def signed_distance(relevance: float, threshold: float) -> float:
    """How far a page is from the threshold: 1 at full relevance, 0 at the threshold, -1 at no relevance."""
    relevance = min(1.0, max(0.0, relevance))
    if relevance >= threshold:
        return (relevance - threshold) / (1 - threshold) if threshold < 1 else 1.0
    return (relevance - threshold) / threshold


def margin(probability: float, threshold: float, scale: float) -> float:
    """How far a page is from the threshold of a linear classifier, whose probability is sigmoid(scale · margin)."""
    if not 0 < threshold < 1:
        return signed_distance(probability, threshold)
    return (_log_odds(probability) - _log_odds(threshold)) / scale


def _log_odds(probability: float) -> float:
    probability = min(1 - NEARLY, max(NEARLY, probability))
    return math.log(probability) - math.log1p(-probability)
