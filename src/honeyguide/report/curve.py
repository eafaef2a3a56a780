"""The lift curve as SVG: relevant pages found against pages fetched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 12, 40
POINTS = 400


def lift_curve(curve: Sequence[int]) -> str:
    """The curve, the diagonal on which every page is relevant, and axes people can read."""
    if not curve:
        return "<p>No page was fetched.</p>"
    fetched, found = len(curve), max(curve[-1], 1)
    steps = sorted({0, fetched, *(round(fetched * k / POINTS) for k in range(POINTS))})
    line = " ".join(f"{_x(n, fetched):.1f},{_y(curve[n - 1] if n else 0, found):.1f}" for n in steps)
    perfect = f"{_x(found, fetched):.1f},{_y(found, found):.1f}"
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Relevant pages found against pages fetched">'
        f"{''.join(_across(v, found) for v in _ticks(found))}{''.join(_up(v, fetched) for v in _ticks(fetched))}"
        f'<polyline class="perfect" points="{LEFT},{_y(0, found):.1f} {perfect}"/>'
        f'<polyline class="lift" points="{line}"/>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 4}" class="axis">pages fetched</text>'
        f'<text x="14" y="{HEIGHT / 2}" class="axis" transform="rotate(-90 14 {HEIGHT / 2})">relevant pages</text>'
        "</svg>"
    )


def _x(value: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * value / most


def _y(value: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most


def _ticks(most: int) -> list[int]:
    step = 10 ** math.floor(math.log10(max(most, 1)))
    while most / step < 4 and step > 1:
        step = step // 2 if step % 5 else step // 5 if step % 2 else step // 2
    return list(range(0, most + 1, max(step, 1)))


def _across(value: int, most: int) -> str:
    y = _y(value, most)
    return (
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="tick right" x="{LEFT - 6}" y="{y + 4:.1f}">{value:,}</text>'
    )


def _up(value: int, most: int) -> str:
    return f'<text class="tick" x="{_x(value, most):.1f}" y="{HEIGHT - BOTTOM + 16}">{value:,}</text>'
