"""The most relevant pages, each with the reason it was fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import visit_number
from honeyguide.report.drawing import csv_below
from honeyguide.report.markup import quoted, section, shown, table, web_link

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.report.figures import Figures, Found

TITLE, ADDRESS, ANCHOR = 160, 200, 80  # characters shown


def top(figures: Figures) -> str:
    """A table of them."""
    rows = [
        [
            f"{_visit(figures, page.page):,}",
            f"{page.relevance:.3f}",
            f"{shown(page.title or '(no title)', TITLE)}<br><span class=asked>{web_link(page.url, ADDRESS)}</span>"
            f"<br>{reason(figures, page)}",
        ]
        for page in figures.top
    ]
    if not rows:
        return ""
    more = (
        f"<p class=asked>The first {len(rows)} of {figures.relevant:,}.</p>" if figures.relevant > len(rows) else ""
    )
    shown_table = table(["visit", "relevance", "page, and why it was fetched"], rows, texts=(2,))
    return section("top", "Most relevant pages", more, shown_table, _saved(figures))


def _saved(figures: Figures) -> str:
    head = ("visit", "relevance", "score", "title", "url", "why_fetched")
    rows = [
        (
            _visit(figures, page.page),
            page.relevance,
            "" if page.score is None else page.score,
            page.title,
            page.url,
            reason(figures, page, _cut),
        )
        for page in figures.top
    ]
    return csv_below("top", head, rows)


def _visit(figures: Figures, page: int) -> int:
    return visit_number(figures.pages.visits[page])


def _found_elsewhere(figures: Figures, page: int) -> str:
    if page in figures.linked.searched:
        return "Found by a search"
    return "Listed in a sitemap" if figures.pages.ids[page] in figures.in_sitemaps else "Proposed, not linked"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def reason(figures: Figures, page: Found, quote: Callable[[str, int], str] = quoted) -> str:
    """Why a page was fetched, by the links and the score it had then; texts from the web are quoted so."""
    linked, parents = figures.linked, figures.linked.parents.get(page.page, [])
    if page.score is None and not parents:
        return "Found by the search for seeds." if page.page in linked.searched else "A seed."
    score = "" if page.score is None else f"; score {page.score:+.4g}"
    if not parents:
        return f"{_found_elsewhere(figures, page.page)}{score}."
    best, good = parents[0], int(figures.hits[[parent.page for parent in parents]].sum())
    title = linked.titles.get(best.page, "") or f"visit {_visit(figures, best.page):,}"
    anchor = f", with the words “{quote(best.anchor, ANCHOR)}”" if best.anchor.strip() else ""
    kind = "the relevant page" if figures.hits[best.page] else "the page"
    others = f"; {good:,} of the {len(parents):,} pages that linked to it by then are relevant"
    return f"Linked from {kind} “{quote(title, ANCHOR)}”{anchor}{score}{others if len(parents) > 1 else ''}."
