"""The findings of all papers as one Markdown page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honeyguide.reproduce.findings import Finding, Paper, Reproduction, Table

HEAD = """# The papers' claims, tried again

Written by `honeyguide reproduce all`. Each experiment follows its paper's protocol and sizes, on a generated web; the
paper's figures were taken on the web of its time. In brackets: 95 % intervals.
"""


def written(made: Iterable[tuple[Paper, Reproduction]]) -> str:
    """The page."""
    made = list(made)
    return "\n".join(
        [HEAD, _summary([found for _, found in made]), *(_section(paper, found) for paper, found in made)]
    )


def _summary(made: Sequence[Reproduction]) -> str:
    findings = [finding for found in made for finding in found.findings]
    held, partly, not_held = (sum(f.verdict == verdict for f in findings) for verdict in (HELD, PARTLY, NOT_HELD))
    return f"Of {len(findings)} claims {held} held, {partly} held partly, {not_held} did not.\n"


def _section(paper: Paper, found: Reproduction) -> str:
    quick = ["**Made small, for a test: these figures say nothing.**", ""] if found.quick else []
    return "\n".join(
        [
            f"## {paper.title}",
            "",
            *quick,
            f"{found.setting} Run: `honeyguide reproduce {paper.name} -o papers/`, {found.seconds:,.0f} s.",
            "",
            "| claim | the paper says | its figures | ours | verdict |",
            "|---|---|---|---|---|",
            *map(_row, found.findings),
            "",
            *(f"- **{finding.claim}**: {finding.why}" for finding in found.findings if finding.why),
            "",
            *map(_table, found.tables),
        ]
    )


def _row(finding: Finding) -> str:
    cells = (finding.claim, finding.said, finding.theirs, finding.ours, finding.verdict)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _table(table: Table) -> str:
    rows = [f"| {' | '.join(row)} |" for row in table.rows]
    return "\n".join([table.title, "", f"| {' | '.join(table.head)} |", "|---" * len(table.head) + "|", *rows, ""])
