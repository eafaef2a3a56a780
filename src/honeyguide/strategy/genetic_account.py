"""What a genetic crawl says of its pages and its queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.strategy.population import KEPT, NOT_KEPT, UNDECIDED

if TYPE_CHECKING:
    from honeyguide.strategy.crossover import Crossover
    from honeyguide.strategy.population import Population

SHOWN = 5  # keywords or pages

_FATES = {
    KEPT: "it was kept",
    NOT_KEPT: "it was not kept",
    UNDECIDED: "its fitness is known when the generation ends",
}


def filtering_rate(kept: int, visited: int) -> str:
    """How many pages survived.

    >>> filtering_rate(3396, 5390)
    '3,396 kept of 5,390 visited = 63 %'
    """
    share = round(100 * kept / visited) if visited else 0
    return f"{kept:,} kept of {visited:,} visited = {share} %"


def gain_by_searches(searches: int, found: list[int], pages: Population) -> str:
    """What searches brought, and what became of it."""
    fetched = [id_ for id_ in found if pages.graph.visit_of[id_]]
    kept = sum(map(pages.kept, fetched))
    return (
        f"{searches:,} searches found {len(found):,} URLs not visited before: {len(fetched):,} fetched, {kept:,} kept"
    )


def of_a_page(pages: Population, id_: int) -> list[str]:
    """How fit a visited URL's page is, by its links and by its words, and what became of it."""
    row = int(pages.graph.visit_of[id_]) - 1
    generation, fate = int(pages.generation[row]), int(pages.fate[row])
    if fate == UNDECIDED and id_ not in pages.members:
        return [f"generation {generation}; no page came"]
    links, words = float(pages.by_links[row]), float(pages.by_words[row])
    own, lexicon = pages.links_of(id_), pages.lexicon.links
    return [
        f"generation {generation}; {_FATES[fate]}",
        f"fitness {(links + words) / 2:.4f} = ½ · {links:.4f} by links + ½ · {words:.4f} by keywords",
        f"links: {len(own & lexicon)} shared with the lexicon, of {len(own | lexicon)} in either",
        f"keywords, times on the page and in the lexicon: {_counted(pages, id_)}",
    ]


def _counted(pages: Population, id_: int) -> str:
    rows = zip(pages.terms, pages.counts(id_).tolist(), pages.lexicon_counts().tolist(), strict=True)
    found = sorted((row for row in rows if row[1]), key=lambda row: -row[1])
    return ", ".join(f"{word} {here} and {there}" for word, here, there in found[:SHOWN]) or "none on the page"


def of_a_queued_url(queue: Crossover, pages: Population, id_: int) -> list[str]:
    """Where a URL that was not fetched stands in the queue, and which pages it owes that to."""
    score = float(queue.score(np.array([id_]))[0])
    queued = f"in the queue of generation {queue.generation}, score {score:.4f}"
    held = f"held back: not in the queue of generation {queue.generation}"
    kept = [page for page in queue.graph.links_to(id_) if pages.kept(page)]
    ranked = sorted(zip(pages.fitness(kept).tolist(), kept, strict=True), reverse=True)
    crossover = max(0.0, float(queue.sums[id_]))
    return [
        queued if np.isfinite(score) else held,
        f"crossover score {crossover:.4f}: the fitness of the {len(kept)} kept pages that link here",
        *(f"{queue.graph.url(page)} {fit:.4f}" for fit, page in ranked[:SHOWN]),
    ]
