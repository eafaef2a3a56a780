"""Means over topics, with intervals that say how much another choice of topics could have changed them."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.evaluate.significance import SAME, holm, wilcoxon

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honeyguide.evaluate.comparison import Result

    Cases = Mapping[tuple[Any, ...], float]  # a figure for every topic, seed set and random seed

RESAMPLES = 2000
MORE = 500  # for each further interval that is to hold together with one
LOW, HIGH = 2.5, 97.5  # percentiles


@dataclass(frozen=True)
class Estimate:
    """A mean, and the interval that holds 95 % of the means of resampled topics."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class RowCut:
    """How one strategy did at one of the further budgets."""

    harvest: float
    nauc: Estimate
    recall: float
    hosts: float


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
    microseconds: float = 0.0  # of CPU time a link seen
    reached: tuple[float | None, ...] = ()  # pages for 25, 50 and 90 % of the relevant ones: the median crawl
    cuts: tuple[RowCut, ...] = ()
    p: float | None = None  # of the paired test against the yardstick, corrected for the number of strategies
    p_alone: float | None = None  # the same, not corrected


def rows_beside(found: Mapping[str, Sequence[Result]], yardstick: str) -> list[Row]:
    """All strategies beside the yardstick, the best first: tests and intervals of differences hold all together."""
    against = found.get(yardstick, ())
    others = len(found) - (yardstick in found)
    rows = [row(name, own, () if name == yardstick else against, others) for name, own in found.items()]
    return sorted(with_tests(rows), key=lambda row: -row.nauc.mean)


def row(strategy: str, own: Sequence[Result], yardstick: Sequence[Result], together: int = 1) -> Row:
    """A strategy's results, beside those of the yardstick where that is another one, as so many others are."""
    seconds, crawled = sum(result.seconds for result in own), sum(result.crawled for result in own)
    compared = by_topic(differences(own, yardstick)) if yardstick else []
    return Row(
        strategy=strategy,
        topics=len({result.topic for result in own}),
        harvest=estimate(by_topic({result.case: result.harvest for result in own})),
        nauc=estimate(by_topic({result.case: result.nauc for result in own})),
        recall=_mean(by_topic({result.case: result.recall for result in own})),
        hosts=_mean(by_topic({result.case: result.hosts for result in own})),
        milliseconds=1e3 * seconds / max(crawled, 1),
        microseconds=1e6 * seconds / max(sum(result.links for result in own), 1),
        difference=estimate(compared, together) if compared else None,
        wins=sum(value > SAME for value in compared),
        ties=sum(abs(value) <= SAME for value in compared),
        losses=sum(value < -SAME for value in compared),
        reached=tuple(map(_median, zip(*(result.reached for result in own), strict=True))),
        cuts=tuple(_row_cut(own, place) for place in range(len(own[0].cuts))),
        p_alone=_p(compared) if compared else None,
    )


def with_tests(rows: Sequence[Row]) -> list[Row]:
    """Rows with their p corrected for there being several."""
    tested = [row for row in rows if row.p_alone is not None]
    corrected = dict(zip(tested, holm([row.p_alone or 0.0 for row in tested]), strict=True))
    return [replace(row, p=corrected.get(row)) for row in rows]


def _p(differences: Sequence[float]) -> float | None:
    """None where SciPy is missing, which the comparison says in a note."""
    try:
        return wilcoxon(differences)
    except BadInput:
        return None


def _row_cut(own: Sequence[Result], place: int) -> RowCut:
    cuts = {result.case: result.cuts[place] for result in own}
    return RowCut(
        harvest=_mean(by_topic({case: cut.relevant / cut.pages for case, cut in cuts.items()})),
        nauc=estimate(by_topic({case: cut.nauc for case, cut in cuts.items()})),
        recall=_mean(by_topic({case: cut.recall for case, cut in cuts.items()})),
        hosts=_mean(by_topic({case: cut.hosts for case, cut in cuts.items()})),
    )


def _median(fetches: Sequence[int | None]) -> float | None:
    """The crawl in the middle; None where that one did not get so far."""
    middle = float(np.median([math.inf if number is None else number for number in fetches]))
    return middle if math.isfinite(middle) else None


def differences(own: Iterable[Result], yardstick: Iterable[Result]) -> Cases:
    """How much better the crawls of a strategy were than those of another from the same seeds."""
    other = {result.case: result.nauc for result in yardstick}
    return {result.case: result.nauc - other[result.case] for result in own if result.case in other}


def by_topic(cases: Cases) -> list[float]:
    """The mean of each topic's crawls: topics are what is resampled, and each counts the same."""
    grouped: defaultdict[str, list[float]] = defaultdict(list)
    for case, value in cases.items():
        grouped[case[0]].append(value)
    return [_mean(values) for values in grouped.values()]


def estimate(values: Sequence[float], together: int = 1) -> Estimate:
    """The mean of the topics, and its bootstrap interval; of several that all hold in 95 %, by Bonferroni's rule."""
    array, resamples = np.asarray(values, float), RESAMPLES + MORE * (together - 1)
    drawn = np.random.default_rng(0).integers(0, len(array), (resamples, len(array)))
    ends = LOW / together, 100 - (100 - HIGH) / together
    low, high = np.percentile(array[drawn].mean(axis=1), ends)
    return Estimate(float(array.mean()), float(low), float(high))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
