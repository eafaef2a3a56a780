"""The books: every URL that was found, and what became of it; types and languages of what came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.report.markup import section, shown, table

if TYPE_CHECKING:
    from honeyguide.report.figures import Figures

KINDS_SHOWN = 12


def books(figures: Figures) -> str:
    """All URLs by state and reason; the states add up."""
    rows = []
    for state in ("done", "failed", "excluded", "queued"):
        rows.append([f"<b>{state}</b>", f"<b>{figures.books.get(state, 0):,}</b>"])
        if state == "done" and figures.redirects:
            rows.append(["&emsp;of these, redirects", f"{figures.redirects:,}"])
        reasons = sorted(figures.reasons.get(state, {}).items(), key=lambda item: -item[1])
        rows += [[f"&emsp;{shown(reason)}", f"{count:,}"] for reason, count in reasons]
    rows.append(["<b>discovered</b> (the sum)", f"<b>{figures.discovered:,}</b>"])
    return section("books", "The books", table(["URLs", "count"], rows))


def kinds(figures: Figures) -> str:
    """What came, by type and language."""
    parts = (("Types", "type", figures.types), ("Languages", "language", figures.languages))
    return section(
        "kinds",
        "What came",
        *(
            f"<h3>{title}</h3>"
            + table([name, "pages"], [[shown(kind), f"{n:,}"] for kind, n in counts.most_common(KINDS_SHOWN)])
            for title, name, counts in parts
            if counts
        ),
    )
