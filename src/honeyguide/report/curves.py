"""Curves of several strategies as SVG: all together, and each with its band beside the yardstick."""

from __future__ import annotations

import functools
from html import escape
from typing import TYPE_CHECKING

from honeyguide.report.axes import Axes
from honeyguide.report.lines import colour

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.evaluate.curves import Curve

    Places = Mapping[str, int]  # of strategies: each has its colour on all figures

Panel = functools.partial(Axes, width=300, height=180, left=40, right=18, top=8, bottom=24, share=True)


STYLE = """
body { max-width: 76rem; }
td, th { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.mean { stroke: currentColor; stroke-width: 2; } .more .mean { stroke-dasharray: 7 3; }
.band { fill: currentColor; opacity: .18; stroke: none; }
.together { max-width: 60rem; } .together .band { opacity: 0; } .together g:hover .band { opacity: .2; }
.together g:hover .mean { stroke-width: 4; }
.yardstick { color: var(--soft); } .yardstick .mean { stroke-dasharray: 4 4; stroke-width: 1.5; }
.yardstick .band { opacity: .12; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: 0; margin: .4rem 0; }
.legend li::before { content: ""; display: inline-block; width: 1.4rem; border-top: 3px solid; margin-right: .4rem;
  vertical-align: middle; }
.legend .more::before { border-top-style: dashed; } .legend span { color: var(--ink); }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .8rem; }
.panels figure { margin: 0; } figcaption { font-size: .9rem; overflow-wrap: anywhere; }
details { margin: 1rem 0; } summary { cursor: pointer; }
"""


def figure(curves: Sequence[Curve], points: Sequence[int], places: Places) -> str:
    """All curves on one plane; the band of one is seen when the pointer is on it."""
    highest = max((value for curve in curves for value in curve.high), default=1)
    axes = Axes(points[-1], max(highest, 1), height=360)
    drawn = "".join(
        f'<g class="{_colour(curve.strategy, places)}">{_drawn(curve, points, axes)}</g>' for curve in curves
    )
    names = axes.names("pages fetched", "relevant pages, mean over topics")
    return f"{_svg(axes, 'together', 'Relevant pages found, by strategy')}{axes.grid()}{drawn}{names}</svg>"


def panels(curves: Sequence[Curve], points: Sequence[int], places: Places, yardstick: str) -> str:
    """A small plane for each strategy, all of the same height, with the yardstick on each."""
    highest = max((value for curve in curves for value in curve.high), default=1.0)
    axes = Panel(points[-1], highest or 1.0)
    behind = "".join(_drawn(curve, points, axes) for curve in curves if curve.strategy == yardstick)
    return f"<div class=panels>{''.join(_panel(curve, points, axes, places, behind) for curve in curves)}</div>"


def _panel(curve: Curve, points: Sequence[int], axes: Axes, places: Places, behind: str) -> str:
    own = f'<g class="{_colour(curve.strategy, places)}">{_drawn(curve, points, axes)}</g>'
    name = escape(curve.strategy)
    plane = f"{_svg(axes, 'panel', name)}{axes.grid()}<g class=yardstick>{behind}</g>{own}</svg>"
    return f"<figure><figcaption>{name}</figcaption>{plane}</figure>"


def legend(strategies: Sequence[str], places: Places) -> str:
    """Which colour is whose."""
    items = (f'<li class="{_colour(name, places)}"><span>{escape(name)}</span></li>' for name in strategies)
    return f"<ul class=legend>{''.join(items)}</ul>"


def _svg(axes: Axes, kind: str, label: str) -> str:
    return f'<svg class="{kind}" viewBox="0 0 {axes.width} {axes.height}" role="img" aria-label="{label}">'


def _drawn(curve: Curve, points: Sequence[int], axes: Axes) -> str:
    return (
        f'<polygon class="band" points="{axes.band(points, curve.low, curve.high)}"/>'
        f'<polyline class="mean" points="{axes.points(points, curve.mean)}"><title>{escape(curve.strategy)}</title>'
        "</polyline>"
    )


def _colour(strategy: str, places: Places) -> str:
    """The class of a strategy."""
    return colour(places[strategy])
