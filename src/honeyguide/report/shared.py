"""What several crawls found of the same, and what only one of them did."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from honeyguide.report.bars import Bar, lying
from honeyguide.report.drawing import csv_below, figure
from honeyguide.report.markup import quoted, section, shown, table, web_link

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.report.figures import Figures, Found

ONLY_SHOWN = 10  # pages that one crawl alone found


def overlap(crawls: Mapping[str, Figures]) -> str:
    """How much any two crawls found of the same."""
    sets = {name: {page.url for page in figures.found} for name, figures in crawls.items()}
    rows = []
    for one, other in combinations(sets, 2):
        both, either = len(sets[one] & sets[other]), len(sets[one] | sets[other])
        rows.append((one, other, both, either, both / either if either else 0.0))
    shown_rows = [
        [shown(a), shown(b), f"{both:,}", f"{either:,}", f"{share:.2f}"] for a, b, both, either, share in rows
    ]
    head = ("crawl", "and", "both found", "either found", "Jaccard")
    words = "<p>Relevant pages, by their addresses: those that both found, by those that either did.</p>"
    body = table(head, shown_rows, texts=(0, 1)) + csv_below("overlap", head, rows)
    return section("overlap", "What they have in common", words, body)


def alone(crawls: Mapping[str, Figures]) -> str:
    """How much of what each crawl found no other did, and the best of it."""
    finders = Counter(url for figures in crawls.values() for url in {page.url for page in figures.found})
    own = {name: [page for page in figures.found if finders[page.url] == 1] for name, figures in crawls.items()}
    parts = (_found_alone(name, pages) for name, pages in own.items())
    return section("alone", "What only one found", _shares(crawls, own), *parts)


def _shares(crawls: Mapping[str, Figures], own: Mapping[str, Sequence[Found]]) -> str:
    rows = [(name, len(figures.found), len(own[name])) for name, figures in crawls.items()]
    bars = [Bar(name, only / max(1, found), f"{only:,} of {found:,}") for name, found, only in rows]
    head = ("crawl", "relevant", "found_by_no_other")
    drawn = lying("alone", "Relevant pages that no other crawl found", bars, head, rows)
    caption = "Of the relevant pages of each crawl, those that no other one found."
    return f"<div class='panels two'>{figure(drawn, caption)}</div>"


def _found_alone(name: str, pages: Sequence[Found]) -> str:
    first = sorted(pages, key=lambda page: (-page.relevance, page.page))[:ONLY_SHOWN]
    items = "".join(
        f"<li>{quoted(page.title or '(no title)', 160)}<br><span class=asked>{web_link(page.url, 200)}</span></li>"
        for page in first
    )
    more = f"; the first {len(first)}:" if len(pages) > len(first) else ":" if first else ""
    return f"<h3>{shown(name)}</h3><p>{len(pages):,} relevant pages{more}</p>" + (
        f"<ul>{items}</ul>" if items else ""
    )
