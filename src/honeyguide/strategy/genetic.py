"""Genetic: the crawl as a genetic algorithm, whose mutation is a meta-search.

Yohanes, Handoko, Wardana: Focused crawler optimization using genetic algorithm, 2011.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import WITH_PAGE, BadInput, knob
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.crossover import Crossover
from honeyguide.strategy.genetic_account import filtering_rate, gain_by_searches, of_a_page, of_a_queued_url
from honeyguide.strategy.lexicon import Lexicon
from honeyguide.strategy.mutation import Queries, read_queries
from honeyguide.strategy.path_features import keywords
from honeyguide.strategy.population import Population
from honeyguide.strategy.reference import reference_pages
from honeyguide.topic.base import reading

if TYPE_CHECKING:
    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Help, Ids, Scores
    from honeyguide.topic import Topic

PATIENCE = 3  # mutations in a row without a page to show for it
LONGEST_REACH = 20  # doublings of the places on offer while nothing can be fetched


@register
@dataclass
class Genetic(Strategy):
    """Generations of pages: the fit survive, and their links and what searches find are the next queue."""

    name = "genetic"
    needs_pages = True
    needs_surroundings = False

    population: int = knob(50, "URLs in the queue of a generation, and draws that decide which pages survive", 1)
    crossover: float = knob(
        0.8, "share of the queue that comes from links of survivors; the rest is searched for", 0, 1
    )
    mutation: float = knob(0.5, "chance that each term of a query is exchanged; 0: no searches", 0, 1)
    queries: int = knob(2, "searches a generation", 1)
    words: int = knob(3, "terms of a query", 1)
    queries_file: str = knob("", "a file with one query a line, to be asked in turn instead of drawn ones")
    lexicon: str = knob("", "pages that show the domain: a file, folder, URL or stored web [default: a search's]")
    results: int = knob(10, "pages of the lexicon where a search finds them", 1)
    keywords: int = knob(20, "terms of the lexicon that queries, and for want of others fitness, are made of", 1)
    generations: int = knob(0, "stop after so many generations, the seeds' included; 0: never", 0)
    repository: int = knob(0, "stop when so many pages are kept; 0: never", 0)
    improvement: float = knob(0.0, "stop when the mean fitness rises by less than this share of it; 0: never", 0)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.pages = Population(graph)
        weights = topic.words()
        own = [term for term in keywords(weights) if weights[term] > 0]
        self.pages.count_words(own)
        self.queue = Crossover(graph)
        self.asking = Queries(self.queries, self.words, self.mutation, seed, own)
        self.means: list[float] = []  # of fitness, by generation
        self.hits: list[int] = []  # what searches found, the latest first
        self.found_by: dict[int, int] = {}  # the number of the query that found a URL first
        self._taken = 0  # visits of this generation
        self._idled = self._searched = 0  # times since the last visit

    async def prepare(self, help: Help) -> None:
        if self.mutation > 0 and not help.has_search:
            raise BadInput("genetic needs a search for its mutation: add --search ddgs, or genetic:mutation=0")
        if self.queries_file and not self.mutation:
            raise BadInput(f"genetic asks nothing without mutation: leave out mutation=0 or {self.queries_file}")
        if self.queries_file:
            self.asking.given = read_queries(self.queries_file)
        if self.lexicon or not self.pages.lexicon.pages:  # pages that are named join what was learned elsewhere
            pages = await reference_pages(help, self.topic, self.lexicon, self.results, self.name)
            if self.lexicon and not any(page.text.strip() for page in pages):
                raise BadInput(f"the pages in {self.lexicon} have no text to make a lexicon of; name others")
            for page in pages:
                self.pages.lexicon.add(reading(page), [link.url for link in page.links], self.pages.keywords)
        if self.pages.lexicon.pages:
            self.pages.settle(self.keywords)

    def learn(self, visit: Visit) -> Lesson:
        self.queue.make_room()
        self._idled = self._searched = 0
        self._taken += 1
        self.queue.pending.discard(visit.id)
        came = visit.page if visit.error in WITH_PAGE else None
        self.pages.take_in(visit.id, self.queue.generation, reading(came) if came else None, not visit.flag)
        if visit.error == "redirect" and self.queue.holds(np.array([visit.id]))[0]:
            self.queue.enqueue(visit.targets, self.queue.place[visit.id])
        return self._turn() if self._over() else Lesson()

    def _over(self) -> bool:
        """Whether all seeds were visited, or all of the queue."""
        if self.queue.generation:
            return not self.queue.pending and not self.asking.waiting
        known = len(self.graph)
        return not np.any((self.graph.depth[:known] == 0) & (self.graph.visit_of[:known] == 0))

    def _turn(self) -> Lesson:
        """End a generation: selection, crossover and mutation."""
        if not self.pages.settled:
            self.pages.settle(self.keywords)
        chance = random.Random(f"{self.seed} survivors {self.queue.generation}")
        survivors, others, mean = self.pages.select(self.population, chance)
        self.means.append(mean)
        self.queue.add(survivors, self.pages.fitness(survivors))
        left = self.queue.turn()
        self._taken = 0
        stop = self._reason_to_stop()
        asked = () if stop else self._mutate()
        queued = [] if asked else self._fill(self.population)
        ids, not_kept = np.array([*left, *queued], np.int32), np.array(others, np.int32)
        return Lesson(ids=ids, search=asked, not_kept=not_kept, stop=stop)

    def _reason_to_stop(self) -> str:
        if 0 < self.generations <= len(self.means):
            return "generations"
        if 0 < self.repository <= self.pages.survived()[0]:
            return "repository_full"
        return "converged" if self._converged() else ""

    def _converged(self) -> bool:
        if not self.improvement or len(self.means) < 2 or not self.means[-2]:
            return False
        return self.means[-1] < self.means[-2] * (1 + self.improvement)

    def _mutate(self) -> tuple[str, ...]:
        self._searched += 1
        return self.asking.following(self.pages.query_terms)

    def _fill(self, places: int) -> list[int]:
        return self.queue.fill(places, self.crossover, self.hits)

    def found(self, query: str, ids: Ids) -> Lesson:
        self.queue.make_room()
        if query not in self.asking.waiting:
            return Lesson()
        number = self.asking.answered(query, ids.tolist())
        for id_ in ids.tolist():
            if not self.graph.visit_of[id_]:
                self.found_by.setdefault(id_, number)
        if self.asking.waiting:
            return Lesson()
        self._gather()
        return Lesson(ids=np.array(self._fill(self.population), np.int32))

    def _gather(self) -> None:
        """Put what searches found before what they found earlier."""
        found = dict.fromkeys([*self.asking.merged(), *self.hits])
        self.hits = [id_ for id_ in found if self.queue.is_new(id_)]

    def idle(self) -> Lesson:
        """Offer the next best where the queue could not be fetched; where there are none, the generation is over."""
        self.queue.make_room()
        self.queue.pending.clear()
        self._gather()
        more = self._fill((self.population - self._taken) << self._idled) if self.queue.generation else []
        self._idled = min(self._idled + 1, LONGEST_REACH)
        if more:
            return Lesson(ids=np.array(more, np.int32))
        if self._taken or not self.queue.generation:
            return self._turn()
        return Lesson(search=self._mutate()) if self._searched < PATIENCE else Lesson()

    def score(self, ids: Ids) -> Scores:
        self.queue.make_room()
        return self.queue.score(ids)

    def explain(self, id: int) -> list[str]:
        self.queue.make_room()
        query = self.asking.asked[self.found_by[id]] if id in self.found_by else ""
        told = [f"found by the query {query!r}"] if query else []
        if self.graph.visit_of[id]:
            return [*of_a_page(self.pages, id), *told]
        return [*of_a_queued_url(self.queue, self.pages, id), *told]

    def figures(self) -> dict[str, str]:
        if not self.means:
            return {}
        told = {
            "generations": f"{len(self.means):,}",
            "selection": filtering_rate(*self.pages.survived()),
            "mean fitness": f"{self.means[0]:.3f} in the first generation, {self.means[-1]:.3f} in the last",
        }
        if self.asking.asked:
            told["mutation"] = gain_by_searches(len(self.asking.asked), list(self.found_by), self.pages)
        return told

    def save(self) -> dict[str, Any]:
        self.queue.make_room()
        return {
            **self.pages.save(),
            **self.queue.save(),
            **self.asking.save(),
            "means": self.means,
            "hits": self.hits,
            "found_by": list(self.found_by.items()),
            "since": [self._taken, self._idled, self._searched],
        }

    def load(self, state: dict[str, Any]) -> None:
        self.pages.load(state)
        self.queue.load(state)
        self.asking.load(state)
        self.means, self.hits = list(state["means"]), list(state["hits"])
        self.found_by = dict(state["found_by"])
        self._taken, self._idled, self._searched = state["since"]

    def knowledge(self) -> dict[str, Any]:
        if not self.pages.settled:
            return {}
        return {**self.pages.lexicon.to_dict(), "keywords": self.pages.terms, "queries": self.asking.now}

    def adopt(self, knowledge: dict[str, Any]) -> None:
        self.pages.lexicon = Lexicon.from_dict(knowledge)
        try:
            self.asking.now = [list(map(str, terms)) for terms in knowledge["queries"]]
            keywords = list(map(str, knowledge["keywords"]))
        except (KeyError, TypeError) as error:
            raise BadInput(f"these are no queries of a genetic crawl ({error!r}); leave --learn-from out") from None
        if not self.pages.terms:
            self.pages.count_words(keywords)
