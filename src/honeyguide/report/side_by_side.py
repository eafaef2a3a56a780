"""Several crawls in one page: curves, figures and settings beside each other, and what only one of them found."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from honeyguide.crawl.forecast import HORIZON
from honeyguide.report.asked import all_told, told
from honeyguide.report.axes import Axes, thinned
from honeyguide.report.drawing import Drawing, csv_link, large
from honeyguide.report.lines import Series, curves
from honeyguide.report.markup import boxes, document, quoted, section, shown, table
from honeyguide.report.page import contents
from honeyguide.report.places import cohesion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.report.figures import Figures, Found

    Crawls = Mapping[str, Figures]  # by name

POINTS = 200  # of each curve
ONLY_SHOWN = 10  # pages that one crawl alone found


def render(crawls: Crawls) -> str:
    """The whole page."""
    sections = [part(crawls) for part in (_key_figures, _lift, _asked, _overlap, _alone)]
    everything = {page.url for figures in crawls.values() for page in figures.found}
    largest = [
        (f"{len(crawls):,}", "crawls"),
        (f"{sum(figures.fetched for figures in crawls.values()):,}", "pages fetched, in all"),
        (f"{len(everything):,}", "different relevant pages"),
    ]
    head = f"<h1>{len(crawls):,} crawls side by side</h1>{boxes(largest)}"
    return document("Crawls side by side", head + contents(sections) + "".join(sections))


def _key_figures(crawls: Crawls) -> str:
    shortest = min(figures.fetched for figures in crawls.values())
    rows = [
        ("strategy", [figures.settings.strategy for figures in crawls.values()]),
        ("pages fetched", [f"{figures.fetched:,}" for figures in crawls.values()]),
        ("relevant pages", [f"{figures.relevant:,}" for figures in crawls.values()]),
        ("harvest", [f"{figures.harvest:.1%}" for figures in crawls.values()]),
        (f"relevant after {shortest:,} pages", [f"{_after(figures, shortest):,}" for figures in crawls.values()]),
        (f"to be expected of the next {HORIZON:,}", [_expected(figures) for figures in crawls.values()]),
        ("hosts", [f"{len(figures.hosts):,}" for figures in crawls.values()]),
        ("hosts with relevant pages", [_with_some(figures) for figures in crawls.values()]),
        ("links of relevant pages to such", [_cohesive(figures) for figures in crawls.values()]),
        ("URLs discovered", [f"{figures.discovered:,}" for figures in crawls.values()]),
        ("failed", [f"{figures.books.get('failed', 0):,}" for figures in crawls.values()]),
        ("excluded", [f"{figures.books.get('excluded', 0):,}" for figures in crawls.values()]),
        ("queued", [f"{figures.books.get('queued', 0):,}" for figures in crawls.values()]),
        ("received", [f"{figures.bytes / 1e6:,.1f} MB" for figures in crawls.values()]),
    ]
    head = ["", *crawls]
    cells = [[shown(name), *map(shown, values)] for name, values in rows]
    saved = csv_link("figures", head, [(name, *values) for name, values in rows])
    body = table(list(map(shown, head)), cells) + f"<p class=asked><span class=saved>{saved}</span></p>"
    return section("figures", "Figures", body)


def _expected(figures: Figures) -> str:
    ahead = figures.ahead()
    return f"{ahead.expected:,.0f} ({ahead.low:,.0f} to {ahead.high:,.0f})" if ahead else "–"


def _after(figures: Figures, pages: int) -> int:
    return figures.curve[pages - 1] if pages else 0


def _with_some(figures: Figures) -> str:
    return f"{sum(host.relevant > 0 for host in figures.hosts.values()):,}"


def _cohesive(figures: Figures) -> str:
    return f"{cohesion(figures)[0]:.0%}" if figures.relevant else "–"


def _lift(crawls: Crawls) -> str:
    made = {name: figures.curve for name, figures in crawls.items() if figures.curve}
    if not made:
        return section("lift", "Lift curves", "<p>No page was fetched.</p>")
    series = []
    for name, curve in made.items():
        steps = thinned(len(curve), POINTS)
        series.append(Series(name, steps, [curve[n - 1] if n else 0 for n in steps]))
    axes = Axes(max(map(len, made.values())), max(1, *(curve[-1] for curve in made.values())), height=380, right=170)
    rows = [(each.name, x, y) for each in series for x, y in zip(each.xs, each.ys, strict=True)]
    content = curves(axes, series, "pages fetched", "relevant pages")
    head = ("crawl", "fetched", "relevant")
    drawing = Drawing("lift", "Relevant pages found, by crawl", axes.width, axes.height, content, head, rows)
    return section("lift", "Lift curves", large(drawing, "Relevant pages found against pages fetched."))


def _asked(crawls: Crawls) -> str:
    names = dict.fromkeys(name for figures in crawls.values() for name in told(figures.settings))
    settings = [all_told(figures.settings) for figures in crawls.values()]
    values = {name: [each[name] for each in settings] for name in names}
    common = [[shown(name), shown(all_[0])] for name, all_ in values.items() if len(set(all_)) == 1]
    differing = [[shown(name), *map(shown, all_)] for name, all_ in values.items() if len(set(all_)) > 1]
    every = range(len(crawls) + 1)
    parts = (
        "<h3>The same for all</h3>" + table(["setting", "value"], common, texts=every) if common else "",
        "<h3>Different</h3>" + table(["setting", *map(shown, crawls)], differing, texts=every) if differing else "",
    )
    return section("asked", "What was asked", *parts)


def _overlap(crawls: Crawls) -> str:
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
    saved = csv_link("overlap", head, rows)
    words = "<p>Relevant pages, by their addresses: those that both found, by those that either did.</p>"
    body = f"{table(head, shown_rows, texts=(0, 1))}<p class=asked><span class=saved>{saved}</span></p>"
    return section("overlap", "What they have in common", words, body)


def _alone(crawls: Crawls) -> str:
    parts = []
    for name, figures in crawls.items():
        others = {page.url for other, each in crawls.items() if other != name for page in each.found}
        parts.append(_found_alone(name, [page for page in figures.found if page.url not in others]))
    return section("alone", "What only one found", *parts)


def _found_alone(name: str, pages: Sequence[Found]) -> str:
    first = sorted(pages, key=lambda page: (-page.relevance, page.page))[:ONLY_SHOWN]
    items = "".join(
        f"<li>{quoted(page.title or '(no title)', 160)}<br><span class=asked>{shown(page.url, 200)}</span></li>"
        for page in first
    )
    more = f"; the first {len(first)}:" if len(pages) > len(first) else ":" if first else ""
    return f"<h3>{shown(name)}</h3><p>{len(pages):,} relevant pages{more}</p>" + (
        f"<ul>{items}</ul>" if items else ""
    )
