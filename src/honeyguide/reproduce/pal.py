"""Pal, Tomar, Shrivastava 2009: precision of `tunnel` against breadth-first over 1,000 pages from 10 seeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from honeyguide.reproduce.figures import mean
from honeyguide.reproduce.findings import Paper, Reproduction, Scale
from honeyguide.reproduce.ground import Ground, Run, ground
from honeyguide.reproduce.pal_findings import PARTS, by_hundreds, by_topic, course, precision, tunnels
from honeyguide.strategy.tunnel import Tunnel

if TYPE_CHECKING:
    from collections.abc import Sequence

TOPICS = 4  # the most common of the web: the paper's, too, are such as have pages without end
NO_LIMIT = 10**6
FOCUSED, BREADTH, NO_TUNNEL = "tunnel", "breadth-first", "tunnel:max_level=-1"


class Sizes(NamedTuple):
    """How large the experiment is."""

    web: int
    seeds: int
    pages: int
    sets: int  # of seeds, a topic
    sets_to_the_end: int  # from which crawls go on until nothing is left

    @classmethod
    def of(cls, scale: Scale) -> Sizes:
        """The paper's, or those of a test."""
        return cls(scale.of(20_000, 500), 10, scale.of(1000, 100), scale.of(5, 2), scale.of(2, 1))


@dataclass(frozen=True)
class Trial:
    """What one topic and seed set brought."""

    focused: list[float]  # precision up to the end of each tenth of the crawl
    breadth: list[float]
    focused_by_table: float  # precision as the crawler's own table judges
    breadth_by_table: float
    links_to_relevant: float  # links from relevant pages, as LinkScore counts them, to the relevant pages it read
    links_to_others: float  # and to those that are not
    tunnelled: int  # pages read from the irrelevant table
    beyond: int  # relevant pages that a crawl without tunnels never reaches
    relevant: int
    beyond_at_end: int = 0  # the same where both crawl until nothing is left
    relevant_at_end: int = 0
    tried_to_end: bool = False


class Pal(Paper):
    """Precision by topic and by hundreds of pages, and what tunnels lead to."""

    name = "pal"
    title = "Pal, Tomar, Shrivastava 2009: content and link structure"
    claims = ("P1", "P2", "P3")

    def run(self, scale: Scale) -> Reproduction:
        sizes = Sizes.of(scale)
        with ground(sizes.web, 1 + scale.random_seed) as web:
            topics = web.world.topics[:TOPICS]
            cases = [(topic, seed_set) for topic in topics for seed_set in range(sizes.sets)]
            trials = {case: tried(web, *case, sizes, scale.random_seed) for case in scale.watched(cases, len(cases))}
        findings = (precision(trials), course(trials, sizes), tunnels(trials, sizes))
        return Reproduction(
            self.name, _setting(sizes, topics), findings, (by_topic(trials), by_hundreds(trials, sizes))
        )


def tried(web: Ground, topic: str, seed_set: int, sizes: Sizes, random_seed: int) -> Trial:
    """Crawl from one seed set, with the strategy, with breadth-first and without tunnels."""
    seeds = web.seeds(topic, sizes.seeds, random_seed + seed_set)

    def crawl(strategy: str, pages: int) -> Run:
        return web.crawl(strategy, topic, seeds, pages, random_seed + seed_set)

    focused, breadth = crawl(FOCUSED, sizes.pages), crawl(BREADTH, sizes.pages)
    without = crawl(NO_TUNNEL, NO_LIMIT)
    to_end = crawl(FOCUSED, NO_LIMIT) if seed_set < sizes.sets_to_the_end else None
    strategy = focused.crawl.strategy
    assert isinstance(strategy, Tunnel)
    return Trial(
        focused=_course(focused, sizes.pages),
        breadth=_course(breadth, sizes.pages),
        focused_by_table=_by_table(strategy, focused),
        breadth_by_table=_by_table(strategy, breadth),
        links_to_relevant=_links_to(strategy, focused, relevant=True),
        links_to_others=_links_to(strategy, focused, relevant=False),
        tunnelled=strategy.tunnelled,
        beyond=len(focused.found - without.found),
        relevant=len(focused.found),
        beyond_at_end=len(to_end.found - without.found) if to_end else 0,
        relevant_at_end=len(to_end.found) if to_end else 0,
        tried_to_end=to_end is not None,
    )


def _course(run: Run, pages: int) -> list[float]:
    return [run.precision(0, pages * part // PARTS) for part in range(1, PARTS + 1)]


def _by_table(strategy: Tunnel, run: Run) -> float:
    """Precision as the paper takes it: a page is relevant whose relevance by the table exceeds the limit."""
    pages = [visit.page for visit in run.visits if visit.page]
    scores = [strategy.table.cosine(strategy.table.in_page(page)) for page in pages]
    return mean(score > strategy.relevancy_limit for score in scores)


def _links_to(strategy: Tunnel, run: Run, relevant: bool) -> float:
    return mean(float(strategy.book.relevant_links[v.id]) for v in run.visits if v.relevant is relevant)


def _setting(sizes: Sizes, topics: Sequence[str]) -> str:
    return (
        f"A generated web of {sizes.web:,} pages; its {len(topics)} most common topics ({', '.join(topics)});"
        f" {sizes.seeds} seeds on the topic, {sizes.sets} seed sets a topic, {sizes.pages:,} pages a crawl; the"
        " weight table (50 terms, from the first 10 pages of a search), maxLevel 2 and the relevancy limit are the"
        " paper's."
    )
