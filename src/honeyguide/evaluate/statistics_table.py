"""Statistics of webs side by side, as Markdown."""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING

from honeyguide.evaluate import target
from honeyguide.evaluate.table import NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evaluate.statistics import Statistics

TARGET = "88-host crawl"


def told_statistics(measured: Sequence[Statistics], judged: Statistics | None = None) -> str:
    """A column for the web that is aimed at and one for every web; a last one for whether `judged` comes near it."""
    fits = target.fits(judged) if judged else {}
    names = [*measured[0].figures, *dict.fromkeys(name for web in measured for name in web.per_topic)]
    head = ["statistic", TARGET, *(web.web for web in measured), *(["within 25 %"] if judged else [])]
    lines = [_line(head), "|" + "---|" * len(head)]
    for name in names:
        verdict = [{True: "yes", False: "**no**"}.get(fits.get(name), NONE)] if judged else []  # type: ignore[arg-type]
        lines.append(_line([name, _wanted(name), *(_cell(web, name) for web in measured), *verdict]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _wanted(name: str) -> str:
    if name in target.PER_TOPIC:
        return _span(target.PER_TOPIC[name])
    return ", ".join(map(_span, target.FIGURES[name])) if name in target.FIGURES else NONE


def _span(wanted: tuple[float, float]) -> str:
    low, high = wanted
    return shown(low) if low == high else f"{shown(low)}–{shown(high)}"


def _cell(web: Statistics, name: str) -> str:
    if name in web.figures:
        return ", ".join(map(shown, web.figures[name]))
    known = [value for value in web.per_topic.get(name, ()) if not math.isnan(value)]
    return f"{shown(median(known))} ({shown(min(known))}–{shown(max(known))})" if known else NONE


def shown(value: float) -> str:
    """A figure with as many digits as tell something.

    >>> [shown(value) for value in (0.0021, 0.25, 3.0, 31.42, 123456.0, float("nan"))]
    ['.002', '.250', '3', '31.4', '123,456', '–']
    """
    if math.isnan(value):
        return NONE
    if value == int(value) or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3f}".lstrip("0") if value < 1 else f"{value:.3g}"
