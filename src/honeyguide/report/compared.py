"""The HTML page of a comparison: tables, and curves with their bands. All names are escaped here."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.evaluate.averages import by_topic
from honeyguide.evaluate.curves import lift, share_of_possible
from honeyguide.evaluate.table import asked, cells, columns, cut_cells, cut_columns, explained, heading
from honeyguide.report.curves import STYLE, legend, panels, together
from honeyguide.report.markup import boxes, document, shown, table
from honeyguide.store import new_file, spare_own_files

if TYPE_CHECKING:
    from honeyguide.evaluate.comparison import Comparison

escape = functools.partial(shown, longest=5_000)  # its own explanations are longer than texts from the web


def write_comparison(comparison: Comparison, path: str | Path) -> Path:
    """Write the page; where it was written."""
    path = Path(path)
    spare_own_files(path)
    with new_file(path) as fresh:
        fresh.write_text(render(comparison), encoding="utf-8")
    return path


def render(comparison: Comparison) -> str:
    """The whole page."""
    starts = "".join(_start(comparison, start) for start in comparison.design.starts)
    body = f"{_head(comparison)}{starts}{_notes(comparison)}{_meaning(comparison)}"
    return document(f"Strategies on {comparison.web}", body, STYLE)


def _head(comparison: Comparison) -> str:
    largest = [
        (f"{comparison.pages:,}", "pages of the web"),
        (f"{len(comparison.strategies):,}", "strategies"),
        (f"{len(comparison.topics):,}", "topics"),
        (f"{len(comparison.results):,}", "crawls"),
        (f"{comparison.budget:,}", "pages a crawl"),
    ]
    title = f"<h1>Strategies on {escape(comparison.web)}</h1>"
    return f"{title}<p class=asked>{escape(asked(comparison))}</p>{boxes(largest)}"


def _start(comparison: Comparison, start: str) -> str:
    rows = comparison.rows(start)
    title = f"<h2>{escape(heading(start))}</h2>"
    if not rows:
        return f"{title}<p>No crawl could be made.</p>"
    places = {name: place for place, name in enumerate(comparison.strategies)}
    shares = share_of_possible(comparison, start)
    main = table([escape(name) for name in columns(comparison)], [list(map(escape, cells(row))) for row in rows])
    return "".join(
        (
            title,
            main,
            _cuts(comparison, start),
            "<h3>Relevant pages found</h3>",
            together(f"lift-{start}", lift(comparison, start), comparison.points, places),
            legend([row.strategy for row in rows], places),
            "<h3>Share of what could have been found by then</h3>",
            "<p class=asked>The mean height of a curve is its nAUC. The band holds 95 % of the means of resampled "
            f"topics; dashed: {escape(comparison.yardstick)}.</p>",
            panels(f"share-{start}", shares, comparison.points, places, comparison.yardstick),
            _by_topic(comparison, start),
        )
    )


def _cuts(comparison: Comparison, start: str) -> str:
    if not comparison.design.further:
        return ""
    rows = [list(map(escape, cut_cells(row))) for row in comparison.rows(start)]
    return f"<h3>At further budgets</h3>{table(list(map(escape, cut_columns(comparison))), rows)}"


def _by_topic(comparison: Comparison, start: str) -> str:
    """The nAUC of every strategy on every topic, the best in bold: who won and lost where."""
    names = [row.strategy for row in comparison.rows(start)]
    figures = {name: _of_topics(comparison, name, start) for name in names}
    rows = []
    for topic in comparison.topics:
        found = [figures[name].get(topic.topic) for name in names]
        best = max((value for value in found if value is not None), default=None)
        told = ["–" if v is None else f"<b>{v:.3f}</b>" if v == best else f"{v:.3f}" for v in found]
        rows.append([escape(topic.topic), f"{topic.relevant:,}", *told])
    head = ["topic", "relevant pages", *map(escape, names)]
    return f"<details><summary>nAUC by topic</summary>{table(head, rows)}</details>"


def _of_topics(comparison: Comparison, strategy: str, start: str) -> dict[str, float]:
    own = {result.case: result.nauc for result in comparison.own(strategy, start)}
    return dict(zip(dict.fromkeys(case[0] for case in own), by_topic(own), strict=True))


def _notes(comparison: Comparison) -> str:
    lines = "".join(f"<li>{escape(note)}</li>" for note in comparison.notes)
    return f"<h2>Notes</h2><ul>{lines}</ul>" if lines else ""


def _meaning(comparison: Comparison) -> str:
    return (
        f"<h2>What the figures mean</h2><p>{escape(explained(comparison))} Harvest: relevant among fetched pages. "
        "nAUC: the mean, over the crawl, of what was found to what could have been found by then. Recall: relevant "
        "pages found of those that links lead to from the seeds. µs/link: CPU time for each link seen.</p>"
    )
