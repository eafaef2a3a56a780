"""Whether a difference between two strategies could be luck: paired tests over topics, corrected for their number."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

SAME = 1e-9


def wilcoxon(differences: Sequence[float]) -> float:
    """The two-sided p of Wilcoxon's signed-rank test: how likely differences like these are between equals.

    >>> wilcoxon([0.0, 0.0])
    1.0
    """
    told = [value for value in differences if abs(value) > SAME]
    if not told:
        return 1.0
    try:
        from scipy import stats
    except ImportError:
        raise BadInput("p values need SciPy: pip install 'honeyguide[statistics]'") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of few topics: a large p says it as well
        return float(stats.wilcoxon(told).pvalue)


def holm(values: Sequence[float]) -> list[float]:
    """Each p, corrected for there being several (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = least
    return corrected
