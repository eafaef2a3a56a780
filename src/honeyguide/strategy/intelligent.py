"""Intelligent: learns, while it crawls, which words, URL tokens, links and siblings point at relevant pages.

Aggarwal, Al-Garawi, Yu: Intelligent crawling on the World Wide Web with arbitrary predicates, 2001.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import knob
from honeyguide.graph import QUEUED, UNDER_WAY
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.interest import FACTORS, Belief, Knowledge, Rule, balancing_weights, sibling_logs
from honeyguide.strategy.noted import Columns
from honeyguide.strategy.page_words import InLinks, PageWords
from honeyguide.strategy.random import mixed
from honeyguide.strategy.telling import evidence, learned
from honeyguide.strategy.url_tokens import UrlTokens, url_tokens
from honeyguide.text import content_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

GROWN = 1000  # pages after which half of the batches' growth has set in
READ = 20_000  # characters of a page


@register
@dataclass
class Intelligent(Strategy):
    """Score = Σ weight × log(interest ratio) over four kinds of evidence; at random before the first hit."""

    name = "intelligent"
    needs_pages = True
    needs_surroundings = False
    needs_main_text = False
    bare = "factor"

    factor: str = knob("all", "the evidence to go by: all of it, or one kind alone", choices=("all", *FACTORS))
    significance: float = knob(2.0, "standard deviations from which on a word or a token tells something", 0)
    least: int = knob(1, "crawled pages that must have a word or a token before it tells something", 1)
    most: int = knob(1024, "words, and tokens, that may tell something: those that differ most; 0: all", 0)
    parents: int = knob(8, "of how many pages that link to a URL, the newest, the words are read; 0: all", 0)
    batch: int = knob(1, "pages after which all queued URLs are ranked anew", 1)
    growth: float = knob(
        0.05, f"the same as a share of the pages crawled, where that is more; half of it at {GROWN:,} pages", 0, 1
    )
    min_ratio: float = knob(0.0, "stop when the best interest ratio of all that is queued is lower; 0: never", 0)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.known, self.belief = Knowledge(), Belief()
        self.columns, self.in_links = Columns(graph), InLinks(graph, self.parents)
        self.words, self.tokens = PageWords(), UrlTokens()
        self._ranked_at = -1  # visits when all was ranked; -1 before the first hit

    def learn(self, visit: Visit) -> Lesson:
        new = self._make_room()
        if visit.error == "redirect":
            self._pass_on(visit.id)
        elif visit.page is not None and not visit.error:
            self._count(visit, visit.page)
        if self._due():
            return self._rank_anew()
        unlinked = new[self.graph.parents[new] == 0]
        self._value(np.concatenate([self.graph.links_from(visit.id), unlinked]))
        return Lesson()

    # -- counting ---------------------------------------------------------------------------------------------

    def _count(self, visit: Visit, page: Page) -> None:
        text = f"{page.title}\n{page.text}"[:READ]
        words = self.known.words.numbers(dict.fromkeys(content_words(text)))
        tokens = self.known.tokens.numbers(url_tokens(visit.url))
        self._keep_words(visit.id, words)
        self.known.count_page(words, tokens, visit.relevant)
        self._count_links(visit.id, int(visit.relevant))
        self.columns.is_page[visit.id] = True

    def _keep_words(self, id_: int, words: NDArray[np.int32]) -> None:
        """For all that is linked to; what other pages link to as well has to wait until all is ranked anew."""
        out = self.graph.links_from(id_)
        self.columns.content[out[~self.in_links.rows(out).any(axis=1)]] = self.belief.worth(words)
        self.in_links.add(id_, self.words.add(words))

    def _count_links(self, id_: int, relevant: int) -> None:
        """Links that have this page as their second end; pages that link to it have one more crawled child."""
        graph, links = self.graph, self.known.links
        parents, good_parents = int(graph.parents[id_]), int(graph.relevant_parents[id_])
        children = graph.links_from(id_)
        children = children[self.columns.is_page[children]]
        good_children = int(np.count_nonzero(graph.relevant[children]))
        links[:, relevant] += (parents - good_parents, good_parents)
        links[relevant] += (len(children) - good_children, good_children)
        self.columns.has_children(id_, len(children), good_children)
        self.columns.is_child(id_, relevant)

    def _pass_on(self, id_: int) -> None:
        """Let a redirect stand for the pages that link to it."""
        columns = self.columns
        self._keep_words(id_, self._in_linking_words(id_))
        columns.has_children(id_, int(columns.siblings[id_]), int(columns.relevant_siblings[id_]))

    def _in_linking_words(self, id_: int) -> NDArray[np.int32]:
        return self.words.of(self.in_links.rows(np.array([id_]))[0])

    def _make_room(self) -> Ids:
        """Take in the URLs that are new in the graph; their ids."""
        new = self.columns.make_room()
        if len(new):
            self.in_links.make_room()
            self.tokens.read(self.graph)
            self.columns.url[new] = self.tokens.values(new)
        return new

    # -- valuing ----------------------------------------------------------------------------------------------

    def _due(self) -> bool:
        if self._ranked_at < 0:
            return self.known.relevant > 0
        visits = self.graph.visits
        share = self.growth * visits / (visits + GROWN)  # a young crawl learns most from every page
        return visits - self._ranked_at >= max(self.batch, share * visits)

    def _rank_anew(self) -> Lesson:
        """Believe what is known by now, and value all that was not visited."""
        graph, columns = self.graph, self.columns
        self._ranked_at = graph.visits
        self._believe(self.known.belief(Rule(self.significance, self.least, self.most)))
        columns.count_siblings()
        ids = np.flatnonzero(graph.visit_of[: len(graph)] == 0)
        self._read(ids)
        logs = self.logs(ids)
        self.belief.weights = balancing_weights(logs[:, graph.parents[ids] > 0])
        columns.value[ids] = self.belief.priority(logs)
        return Lesson(everything=True, stop=self._reason_to_stop(ids, logs.sum(axis=0)))

    def _read(self, ids: Ids) -> None:
        """Value words and tokens by what is believed."""
        self.columns.url[ids] = self.tokens.values(ids)
        if self.factor in ("all", "content"):
            self.columns.content[ids] = self.words.values(self.in_links, ids, self.belief.words)

    def _believe(self, belief: Belief) -> None:
        self.belief = belief
        self.tokens.judge_by(list(self.known.tokens.number), belief.tokens)

    def _value(self, ids: Ids) -> None:
        ids = ids[self.graph.visit_of[ids] == 0]
        if self._ranked_at >= 0 and len(ids):
            self.columns.value[ids] = self.belief.priority(self.logs(ids))

    def logs(self, ids: Ids) -> NDArray[np.float64]:
        """The logarithms of the four interest ratios of URLs, by what is believed; 0 for a kind that is not used."""
        kinds = self.columns.content[ids], self.columns.url[ids], self._links(ids), self._siblings(ids)
        if self.factor == "all":
            return np.array(kinds)
        return np.array([logs * (name == self.factor) for name, logs in zip(FACTORS, kinds, strict=True)])

    def _links(self, ids: Ids) -> NDArray[np.float64]:
        relevant = self.graph.relevant_parents[ids]
        others = self.graph.parents[ids] - relevant
        logs: NDArray[np.float64] = relevant * self.belief.log_p + others * self.belief.log_q
        return logs

    def _siblings(self, ids: Ids) -> NDArray[np.float64]:
        return sibling_logs(self.columns.relevant_siblings[ids], self.columns.siblings[ids], self.belief.base)

    def _reason_to_stop(self, ids: Ids, logs: NDArray[np.float64]) -> str:
        waiting = np.isin(self.graph.state[ids], (QUEUED, UNDER_WAY))
        if not self.min_ratio or not waiting.any() or (self.graph.depth[ids[waiting]] == 0).any():
            return ""
        return "not_interesting" if logs[waiting].max() < math.log(self.min_ratio) else ""

    def score(self, ids: Ids) -> Scores:
        self._value(self._make_room())
        if self._ranked_at < 0:
            return (mixed(ids, self.seed) >> np.uint64(40)).astype(np.float32) / np.float32(2**24)
        return self.columns.value[ids]

    # -- telling and keeping ----------------------------------------------------------------------------------

    def explain(self, id: int) -> list[str]:
        ids = np.array([id])
        score = float(self.score(ids)[0])
        if self._ranked_at < 0:
            return [f"drawn at random: {score:.4f}; none of {self.known.crawled} crawled pages is relevant yet"]
        if self.graph.visit_of[id]:  # it was not valued again since
            self._read(ids)
        return evidence(self, id, self._in_linking_words(id))

    def figures(self) -> dict[str, str]:
        return learned(self.known, self.belief)

    def evidence_weights(self) -> dict[str, float]:
        return dict(zip(FACTORS, self.belief.weights.tolist(), strict=True))

    def save(self) -> dict[str, Any]:
        self._value(self._make_room())
        kept = {**self.columns.save(), **self.words.save(), **self.in_links.save(), **self.belief.save()}
        return {"ranked_at": self._ranked_at, **kept, **self.known.save()}

    def load(self, state: dict[str, Any]) -> None:
        self.known, self._ranked_at = Knowledge(), state["ranked_at"]
        self.known.add(state)
        self.columns.load(state)
        self.words.load(state)
        self.in_links.load(state)
        self.tokens.read(self.graph)
        self._believe(Belief.load(state))

    def knowledge(self) -> dict[str, Any]:
        return self.known.save()

    def adopt(self, knowledge: dict[str, Any]) -> None:
        self.known.add(knowledge)
