"""Curves of several strategies as SVG: all together, and each with its band beside the yardstick."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from honeyguide.report.axes import Axes, spread
from honeyguide.report.drawing import Drawing, figure
from honeyguide.report.lines import LINE, NAME, colour
from honeyguide.report.markup import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.evaluate.curves import Curve

    Places = Mapping[str, int]  # of strategies: each has its colour on all figures

Panel = functools.partial(Axes, width=300, height=180, left=40, right=18, top=8, bottom=24, share=True)


STYLE = """
body { max-width: 76rem; }
td, th { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.broad { max-width: 60rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; margin: .4rem 0; }
.legend li::before { content: ""; display: inline-block; width: 1.4rem; border-top: 3px solid; margin-right: .4rem;
  vertical-align: middle; }
.legend .more::before { border-top-style: dashed; } .legend span { color: var(--ink); }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .8rem; }
.panels figure { margin: 0; }
details { margin: 1rem 0; } summary { cursor: pointer; }
"""
HEAD = ("strategy", "pages fetched", "mean", "low", "high")


def together(name: str, curves: Sequence[Curve], points: Sequence[int], places: Places) -> str:
    """All curves on one plane, and their files; the band of one is seen when the pointer is on it."""
    highest = max((value for curve in curves for value in curve.high), default=1)
    axes = Axes(points[-1], max(highest, 1), height=360, right=150)
    ends = spread([axes.y(curve.mean[-1]) for curve in curves], LINE, axes.top, axes.height - axes.bottom)
    drawn = "".join(
        f'<g class="{_colour(curve.strategy, places)}">{_drawn(curve, points, axes)}{_named(curve, axes, end)}</g>'
        for curve, end in zip(curves, ends, strict=True)
    )
    content = f'{axes.grid()}<g class="together">{drawn}</g>' + axes.names("pages fetched", "relevant pages (mean)")
    rows = [row for curve in curves for row in _rows(curve, points)]
    label = "Relevant pages found, by strategy"
    return figure(Drawing(name, label, axes.width, axes.height, content, HEAD, rows), kind="broad large")


def _named(curve: Curve, axes: Axes, end: float) -> str:
    name = shown(curve.strategy, NAME)
    return f'<text class="left own" x="{axes.width - axes.right + 8}" y="{end + 4:.1f}">{name}</text>'


def panels(name: str, curves: Sequence[Curve], points: Sequence[int], places: Places, yardstick: str) -> str:
    """A small plane for each strategy, all of the same height, with the yardstick on each."""
    highest = max((value for curve in curves for value in curve.high), default=1.0)
    axes = Panel(points[-1], highest or 1.0)
    behind = [curve for curve in curves if curve.strategy == yardstick]
    drawn = (_panel(f"{name}-{i}", curve, points, axes, places, behind) for i, curve in enumerate(curves, 1))
    return f"<div class=panels>{''.join(drawn)}</div>"


def _panel(
    name: str, curve: Curve, points: Sequence[int], axes: Axes, places: Places, behind: Sequence[Curve]
) -> str:
    own = f'<g class="{_colour(curve.strategy, places)}">{_drawn(curve, points, axes)}</g>'
    yardstick = "".join(_drawn(each, points, axes) for each in behind)
    content = f'{axes.grid()}<g class="yardstick">{yardstick}</g>{own}'
    rows = [row for each in dict.fromkeys((curve, *behind)) for row in _rows(each, points)]
    label = shown(curve.strategy)
    return figure(Drawing(name, label, axes.width, axes.height, content, HEAD, rows), f"<b>{label}</b>")


def _rows(curve: Curve, points: Sequence[int]) -> list[tuple[str, int, float, float, float]]:
    """The numbers behind a curve."""
    columns = zip(points, curve.mean, curve.low, curve.high, strict=True)
    return [(curve.strategy, fetched, mean, low, high) for fetched, mean, low, high in columns]


def legend(strategies: Sequence[str], places: Places) -> str:
    """Which colour is whose."""
    items = (f'<li class="{_colour(name, places)}"><span>{shown(name)}</span></li>' for name in strategies)
    return f"<ul class=legend>{''.join(items)}</ul>"


def _drawn(curve: Curve, points: Sequence[int], axes: Axes) -> str:
    return (
        f'<polygon class="band" points="{axes.band(points, curve.low, curve.high)}"/>'
        f'<polyline class="mean" points="{axes.points(points, curve.mean)}"><title>{shown(curve.strategy)}</title>'
        "</polyline>"
    )


def _colour(strategy: str, places: Places) -> str:
    """The class of a strategy."""
    return colour(places[strategy])
