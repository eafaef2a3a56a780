"""Honeyguide: all that is known of a link, weighed by a model that starts at a rule and learns from every fetch."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput, knob
from honeyguide.strategy import register
from honeyguide.strategy.base import NOTHING, Lesson
from honeyguide.strategy.honeyguide import pace
from honeyguide.strategy.honeyguide.board import Board
from honeyguide.strategy.honeyguide.evidence import Evidence
from honeyguide.strategy.honeyguide.exploring import drawn
from honeyguide.strategy.honeyguide.model import Model
from honeyguide.strategy.honeyguide.priors import KINDS, Priors
from honeyguide.strategy.honeyguide.searches import Searches
from honeyguide.strategy.honeyguide.telling import learned, lines_about

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Help, Ids, Scores
    from honeyguide.topic import Topic

LEAST = 1e-9  # chance that is told from none
_TIMES = ("fitted", "ranked", "links_seen")


@register
@dataclass
class Honeyguide(Priors):
    """Rank = Σ weight · evidence: the log-odds of relevance, as learned while crawling."""

    name = "honeyguide"
    needs_pages = True
    needs_surroundings = False
    needs_main_text = False
    version = 6

    firmness: float = knob(10.0, "how many examples it takes to leave the first weights", 0.01, 1000)
    future: float = knob(0.1, "what it is worth that a page leads to a relevant one", 0, 1)
    recent: int = knob(1000, "examples that are learned from, the latest ones", 10, 100_000)
    memory: int = knob(30, "fetches of a host or folder after which what it brought has faded", 2, 1_000_000)
    exploration: float = knob(1.0, "how much of a say chance has while nothing relevant is found", 0, 100)
    searches: int = knob(0, "searches to make where links bring little, with what --search names", 0)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.evidence = Evidence(graph, topic, self.memory)
        self._used = np.array(self.used(), np.float64)
        self._used[KINDS.index("keywords")] *= self.evidence.texts.has_keywords
        self.board = Board(graph)
        self.searching = Searches(self.searches, topic)
        self.model = Model(self.first_weights(), self.firmness, self.recent)
        self._fitted = self._ranked = 0  # visits when the weights were fitted, and when all was ranked
        self._links_seen = 0  # links that were looked at

    async def prepare(self, help: Help) -> None:
        if self.searches and not help.has_search:
            raise BadInput("honeyguide:searches needs something to search with: add --search ddgs")

    def learn(self, visit: Visit) -> Lesson:
        self.evidence.note(visit)
        self.searching.note(visit)
        ids = self._take_in() if self.evidence.waiting >= pace.patience(self.graph.visits) else NOTHING
        return Lesson(ids=ids, links=False, search=self.searching.due(self.evidence.texts.words))

    def _take_in(self, *more: Ids) -> Ids:
        """Learn from the visits that wait, and rank what they change and what is new; what ranks otherwise now."""
        new = self.graph.link_target[self._links_seen : self.graph.edges]
        self.evidence.make_room()
        self._keep_examples()
        at_random = self.randomness > 0
        beside = self.evidence.take_in()
        fitted = self._fit_in_time()
        self._links_seen = self.graph.edges
        if (at_random and not self.randomness) or pace.time_to_rank_all(self.graph.visits, self._ranked):
            return self._rank_all()
        best = self.board.best() if fitted else NOTHING
        return self._rank(np.concatenate([self.board.unranked(), new, self.graph.link_target[beside], best, *more]))

    def found(self, query: str, ids: Ids) -> Lesson:
        self.searching.answer(query, ids)
        return Lesson(ids=self._take_in(ids))

    def idle(self) -> Lesson:
        ids = self._take_in()
        return Lesson(ids=ids, search=() if len(ids) else self.searching.due(self.evidence.texts.words, idle=True))

    def _keep_examples(self) -> None:
        """Seeds and redirects teach nothing of links."""
        visits = [number for number in self.evidence.noted.tolist() if pace.stands_for(number)]
        ids = self.graph.visited()[visits]
        ids = ids[(ids < self.board.known) & (self.graph.depth[ids] > 0)]
        if len(ids):
            self.model.add(self._evidence(ids), self.graph.relevant[ids])

    def _fit_in_time(self) -> bool:
        if not pace.time_to_fit(self.graph.visits, self._fitted):
            return False
        self._fitted = self.graph.visits
        self.model.fit()
        return True

    def _rank(self, ids: Ids) -> Ids:
        ids = np.unique(ids[self.graph.visit_of[ids] == 0])
        return self.board.note(ids, self._ranks(ids)) if len(ids) else ids

    def _rank_all(self) -> Ids:
        self._ranked = self.graph.visits
        self.evidence.texts.value_all()
        ids = self.board.open()
        return self.board.note_all(ids, self._ranks(ids))

    def _ranks(self, ids: Ids) -> Scores:
        """The log-odds of being relevant, or else of leading to a relevant page, which is worth less."""
        now = np.maximum(self.model.chance(self.model.rank(self._evidence(ids))), self.searching.chances(ids))
        later = self.future * self.evidence.promise(ids)
        value: NDArray[np.float64] = np.clip(now + (1 - now) * later, LEAST, 1 - LEAST)
        ranks: Scores = np.log(value / (1 - value)).astype(np.float32)
        return ranks + np.float32(self.randomness) * drawn(ids, self.seed) if self.randomness else ranks

    @property
    def randomness(self) -> float:
        """How much of a say chance has: some, when much has failed and nothing found says where to look."""
        return 0.0 if self.evidence.good else self.exploration * pace.share_of_chance(self.graph.visits)

    def _evidence(self, ids: Ids) -> NDArray[np.float64]:
        return self.evidence.of(ids) * self._used

    def score(self, ids: Ids) -> Scores:
        return self.board.of(ids)

    @property
    def to_be_ranked(self) -> Ids:
        return self.board.unranked()

    def unranked(self, id: int) -> bool:
        return id >= self.board.known

    # -- telling and keeping ----------------------------------------------------------------------------------

    def explain(self, id: int) -> list[str]:
        self.evidence.make_room()
        ids = np.array([id])
        evidence = self._evidence(ids)
        now, later = float(self.model.chance(self.model.rank(evidence))[0]), float(self.evidence.promise(ids)[0])
        first = (
            f"{self._rank_told(ids)}: a chance of {now:.0%} to be relevant, and of"
            f" {later:.0%} to lead to a page that is, by {self.model.examples:,} examples"
            f"{self._chance_told(ids)}"
        )
        return [
            first,
            *self.searching.told(id),
            f"{self.model.weights[0]:+.2f}  for any URL, before all that follows",
            *lines_about(id, self.graph, self.evidence, evidence[0] * self.model.weights[1:]),
        ]

    def _rank_told(self, ids: Ids) -> str:
        if self.unranked(int(ids[0])):
            return f"no rank yet; as things stand it would be {self._ranks(ids)[0]:+.2f}"
        return f"the crawl goes by {self.board.of(ids)[0]:+.2f}"

    def _chance_told(self, ids: Ids) -> str:
        if not self.randomness:
            return ""
        return f"; until a relevant page is found, chance adds {self.randomness * drawn(ids, self.seed)[0]:+.2f}"

    def figures(self) -> dict[str, str]:
        weights = self.evidence_weights()
        return learned(self.evidence, {kind: weights[kind] for kind in itertools.compress(KINDS, self._used)})

    def evidence_weights(self) -> dict[str, float]:
        return dict(zip(KINDS, (self.model.weights[1:] * self._used).tolist(), strict=True))

    def save(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, f"_{name}") for name in _TIMES},
            **self.searching.save(),
            **self.board.save(),
            **self.model.save(),
            **self.evidence.save(),
        }

    def load(self, state: dict[str, Any]) -> None:
        for name in _TIMES:
            setattr(self, f"_{name}", int(state[name]))
        self.searching.load(state)
        self.board.load(state)
        self.model.load(state)
        self.evidence.load(state)

    def knowledge(self) -> dict[str, Any]:
        return {"kinds": list(KINDS), "weights": self.model.weights.copy(), **self.evidence.texts.words.knowledge()}

    def adopt(self, knowledge: dict[str, Any]) -> None:
        try:
            weights = np.asarray(knowledge["weights"], np.float64)
            if list(knowledge["kinds"]) != list(KINDS) or weights.shape != (len(KINDS) + 1,):
                raise ValueError("its weights are for other kinds of evidence")
            self.evidence.texts.words.adopt(knowledge)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"what is to be learned from is no knowledge of a honeyguide crawl ({error}); name the directory of a"
                " crawl that was made with --strategy honeyguide"
            ) from None
        self.model.start_at(weights)
