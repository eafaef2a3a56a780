"""A comparison as people read it: what was compared, a table for each start, and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.evaluate.design import NEAR
from honeyguide.evaluate.starting import FAR_ENOUGH

if TYPE_CHECKING:
    from honeyguide.evaluate.averages import Estimate, Row
    from honeyguide.evaluate.comparison import Comparison

NONE = "–"


def told(comparison: Comparison) -> str:
    """The comparison as Markdown."""
    parts = [_head(comparison), *(_table(comparison, start) for start in comparison.design.starts)]
    if comparison.notes:
        parts.append("Notes:\n" + "\n".join(f"- {note}" for note in comparison.notes))
    return "\n\n".join(parts)


def _head(comparison: Comparison) -> str:
    design = comparison.design
    topics = ", ".join(f"{topic.topic} ({topic.share:.1%})" for topic in comparison.topics)
    return (
        f"{comparison.web}: {comparison.pages:,} pages. Topics: {len(comparison.topics)}; seed sets for each: "
        f"{design.seed_sets}; seeds in each: {design.seeds}; pages a crawl may fetch: {comparison.budget:,} "
        f"({comparison.budget / comparison.pages:.1%} of the web); random seed: {design.random_seed}.\n"
        f"Topics, with the share of pages that match: {topics}.\n"
        f"In brackets: 95 % intervals over topics. W/T/L: topics won, tied and lost against {comparison.yardstick}."
    )


def _table(comparison: Comparison, start: str) -> str:
    title = (
        "Near: seeds are relevant pages, drawn at random."
        if start == NEAR
        else f"Far: seeds are {FAR_ENOUGH} links or more away from any relevant page."
    )
    rows = comparison.rows(start)
    if not rows:
        return f"{title}\n\nNo crawl could be made."
    head = (
        f"| strategy | harvest | nAUC | recall | relevant hosts | nAUC − {comparison.yardstick} | W/T/L | ms/page |\n"
        "|---|---|---|---|---|---|---|---|"
    )
    return "\n".join([title, "", head, *(_line(row) for row in rows)])


def _line(row: Row) -> str:
    score = f"{row.wins}/{row.ties}/{row.losses}" if row.difference else NONE
    cells = [
        row.strategy,
        _interval(row.harvest),
        _interval(row.nauc),
        f"{row.recall:.3f}",
        f"{row.hosts:.1f}",
        _interval(row.difference, "+") if row.difference else NONE,
        score,
        f"{row.milliseconds:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def _interval(estimate: Estimate, sign: str = "") -> str:
    """A mean and its interval.

    >>> from honeyguide.evaluate.averages import Estimate
    >>> _interval(Estimate(0.25, 0.2, 0.3)), _interval(Estimate(0.25, -0.1, 0.3), "+")
    ('0.250 [0.200, 0.300]', '+0.250 [-0.100, +0.300]')
    """
    return f"{estimate.mean:{sign}.3f} [{estimate.low:{sign}.3f}, {estimate.high:{sign}.3f}]"
