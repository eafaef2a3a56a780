"""Figures in the text format of Prometheus, version 0.0.4."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Metric(NamedTuple):
    """One figure, or one for each value of a label."""

    name: str  # without the prefix
    help: str
    values: float | Mapping[str, float]
    label: str = ""
    kind: str = "gauge"


def exposition(metrics: Iterable[Metric]) -> str:
    """All of them as text.

    >>> print(exposition([Metric("urls_failed", "URLs that failed", {"http_404": 2}, "reason")]), end="")
    # HELP honeyguide_urls_failed URLs that failed
    # TYPE honeyguide_urls_failed gauge
    honeyguide_urls_failed{reason="http_404"} 2
    """
    return "".join(line + "\n" for metric in metrics for line in _lines(metric))


def _lines(metric: Metric) -> list[str]:
    name = f"honeyguide_{metric.name}"
    head = [f"# HELP {name} {metric.help}", f"# TYPE {name} {metric.kind}"]
    if isinstance(metric.values, int | float):
        return [*head, f"{name} {_number(metric.values)}"]
    labelled = metric.values.items()
    return head + [f'{name}{{{metric.label}="{text.translate(_ESCAPED)}"}} {_number(n)}' for text, n in labelled]


def _number(value: float) -> str:
    if math.isfinite(value):
        return str(int(value)) if value == int(value) else repr(float(value))
    return "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
