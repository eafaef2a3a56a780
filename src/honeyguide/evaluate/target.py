"""The real web the generated one is to be like, and whether it is.

The figures were measured on a crawl of 88 hosts of a university: 53,000 pages with 660,000 links between them. Those
of texts and of blocks of links come from several real webs.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from honeyguide.evaluate.statistics import Statistics

    Range = tuple[float, float]

TOLERANCE = 0.25

FIGURES: dict[str, tuple[Range, ...]] = {
    "out-degree mean, median, p99": ((12, 12), (3, 3), (126, 126)),
    "in-degree median, p99": ((3, 3), (121, 121)),
    "in-degree max, share of pages": ((0.227, 0.227),),
    "in-degree tail exponent": ((1.6, 1.8),),
    "largest host, share of pages": ((0.6, 0.6),),
    "share of links on the host": ((0.84, 0.84),),
    "template share of links": ((0.3, 0.5),),
    "dead share of links": ((0.1, 0.1),),
    "text likeness at 1, 2, 3, 4 links": ((0.103, 0.103), (0.042, 0.042), (0.027, 0.027), (0.02, 0.02)),
    "text likeness of siblings, any two": ((0.082, 0.082), (0.028, 0.028)),
}
PER_TOPIC: dict[str, Range] = {
    "base rate of a topic": (0.002, 0.133),
    "P(relevant given relevant parent)": (0.02, 0.95),
    "lift at 1 link": (4, 80),
    "P(next link relevant given relevant)": (0.6, 0.83),
    "P(next link relevant given irrelevant)": (0.15, 0.32),
    "relevant pages with irrelevant parents only": (0.2, 0.3),
}


def fits(measured: Statistics) -> dict[str, bool]:
    """Whether each figure is within a quarter of the target's; of topics, the one in the middle counts."""
    single = {
        name: all(_within(value, wanted) for value, wanted in zip(measured.figures[name], ranges, strict=True))
        for name, ranges in FIGURES.items()
    }
    topics = {
        name: _within(median(measured.per_topic[name]), wanted)
        for name, wanted in PER_TOPIC.items()
        if measured.per_topic.get(name)
    }
    return single | topics


def _within(value: float, wanted: Range) -> bool:
    return wanted[0] * (1 - TOLERANCE) <= value <= wanted[1] * (1 + TOLERANCE)
