"""The figures behind the findings of Aggarwal's experiment, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.reproduce.aggarwal_crawls import EARLY
from honeyguide.reproduce.aggarwal_results import COMPOSITE, PLAIN, RELEARNT, REUSED, SINGLES, TAUGHT
from honeyguide.reproduce.aggarwal_rules import order
from honeyguide.reproduce.findings import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from honeyguide.evaluate.averages import Estimate
    from honeyguide.reproduce.aggarwal_results import Results


def tables(results: Results) -> tuple[Table, ...]:
    """All of them."""
    return _harvest(results), _starts(results), _orders(results), _reuse(results)


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.4213)
    '42.1 %'
    """
    return f"{100 * share:.1f} %"


def interval(estimate: Estimate, sign: str = "") -> str:
    """A share and its interval, in percent."""
    low, high = 100 * estimate.low, 100 * estimate.high
    return f"{100 * estimate.mean:{sign}.1f} % [{low:{sign}.1f}, {high:{sign}.1f}]"


def _figures(shares: Iterable[float]) -> Iterator[str]:
    return (f"{share:.3f}" for share in shares)


def _harvest(results: Results) -> Table:
    head = ("predicate", "strategy", *(f"{pages:,}" for pages in results.ground.checkpoints))
    starts = results.factor_starts
    rows = [
        (predicate.kind, strategy, *_figures(results.mean(predicate.topic, strategy, starts)))
        for predicate in results.predicates
        for strategy in (COMPOSITE, *SINGLES.values(), *PLAIN)
    ]
    return Table(f"Harvest by pages crawled, averaged over {len(starts)} starts.", head, tuple(rows))


def _starts(results: Results) -> Table:
    head = ("predicate", "strategy", *(f"start {start + 1}" for start in results.starts))
    rows = [
        (predicate.kind, strategy, *_figures(results.ends(predicate.topic, strategy)))
        for predicate in results.predicates
        for strategy in (COMPOSITE, "random")
    ]
    title = f"Harvest of {results.ground.pages:,} pages from each start."
    return Table(title, head, tuple(rows))


def _orders(results: Results) -> Table:
    rows = [
        (predicate.kind, f"start {start + 1}", _ordered(results.factors(predicate.topic, [start])))
        for predicate in results.predicates
        for start in results.factor_starts
    ]
    return Table("Single factors, the best first, with their harvest.", ("predicate", "start", "order"), tuple(rows))


def _ordered(factors: dict[str, float]) -> str:
    return ", ".join(f"{name} {factors[name]:.3f}" for name in order(factors))


def _reuse(results: Results) -> Table:
    first, last = (results.ground.checkpoints[place] for place in (EARLY, -1))
    head = (
        "predicate",
        "learned with",
        *(f"{pages:,} {how}" for pages in (first, last) for how in ("with", "without")),
    )
    rows = []
    for predicate in (*results.predicates, *results.related):
        taught, alone = (results.curves[predicate.topic, RELEARNT, strategy] for strategy in (REUSED, COMPOSITE))
        teacher = "the same" if predicate in results.predicates else "the wider one"
        rows.append((predicate.kind, teacher, *_figures((taught[EARLY], alone[EARLY], taught[-1], alone[-1]))))
    title = f"Harvest from start {RELEARNT + 1} with and without what the crawl from start {TAUGHT + 1} has learned."
    return Table(title, head, tuple(rows))
