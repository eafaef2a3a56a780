"""The lift curve: relevant pages found against pages fetched, and what is to be expected next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.crawl.forecast import HORIZON
from honeyguide.report.axes import Axes, thinned
from honeyguide.report.drawing import Drawing, large
from honeyguide.report.markup import section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.crawl.forecast import Yield
    from honeyguide.report.figures import Figures


def lift(figures: Figures) -> str:
    """The curve, the forecast, and both in words."""
    if not figures.curve:
        return section("lift", "Lift curve", "<p>No page was fetched.</p>")
    soon = figures.ahead(min(HORIZON, max(1, figures.fetched // 2)))
    caption = "Solid: what was found. Dashed: a crawl in which every page is relevant."
    caption += " Dotted, with its range: what is to be expected, four times in five." if soon else ""
    return section("lift", "Lift curve", large(lift_curve(figures.curve, soon), caption), _in_words(figures))


def lift_curve(curve: Sequence[int], ahead: Yield | None = None) -> Drawing:
    """The curve, the diagonal on which every page is relevant, and the forecast."""
    fetched, found = len(curve), curve[-1]
    end = fetched + (ahead.fetches if ahead else 0)
    axes = Axes(end, max(found + (ahead.high if ahead else 0), 1))
    steps = thinned(fetched)
    heights = [curve[n - 1] if n else 0 for n in steps]
    top = min(axes.most_y, end)
    content = (
        f"{axes.grid()}{_ahead(axes, fetched, found, ahead)}"
        f'<polyline class="perfect" points="{axes.points([0, top], [0, top])}"/>'
        f'<polyline class="lift" points="{axes.points(steps, heights)}"/>'
        f"{axes.names('pages fetched', 'relevant pages')}"
    )
    rows: list[tuple[str | int | float, ...]] = [(n, y, "", "", "") for n, y in zip(steps, heights, strict=True)]
    if ahead:
        rows.append((end, "", *(found + part for part in (ahead.expected, ahead.low, ahead.high))))
    head = ("fetched", "relevant", "expected", "low", "high")
    return Drawing("lift", "Relevant pages found against pages fetched", axes.width, axes.height, content, head, rows)


def _ahead(axes: Axes, fetched: int, found: int, ahead: Yield | None) -> str:
    if ahead is None:
        return ""
    end = fetched + ahead.fetches
    corners = axes.points([fetched, end, end], [found, found + ahead.high, found + ahead.low])
    middle = axes.points([fetched, end], [found, found + ahead.expected])
    return f'<polygon class="range" points="{corners}"/><polyline class="ahead" points="{middle}"/>'


def _in_words(figures: Figures) -> str:
    ahead = figures.ahead()
    if not figures.is_open:
        return "<p>No URL is left that could be fetched.</p>"
    if ahead is None:
        return "<p>Too few pages were fetched to say what the next ones would bring.</p>"
    return (
        f"<p>If it went on: about <b>{ahead.expected:,.0f}</b> relevant pages among the next {ahead.fetches:,}; four"
        f" times in five from {ahead.low:,.0f} to {ahead.high:,.0f}.</p>"
    )
