"""Paths: a classifier of the paths that lead to a URL says whether the page behind it has the keywords.

Kuśmierczyk, Sydow: Towards a keyword-focused web crawler, 2013.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BESIDE, WITH_PAGE, BadInput, knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import HELD_BACK, NOTHING, Lesson, Strategy
from honeyguide.strategy.path_book import PathBook
from honeyguide.strategy.path_classifier import CRITERIA, FITTED, check_installed
from honeyguide.strategy.path_features import SETS, Reader, keywords
from honeyguide.strategy.path_learner import PathLearner
from honeyguide.strategy.path_telling import told

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

LAYERS = 25  # of a crawl whose breadth is not given
LEAST_BREADTH = 10
AHEAD = 5  # breadths that are listed at once: hosts must rest, and some of it can never be fetched


@register
@dataclass
class Paths(Strategy):
    """Crawls in layers; a URL is fetched when enough of the links to it are taken for good ones."""

    name = "paths"
    needs_pages = True
    needs_surroundings = False
    needs_main_text = False
    version = 2

    breadth: int = knob(0, "URLs fetched in a layer; 0: a 25th of the crawl's pages, 10 at least", 0)
    layers: int = knob(0, "layers beyond the seeds after which the crawl ends; 0: no limit", 0)
    classifier: str = knob("nb", "naive Bayes, a CART tree, or a linear SVM", choices=tuple(FITTED))
    features: str = knob("poor", "which set of features", choices=tuple(SETS))
    criterion: str = knob("simple", "what makes a link a good one", choices=CRITERIA)
    vote: float = knob(0.95, "share of the links to a URL that must be good", 0, 1)
    cap: int = knob(100, "words beyond which a keyword is far from a link", 1, 100_000)
    fill: float = knob(0.5, "share of a layer to be filled with what was cut; offline it is none", 0, 1)
    offline: int = knob(0, "1: learn once, from the layers train_from to train_to", 0, 1)
    train_from: int = knob(3, "when offline: the first layer to learn from", 1)
    train_to: int = knob(10, "when offline: the last one; until it is over nothing is cut", 1)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        check_installed(self.classifier)
        self.reader = Reader(keywords(topic.words()), self.cap)
        if not self.reader.needles:
            raise BadInput(f"{self.name} needs keywords, and {topic} has none; try keyword:all(bees, hive)")
        if self.offline and self.train_from > self.train_to:
            raise BadInput(f"train_from={self.train_from} comes after train_to={self.train_to}; swap them")
        self.book = PathBook(graph, self.cap)
        trained_on = range(self.train_from, self.train_to + 1) if self.offline else None
        self.learner = PathLearner(self.book, self.features, self.classifier, self.criterion, seed, trained_on)
        self.width = self.breadth or max(LEAST_BREADTH, math.ceil(self.budget / (self.layers or LAYERS)))
        self.value = np.full(1024, HELD_BACK, np.float32)  # by id
        self.stays = np.zeros(1024, np.bool_)  # by id: keeps its score whatever is listed
        self.was_cut = np.zeros(1024, np.bool_)  # by id: listed all the same, to fill a layer
        self.listed: Ids = NOTHING
        self.left = 0  # of the listed ones
        self.fetched = 0  # in this layer
        self.tries = 0  # of making something of what is left, since the last visit
        self.candidates = self.cut = 0  # when this layer was begun
        self.filled = 0  # pages fetched though they were cut

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        self._take_in(visit)
        self.left -= bool(np.isfinite(self.value[visit.id]) and not self.stays[visit.id])
        self.fetched += visit.flag not in BESIDE
        self.filled += bool(self.was_cut[visit.id])
        self.tries = 0
        if self.book.layer == 0:
            return Lesson() if self._seeds_left() else self._next_layer()
        if self.fetched >= self.width:
            return self._next_layer()
        if self.learner.is_due():
            self.learner.learn()
            return Lesson(self._list())
        return Lesson() if self.left > 0 else self._go_on()

    def _take_in(self, visit: Visit) -> None:
        page = visit.page if visit.error in WITH_PAGE else None
        count = 0
        if page is not None:
            count, distance, mean = self.reader.read(page)
            self.book.enter_links(visit.number, visit.targets, distance, mean)
        elif visit.error == "redirect":
            self._follow(visit.id, int(visit.targets[0]))
        is_page = page is not None and not visit.error
        self.book.enter(visit.number, is_page, visit.relevant, count)
        self.learner.fresh += is_page * self.book.links_to(visit.id)

    def _follow(self, old: int, new: int) -> None:
        """What an address was worth, the one it redirects to is: in this layer, and whatever is listed."""
        self.book.move(old, new)
        self.learner.forget_votes()
        self.stays[new] = True
        self.value[new] = max(self.value[new], self.value[old] if np.isfinite(self.value[old]) else np.float32(0))

    def _seeds_left(self) -> bool:
        known = len(self.graph)
        return bool(np.any((self.graph.depth[:known] == 0) & (self.graph.visit_of[:known] == 0)))

    def idle(self) -> Lesson:
        """What is listed cannot be fetched: others get their turn, then the next layer."""
        self._make_room()
        self.tries += 1
        self.stays[self.listed[self.graph.visit_of[self.listed] == 0]] = True
        return self._next_layer() if self.book.layer == 0 else self._go_on()

    def _go_on(self) -> Lesson:
        """With more of this layer, or with the next one."""
        changed = self._list()
        if self.left > 0:
            return Lesson(changed)
        return self._next_layer(changed) if self.fetched or self.book.has_found else Lesson()

    def _next_layer(self, changed: Ids = NOTHING) -> Lesson:
        if self.layers and self.book.layer >= self.layers:
            return Lesson(changed, stop="layers")
        self.book.close_layer()
        self.learner.close_layer()
        self.fetched = 0
        changed = np.union1d(changed, self._list())
        return Lesson(changed)

    def _list(self) -> Ids:
        """Give the best that this layer may fetch a score, and hold all others back; whose scores changed."""
        votes, known = self.learner.votes(), len(self.graph)
        unseen = (votes.links > 0) & (self.graph.visit_of[:known] == 0)
        free = unseen & ~self.stays[:known]
        good = free & (votes.share >= self.vote - 1e-6)
        if not self.fetched:
            self.candidates, self.cut = int(free.sum()), int(free.sum() - good.sum())
        chosen = best(votes.order, good, AHEAD * self.width << self.tries)
        self.was_cut[chosen] = False
        share = 0 if self.offline else self.fill
        short = (math.ceil(share * self.width) << self.tries) - self.fetched - len(chosen)
        if short > 0:
            fillers = best(votes.order, free & ~good, short)
            self.was_cut[fillers] = True
            chosen = np.concatenate((chosen, fillers))
        return self._expose(chosen, np.flatnonzero(unseen & self.stays[:known]), votes.order)

    def _expose(self, chosen: Ids, staying: Ids, order: Scores) -> Ids:
        old = self.listed[(self.graph.visit_of[self.listed] == 0) & ~self.stays[self.listed]]
        self.value[old] = HELD_BACK
        self.value[chosen], self.value[staying] = order[chosen], order[staying]
        self.listed, self.left = chosen, len(chosen)
        return np.concatenate((old, chosen, staying))

    def _make_room(self) -> None:
        known, size = len(self.graph), len(self.value)
        if known > size:
            self.value, self.stays = enlarged(self.value, known), enlarged(self.stays, known)
            self.was_cut = enlarged(self.was_cut, known)
            self.value[size:] = HELD_BACK

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        return self.value[ids]

    def explain(self, id: int) -> list[str]:
        self._make_room()
        return told(self, id)

    def save(self) -> dict[str, Any]:
        self._make_room()
        known = len(self.graph)
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        columns = {name: getattr(self, name)[:known].copy() for name in ("value", "stays", "was_cut")}
        return {**numbers, **columns, "listed": self.listed, **self.book.save(), **self.learner.save()}

    def load(self, state: dict[str, Any]) -> None:
        for name in _NUMBERS:
            setattr(self, name, state[name])
        self.value, self.stays = np.array(state["value"], np.float32), np.array(state["stays"], np.bool_)
        self.was_cut = np.array(state["was_cut"], np.bool_)
        self.listed = state["listed"]
        self._make_room()
        self.book.load(state)
        self.learner.load(state)

    def knowledge(self) -> dict[str, Any]:
        return self.learner.knowledge()

    def adopt(self, knowledge: dict[str, Any]) -> None:
        self.learner.adopt(knowledge)

    def figures(self) -> dict[str, str]:
        return {
            "layers": f"{self.book.layer}, of {self.width:,} pages at most",
            "cut": f"{self.cut:,} of {self.candidates:,} candidates for the newest layer",
            "fetched though cut": f"{self.filled:,} pages in all, to fill layers",
            **self.learner.figures(),
            **self._not_heeded(),
        }

    def _not_heeded(self) -> dict[str, str]:
        """Settings that were given and make no difference."""
        idle = ("fill",) if self.offline else ("train_from", "train_to")
        given = [f.name for f in fields(self) if f.name in idle and getattr(self, f.name) != f.default]
        return {"not heeded": f"{' and '.join(given)}, offline={self.offline}"} if given else {}


_NUMBERS = ("width", "left", "fetched", "tries", "candidates", "cut", "filled")


def best(order: Scores, among: NDArray[np.bool_], count: int) -> Ids:
    """The ids of the highest, among equals of those found first."""
    ids = np.flatnonzero(among)
    if len(ids) <= count:
        return ids
    last = np.partition(order[ids], len(ids) - count)[len(ids) - count]
    above, equal = ids[order[ids] > last], ids[order[ids] == last]
    return np.concatenate((above, equal[: count - len(above)]))
