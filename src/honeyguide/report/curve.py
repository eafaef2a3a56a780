"""The lift curve as SVG: relevant pages found against pages fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.report.axes import Axes

if TYPE_CHECKING:
    from collections.abc import Sequence

POINTS = 400


def lift_curve(curve: Sequence[int]) -> str:
    """The curve, the diagonal on which every page is relevant, and axes people can read."""
    if not curve:
        return "<p>No page was fetched.</p>"
    fetched, found = len(curve), max(curve[-1], 1)
    axes = Axes(fetched, found)
    steps = sorted({0, fetched, *(round(fetched * k / POINTS) for k in range(POINTS))})
    return (
        f'<svg viewBox="0 0 {axes.width} {axes.height}" role="img" aria-label="Relevant pages found against pages '
        f'fetched">{axes.grid()}'
        f'<polyline class="perfect" points="{axes.points([0, found], [0, found])}"/>'
        f'<polyline class="lift" points="{axes.points(steps, [curve[n - 1] if n else 0 for n in steps])}"/>'
        f"{axes.names('pages fetched', 'relevant pages')}</svg>"
    )
