"""What speaks for a URL, and what was learned, in plain words."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.base import in_words_parents
from honeyguide.strategy.honeyguide.family import CHILDREN, FARTHEST, GOOD_CHILDREN, GOOD_NEAR, HOPS, NEAR
from honeyguide.strategy.honeyguide.priors import GROUPS, KINDS
from honeyguide.strategy.honeyguide.texts import KEYS
from honeyguide.strategy.honeyguide.words import IN_LINKS, ON_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from honeyguide.graph import Graph
    from honeyguide.strategy.honeyguide.evidence import Evidence
    from honeyguide.strategy.honeyguide.places import Places
    from honeyguide.strategy.honeyguide.words import Words

    Numbers = NDArray[np.float64]

TOLD = 4  # words that are named
LEARNED = 8
WORTH_TELLING = 0.05  # by which a share has fallen
SAID = 300  # characters of a list of words


def lines_about(id_: int, graph: Graph, evidence: Evidence, parts: Numbers) -> list[str]:
    """A line for each group of evidence, the weightiest first, with what it adds to the log-odds."""
    facts = {
        "parents": f"{in_words_parents(graph, id_)}{_hops(id_, graph, evidence)}",
        "siblings": _siblings(id_, graph, evidence),
        "place": _place(id_, graph, evidence),
        "links": _links(id_, graph, evidence),
    }
    weight = {group: sum(parts[KINDS.index(kind)] for kind in kinds) for group, kinds in GROUPS.items()}
    return [f"{weight[group]:+.2f}  {facts[group]}" for group in sorted(facts, key=lambda name: -abs(weight[name]))]


def _hops(id_: int, graph: Graph, evidence: Evidence) -> str:
    """How far the nearest of its parents is from a relevant page, by the links that were followed."""
    hops = evidence.family.pages.rows[evidence.family.parents(graph.links_into(id_, 1000)), HOPS]
    nearest = int(hops.min(initial=FARTHEST))
    return f"; links from a relevant page to the nearest of them: {nearest}" if 0 < nearest < FARTHEST else ""


def _siblings(id_: int, graph: Graph, evidence: Evidence) -> str:
    links = graph.links_into(id_, 1000)
    rows = evidence.family.pages.rows[np.unique(evidence.family.parents(links))]
    good, all_ = int(rows[:, GOOD_CHILDREN].sum()), int(rows[:, CHILDREN].sum())
    near = evidence.family.links.rows[links].sum(axis=0)
    beside = f"; beside it {near[GOOD_NEAR]:.1f} of {near[NEAR]:.1f}, by closeness" if near[NEAR] else ""
    return f"other links of its parents led to {good} relevant of {all_} fetched pages{beside}"


def _place(id_: int, graph: Graph, evidence: Evidence) -> str:
    host, folder = graph.host[id_], evidence.texts.folder_of[id_]
    return (
        f"host {graph.hosts[host]}: {_brought(evidence.hosts, host)} fetched pages relevant; its folder:"
        f" {_brought(evidence.texts.folders, folder)}; {graph.depth[id_]} links from the seeds"
    )


def _brought(places: Places, place: int) -> str:
    """How many of how many, and that of the latest where it is a lower share."""
    (good, all_), (lately, of) = ((float(a[0]), float(b[0])) for a, b in places.told(np.array([place])))
    faded = f" ({lately / of:.0%} lately)" if of and lately / of < good / all_ - WORTH_TELLING else ""
    return f"{good:.0f} of {all_:.0f}{faded}"


def _links(id_: int, graph: Graph, evidence: Evidence) -> str:
    texts = evidence.texts
    anchors = np.unique(texts.anchor_of[graph.links_into(id_, 1000)])
    said = [
        f"{name} {_named(texts.words, numbers, (ON_PAGES, IN_LINKS))}"
        for name, numbers in (
            ("anchor words", np.unique(texts.anchor_words.gather(anchors)[0])),
            ("address words", texts.url_words.gather(np.array([id_]))[0]),
        )
    ]
    keys = max(float(texts.urls.rows[id_, KEYS]), float(texts.anchors.rows[anchors, KEYS].max(initial=0)))
    return "; ".join([*said, *([f"{keys:.0%} of the topic's keywords"] if keys else [])])


def _named(words: Words, numbers: NDArray[Any], kinds: Iterable[int]) -> str:
    """Words with what they tell, in standard deviations."""
    found: dict[str, float] = {}
    for kind in kinds:
        for word, told in words.strongest(numbers, kind, TOLD):
            found[word] = max(found.get(word, 0.0), told, key=abs)
    best = sorted(found.items(), key=lambda item: -abs(item[1]))[:TOLD]
    return ", ".join(f"'{word}' {told:+.1f}" for word, told in best) or "tell nothing"


def learned(evidence: Evidence, weights: Mapping[str, float]) -> dict[str, str]:
    """What the report says, given the weights of the evidence that is used."""
    words = evidence.texts.words
    told = words.strongest(np.arange(len(words)), ON_PAGES, 10 * LEARNED)
    heaviest = sorted(weights.items(), key=lambda item: -abs(item[1]))
    return {
        "weights": ", ".join(f"{kind} {weight:+.2f}" for kind, weight in heaviest[:LEARNED]),
        "words of relevant pages": _listed(word for word, value in told if value > 0),
        "words of others": _listed(word for word, value in told if value < 0),
    }


def _listed(words: Iterable[str]) -> str:
    return textwrap.shorten(", ".join(words), SAID, placeholder=" …") or "none yet"
