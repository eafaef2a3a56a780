"""Deep-deep: linear Q-learning of links, from the letters of their anchors and addresses.

The code at github.com/TeamHG-Memex/deep-deep (commits 2e99c5f and dfca2ac). Numbers are those of its spider for
relevant pages (`relevant`) and of its QLearner: link text, full URLs and "same domain" as features, γ 0.4, double
learning, 50 examples replayed at each step, the target function replaced every 100 steps; squared loss, L1 penalty
10⁻⁴, learning rate 0.1.

What differs from it:
- The topic's relevance is the reward.
- Hosts stand for domains.
- A link that stands on several pages has the anchor of the first. Theirs keeps all of them in the replay memory.
- An anchor's title attribute is not known. Letters are hashed by another function.
- A random URL comes with chance ε. Theirs adds to each chosen request a random one with that chance.
- One URL is chosen at a time. Theirs takes several at once where there are more than 2,000 domains.
- Scrapy's penalty of a ten-thousandth for each link from the seeds is left out.
- A failed fetch is learned from as a page without reward.
- URLs that were found on no page have the initial value.
As in theirs, seeds are not learned from, and a queued URL keeps its value until all are valued anew: at a
replacement of the target function, if enough steps have passed for the length of the queue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.rivals.link_letters import COLUMNS, LinkTable
from honeyguide.strategy.rivals.lottery import FIRST, Lottery

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

    Numbers = NDArray[np.float32]
    Example = tuple[NDArray[np.int32], Numbers]

RATE, PENALTY = np.float32(0.1), np.float32(1e-4)
INTERCEPT_SHARE = np.float32(0.01)  # of the learning rate, as scikit-learn has it for sparse examples
INITIAL = np.float32(0.05)  # the value of everything before there is a function
NO_ROW = -1
STEPS_PER_URL = (1 - 0.33) / 0.33 / 30_000 / 0.1  # a third of the time for valuing; 30,000 URLs or 10 pages a second


class Linear:
    """A linear function of a link's features, trained by stochastic gradient descent with an L1 penalty."""

    def __init__(self) -> None:
        self.weights = np.zeros(COLUMNS, np.float32)
        self.intercept = np.float32(0)
        self.fitted = False
        self._paid = np.zeros(COLUMNS, np.float32)  # penalty, within one call of `fit`

    def values(self, table: LinkTable, rows: Ids) -> Numbers:
        """Of links."""
        if not self.fitted:
            return np.full(len(rows), INITIAL)
        return table.values(rows, self.weights) + self.intercept

    def fit(self, examples: list[Example], wanted: NDArray[np.float64]) -> None:
        """A step for each example; the penalty is cumulative (Tsuruoka, Tsujii, Ananiadou 2009)."""
        for number, ((columns, values), target) in enumerate(zip(examples, wanted.tolist(), strict=True), 1):
            weights = self.weights[columns]
            step = RATE * (np.float32(target) - weights @ values - self.intercept)
            weights += step * values
            self.intercept = np.float32(self.intercept + step * INTERCEPT_SHARE)
            due, paid = np.float32(number) * RATE * PENALTY, self._paid[columns]
            unpaid = weights - paid
            left = np.where(weights > 0, np.maximum(unpaid - due, 0), np.minimum(unpaid + due, 0))
            self._paid[columns] = left - unpaid
            self.weights[columns] = left
        for columns, _ in examples:
            self._paid[columns] = 0
        self.fitted = True

    def become(self, other: Linear) -> None:
        """Take over another function."""
        self.weights[:], self.intercept, self.fitted = other.weights, other.intercept, other.fitted

    def save(self, name: str) -> dict[str, Any]:
        """The weights that are not 0."""
        used = np.flatnonzero(self.weights)
        arrays = {f"{name}_columns": used.astype(np.int32), f"{name}_weights": self.weights[used]}
        return {**arrays, f"{name}_intercept": float(self.intercept), f"{name}_fitted": self.fitted}

    def load(self, name: str, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.weights[state[f"{name}_columns"]] = state[f"{name}_weights"]
        self.intercept, self.fitted = np.float32(state[f"{name}_intercept"]), bool(state[f"{name}_fitted"])


@register
@dataclass
class DeepDeep(Strategy):
    """Value = Q(link), the discounted sum of rewards; the host is drawn by a softmax over its best URL's value."""

    name = "deep-deep"
    needs_pages = True
    needs_surroundings = False
    needs_main_text = False

    gamma: float = knob(0.4, "what a reward one link farther away is worth", 0, 0.999)
    epsilon: float = knob(0.2, "the chance of a random URL of a random host", 0, 1)
    temperature: float = knob(0.1, "of the softmax over hosts: the higher, the more random", 1e-6)
    replayed: int = knob(50, "examples replayed at each step", 1)
    memory: int = knob(100_000, "examples kept for that; when it is full, a random one is replaced", 1)
    switch: int = knob(100, "steps after which the function that values URLs is replaced by the one that learns", 1)
    double: int = knob(1, "1: double learning; 0: the best link's value is that of the function that learns", 0, 1)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.table = LinkTable()
        self.online, self.target = Linear(), Linear()
        self.value = np.full(1024, INITIAL)  # by id
        self.row = np.full(1024, NO_ROW, np.int32)  # in the table, by id
        self.url_of: list[int] = []  # by row
        self.remembered: list[int] = []  # ids of pages
        self.steps = self.steps_to_wait = 0
        self.lottery = Lottery(graph, seed, self._chosen)

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        self._meet(visit)
        anew = self.row[visit.id] != NO_ROW and visit.error != "redirect" and self._step(visit.id)
        return Lesson(ids=self.lottery.draw(), everything=bool(anew))

    # -- links ------------------------------------------------------------------------------------------------

    def _meet(self, visit: Visit) -> None:
        """Note and value the links that are met for the first time."""
        anchors = [""] * len(visit.targets)
        if visit.error == "redirect":
            row = int(self.row[visit.id])
            anchors = [self.table.anchor(row) if row != NO_ROW else ""]
        elif visit.page is not None:
            anchors = [" ".join(link.anchor.lower().split()) for link in visit.page.links]
        first = dict(zip(reversed(visit.targets.tolist()), reversed(anchors), strict=True))
        new = [id_ for id_ in self.graph.links_from(visit.id).tolist() if self.row[id_] == NO_ROW]
        if new:
            self._add(new, [first[id_] for id_ in new], self.graph.host[new] == self.graph.host[visit.id])

    def _add(self, new: list[int], anchors: list[str], same_host: NDArray[np.bool_]) -> None:
        rows = np.arange(len(self.table), len(self.table) + len(new))
        self.table.add(anchors, [self.graph.url(id_) for id_ in new], same_host)
        self.row[new] = rows
        self.url_of += new
        self.value[new] = self.target.values(self.table, rows)

    def _make_room(self) -> None:
        if len(self.graph) > len(self.row):
            self.row = enlarged(self.row, len(self.graph), NO_ROW)
            known, self.value = self.value, np.full(len(self.row), INITIAL)
            self.value[: len(known)] = known

    # -- learning ---------------------------------------------------------------------------------------------

    def _step(self, id_: int) -> bool:
        """Remember a page and learn from some; whether all URLs got new values."""
        random = np.random.default_rng([self.seed, self.steps, 1])
        self.steps, self.steps_to_wait = self.steps + 1, self.steps_to_wait - 1
        if len(self.remembered) < self.memory:
            self.remembered.append(id_)
        else:
            self.remembered[int(random.integers(self.memory))] = id_
        size = min(self.replayed, len(self.remembered))
        self._replay([self.remembered[i] for i in random.choice(len(self.remembered), size, replace=False).tolist()])
        return self.steps % self.switch == 0 and self._switch()

    def _replay(self, ids: list[int]) -> None:
        examples = [self.table.example(row) for row in self.row[ids].tolist()]
        self.online.fit(examples, self.graph.relevance[ids] + self.gamma * self._following(ids))

    def _following(self, ids: list[int]) -> NDArray[np.float64]:
        """The value of the best link of each page; 0 where there is none."""
        found = np.zeros(len(ids))
        links = [self.row[self.graph.links_from(id_)] for id_ in ids]
        lengths = np.array([len(rows) for rows in links])
        some = np.flatnonzero(lengths)
        if not len(some):
            return found
        rows, starts = np.concatenate(links), (np.cumsum(lengths) - lengths)[some]
        distinct, place = np.unique(rows, return_inverse=True)  # menus stand on many pages
        values = self.online.values(self.table, distinct)[place]
        if not self.double:
            found[some] = np.maximum.reduceat(values, starts)
            return found
        best = [
            s + int(values[s : s + n].argmax()) for s, n in zip(starts.tolist(), lengths[some].tolist(), strict=True)
        ]
        found[some] = self.target.values(self.table, rows[best])
        return found

    def _switch(self) -> bool:
        """Replace the function; value all URLs by it unless that was done too short a time ago."""
        self.target.become(self.online)
        if self.steps_to_wait > 0:
            return False
        waiting = np.flatnonzero(
            (self.graph.visit_of[: len(self.graph)] == 0) & (self.row[: len(self.graph)] != NO_ROW)
        )
        self.value[waiting] = self.target.values(self.table, self.row[waiting])
        self.steps_to_wait = int(len(waiting) * STEPS_PER_URL)
        return True

    # -- choosing ---------------------------------------------------------------------------------------------

    def _chosen(self, queued: Ids, random: np.random.Generator) -> int:
        """A random URL of a random host, or the best URL of a host drawn by its best URL's value."""
        of = self.graph.host[queued]
        best = np.full(int(of.max()) + 1, -np.inf)
        np.maximum.at(best, of, self.value[queued])
        hosts = np.flatnonzero(best > -np.inf)
        if random.random() < self.epsilon:
            return int(random.choice(queued[of == random.choice(hosts)]))
        odds = np.exp((best[hosts] - best[hosts].max()) / self.temperature)
        there = queued[of == random.choice(hosts, p=odds / odds.sum())]
        return int(there[self.value[there].argmax()])

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        return np.where(self.lottery.first(ids), FIRST, self.value[ids])

    def explain(self, id: int) -> list[str]:
        self._make_room()
        row = int(self.row[id])
        lines = [f"expected reward {self.value[id]:.3f}, learned in {self.steps} steps"]
        if row == NO_ROW:
            return [*lines, "found on no page"]
        now = float(self.online.values(self.table, np.array([row]))[0])
        lines.append(f"anchor {self.table.anchor(row)!r}; the function that learns now says {now:.3f}")
        return [*lines, "drawn as the next one"] if id == self.lottery.drawn else lines

    def save(self) -> dict[str, Any]:
        self._make_room()
        known = {"value": self.value[: len(self.graph)].copy(), "url_of": np.array(self.url_of, np.int32)}
        functions = {**self.online.save("online"), **self.target.save("target")}
        counts = {"steps": self.steps, "steps_to_wait": self.steps_to_wait}
        kept = {**self.table.save(), **self.lottery.save(), "remembered": np.array(self.remembered, np.int32)}
        return {**known, **functions, **counts, **kept}

    def load(self, state: dict[str, Any]) -> None:
        self.value = np.array(state["value"], np.float32)
        self.row = np.full(len(self.value), NO_ROW, np.int32)
        self.url_of, self.remembered = state["url_of"].tolist(), state["remembered"].tolist()
        self.row[self.url_of] = np.arange(len(self.url_of))
        self.table.load(state, [self.graph.url(id_) for id_ in self.url_of])
        self.online.load("online", state)
        self.target.load("target", state)
        self.steps, self.steps_to_wait = state["steps"], state["steps_to_wait"]
        self.lottery.load(state)
        self._make_room()
