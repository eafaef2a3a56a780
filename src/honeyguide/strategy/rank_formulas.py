"""The scores a rank is made of: the formulas, free of any crawl, so that simulations can use them too.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003; equations 2 to 12.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.topic.phrases import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.topic import Topic

    Numbers = NDArray[np.floating[Any]]

SHARE_ONE = 1 << 40  # a share of 1 in whole numbers
SHARE_UNIT = 2.0**-40
HOST_DRIFT = 5  # times `drift`: by so much a host's share may change before its URLs are ranked anew
NEARLY = 1e-15  # how near to 0 or 1 a probability is taken to come


def rank(weights: Sequence[float], scores: Sequence[Any]) -> Any:
    """The weighted sum, of arrays or of single numbers, added up score by score: the order makes a difference.

    Hub and authority come last: they change with every average, so the compiled loop keeps the sum of the others.
    """
    total = weights[2] * scores[2]
    for weight, score in zip((*weights[3:], *weights[:2]), (*scores[3:], *scores[:2]), strict=True):
        total += weight * score
    return total


def inverse(average: float) -> float:
    """What a count is multiplied by to be measured by an average; where there is none, everything counts 0."""
    return 1 / average if average else 0.0


# The next four are plain arithmetic: NumPy runs them on arrays, the compiled loop on single numbers.


def hub(most_links: Any, inverse_average: float) -> Any:
    """The links of the parent that has most, by the average of all fetched pages."""
    return most_links * inverse_average


def authority(parents: Any, inverse_average: float) -> Any:
    """The fetched pages that link to a URL, by the average of all URLs seen."""
    return parents * inverse_average


def community_in(community_parents: Any, parents: Any) -> Any:
    """The share of the parents that belong to the community."""
    return community_parents / (parents + (parents == 0))


def community_out(shares: Any) -> Any:
    """The sum of the shares of the parents' links that lead into the community, from its whole-numbered form."""
    return shares * SHARE_UNIT


def share_of_one(links: Any) -> Any:
    """What one link into the community adds to comm_out, of a page with so many links: a whole number.

    Whole numbers add up to the same sum in any order, so two loops that add in different orders agree.
    """
    return (SHARE_ONE + links // 2) // links


def host_share(good: Any, fetched: Any) -> Any:
    """The share of relevant pages among those fetched from a host, smoothed: nothing is known of one not fetched."""
    return good / (fetched + 1)


def anchor_share(keywords: Sequence[str], anchor: str) -> float:
    """The share of the keywords that stand in the words of an anchor."""
    return sum(count(term, anchor) > 0 for term in keywords) / len(keywords) if keywords and anchor else 0.0


def parent(highest: Numbers, lowest: Numbers) -> Numbers:
    """Of one generation's judgments the farthest from 0 where their signs agree, else the highest; 0 of none.

    Where there are none, the highest is minus infinity and the lowest plus infinity.
    """
    telling = np.where(highest >= 0, highest, lowest)
    telling[np.isinf(telling)] = 0
    return telling


def parents_of_one(highest: Sequence[float], turned: Sequence[float]) -> list[float]:
    """The same of one URL, generation by generation; the lowest have their signs turned."""
    pairs = zip(highest, turned, strict=False)
    return [0.0 if math.isinf(told := high if high >= 0 else -low) else told for high, low in pairs]


def judgment_of(topic: Topic, relevance: float) -> float:
    """The signed distance from the topic's threshold: the margin of a classifier, or relevance from -1 to 1."""
    if topic.kind == "classifier":
        return margin(relevance, topic.threshold, topic.scale)  # type: ignore[attr-defined]
    return signed_distance(relevance, topic.threshold)


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
