"""When a claim of Aggarwal's held, held partly or did not: rules over harvest rates."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean, median
from typing import TYPE_CHECKING

from honeyguide.evaluate.agreement import kendall_tau
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honeyguide.evaluate.averages import Estimate

    Factors = Mapping[str, float]  # the harvest of each single factor

NEAR = 0.02  # harvest rates closer than this are as good as each other
HIGH, SOME = 10.0, 3.0  # times the harvest of a random crawl
MOST, HALF = 0.8, 0.5  # shares of all cases
CLOSE = 2 / 3  # of the harvest of the start in the middle


def by_share(share: float) -> str:
    """Held in most cases, in half of them, or in fewer.

    >>> by_share(0.8), by_share(0.5), by_share(0.49)
    ('held', 'partly', 'not held')
    """
    return HELD if share >= MOST else PARTLY if share >= HALF else NOT_HELD


def lift(harvest: float, random: float, pages: int) -> float:
    """How many times that of a random crawl a harvest is, which counts as one page where it found none."""
    return harvest / max(random, 1 / pages)


def rises(curve: Sequence[float]) -> bool:
    """Whether a lift curve is anywhere above its first checkpoint.

    >>> rises([0.1, 0.6, 0.5]), rises([0.6, 0.5, 0.4])
    (True, False)
    """
    return max(curve) > curve[0]


def lift_verdict(lifts: Sequence[float], rising: Sequence[bool]) -> str:
    """A1: every predicate's harvest is ten times that of a random crawl, and every curve rises."""
    if min(lifts) >= HIGH and all(rising):
        return HELD
    return PARTLY if min(lifts) >= SOME else NOT_HELD


def keeps_up(composite: Sequence[float], singles: Iterable[Sequence[float]]) -> list[bool]:
    """A2: at which checkpoints the composite is about as good as the factor that is best there, or better.

    >>> keeps_up([0.1, 0.3], [[0.11, 0.2], [0.05, 0.4]])
    [True, False]
    """
    return [own >= max(others) - NEAR for own, *others in zip(composite, *singles, strict=True)]


def is_slow(composite: float, best: float) -> bool:
    """Whether the composite has clearly less than half of what the best factor has.

    >>> is_slow(0.01, 0.4), is_slow(0.25, 0.4), is_slow(0.0, 0.01)
    (True, False, False)
    """
    return composite < HALF * best and composite < best - NEAR


def order(factors: Factors) -> list[str]:
    """The factors, the best first.

    >>> order({"url": 0.1, "links": 0.3})
    ['links', 'url']
    """
    return sorted(factors, key=lambda name: -factors[name])


def reversals(one: Factors, other: Factors) -> list[tuple[str, str]]:
    """Pairs of factors of which the first is clearly better in one case, and the second in the other.

    >>> reversals({"url": 0.5, "links": 0.3}, {"url": 0.3, "links": 0.5})
    [('url', 'links')]
    """
    pairs = [pair for a, b in combinations(one, 2) for pair in ((a, b), (b, a))]
    return [(a, b) for a, b in pairs if one[a] - one[b] > NEAR and other[b] - other[a] > NEAR]


def any_reversal(cases: Sequence[Factors]) -> bool:
    """Whether two cases put two factors in clearly different orders."""
    return any(reversals(one, other) for one, other in combinations(cases, 2))


def agreement(cases: Sequence[Factors]) -> list[float]:
    """How much the order of each case is that of the others: the mean of Kendall's tau, 1 where all are alike.

    >>> agreement([{"url": 0.5, "links": 0.3}, {"url": 0.3, "links": 0.5}, {"url": 0.2, "links": 0.4}])
    [-1.0, 0.0, 0.0]
    """
    return [fmean(kendall_tau(one, other) for j, other in enumerate(cases) if j != i) for i, one in enumerate(cases)]


def predicate_verdict(cases: Sequence[Factors]) -> str:
    """A3: another factor is the best, and two factors change places by more than a hair, with another predicate."""
    if not any_reversal(cases):
        return NOT_HELD
    return HELD if len({order(case)[0] for case in cases}) > 1 else PARTLY


def seed_verdict(predicates: Sequence[Sequence[Factors]]) -> str:
    """A4: for some predicate two factors clearly change places with another seed; partly where they do by a hair."""
    if any(map(any_reversal, predicates)):
        return HELD
    changed = any(len({tuple(order(case)) for case in cases}) > 1 for cases in predicates)
    return PARTLY if changed else NOT_HELD


def is_robust(harvests: Sequence[float]) -> bool:
    """A5: the worst start comes near the one in the middle.

    >>> is_robust([0.6, 0.6, 0.4]), is_robust([0.6, 0.6, 0.3])
    (True, False)
    """
    return min(harvests) >= CLOSE * median(harvests) > 0


def reuse_verdict(gain: Estimate) -> str:
    """A6: what is gained by reuse is above zero with its whole interval; partly where only the mean is."""
    return HELD if gain.low > 0 else PARTLY if gain.mean > 0 else NOT_HELD
