"""Counts as bars: lying ones with a name each, and standing ones by distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from honeyguide.report.axes import ticks
from honeyguide.report.drawing import Drawing
from honeyguide.report.markup import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, ROW = 460, 22
NAMES, NOTES = 178, 106  # room beside the bars
NAME = 24  # characters
TALL, WIDE = 190, 300
LEFT, RIGHT, TOP, BOTTOM = 54, 8, 12, 40
COLUMNS = 11  # of a histogram; the rest is the last one


class Bar(NamedTuple):
    """A share of 1 with a name before it and a note after it."""

    name: str
    share: float
    note: str


def lying(
    name: str, label: str, bars: Sequence[Bar], head: Sequence[str], rows: Sequence[Sequence[object]]
) -> Drawing:
    """A bar for each share on a track that stands for all, the first one on top."""
    drawn = "".join(_lying(bar, ROW * i) for i, bar in enumerate(bars))
    return Drawing(name, label, WIDTH, ROW * len(bars) + 4, drawn, head, rows)  # type: ignore[arg-type]


def _lying(bar: Bar, top: float) -> str:
    track = WIDTH - NAMES - NOTES
    return (
        f"<g><title>{shown(bar.name)}: {shown(bar.note)}</title>"
        f'<text class="right ink" x="{NAMES - 6}" y="{top + 16}">{shown(bar.name, NAME)}</text>'
        f'<rect class="track" x="{NAMES}" y="{top + 5}" width="{track}" height="14" rx="2"/>'
        f'<rect class="good" x="{NAMES}" y="{top + 5}" width="{track * bar.share:.1f}" height="14" rx="2"/>'
        f'<text class="left" x="{NAMES + track + 6}" y="{top + 16}">{shown(bar.note)}</text></g>'
    )


def standing(name: str, label: str, below: str, good: Sequence[int], other: Sequence[int] = ()) -> Drawing:
    """How many pages there are at each distance: relevant ones at the bottom, others on top of them."""
    length = max(len(good), len(other), 1)
    good, other = ([*counts, *[0] * (length - len(counts))] for counts in (good, other))
    rows = [(at, *pair) if any(other) else (at, pair[0]) for at, pair in enumerate(zip(good, other, strict=True))]
    drawn = _columns(*map(_gathered, (good, other)))
    middle = (TALL + TOP - BOTTOM) / 2
    names = (
        f'<text class="axis" x="{(WIDE + LEFT - RIGHT) / 2}" y="{TALL - 6}">{below}</text>'
        f'<text class="axis" x="12" y="{middle}" transform="rotate(-90 12 {middle})">pages</text>'
    )
    head = ("links", "relevant", "others") if any(other) else ("links", "relevant")
    return Drawing(name, label, WIDE, TALL, drawn + names, head, rows)


def _gathered(counts: Sequence[int]) -> list[int]:
    """So many columns at most: the last one holds the rest."""
    if len(counts) <= COLUMNS:
        return list(counts)
    return [*counts[: COLUMNS - 1], sum(counts[COLUMNS - 1 :])]


def _columns(good: Sequence[int], other: Sequence[int]) -> str:
    most = max(max(a + b for a, b in zip(good, other, strict=True)), 1)
    scale, step = (TALL - TOP - BOTTOM) / most, (WIDE - LEFT - RIGHT) / len(good)
    ground = TALL - BOTTOM
    grid = "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{ground - value * scale:.1f}"'
        f' y2="{ground - value * scale:.1f}"/>'
        f'<text class="right" x="{LEFT - 5}" y="{ground - value * scale + 4:.1f}">{_short(value)}</text>'
        for value in ticks(most)
    )
    drawn = "".join(
        _column(LEFT + step * at, step, ground, scale, at, a, b)
        for at, (a, b) in enumerate(zip(good, other, strict=True))
    )
    return grid + drawn


def _column(x: float, step: float, ground: float, scale: float, at: int, good: int, other: int) -> str:
    last = f"{at}+" if at == COLUMNS - 1 else str(at)
    width, high, higher = step * 0.76, good * scale, (good + other) * scale
    return (
        f"<g><title>{last}: {good:,} relevant{f', {other:,} others' if other else ''}</title>"
        f'<rect class="other" x="{x + step * 0.12:.1f}" y="{ground - higher:.1f}" width="{width:.1f}"'
        f' height="{higher - high:.1f}"/>'
        f'<rect class="good" x="{x + step * 0.12:.1f}" y="{ground - high:.1f}" width="{width:.1f}"'
        f' height="{high:.1f}"/>'
        f'<text x="{x + step / 2:.1f}" y="{ground + 15}">{last}</text></g>'
    )


def _short(value: float) -> str:
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:,}"
