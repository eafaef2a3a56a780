"""How several crawls got on, each as a curve: relevant pages, and hosts that have some, against pages fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.report.axes import Axes, thinned
from honeyguide.report.drawing import Drawing, large
from honeyguide.report.lines import Series, curves
from honeyguide.report.markup import section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.report.figures import Figures

POINTS = 200  # of each curve


def lift(crawls: Mapping[str, Figures]) -> str:
    """Relevant pages found."""
    made = {name: figures.curve for name, figures in crawls.items() if figures.curve}
    if not made:
        return section("lift", "Lift curves", "<p>No page was fetched.</p>")
    drawing = _drawn("lift", "Relevant pages found, by crawl", made, "relevant pages", "relevant")
    return section("lift", "Lift curves", large(drawing, "Relevant pages found against pages fetched."))


def hosts(crawls: Mapping[str, Figures]) -> str:
    """Hosts on which relevant pages were found: whether a crawl went far, or deep."""
    made = {name: hosts_found(figures) for name, figures in crawls.items() if figures.curve}
    if not made:
        return ""
    drawing = _drawn("hosts", "Hosts with relevant pages, by crawl", made, "hosts", "hosts_with_relevant_pages")
    words = "Hosts on which a relevant page was found, against pages fetched."
    return section("hosts", "Hosts with relevant pages", large(drawing, words))


def hosts_found(figures: Figures) -> list[int]:
    """How many hosts had brought a relevant page after each page."""
    good = np.flatnonzero(figures.hits)
    _, first = np.unique(np.array(figures.pages.hosts, np.int64)[good], return_index=True)
    new = np.zeros(figures.fetched, np.int64)
    new[good[first]] = 1
    found: list[int] = np.cumsum(new).tolist()
    return found


def _drawn(name: str, label: str, made: Mapping[str, Sequence[int]], beside: str, column: str) -> Drawing:
    series = []
    for crawl, curve in made.items():
        steps = thinned(len(curve), POINTS)
        series.append(Series(crawl, steps, [curve[n - 1] if n else 0 for n in steps]))
    axes = Axes(max(map(len, made.values())), max(1, *(curve[-1] for curve in made.values())), height=380, right=170)
    rows = [(each.name, x, y) for each in series for x, y in zip(each.xs, each.ys, strict=True)]
    content = curves(axes, series, "pages fetched", beside)
    return Drawing(name, label, axes.width, axes.height, content, ("crawl", "fetched", column), rows)
