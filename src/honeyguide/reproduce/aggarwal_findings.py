"""The six claims of Aggarwal's paper, and what the crawls say of each."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from honeyguide.evaluate.averages import estimate
from honeyguide.reproduce.aggarwal_crawls import CHECKPOINTS, EARLY
from honeyguide.reproduce.aggarwal_reasons import gap, kept_up, lost_by_reuse, reuse_pair, slow_starts, weighed_down
from honeyguide.reproduce.aggarwal_results import COMPOSITE
from honeyguide.reproduce.aggarwal_rules import (
    agreement,
    any_reversal,
    by_share,
    is_robust,
    lift,
    lift_verdict,
    order,
    predicate_verdict,
    reuse_verdict,
    rises,
    seed_verdict,
)
from honeyguide.reproduce.aggarwal_tables import interval, percent
from honeyguide.reproduce.figures import with_interval
from honeyguide.reproduce.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evaluate.averages import Estimate
    from honeyguide.reproduce.aggarwal_results import Curve, Results


def findings(results: Results) -> tuple[Finding, ...]:
    """One for each claim."""
    return tuple(found(results) for found in (_a1, _a2, _a3, _a4, _a5, _a6))


def _a1(results: Results) -> Finding:
    topics, pages = [one.topic for one in results.predicates], results.ground.pages
    composite = [results.mean(topic, COMPOSITE, results.starts) for topic in topics]
    random = [results.mean(topic, "random", results.starts)[-1] for topic in topics]
    lifts = [lift(own[-1], other, pages) for own, other in zip(composite, random, strict=True)]
    all_ends = estimate([curve[-1] for curve in composite])
    return Finding(
        "A1",
        "the lift curve rises well above a random crawl",
        "33–41 % where a random crawl has 0.07–0.4 % (Table 2)",
        f"{interval(all_ends)} where random has {interval(estimate(random))}: "
        f"{min(lifts):.1f} to {max(lifts):.1f} times as much",
        lift_verdict(lifts, list(map(rises, composite))),
        "Mean over predicates (intervals too), each averaged over all starts. Held when every predicate has 10 times "
        "the harvest of a random crawl and a curve that rises above its first point, partly when it has 3 times. "
        f"{_by_predicate(results, composite, random)}",
    )


def _by_predicate(results: Results, composite: Sequence[Curve], random: Sequence[float]) -> str:
    rows = zip(results.predicates, composite, random, strict=True)
    said = (
        f"{one.kind} {percent(curve[0])}, {percent(max(curve))}, {percent(curve[-1])}, {percent(other)}"
        for one, curve, other in rows
    )
    tenth = CHECKPOINTS.index(0.1)
    fell = [one.kind for one, curve in zip(results.predicates, composite, strict=True) if curve[-1] <= curve[tenth]]
    return (
        f"At the first checkpoint, at most, at last, random at last: {'; '.join(said)}. Lower at the end than after "
        f"{results.ground.checkpoints[tenth]:,} pages: {', '.join(fell) or 'none'}; if none might be, this claim "
        f"would have held {'partly' if fell else 'all the same'} at best."
    )


def _a2(results: Results) -> Finding:
    kept = {one.kind: kept_up(results, one) for one in results.predicates}
    share = fmean(reached for stages in kept.values() for reached in stages)
    behind = ", ".join(f"{kind} {stages.count(False)}" for kind, stages in kept.items() if not all(stages))
    gaps = {one.kind: gap(results, one) for one in results.predicates}
    return Finding(
        "A2",
        "the composite is about as good as the best single factor or better, at every stage",
        "in each case almost as good as the best factor, or better",
        f"at {share:.0%} of the checkpoints of all predicates; at the end "
        f"{interval(estimate(list(gaps.values())), '+')} against the best factor",
        by_share(share),
        "Held when the composite reaches the factor that is best at that checkpoint, less 0.02, at 80 % of the "
        f"checkpoints, partly at 50 %. Checkpoints (of {len(CHECKPOINTS)}) at which it does not: {behind or 'none'}."
        f"{slow_starts(results)}{weighed_down(results)}",
    )


def _a3(results: Results) -> Finding:
    cases = {one.kind: results.factors(one.topic, results.factor_starts) for one in results.predicates}
    orders = {kind: tuple(order(factors)) for kind, factors in cases.items()}
    alike = estimate(agreement(list(cases.values())))
    return Finding(
        "A3",
        "the order of the single factors changes with the predicate",
        "tokens good for SPORTS, poor for TRAVEL and Paris; links poor for AUTOMOTIVE and Toyota (Figures 4–6)",
        f"{len(set(orders.values()))} orders for {len(orders)} predicates; best: "
        + ", ".join(f"{kind} {names[0]}" for kind, names in orders.items())
        + f"; orders of two predicates agree by a tau of {with_interval(alike)}",
        predicate_verdict(list(cases.values())),
        "Orders of the harvest at the end, averaged over the starts; Kendall's tau is 1 where two orders are alike"
        " and 0 where they have nothing in common, its interval over predicates. Held when not the same factor is"
        " best for all predicates and two factors change places by more than 0.02 each way, partly when only the"
        " latter. " + "; ".join(f"{kind}: {', '.join(names)}" for kind, names in orders.items()) + ".",
    )


def _a4(results: Results) -> Finding:
    cases = {
        one.kind: [results.factors(one.topic, [start]) for start in results.factor_starts]
        for one in results.predicates
    }
    changed = [kind for kind, factors in cases.items() if any_reversal(factors)]
    alike = estimate([fmean(agreement(factors)) for factors in cases.values()])
    return Finding(
        "A4",
        "the order of the single factors changes with the seed",
        "links and content change places for SPORTS from two seeds (Figures 7 and 8)",
        f"two factors clearly change places for {len(changed)} of {len(cases)} predicates"
        + (f" ({', '.join(changed)})" if changed else "")
        + f"; orders from two starts agree by a tau of {with_interval(alike)}",
        seed_verdict(list(cases.values())),
        "Held when for some predicate two factors change places between starts by more than 0.02 each way, partly "
        "when by less. The interval is over predicates.",
    )


def _a5(results: Results) -> Finding:
    ends = {one.kind: results.ends(one.topic, COMPOSITE) for one in results.predicates}
    robust = {kind: is_robust(harvests) for kind, harvests in ends.items()}
    spread = "; ".join(f"{kind} {percent(min(found))} to {percent(max(found))}" for kind, found in ends.items())
    worst = estimate([min(found) / (fmean(found) or 1.0) for found in ends.values()])
    return Finding(
        "A5",
        "the composite is robust over seeds",
        "four of five seeds alike, the fifth still 40 % (Figure 9)",
        f"the worst of {len(results.starts)} starts has {interval(worst)} of the mean harvest; "
        f"near the middle one for {sum(robust.values())} of {len(robust)} predicates",
        by_share(fmean(robust.values())),
        "Held when for 80 % of the predicates the worst start has two thirds of the harvest of the start in the "
        f"middle, partly for 50 %. From the worst to the best start: {spread}.",
    )


def _a6(results: Results) -> Finding:
    same, near = ([reuse_pair(results, one) for one in group] for group in (results.predicates, results.related))
    gain, early = (_gain([*same, *near], place) for place in (-1, EARLY))
    return Finding(
        "A6",
        "what one crawl has learned lifts the first 5,000 pages of another",
        "42 % with, 28 % without, for a related predicate and another seed",
        f"{_with_and_without(same)} for the same predicate, {_with_and_without(near)} for a related one: "
        f"{interval(gain, '+')}; after {results.ground.checkpoints[EARLY]:,} pages {interval(early, '+')}",
        reuse_verdict(gain),
        f"Crawls of {results.ground.pages:,} pages. Held when the whole interval of the gain at the end is above "
        f"zero, over all pairs, partly when its mean is.{lost_by_reuse(results)}",
    )


def _gain(pairs: Sequence[tuple[Curve, Curve]], place: int) -> Estimate:
    return estimate([taught[place] - alone[place] for taught, alone in pairs])


def _with_and_without(pairs: Sequence[tuple[Curve, Curve]]) -> str:
    taught, alone = (percent(fmean(curve[-1] for curve in curves)) for curves in zip(*pairs, strict=True))
    return f"{taught} with and {alone} without"
