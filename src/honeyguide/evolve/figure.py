"""Fitness by generation, as an SVG file that stands by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honeyguide.report.axes import Axes

if TYPE_CHECKING:
    from collections.abc import Sequence

LINES = (("best", "#c77700", "the best so far"), ("mean", "#1f6fb2", "mean of the population"))
STYLE = """
svg { background: #fff; font: 12px system-ui, sans-serif; } .grid { stroke: #ddd; } .tick, .axis { fill: #555; }
.right { text-anchor: end; } .axis { text-anchor: middle; } polyline { fill: none; stroke-width: 2; }
"""


def figure(history: Sequence[dict[str, Any]]) -> str:
    """The best and the mean of every generation."""
    generations = [row["generation"] for row in history]
    axes = Axes(max(1, generations[-1]), max(1e-9, *(row["best"] for row in history)), share=True)
    drawn = "".join(
        f'<polyline stroke="{colour}" points="{axes.points(generations, [row[name] for row in history])}"/>'
        f'<text x="{axes.left + 12}" y="{axes.top + 14 + 16 * i}" fill="{colour}">{label}</text>'
        for i, (name, colour, label) in enumerate(LINES)
    )
    names = axes.names("generation", "fitness")
    size = f'width="{axes.width}" height="{axes.height}" viewBox="0 0 {axes.width} {axes.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{axes.grid()}{drawn}{names}</svg>'
