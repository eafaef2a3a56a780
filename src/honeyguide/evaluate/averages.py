"""Means over topics, with intervals that say how much another choice of topics could have changed them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honeyguide.evaluate.comparison import Result

    Cases = Mapping[tuple[str, int], float]  # a figure for every topic and seed set

RESAMPLES = 2000
LOW, HIGH = 2.5, 97.5  # percentiles
SAME = 1e-9


@dataclass(frozen=True)
class Estimate:
    """A mean, and the interval that holds 95 % of the means of resampled topics."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """How one strategy did; `difference` is its nAUC less that of the yardstick, topic by topic."""

    strategy: str
    topics: int
    harvest: Estimate
    nauc: Estimate
    recall: float
    hosts: float
    milliseconds: float  # of CPU time a page
    difference: Estimate | None = None
    wins: int = 0
    ties: int = 0
    losses: int = 0


def row(strategy: str, own: Sequence[Result], yardstick: Sequence[Result]) -> Row:
    """A strategy's results, beside those of the yardstick where that is another one."""
    fetched = sum(result.fetched for result in own)
    compared = by_topic(_differences(own, yardstick)) if yardstick else []
    return Row(
        strategy=strategy,
        topics=len({result.topic for result in own}),
        harvest=estimate(by_topic({result.case: result.harvest for result in own})),
        nauc=estimate(by_topic({result.case: result.nauc for result in own})),
        recall=_mean(by_topic({result.case: result.recall for result in own})),
        hosts=_mean(by_topic({result.case: result.hosts for result in own})),
        milliseconds=1000 * sum(result.seconds for result in own) / max(fetched, 1),
        difference=estimate(compared) if compared else None,
        wins=sum(value > SAME for value in compared),
        ties=sum(abs(value) <= SAME for value in compared),
        losses=sum(value < -SAME for value in compared),
    )


def _differences(own: Iterable[Result], yardstick: Iterable[Result]) -> Cases:
    other = {result.case: result.nauc for result in yardstick}
    return {result.case: result.nauc - other[result.case] for result in own if result.case in other}


def by_topic(cases: Cases) -> list[float]:
    """The mean of each topic's seed sets: topics are what is resampled, and each counts the same."""
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for (topic, _), value in cases.items():
        grouped[topic].append(value)
    return [_mean(values) for values in grouped.values()]


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of the topics, and its bootstrap interval."""
    array = np.asarray(values, float)
    drawn = np.random.default_rng(0).integers(0, len(array), (RESAMPLES, len(array)))
    low, high = np.percentile(array[drawn].mean(axis=1), (LOW, HIGH))
    return Estimate(float(array.mean()), float(low), float(high))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
