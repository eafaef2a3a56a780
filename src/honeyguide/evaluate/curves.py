"""Curves of a comparison: the mean over topics at each number of pages fetched, and the band around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.averages import HIGH, LOW, RESAMPLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.evaluate.comparison import Comparison, Result

    Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A strategy's mean, and the interval that holds 95 % of the means of resampled topics, at each point."""

    strategy: str
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def lift(comparison: Comparison, start: str) -> list[Curve]:
    """Relevant pages found, by strategy, in the order of the rows."""
    return [_curve(name, _by_topic(own, 0)) for name, own in _ordered(comparison, start)]


def share_of_possible(comparison: Comparison, start: str) -> list[Curve]:
    """Relevant pages found, as a share of what could have been found by then: the mean height is the nAUC."""
    points = np.array(comparison.points)
    return [_curve(name, _by_topic(own, points)) for name, own in _ordered(comparison, start)]


def _ordered(comparison: Comparison, start: str) -> list[tuple[str, list[Result]]]:
    return [(row.strategy, comparison.own(row.strategy, start)) for row in comparison.rows(start)]


def _by_topic(own: list[Result], points: NDArray[np.int64] | int) -> Numbers:
    """A row for each topic: the mean of its crawls."""
    grouped: dict[str, list[Numbers]] = {}
    for result in own:
        found = np.array(result.found, float)
        possible = np.maximum(np.minimum(points, result.reachable), 1) if np.ndim(points) else 1
        grouped.setdefault(result.topic, []).append(found / possible)
    return np.array([np.mean(rows, axis=0) for rows in grouped.values()])


def _curve(strategy: str, topics: Numbers) -> Curve:
    drawn = np.random.default_rng(0).integers(0, len(topics), (RESAMPLES, len(topics)))
    counts = np.apply_along_axis(np.bincount, 1, drawn, minlength=len(topics))
    low, high = np.percentile(counts @ topics / len(topics), (LOW, HIGH), axis=0)
    return Curve(strategy, *(tuple(values.round(4).tolist()) for values in (topics.mean(axis=0), low, high)))
