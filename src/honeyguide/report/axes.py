"""The plane a curve is drawn on, as SVG: scales, lines across, numbers people can read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LINES = 4  # at least, where numbers are not too small
POINTS = 400  # of a curve, at most: more cannot be seen


@dataclass(frozen=True)
class Axes:
    """From 0 to `most_x` to the right and to `most_y` upwards, within margins."""

    most_x: float
    most_y: float
    width: int = 720
    height: int = 320
    left: int = 64
    right: int = 16
    top: int = 12
    bottom: int = 40
    share: bool = False  # heights are shown as percentages
    least_y: float = 0.0  # below 0 where heights may be
    fine: bool = False  # heights are not whole numbers

    def x(self, value: float) -> float:
        """Where a value is to the right."""
        return self.left + (self.width - self.left - self.right) * value / self.most_x

    def y(self, value: float) -> float:
        """Where a value is in height."""
        part = (value - self.least_y) / (self.most_y - self.least_y)
        return self.height - self.bottom - (self.height - self.top - self.bottom) * part

    def points(self, xs: Iterable[float], ys: Iterable[float]) -> str:
        """Points as a polyline or a polygon lists them."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(xs, ys, strict=True))

    def band(self, xs: Sequence[float], low: Sequence[float], high: Sequence[float]) -> str:
        """The outline of what lies between two curves."""
        return f"{self.points(xs, high)} {self.points(reversed(xs), reversed(low))}"

    def grid(self) -> str:
        """Lines across, and numbers at both axes."""
        return "".join(map(self._across, self._heights())) + "".join(map(self._up, ticks(self.most_x)))

    def _heights(self) -> list[float]:
        found = ticks(max(self.most_y, -self.least_y), self.share or self.fine)
        return [-value for value in found[:0:-1] if -value >= self.least_y] + [v for v in found if v <= self.most_y]

    def _across(self, value: float) -> str:
        y, shown = self.y(value), f"{value:.0%}" if self.share else f"{value:,}"
        return (
            f'<line class="grid" x1="{self.left}" x2="{self.width - self.right}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="tick right" x="{self.left - 6}" y="{y + 4:.1f}">{shown}</text>'
        )

    def _up(self, value: float) -> str:
        return f'<text class="tick" x="{self.x(value):.1f}" y="{self.height - self.bottom + 16}">{value:,}</text>'

    def names(self, below: str, beside: str) -> str:
        """What the axes show."""
        across, middle = (self.left + self.width - self.right) / 2, (self.top + self.height - self.bottom) / 2
        return (
            f'<text x="{across}" y="{self.height - 4}" class="axis">{below}</text>'
            f'<text x="12" y="{middle}" class="axis" transform="rotate(-90 12 {middle})">{beside}</text>'
        )


def ticks(most: float, fractions: bool = False) -> list[float]:
    """Round numbers from 0 to `most`; whole ones unless fractions are wanted.

    >>> ticks(90), ticks(3), ticks(0.5, fractions=True)
    ([0, 20, 40, 60, 80], [0, 1, 2, 3], [0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    """
    step = 10.0 ** math.floor(math.log10(max(most, 1e-9)))
    for part in (5, 2, 1):
        if most / (step * part) >= LINES:
            step *= part
            break
    else:
        step = next((step / part for part in (2, 5, 10) if most * part / step >= LINES), step)
    if not fractions:
        step = max(1, round(step))
    return [round(i * step, 9) for i in range(math.floor(most / step + 1e-9) + 1)]


def thinned(length: int, most: int = POINTS) -> list[int]:
    """Places from 0 to `length` that are enough to draw a curve by, its ends among them.

    >>> thinned(5), thinned(1000, 4)
    ([0, 1, 2, 3, 4, 5], [0, 250, 500, 750, 1000])
    """
    return sorted({0, length, *(round(length * k / most) for k in range(most))})


def spread(heights: Sequence[float], gap: float, lowest: float, highest: float) -> list[float]:
    """Heights moved apart as little as it takes for labels, from `lowest` to `highest`, in the same order.

    >>> spread([5, 5, 30], 10, 0, 100)
    [5, 15, 30]
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed, above = list(heights), lowest - gap
    for i in order:
        placed[i] = above = max(placed[i], above + gap)
    below = highest + gap
    for i in reversed(order):
        placed[i] = below = min(placed[i], below - gap)
    return placed
