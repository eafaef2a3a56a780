"""Evolved: a weighted sum of nine scores, made of links and of judgments, whose weights were found by evolution.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput, check_bounds, knob
from honeyguide.strategy import register
from honeyguide.strategy.base import NOTHING, Lesson, Strategy
from honeyguide.strategy.rank_board import RankBoard
from honeyguide.strategy.rank_formulas import margin, rank, signed_distance
from honeyguide.strategy.rank_scores import RankScores
from honeyguide.strategy.rank_weights import (
    BEST_FIRST,
    FIRST_SCORES,
    GENERATIONS,
    MOST_GENERATIONS,
    chosen_weights,
    is_score,
    oldest,
)
from honeyguide.strategy.rank_words import lines_about

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic


@register
@dataclass
class Evolved(Strategy):
    """Rank = Σ weight · score, the scores being hub, authority, comm_in, comm_out and parent_1 to parent_k."""

    name = "evolved"
    bare = "weights"

    weights: str = knob("", f"a file of weights, or {BEST_FIRST}; empty: those of the paper")
    generations: int = knob(
        GENERATIONS, "generations of parents that count; a file says so itself", 1, MOST_GENERATIONS
    )
    drift: float = knob(
        0.01, "share by which an average may change before all is ranked anew; 0: at every page", 0, 1
    )
    given: Mapping[str, float] = field(default_factory=dict)  # single weights by score; the others get none

    def __post_init__(self) -> None:
        check_bounds(self)
        self.weight_of = chosen_weights(self.weights, self.given, self.generations)

    @classmethod
    def from_argument(cls, argument: str) -> Strategy:
        """Scores may be given weights as knobs are set: then they alone count."""
        given: dict[str, Any] = {}
        rest = []
        for part in filter(None, argument.split(",")):
            name, equals, value = part.partition("=")
            if equals and is_score(name):
                given[name] = _number(value)
            else:
                rest.append(part)
                cls._check_setting(name if equals else cls.bare)
        strategy = super().from_argument(",".join(rest))
        assert isinstance(strategy, cls)
        return dataclasses.replace(strategy, given=given)

    @classmethod
    def _check_setting(cls, name: str) -> None:
        knobs = [f.name for f in dataclasses.fields(cls) if "help" in f.metadata]
        if name not in knobs:
            scores = ", ".join(FIRST_SCORES)
            raise BadInput(
                f"strategy {cls.name} has no setting {name!r}; it has {', '.join(knobs)}, and takes weights for"
                f" {scores} and parent_1, parent_2 …"
            )

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.averages = (0.0, 0.0)  # as they stood when all was ranked last
        self._set_up()

    def _set_up(self) -> None:
        self.scores = RankScores(self.graph, oldest(self.weight_of))
        self._weights = list(self.weight_of.values())[: len(FIRST_SCORES) + oldest(self.weight_of)]
        self.board = RankBoard(self.graph, exact=not self.drift)

    def learn(self, visit: Visit) -> Lesson:
        self.board.visited(visit)
        changed = [self._note(self.graph.links_from(visit.id), self._take_in(visit))]
        before, now = self.averages, self._averages()
        if now != before:
            best = self.board.best()
            changed.append(self.board.note(best, self._ranks(best)))
        # Ranks can only fall when averages rise, so that what is below the floor stays there; else any may rise.
        if self.board.out_of_step or min(now[0] - before[0], now[1] - before[1]) < 0:
            unvisited = self.board.unvisited()
            changed.append(self.board.renew(unvisited, self._ranks(unvisited)))
        return Lesson(ids=np.concatenate(changed))

    def _take_in(self, visit: Visit) -> Ids:
        """Enter a visit; the URLs, beside those it links to, whose scores changed."""
        if visit.error == "redirect":
            return self.scores.add_redirect(visit.id, int(visit.targets[0]))
        if visit.error:
            return NOTHING
        return self.scores.add_page(visit.id, self._judgment(visit.relevance), visit.relevant)

    def _note(self, links: Ids, others: Ids) -> Ids:
        """Note the ranks of what a page links to, and of others; these at least are to be made known."""
        ids = self.board.unvisited_of(np.concatenate([links, others])) if len(others) else links.astype(np.intp)
        known = self.board.note(ids, self._ranks(ids))
        return known if len(others) else NOTHING

    def _averages(self) -> tuple[float, float]:
        """The averages that ranks are made with: the same as long as neither has drifted."""
        now = self.scores.averages()
        if any(abs(new - old) > self.drift * old for new, old in zip(now, self.averages, strict=True)):
            self.averages = now
        return self.averages

    def _ranks(self, ids: Ids) -> Scores:
        return rank(self._weights, self.scores.of(ids, self.averages)).astype(np.float32)

    def _judgment(self, relevance: float) -> float:
        """The signed distance from the topic's threshold: the margin of a classifier, or relevance from -1 to 1."""
        if self.topic.kind == "classifier":
            return margin(relevance, self.topic.threshold, self.topic.scale)  # type: ignore[attr-defined]
        return signed_distance(relevance, self.topic.threshold)

    def score(self, ids: Ids) -> Scores:
        return self.board.of(ids)

    def explain(self, id: int) -> list[str]:
        self.scores.make_room()
        lines = lines_about(id, self.graph, self.scores, self.averages, self.weight_of)
        if self._ranks(np.array([id]))[0] != (known := self.board.of(id)):
            lines.append(
                f"the crawl goes by {known:.4g}, an earlier rank: only the best queued URLs are kept up to date"
            )
        return lines

    def figures(self) -> dict[str, str]:
        heaviest = sorted(self.weight_of.items(), key=lambda item: -item[1])
        return {
            "weights": ", ".join(f"{name} {weight:.3g}" for name, weight in heaviest if weight),
            "community": f"{np.count_nonzero(self.scores.community):,} pages, seeds included",
        }

    def save(self) -> dict[str, Any]:
        rest = {"averages": list(self.averages), "weight_of": self.weight_of}
        return {**self.scores.save(), **self.board.save(), **rest}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave, the weights included: a file of them may have changed since."""
        self.weight_of = dict(state["weight_of"])
        self.averages = (float(state["averages"][0]), float(state["averages"][1]))
        self._set_up()
        self.scores.load(state)
        self.board.load(state)


def _number(text: str) -> float | str:
    """A number where it is one; what is none is refused with all other weights."""
    try:
        return float(text)
    except ValueError:
        return text
