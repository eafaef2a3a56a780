"""Tunnel: pages and links are compared with a table of terms, and irrelevant pages are gone through for some levels.

Pal, Tomar, Shrivastava: Effective focused crawling based on content and link structure analysis, 2009.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import WITH_PAGE, BadInput, knob
from honeyguide.strategy import register
from honeyguide.strategy.base import NOTHING, Lesson, Strategy
from honeyguide.strategy.link_book import DEEPEST, HELD, MOVED, QUEUE, UNSEEN, LinkBook, anchors, packed, unpacked
from honeyguide.strategy.weight_table import OWN_WORDS, WeightTable, first_weights

if TYPE_CHECKING:
    from honeyguide.base import Page, Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Help, Ids, Scores
    from honeyguide.topic import Topic

CERTAIN = 0.9  # the relevance from which a page teaches the table its most frequent term
MOST_ANCHORS = 1 << 16  # kept at a time
SHOWN, SHOWN_PARENTS = 10, 3  # terms and parents that are named


@register
@dataclass
class Tunnel(Strategy):
    """Links score by their own terms and by the pages they stand on; irrelevant pages are crossed for some levels."""

    name = "tunnel"
    needs_pages = True
    needs_surroundings = False

    pages: str = knob("", "pages the table is taken from: a file, folder, URL or stored web; empty: it searches")
    results: int = knob(10, "how many pages of the search the table is taken from", 1, 1000)
    terms: int = knob(50, "how many terms the table begins with", 1, 10_000)
    limit: float = knob(0.0, "relevance above which a page is relevant; 0: half the seeds' average LinkScore", 0, 1)
    max_level: int = knob(2, "the level to which links of irrelevant pages are followed; -1: not at all", -1, DEEPEST)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.table = WeightTable()
        self.book = LinkBook(graph, self.max_level)
        self.origin = ""  # of the table
        self.grown: list[str] = []  # terms learned while crawling
        self.seeds, self.seed_scores = 0, 0.0
        self.tunnelled = self.reached = 0  # pages read from the irrelevant table, and the relevant ones among them
        self._anchors: dict[str, tuple[float, int]] = {}

    async def prepare(self, help: Help) -> None:
        if self.pages or not len(self.table):
            weights, origin = await first_weights(help, self.topic, self.pages, self.results, self.terms)
            self.origin = f"{self.origin} and {origin}" if self.origin else origin
            self.table.take(weights)

    @property
    def relevancy_limit(self) -> float:
        """What a page's relevance must exceed: as told, else by the seeds read so far."""
        return self.limit or (min(1.0, self.seed_scores / self.seeds / 2) if self.seeds else 0.0)

    def learn(self, visit: Visit) -> Lesson:
        self.book.make_room()
        if self.book.place[visit.id] == UNSEEN:  # a seed, or found elsewhere than on a page
            self._see([visit.id])
            self.book.place[visit.id] = QUEUE
        if visit.error == "redirect":
            self._follow(visit.id, int(visit.targets[0]))
        elif visit.page is not None and visit.error in WITH_PAGE:
            return Lesson(ids=self._read(visit, visit.page))
        return Lesson()

    def _follow(self, source: int, target: int) -> None:
        if not self.graph.visit_of[target]:
            if self.book.place[target] == UNSEEN:
                self._see([target])
            self.book.move(source, target)

    def _read(self, visit: Visit, page: Page) -> Ids:
        """Take in a page; gives back what is held back from now on, its own links aside."""
        relevance = 0.0 if visit.flag else self.table.cosine(self.table.in_page(page))
        self.book.relevance[visit.id] = relevance
        first = visit.score == math.inf
        if first and not visit.flag and self.graph.depth[visit.id] == 0:
            self.seeds += 1
            self.seed_scores += float(self.book.url[visit.id]) + relevance
        self._grow(page, relevance)
        level = -1 if first else self.book.level(visit.id)
        relevant = relevance > self.relevancy_limit
        held = self.book.push_down(visit.id) if level >= 0 and not relevant else NOTHING
        self._enter_links(visit, page, relevant, level + 1)
        self.tunnelled += level >= 0
        self.reached += relevant and level >= 0
        return held

    def _grow(self, page: Page, relevance: float) -> None:
        """Learn a term from a page beyond doubt. Over the topic's own few words, any cosine is near 1."""
        if relevance < CERTAIN or self.origin == OWN_WORDS:
            return
        term = self.table.most_frequent(page)
        if term not in self.table.weights:
            self.grown.append(term)
        if self.table.take({term: relevance}):
            self._anchors.clear()

    def _enter_links(self, visit: Visit, page: Page, relevant: bool, level: int) -> None:
        """Score the links of a page and put them in their place: the queue, or a level of the irrelevant table."""
        links = self.book.open(self.graph.links_from(visit.id))
        self._see(links[self.book.place[links] == UNSEEN].tolist())
        for id, anchor in anchors(self.graph, visit, page):
            self._read_anchor(id, anchor)
        self.book.pass_on(links, float(self.book.relevance[visit.id]), relevant)
        self.book.enter(links, QUEUE if relevant else self.book.place_at(level))

    def _see(self, ids: list[int]) -> None:
        for id in ids:
            self.book.url[id] = self.table.cosine(self.table.in_url(self.graph.url(id)))

    def _read_anchor(self, id: int, anchor: str) -> None:
        score, terms = self._anchors.get(anchor) or self._weighed(anchor)
        if score > self.book.anchor[id] and not self.graph.visit_of[id]:
            self.book.anchor[id], self.book.anchor_terms[id] = score, terms

    def _weighed(self, anchor: str) -> tuple[float, int]:
        if len(self._anchors) >= MOST_ANCHORS:
            self._anchors.clear()
        counts = self.table.in_text(anchor)
        terms = packed(self.table.position[term] for term in self.table.by_weight(counts))
        weighed = self._anchors[anchor] = self.table.cosine(counts), terms
        return weighed

    def score(self, ids: Ids) -> Scores:
        self.book.make_room()
        return self.book.scores(ids)

    def explain(self, id: int) -> list[str]:
        self.book.make_room()
        book, names = self.book, list(self.table.weights)
        in_anchor = [names[position] for position in unpacked(int(book.anchor_terms[id]))]
        in_url = self.table.by_weight(self.table.in_url(self.graph.url(id)))
        return [
            f"LinkScore {book.link_scores(np.array([id]))[0]:.3f}",
            f"URL {book.url[id]:.3f} ({_list(in_url)}), anchor {book.anchor[id]:.3f} ({_list(in_anchor)})",
            f"{_count(book.relevant_links[id], 'link')} from relevant pages; its parents' relevance adds"
            f" {book.parents[id]:.3f} ({self._parents(id)})",
            f"{self._standing(id)}; relevancy limit {self.relevancy_limit:.3f}",
        ]

    def _parents(self, id: int) -> str:
        parents = sorted(self.book.parents_of(id), key=lambda page: (-self.book.relevance[page], page))
        names = [f"{self.graph.url(page)} {self.book.relevance[page]:.3f}" for page in parents[:SHOWN_PARENTS]]
        return _list([*names, "…"] if len(parents) > SHOWN_PARENTS else names)

    def _standing(self, id: int) -> str:
        """Where a URL stands, or what came of it."""
        place, level = self.book.place[id], self.book.level(id)
        if place == MOVED:
            return "redirected elsewhere"
        if self.graph.visit_of[id]:
            origin = f"the irrelevant table, level {level}" if level >= 0 else "the queue"
            return f"relevance of the page {self.book.relevance[id]:.3f}; it came from {origin}"
        if place == HELD:
            return f"held back: deeper among irrelevant pages than level {self.max_level}"
        if level >= 0:
            return f"in the irrelevant table, level {level} of {self.max_level}"
        return "in the queue" if place == QUEUE else "no page that was read links to it"

    def save(self) -> dict[str, Any]:
        counts = {
            "seeds": self.seeds,
            "seed_scores": self.seed_scores,
            "tunnelled": self.tunnelled,
            "reached": self.reached,
        }
        return {**self.knowledge(), **counts, "grown": self.grown, **self.book.save()}

    def load(self, state: dict[str, Any]) -> None:
        self.table = WeightTable(dict(zip(state["terms"], state["weights"], strict=True)))
        self._anchors.clear()
        self.book.load(state)
        for name in ("seeds", "seed_scores", "tunnelled", "reached", "origin", "grown"):
            setattr(self, name, state[name])

    def knowledge(self) -> dict[str, Any]:
        weights = self.table.weights
        return {"terms": list(weights), "weights": list(weights.values()), "origin": self.origin}

    def adopt(self, knowledge: dict[str, Any]) -> None:
        self.table.take(_usable(knowledge.get("terms"), knowledge.get("weights")))
        self.origin = OWN_WORDS if knowledge.get("origin") == OWN_WORDS else "another crawl"

    def figures(self) -> dict[str, str]:
        weights = self.table.weights
        best = [f"{term} {weights[term]:.2f}" for term in self.table.by_weight(weights)[:SHOWN]]
        limit = "as told" if self.limit else f"half of the average LinkScore of {_count(self.seeds, 'seed')}"
        return {
            "terms": f"{_list(best)}; {len(weights)} in all, from {self.origin}",
            "terms learned": _list(self.grown[:SHOWN]) + (" …" if len(self.grown) > SHOWN else ""),
            "relevancy limit": f"{self.relevancy_limit:.3f}, {limit}",
            "tunnelled": f"{_count(self.tunnelled, 'page')} read from the irrelevant table, {self.reached} relevant",
        }


def _list(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _usable(terms: Any, weights: Any) -> dict[str, float]:
    """A table of weights out of what another crawl left."""
    if isinstance(terms, list) and isinstance(weights, list) and len(terms) == len(weights) > 0:
        numbers = all(isinstance(weight, (int, float)) and 0 < weight < math.inf for weight in weights)
        if numbers and all(isinstance(term, str) for term in terms):
            return dict(zip(terms, map(float, weights), strict=True))
    raise BadInput("what is to be learned from holds no table of weighted terms; leave --learn-from out")
