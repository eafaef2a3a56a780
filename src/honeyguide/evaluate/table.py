"""A comparison as people read it: what was compared, a table for each start, and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.evaluate.design import NEAR
from honeyguide.evaluate.starting import FAR_ENOUGH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evaluate.averages import Estimate, Row
    from honeyguide.evaluate.comparison import Comparison

NONE = "–"
LEAST_P = 0.001  # smaller ones are not told apart


def told(comparison: Comparison) -> str:
    """The comparison as Markdown."""
    parts = [f"{asked(comparison)}\n{topics(comparison)}\n{explained(comparison)}"]
    for start in comparison.design.starts:
        parts += _tables(comparison, start)
    if comparison.notes:
        parts.append("Notes:\n" + "\n".join(f"- {note}" for note in comparison.notes))
    return "\n\n".join(parts)


def asked(comparison: Comparison) -> str:
    """What was compared, in a sentence."""
    design = comparison.design
    repeated = f"crawls from each: {design.random_seeds}; " if design.random_seeds > 1 else ""
    return (
        f"{comparison.web}: {comparison.pages:,} pages. Topics: {len(comparison.topics)}; seed sets for each: "
        f"{design.seed_sets}; seeds in each: {design.seeds}; {repeated}pages a crawl may fetch: "
        f"{comparison.budget:,} ({comparison.budget / comparison.pages:.1%} of the web); random seed: "
        f"{design.random_seed}."
    )


def topics(comparison: Comparison) -> str:
    """The topics, in a sentence."""
    listed = ", ".join(f"{topic.topic} ({topic.share:.1%})" for topic in comparison.topics)
    return f"Topics, with the share of pages that match: {listed}."


def explained(comparison: Comparison) -> str:
    """What the columns mean, in short."""
    return (
        "In brackets: 95 % intervals over topics; those of the differences are wider, so that all of a table hold "
        f"together in 95 %. W/T/L: topics won, tied and lost against {comparison.yardstick}. "
        "p: paired Wilcoxon test over topics, Holm-corrected. 25/50/90 %: pages the median crawl fetched to find "
        f"that much of what can be reached; {NONE}: it did not."
    )


def heading(start: str) -> str:
    """What near and far mean."""
    if start == NEAR:
        return "Near: seeds are relevant pages, drawn at random."
    return f"Far: seeds are {FAR_ENOUGH} links or more away from any relevant page."


def _tables(comparison: Comparison, start: str) -> list[str]:
    rows = comparison.rows(start)
    if not rows:
        return [f"{heading(start)}\n\nNo crawl could be made."]
    made = [f"{heading(start)}\n\n{markdown(columns(comparison), [cells(row) for row in rows])}"]
    if comparison.design.further:
        made.append(markdown(cut_columns(comparison), [cut_cells(row) for row in rows]))
    return made


def columns(comparison: Comparison) -> list[str]:
    """The heads of the main table."""
    against = f"nAUC − {comparison.yardstick}"
    reached = "25/50/90 %"
    return ["strategy", "harvest", "nAUC", "recall", reached, "relevant hosts", against, "p", "W/T/L", "µs/link"]


def cells(row: Row) -> list[str]:
    """A row of the main table."""
    return [
        row.strategy,
        interval(row.harvest),
        interval(row.nauc),
        f"{row.recall:.3f}",
        "/".join(NONE if number is None else f"{number:,.0f}" for number in row.reached) or NONE,
        f"{row.hosts:.1f}",
        interval(row.difference, "+") if row.difference else NONE,
        rounded_p(row.p),
        f"{row.wins}/{row.ties}/{row.losses}" if row.difference else NONE,
        f"{row.microseconds:.1f}",
    ]


def cut_columns(comparison: Comparison) -> list[str]:
    """The heads of the table of further budgets."""
    return ["nAUC / recall at", *(str(budget) for budget in comparison.design.further)]


def cut_cells(row: Row) -> list[str]:
    """A row of the table of further budgets."""
    return [row.strategy, *(f"{interval(cut.nauc)} / {cut.recall:.3f}" for cut in row.cuts)]


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts."""
    lines = [f"| {' | '.join(line)} |" for line in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def rounded_p(value: float | None) -> str:
    """A p as it is printed.

    >>> rounded_p(0.0123), rounded_p(0.0001), rounded_p(None)
    ('0.012', '<0.001', '–')
    """
    if value is None:
        return NONE
    return f"{value:.3f}" if value >= LEAST_P else f"<{LEAST_P}"


def interval(estimate: Estimate, sign: str = "") -> str:
    """A mean and its interval.

    >>> from honeyguide.evaluate.averages import Estimate
    >>> interval(Estimate(0.25, 0.2, 0.3)), interval(Estimate(0.25, -0.1, 0.3), "+")
    ('0.250 [0.200, 0.300]', '+0.250 [-0.100, +0.300]')
    """
    return f"{estimate.mean:{sign}.3f} [{estimate.low:{sign}.3f}, {estimate.high:{sign}.3f}]"
