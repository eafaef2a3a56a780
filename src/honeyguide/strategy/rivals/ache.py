"""ACHE: a link classifier, trained anew while crawling, over words of the anchor, the address and around the link.

The code at github.com/VIDA-NYU/ache, commit 002bce9, after version 0.12. Its link classifier goes back to Barbosa,
Freire: An Adaptive Crawler for Locating Hidden-Web Entry Points, WWW 2007. Numbers are the defaults of its code;
online learning, and the baseline that is used before the first training, are switched on as in its configuration for
focused crawls.

What differs from it:
- The machine has a squared hinge loss and a penalty on its intercept; theirs is SMILE's, with a plain hinge.
- Words of an address are stemmed when they are chosen, as when they are looked for, and are not merged with words
  that contain them. A word counts once a link.
- The words around a link are the ten before and the ten after it.
- Links on irrelevant pages wait, as in theirs (hard focus); but where nothing else is left they are followed.
- A negative example is drawn at random for each positive one; theirs takes the first in the order of its store.
- Among three levels, a page counts once; theirs counts it once for each way to a relevant page.
- There is no limit of pages per domain and no politeness here: the crawl has its own.
- A redirect hands its words on. What was found on no page is taken for a seed.
As in theirs, a URL has the words of the first page that it was found on and keeps its score until the next training;
and with two classes a link that is surely irrelevant scores higher than one that is barely so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import HELD_BACK, Lesson, Strategy
from honeyguide.strategy.noted import sums
from honeyguide.strategy.path_classifier import sigmoids
from honeyguide.strategy.random import mixed
from honeyguide.strategy.rivals.linear_svm import fitted_scaling, fitted_svm
from honeyguide.strategy.rivals.link_words import LinkWords

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

    Numbers = NDArray[np.float64]

SAMPLE = 5000  # examples of a class
COST = 1.0
SEED_SCORE = np.float32(299)
NO_ROW = -1
UNMET, BY_OTHERS, BY_RELEVANT = range(3)  # the pages that a URL was found on


@register
@dataclass
class Ache(Strategy):
    """Score = 100 × the worth of the likeliest class + 100 × its chance; before, 100 × the relevance of the page."""

    name = "ache"
    needs_pages = True
    needs_main_text = False
    bare = "classes"

    classes: str = knob(
        "binary",
        "what a link is told from: binary, relevant or not; levels, none, one or two links from a relevant page",
        choices=("binary", "levels"),
    )
    limit: int = knob(500, "pages with followed links after which the classifier is trained anew", 1)
    hard_focus: int = knob(1, "1: links on irrelevant pages wait until nothing else is left; 0: they do not", 0, 1)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.words = LinkWords()
        self.row = np.full(1024, NO_ROW, np.int32)  # by id
        self.met_on = np.full(1024, UNMET, np.uint8)
        self.value = np.full(1024, SEED_SCORE)
        self.telling, self.weights = np.zeros(0, np.int64), np.zeros((0, 0))  # a line for each machine
        self.pages = self.released = 0

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        if visit.error == "redirect":
            self._hand_on(visit.id, visit.targets)
        elif visit.page is not None:
            self._meet(visit)
            if visit.relevant or not self.hard_focus:
                self.pages += 1
                return Lesson(everything=self.pages % self.limit == 0 and self._train())
        return Lesson()

    def _hand_on(self, id_: int, targets: Ids) -> None:
        new = targets[self.met_on[targets] < self.met_on[id_]]
        for column in (self.row, self.met_on, self.value):
            column[new] = column[id_]

    def _meet(self, visit: Visit) -> None:
        """Note the links that are met for the first time, or first on a page whose links are followed."""
        assert visit.page is not None
        kind = BY_RELEVANT if visit.relevant or not self.hard_focus else BY_OTHERS
        new = []
        for id_, link in zip(visit.targets.tolist(), visit.page.links, strict=True):
            if self.met_on[id_] < kind:
                self.met_on[id_], self.row[id_] = kind, self.words.add(link, link.url)
                new.append(id_)
        if new:
            self._value(np.array(new), visit.relevance)

    def _value(self, ids: Ids, relevance: float = 0.0) -> None:
        if len(self.weights):
            self.value[ids] = self._judged(ids)
        else:
            lots = mixed(ids, self.seed) % np.uint64(100) if relevance == 1 else 0
            self.value[ids] = 100 * relevance + lots

    def _judged(self, ids: Ids) -> Numbers:
        chances = self.chances(ids)
        likeliest = chances.max(axis=0)
        worth = 2 - chances.argmax(axis=0)
        return np.asarray(100.0 * worth + np.where(likeliest == 1, 99, 100 * likeliest))

    def chances(self, ids: Ids) -> Numbers:
        """The chance of each class, a line each, the best class first."""
        items, owners = self.words.rows.gather(self.row[ids])
        lines = []
        for line in self.weights:
            worth = np.zeros(len(self.words.names))
            worth[self.telling] = line[:-1]
            lines.append(sigmoids(sums(owners, worth[items], len(ids)) + line[-1]))
        found = np.array(lines)
        return found / found.sum(axis=0) if len(found) > 1 else np.vstack((found, 1 - found))

    # -- training ---------------------------------------------------------------------------------------------

    def _train(self) -> bool:
        """Make the classifier anew and value all by it; not where a class has no example."""
        random = np.random.default_rng([self.seed, self.graph.visits])
        known = self.graph.visited()[self.row[self.graph.visited()] != NO_ROW]
        classes = self._levels(known) if self.classes == "levels" else self._both(known, random)
        drawn = [random.choice(ids, SAMPLE, replace=False) if len(ids) > SAMPLE else ids for ids in classes]
        if not all(map(len, drawn)):
            return False
        self._fit(self.row[np.concatenate(drawn)], np.repeat(np.arange(len(drawn)), [len(ids) for ids in drawn]))
        noted = (self.graph.visit_of[: len(self.graph)] == 0) & (self.row[: len(self.graph)] != NO_ROW)
        self._value(np.flatnonzero(noted))
        return True

    def _both(self, known: Ids, random: np.random.Generator) -> list[Ids]:
        """Relevant pages, and no more of the others than of them."""
        good, other = known[self.graph.relevant[known]], known[~self.graph.relevant[known]]
        return [good, random.choice(other, len(good), replace=False) if len(other) > len(good) else other]

    def _levels(self, known: Ids) -> list[Ids]:
        """Relevant pages, other pages that link to one, and others that link to a page that links to one."""
        graph = self.graph
        source, target = graph._source[: graph.edges], graph._target[: graph.edges]
        levels = [known[graph.relevant[known]]]
        reached = np.zeros(len(graph), np.bool_)
        reached[levels[0]] = True
        for _ in range(2):
            nearer, reached = reached, np.zeros(len(graph), np.bool_)
            reached[source[nearer[target]]] = True
            levels.append(
                np.flatnonzero(reached & ~graph.relevant[: len(graph)] & (self.row[: len(graph)] != NO_ROW))
            )
        return levels

    def _fit(self, rows: Ids, of_class: NDArray[np.int64]) -> None:
        self.telling = self.words.telling(rows)
        table = self.words.table(rows, self.telling)
        lines = []
        for number in range(3 if self.classes == "levels" else 1):
            good = of_class == number
            line = fitted_svm(table, good, COST).astype(np.float64)
            slope, shift = fitted_scaling(table @ line[:-1] + line[-1], good)
            lines.append(slope * line + np.append(np.zeros(len(line) - 1), shift))
        self.weights = np.array(lines)

    def _make_room(self) -> None:
        if len(self.graph) > len(self.row):
            self.row, self.met_on = (
                enlarged(self.row, len(self.graph), NO_ROW),
                enlarged(self.met_on, len(self.graph)),
            )
            known, self.value = self.value, np.full(len(self.row), SEED_SCORE)
            self.value[: len(known)] = known

    # -- choosing, telling and keeping ------------------------------------------------------------------------

    def _waits(self, ids: Ids) -> NDArray[np.bool_]:
        """Found on irrelevant pages alone, and not yet released."""
        if not self.hard_focus:
            return np.zeros(len(ids), np.bool_)
        graph = self.graph
        return np.asarray((graph.relevant_parents[ids] == 0) & (graph.parents[ids] > 0) & (ids >= self.released))

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        return np.where(self._waits(ids), HELD_BACK, self.value[ids])

    def idle(self) -> Lesson:
        waiting = bool(self._waits(self.graph.queued()).any())
        self.released = len(self.graph)
        return Lesson(everything=waiting)

    def explain(self, id: int) -> list[str]:
        self._make_room()
        ids = np.array([id])
        if self.row[id] == NO_ROW:
            return ["found on no page: like a seed"]
        lines = [f"score {self.value[id]:.1f} after {self.pages} pages"]
        if self._waits(ids)[0]:
            lines.append("waits: found on irrelevant pages only")
        if not len(self.weights):
            return [*lines, "no classifier yet: 100 × the relevance of the page it was found on"]
        worth = dict(zip(self.telling.tolist(), self.weights[0].tolist(), strict=False))
        told = [
            f"{self.words.names[i]} {worth[i]:+.2f}"
            for i in self.words.rows.gather(self.row[ids])[0].tolist()
            if i in worth
        ]
        chances = ", ".join(f"{chance:.2f}" for chance in self.chances(ids)[:, 0].tolist())
        return [
            *lines,
            f"chances of the classes, the best first: {chances}",
            f"words: {', '.join(told) or 'none known'}",
        ]

    def save(self) -> dict[str, Any]:
        self._make_room()
        columns = {name: getattr(self, name)[: len(self.graph)].copy() for name in ("row", "met_on", "value")}
        model = {"telling": self.telling, "weights": self.weights}
        return {**columns, **model, **self.words.save(), "pages": self.pages, "released": self.released}

    def load(self, state: dict[str, Any]) -> None:
        self.row, self.met_on = np.array(state["row"], np.int32), np.array(state["met_on"], np.uint8)
        self.value = np.array(state["value"], np.float32)
        self.telling, self.weights = state["telling"], state["weights"]
        self.words.load(state)
        self.pages, self.released = state["pages"], state["released"]
        self._make_room()
