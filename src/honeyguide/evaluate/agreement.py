"""Whether two webs put strategies in the same order."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from honeyguide.evaluate.averages import by_topic, differences, estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def settled(comparisons: Sequence[Comparison], start: str) -> dict[tuple[str, str], int]:
    """Pairs of strategies of which all webs say that the first is better (1), or worse (-1), beyond doubt.

    Every web puts them in that order, and so does every choice of their topics that the interval of 95 % holds.
    """
    names = sorted(set.intersection(*(set(comparison.strategies) for comparison in comparisons)))
    found = {pair: _said_of(pair, comparisons, start) for pair in combinations(names, 2)}
    return {pair: sign for pair, sign in found.items() if sign}


def _said_of(pair: tuple[str, str], comparisons: Sequence[Comparison], start: str) -> int:
    webs = [by_topic(differences(*(web.own(name, start) for name in pair))) for web in comparisons]
    orders = {_sign(sum(web) / len(web)) for web in webs}
    told = estimate([topic for web in webs for topic in web])
    return orders.pop() if len(orders) == 1 and told.low * told.high > 0 else 0


def kept_order(pairs: Mapping[tuple[str, str], int], figures: Mapping[str, float]) -> float:
    """Kendall's tau over these pairs alone: 1 where all are in their order, -1 where none is; nan without any.

    >>> kept_order({("a", "b"): 1, ("a", "c"): -1}, {"a": 2, "b": 1, "c": 1})
    0.0
    """
    kept = [sign * _sign(figures[a] - figures[b]) for (a, b), sign in pairs.items()]
    return sum(kept) / len(kept) if kept else math.nan


def _sign(difference: float) -> int:
    return (difference > SAME) - (difference < -SAME)
