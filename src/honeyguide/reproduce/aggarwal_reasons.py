"""Why a claim of Aggarwal's did not hold, as far as the crawls show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.reproduce.aggarwal_crawls import EARLY
from honeyguide.reproduce.aggarwal_results import COMPOSITE, RELEARNT, REUSED, SINGLES
from honeyguide.reproduce.aggarwal_rules import NEAR, is_slow, keeps_up, order
from honeyguide.reproduce.aggarwal_tables import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honeyguide.reproduce.aggarwal_crawls import Predicate
    from honeyguide.reproduce.aggarwal_results import Curve, Results


def kept_up(results: Results, one: Predicate) -> list[bool]:
    """At which checkpoints the composite was about as good as the best single factor."""
    return keeps_up(results.mean(one.topic, COMPOSITE, results.factor_starts), _singles(results, one).values())


def _singles(results: Results, one: Predicate) -> dict[str, Curve]:
    return {name: results.mean(one.topic, single, results.factor_starts) for name, single in SINGLES.items()}


def gap(results: Results, one: Predicate) -> float:
    """How much more than the best factor the composite brings at the end."""
    starts = results.factor_starts
    return results.mean(one.topic, COMPOSITE, starts)[-1] - max(results.factors(one.topic, starts).values())


def slow_starts(results: Results) -> str:
    """Where the composite long found next to nothing though a factor did."""
    said = "; ".join(_slow(results))
    if not said:
        return ""
    return (
        f" Slow at first, after {results.ground.checkpoints[EARLY]:,} pages: {said}. While few are relevant, "
        "the half page that is added to every count (our choice; the paper is silent) makes words and tokens look "
        "interesting that no relevant page had, and they drown the others."
    )


def _slow(results: Results) -> Iterator[str]:
    for one in results.predicates:
        own = results.mean(one.topic, COMPOSITE, results.factor_starts)[EARLY]
        factors = {name: curve[EARLY] for name, curve in _singles(results, one).items()}
        best = order(factors)[0]
        if is_slow(own, factors[best]):
            yield f"{one.kind} {percent(own)}, {best} alone {percent(factors[best])}"


def weighed_down(results: Results) -> str:
    """Where the composite ends behind: the four factors weigh alike, however well each of them does by itself."""
    said = []
    for one in results.predicates:
        factors = results.factors(one.topic, results.factor_starts)
        best, *_, worst = order(factors)
        if gap(results, one) < -NEAR:
            said.append(f"{one.kind}, {best} {percent(factors[best])}, {worst} {percent(factors[worst])}")
    if not said:
        return ""
    return (
        " The weights make the four terms about equally large whatever each is worth, so that a poor factor has as "
        f"much say as a good one. The best and the worst where the composite ends behind: {'; '.join(said)}."
    )


def reuse_pair(results: Results, one: Predicate) -> tuple[Curve, Curve]:
    """The curves with and without what another crawl has learned."""
    return results.curves[one.topic, RELEARNT, REUSED], results.curves[one.topic, RELEARNT, COMPOSITE]


def lost_by_reuse(results: Results) -> str:
    """For which predicates reuse was no gain."""
    pairs = [(one.kind, *reuse_pair(results, one)) for one in (*results.predicates, *results.related)]
    lost = [
        f"{kind} ({percent(taught[-1])} with, {percent(alone[-1])} without)"
        for kind, taught, alone in pairs
        if taught[-1] < alone[-1]
    ]
    return f" No gain: {', '.join(lost)}." if lost else ""
