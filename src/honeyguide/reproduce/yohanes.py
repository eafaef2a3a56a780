"""Yohanes, Handoko, Wardana 2011: `genetic` with its mutation, a search, and the same crawler without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from honeyguide import urls
from honeyguide.evaluate.network import Network, followed
from honeyguide.reproduce.findings import Paper, Reproduction, Scale
from honeyguide.reproduce.ground import Ground, Run, ground
from honeyguide.reproduce.yohanes_findings import communities, filtering, gains, kept_and_cut, precision, speed
from honeyguide.strategy.genetic import Genetic

if TYPE_CHECKING:
    from collections.abc import Sequence

CATEGORIES = 5
WITH, WITHOUT = "genetic", "genetic:mutation=0"


class Sizes(NamedTuple):
    """How large the experiment is."""

    web: int
    pages: int  # visited a category: a fifth of the paper's 5,390
    judged: int  # of those kept
    sets: int  # of seeds, a category

    @classmethod
    def of(cls, scale: Scale) -> Sizes:
        """The paper's, or those of a test."""
        return cls(scale.of(20_000, 500), scale.of(1078, 120), 100, scale.of(5, 2))


@dataclass(frozen=True)
class Half:
    """What one of the two crawlers brought."""

    precision: float  # of the first pages kept
    fetched_precision: float  # of the first pages fetched, kept or not
    all_precision: float  # of all pages fetched
    kept: int
    decided: int  # pages that were kept or not
    visited: int
    hosts: int  # with pages on the topic
    seconds: float  # of CPU time


@dataclass(frozen=True)
class Trial:
    """What one category and start brought."""

    mutating: Half
    plain: Half
    only: int  # relevant pages that only the crawl with mutation found
    only_plain: int  # and only the other one
    new_hosts: int  # hosts of relevant pages that only the crawl with mutation found
    co_cited: int  # of `only`: linked to by a page that also links to what the other one found
    out_of_reach: int  # of `only`: no way of links leads there from the start


class Yohanes(Paper):
    """Precision of what is kept, the share that is kept, where searches lead, and what they cost."""

    name = "yohanes"
    title = "Yohanes, Handoko, Wardana 2011: the crawl as a genetic algorithm"
    claims = ("Y1", "Y2", "Y3", "Y4")

    def run(self, scale: Scale) -> Reproduction:
        sizes = Sizes.of(scale)
        with ground(sizes.web, 1 + scale.random_seed) as web:
            network, topics = Network(web.web), web.world.topics[:CATEGORIES]
            cases = [(topic, seed_set) for topic in topics for seed_set in range(sizes.sets)]
            trials = {
                case: tried(web, network, *case, sizes, scale.random_seed)
                for case in scale.watched(cases, len(cases))
            }
        findings = (precision(trials), filtering(trials), communities(trials), speed(trials))
        tables = (kept_and_cut(trials), gains(trials))
        return Reproduction(self.name, _setting(sizes, topics), findings, tables)


def tried(web: Ground, network: Network, topic: str, seed_set: int, sizes: Sizes, random_seed: int) -> Trial:
    """Crawl from one start with mutation and without."""
    start = web.seeds(topic, 1, random_seed + seed_set)
    mutating, plain = (
        web.crawl(strategy, topic, start, sizes.pages, random_seed + seed_set) for strategy in (WITH, WITHOUT)
    )
    only = mutating.found - plain.found
    return Trial(
        mutating=_half(mutating, sizes),
        plain=_half(plain, sizes),
        only=len(only),
        only_plain=len(plain.found - mutating.found),
        new_hosts=len(_hosts(mutating.found) - _hosts(plain.found)),
        co_cited=len(only & cited_beside(web, plain.found)),
        out_of_reach=len(only - within_reach(network, start)),
    )


def _half(run: Run, sizes: Sizes) -> Half:
    strategy = run.crawl.strategy
    assert isinstance(strategy, Genetic)
    collected = [visit.relevant for visit in run.visits if strategy.pages.kept(visit.id)][: sizes.judged]
    kept, decided = strategy.pages.survived()
    return Half(
        precision=sum(collected) / max(len(collected), 1),
        fetched_precision=run.precision(0, sizes.judged),
        all_precision=run.precision(),
        kept=kept,
        decided=decided,
        visited=len(run.visits),
        hosts=len(_hosts(run.found)),
        seconds=run.seconds,
    )


def _hosts(found: set[str]) -> set[str]:
    return set(map(urls.host, found))


def cited_beside(web: Ground, found: set[str]) -> set[str]:
    """What is linked to by pages that link to some of these as well."""
    beside: set[str] = set()
    for page in web.web.pages:
        cited = {link.url for link in followed(page)}
        if not found.isdisjoint(cited):
            beside |= cited
    return beside


def within_reach(network: Network, start: Sequence[str]) -> set[str]:
    """All that ways of links lead to from the start."""
    at = np.flatnonzero(np.isin(network.urls, list(start)))
    return {network.urls[i] for i in np.flatnonzero(network.links_from(at) >= 0).tolist()}


def _setting(sizes: Sizes, topics: Sequence[str]) -> str:
    return (
        f"A generated web of {sizes.web:,} pages and a full-text index of it as the search engine; its {len(topics)}"
        f" most common topics as categories ({', '.join(topics)}); one starting URL on the topic, {sizes.sets} starts"
        f" a category; {sizes.pages:,} pages visited a category (the paper: 5,390 in all five); precision on the"
        f" first {sizes.judged} pages kept."
    )
