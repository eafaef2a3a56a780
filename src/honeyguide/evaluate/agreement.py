"""Whether two webs put strategies in the same order."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.evaluate.comparison import Comparison

SAME = 1e-6  # figures closer than this are a tie


def figures(comparison: Comparison, start: str) -> dict[str, float]:
    """The nAUC of every strategy, the best first."""
    return {row.strategy: row.nauc.mean for row in comparison.rows(start)}


def kendall_tau(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The rank correlation of the names both know, with the correction for ties (tau-b); nan where there are too few.

    >>> kendall_tau({"a": 3, "b": 2, "c": 1}, {"a": 30, "b": 10, "c": 20})
    0.3333333333333333
    >>> kendall_tau({"a": 1, "b": 1}, {"a": 1, "b": 2})
    nan
    """
    shared = sorted(one.keys() & other.keys())
    signs = [(_sign(one[a] - one[b]), _sign(other[a] - other[b])) for a, b in combinations(shared, 2)]
    known = sum(first != 0 for first, _ in signs), sum(second != 0 for _, second in signs)
    return sum(first * second for first, second in signs) / math.sqrt(known[0] * known[1]) if all(known) else math.nan


def _sign(difference: float) -> int:
    return (difference > SAME) - (difference < -SAME)
