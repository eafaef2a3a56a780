"""What a web is like: degrees, hosts, templates, and how topics are spread along its links.

Only links between pages of the web count, except for the share of dead ones. **Tail exponent**: the most likely power
of the in-degrees from 5 up. **Next link relevant**: of links in a row on relevant pages. **Template**: at least half
of the ten pages nearest in the order of addresses have the same link. **Irrelevant parents only**: among relevant
pages that are linked to at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.likeness import likeness
from honeyguide.evaluate.linked import DEAD, UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.evaluate.linked import LinkedWeb

    Ids = NDArray[np.int64]
    Marks = NDArray[np.bool_]

TAIL_FROM = 5
NEARBY = 5  # pages before a page, and as many after it
WALKS = 2_000_000  # two links in a row that are followed to see how far a topic reaches
ZIPF_FROM = 3  # pages a host has at least to count for the slope of host sizes


@dataclass(frozen=True)
class Statistics:
    """The figures of one web: a number, a row of numbers with a place each, or one number for every topic."""

    web: str
    figures: dict[str, tuple[float, ...]]
    per_topic: dict[str, tuple[float, ...]]


def measure(web: LinkedWeb, random_seed: int = 0) -> Statistics:
    """Measure a web; texts are compared on a sample."""
    rng = np.random.default_rng(random_seed)
    edges = Edges.of(web)
    per_topic = [_of_topic(edges, marks, rng) for marks in web.topics.values() if marks.any()]
    names = per_topic[0].keys() if per_topic else ()
    figures = {
        "pages": (float(web.size),),
        "links": (float(len(edges.source)),),
        **_degrees(edges),
        **_hosts(edges),
        "template share of links": (template_share(edges),),
        "dead share of links": (_dead_share(web),),
        **likeness(web, edges.source, edges.target, rng),
    }
    return Statistics(web.name, figures, {name: tuple(one[name] for one in per_topic) for name in names})


@dataclass(frozen=True)
class Edges:
    """The links between pages, one after the other in the order of pages and places."""

    source: Ids
    target: Ids
    host: NDArray[np.int32]
    first: Ids  # of each page

    @classmethod
    def of(cls, web: LinkedWeb) -> Edges:
        """Those of a web that lead to a page of it."""
        source = np.repeat(np.arange(web.size), np.diff(web.start))
        inside = web.targets >= 0
        source, target = source[inside], web.targets[inside].astype(np.int64)
        return cls(source, target, web.host, np.searchsorted(source, np.arange(web.size + 1)))

    @property
    def size(self) -> int:
        """How many pages there are."""
        return len(self.host)


def _degrees(edges: Edges) -> dict[str, tuple[float, ...]]:
    outward = np.diff(edges.first)
    inward = np.bincount(edges.target, minlength=edges.size)
    return {
        "out-degree mean, median, p99": (outward.mean(), np.median(outward), np.percentile(outward, 99)),
        "in-degree median, p99": (np.median(inward), np.percentile(inward, 99)),
        "in-degree max, share of pages": (inward.max() / edges.size,),
        "in-degree tail exponent": (tail_exponent(inward),),
    }


def tail_exponent(degrees: Ids) -> float:
    """The maximum-likelihood exponent of a power law (Clauset and others, their approximation for whole numbers)."""
    tail = degrees[degrees >= TAIL_FROM]
    return float(1 + len(tail) / np.log(tail / (TAIL_FROM - 0.5)).sum()) if len(tail) else float("nan")


def _hosts(edges: Edges) -> dict[str, tuple[float, ...]]:
    sizes = np.sort(np.bincount(edges.host))[::-1]
    ranked = sizes[sizes >= ZIPF_FROM]
    slope = (
        np.polyfit(np.log(np.arange(1, len(ranked) + 1)), np.log(ranked), 1)[0] if len(ranked) > 1 else float("nan")
    )
    same = edges.host[edges.source] == edges.host[edges.target]
    return {
        "hosts": (float(len(sizes)),),
        "largest host, share of pages": (sizes[0] / edges.size,),
        "Zipf exponent of host sizes": (float(-slope),),
        "share of links on the host": (float(same.mean()) if len(same) else float("nan"),),
    }


def template_share(edges: Edges) -> float:
    """Links that most pages nearby, in the order of their addresses, have as well."""
    keys = np.sort(edges.target * edges.size + edges.source)
    above = np.searchsorted(keys, keys + NEARBY, side="right")
    below = np.searchsorted(keys, keys - NEARBY, side="left")
    return _share(above - below - 1 >= NEARBY)


def _dead_share(web: LinkedWeb) -> float:
    """Of links whose end is known; nothing where no link was found to be dead, as nobody looked."""
    dead, known = int((web.targets == DEAD).sum()), int((web.targets != UNKNOWN).sum())
    return dead / known if dead else float("nan")


def _of_topic(edges: Edges, relevant: Marks, rng: np.random.Generator) -> dict[str, float]:
    base = float(relevant.mean())
    from_relevant, to_relevant = relevant[edges.source], relevant[edges.target]
    one = _share(to_relevant[from_relevant])
    again, otherwise = _blocks(edges, from_relevant, to_relevant)
    linked, by_relevant = np.zeros(edges.size, np.bool_), np.zeros(edges.size, np.bool_)
    linked[edges.target] = True
    by_relevant[edges.target[from_relevant]] = True
    return {
        "base rate of a topic": base,
        "P(relevant given relevant parent)": one,
        "lift at 1 link": one / base,
        "lift at 2 links": _two_links(edges, relevant, rng) / base,
        "P(next link relevant given relevant)": again,
        "P(next link relevant given irrelevant)": otherwise,
        "relevant pages with irrelevant parents only": _share(~by_relevant[linked & relevant]),
    }


def _share(marks: Marks) -> float:
    return float(marks.mean()) if len(marks) else float("nan")


def _blocks(edges: Edges, from_relevant: Marks, to_relevant: Marks) -> tuple[float, float]:
    """How often, on relevant pages, a relevant link follows a relevant one, and an irrelevant one."""
    telling = (edges.source[1:] == edges.source[:-1]) & from_relevant[1:]
    before, after = to_relevant[:-1][telling], to_relevant[1:][telling]
    return _share(after[before]), _share(after[~before])


def _two_links(edges: Edges, relevant: Marks, rng: np.random.Generator) -> float:
    """How often two links in a row, from a relevant page to another page, end on a relevant one."""
    firsts = np.flatnonzero(relevant[edges.source])
    firsts = firsts[edges.first[edges.target[firsts] + 1] > edges.first[edges.target[firsts]]]
    if not len(firsts):
        return float("nan")
    drawn = rng.choice(firsts, min(WALKS, 20 * len(firsts)))
    middle = edges.target[drawn]
    low, high = edges.first[middle], edges.first[middle + 1]
    ends = edges.target[low + (rng.random(len(drawn)) * (high - low)).astype(np.int64)]
    return _share(relevant[ends[ends != edges.source[drawn]]])
