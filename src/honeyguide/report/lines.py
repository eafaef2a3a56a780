"""Several curves on one plane, each with its name where it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from honeyguide.report.axes import spread
from honeyguide.report.markup import shown
from honeyguide.report.style import SERIES_LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.report.axes import Axes

NAME = 22  # characters beside a curve
LINE = 14  # its height


class Series(NamedTuple):
    """A curve: its name, and where it goes."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]


def curves(axes: Axes, series: Sequence[Series], below: str, beside: str) -> str:
    """Grid, curves and names, which stand to the right of the plane."""
    ends = spread([axes.y(each.ys[-1]) for each in series], LINE, axes.top, axes.height - axes.bottom)
    drawn = "".join(
        _curve(axes, place, each, end) for place, (each, end) in enumerate(zip(series, ends, strict=True))
    )
    return f"{axes.grid()}{drawn}{axes.names(below, beside)}"


def _curve(axes: Axes, place: int, series: Series, end: float) -> str:
    x = axes.width - axes.right + 8
    return (
        f'<g class="{colour(place)}"><polyline class="line" points="{axes.points(series.xs, series.ys)}">'
        f"<title>{shown(series.name)}</title></polyline>"
        f'<text class="left own" x="{x}" y="{end + 4:.1f}">{shown(series.name, NAME)}</text></g>'
    )


def colour(place: int) -> str:
    """The class of a curve; where there are more than colours, the second round is dashed."""
    again, place = divmod(place, len(SERIES_LIGHT))
    return f"s{place} more" if again else f"s{place}"
