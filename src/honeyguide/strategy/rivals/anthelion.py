"""Anthelion: a naive Bayes classifier of URLs learned while crawling, and a bandit that chooses among hosts.

Meusel, Mika, Blanco: Focused Crawling for Structured Data, CIKM 2014, and the code at github.com/yahoo/anthelion,
Anthelion 1.0.0 (commit b089fbc) with MOA 2012.08. Numbers are those of its holistic.properties: the one of its
configurations that lets the bandit explore.

What differs from it:
- A relevant page stands for one with semantic markup.
- The default value of a host is success rate times best score. The "holistic" one of the configuration is left out:
  it reads two properties that no configuration sets.
- The loop over hosts keeps the best one. Theirs compares with a variable that stays 0, so it keeps the last.
- Parent and sibling features are yes or no, like the tokens. Theirs gives them to a Gaussian, and by slips never
  sets two of the four.
- The host name is no feature. Theirs hands it to MOA as a text, whose running number is then measured.
- Where the value is of the host alone, its best URL is found within 8,192 steps of prediction.
- A Thompson sample is drawn when the counts of a host change, not at each look.
- One host is chosen at a time, for one URL; there is no queue of 1,000 hosts between bandit and crawler.
- Tokens are hashed by CRC-32. A failed fetch counts as not relevant. A redirect hands its parent on.
As in theirs, a URL is classified once, when it is first met (classifier.mode=OnExplore), and its prediction is the
bare difference of the two votes.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide import urls
from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.noted import sums
from honeyguide.strategy.rivals.lottery import FIRST, NONE, Lottery

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

WITH_SCORE = ("best-score", "success-rate-best-score", "thompson-best-score", "absolute-good-best-score")
OF_HOST = ("success-rate", "thompson", "absolute-good", "negative-absolute-bad")
FLAGS = ("a relevant parent", "another parent", "a relevant sibling", "another sibling")
MET = 1 << len(FLAGS)
SCALE = 2.0**100  # a factor for all: products of many small chances would vanish in 32 bits
STEPS = 2.0**-10  # a host's value decides unless it differs by less
_NOT_TOKEN = re.compile(r"[^a-z0-9]")


def url_tokens(path: str) -> set[str]:
    """What stands between other signs in path and query: words of three letters or more, any number as one.

    >>> sorted(url_tokens("/bees/2024/a1b2?page=123&of=hive"))
    ['[NUMBER]', 'bees', 'hive', 'page']
    """
    parts = [part for part in _NOT_TOKEN.split(path.lower()) if len(part) > 2]
    return {part if part.isalpha() else "[NUMBER]" for part in parts if part.isalpha() or part.isdigit()}


@lru_cache(1 << 16)
def _hash(token: str) -> int:
    return zlib.crc32(token.encode())


class Votes:
    """Naive Bayes over features that are there or not, as MOA counts; the first class is the good one."""

    def __init__(self, size: int) -> None:
        self.seen = np.zeros(2)
        self.ones = np.zeros((2, size))
        self.ready()

    def train(self, features: list[int], good: bool) -> None:
        """Count one example; `ready` is to be called before the next prediction."""
        self.seen[int(not good)] += 1
        self.ones[int(not good), features] += 1

    def ready(self) -> None:
        """Make what predictions need from the counts: Laplace's rule, over the values seen so far."""
        whole = self.seen[:, None] + 1 + (self.ones > 0)
        absent = np.log((self.seen[:, None] - self.ones + 1) / whole)
        self._gain = np.log((self.ones + 1) / whole) - absent
        share = self.seen / max(self.seen.sum(), 1)
        self._base = np.log(np.maximum(share, 1e-300)) + absent.sum(axis=1)

    def predictions(self, features: list[list[int]]) -> NDArray[np.float64]:
        """The vote for good less the vote for bad; 0 until a bad example was seen."""
        if not self.seen[1]:
            return np.zeros(len(features))
        owners = np.repeat(np.arange(len(features)), [len(row) for row in features])
        columns = np.array([column for row in features for column in row], np.int64)
        logs = [base + sums(owners, gain[columns], len(features)) for base, gain in self._lines()]
        good, bad = (np.exp(line) for line in logs)
        return np.asarray(good - bad if self.seen[0] else -bad)

    def _lines(self) -> list[tuple[float, NDArray[np.float64]]]:
        return list(zip(self._base.tolist(), self._gain, strict=True))


@register
@dataclass
class Anthelion(Strategy):
    """Score = the URL's prediction, weight = the host's value; with chance λ a random host's best URL is next."""

    name = "anthelion"
    bare = "value"

    value: str = knob("success-rate-best-score", "the value of a host to the bandit", choices=(*WITH_SCORE, *OF_HOST))
    random_share: float = knob(0.1, "λ: the chance that a random host is chosen", 0, 1)
    hash_size: int = knob(10_000, "features that the tokens of URLs are hashed to", 1)
    batch: int = knob(5, "judged pages that may wait before the classifier learns from them", 0)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.votes = Votes(self.hash_size + len(FLAGS))
        self.prediction = np.zeros(1024)  # by id
        self.flags = np.zeros(1024, np.uint8)
        self.waiting: list[int] = []  # ids to learn from
        self.lottery = Lottery(graph, seed, self._random_host)

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        if visit.error != "redirect":
            self._feed_back(visit.id)
        self._classify(visit)
        return Lesson(ids=self.lottery.draw(), hosts=self.graph.host[visit.id : visit.id + 1])

    def _feed_back(self, id_: int) -> None:
        self.waiting.append(id_)
        if len(self.waiting) <= self.batch:
            return
        for known in self.waiting:
            self.votes.train(self._features(known), bool(self.graph.relevant[known]))
        self.votes.ready()
        self.waiting = []

    def _features(self, id_: int) -> list[int]:
        path = urls.split(self.graph.url(id_))[2]
        flags = int(self.flags[id_])
        found = {_hash(token) % self.hash_size for token in url_tokens(path)}
        return [*found, *(self.hash_size + i for i in range(len(FLAGS)) if flags >> i & 1)]

    def _classify(self, visit: Visit) -> None:
        """Predict for each URL that is met for the first time."""
        links = self.graph.links_from(visit.id)
        new = links[self.flags[links] == 0]
        if len(new):
            own = int(self.flags[visit.id]) if visit.error == "redirect" else self._flags_below(visit.id, links)
            self.flags[new] = own | MET
            self.prediction[new] = self.votes.predictions([self._features(id_) for id_ in new.tolist()])

    def _flags_below(self, id_: int, links: Ids) -> int:
        """What the parent and the siblings that were visited say of a page's links."""
        verdicts = self.graph.relevant[links[self.graph.visit_of[links] > 0]]
        told = (self.graph.relevant[id_], not self.graph.relevant[id_], verdicts.any(), not verdicts.all())
        return sum(1 << i for i, flag in enumerate(told) if flag)

    def _random_host(self, queued: Ids, random: np.random.Generator) -> int:
        """With chance λ, the best URL of a random host that has one."""
        if random.random() >= self.random_share:
            return NONE
        of = self.graph.host[queued]
        there = queued[of == random.choice(np.flatnonzero(np.bincount(of)))]
        return int(there[self.prediction[there].argmax()])

    def _make_room(self) -> None:
        if len(self.graph) > len(self.flags):
            self.prediction = enlarged(self.prediction, len(self.graph))
            self.flags = enlarged(self.flags, len(self.graph))

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        predicted = self.prediction[ids]
        own = predicted * SCALE if self.value in WITH_SCORE else 1 + STEPS * _in_order(predicted)
        return np.where(self.lottery.first(ids), FIRST, own.astype(np.float32))

    def weight(self, hosts: Ids) -> Scores:
        good, bad = self.graph.good[hosts].astype(np.float64), self.graph.bad[hosts].astype(np.float64)
        worth = {
            "best-score": np.ones(len(hosts)),
            "success-rate": (good + 1) / (bad + 1),
            "absolute-good": good + 1,
            "absolute-good-best-score": np.maximum(good, 1e-6),  # theirs is 0 there; a weight is positive
            "negative-absolute-bad": 1 / (bad + 1),  # the same order, but positive
        }
        kind = self.value if self.value in worth else self.value.removesuffix("-best-score")
        return (self._samples(hosts, good, bad) if kind == "thompson" else worth[kind]).astype(np.float32)

    def _samples(self, hosts: Ids, good: NDArray[np.float64], bad: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of Beta(good + 1, bad + 1), the same for the same counts."""
        cases = zip(hosts.tolist(), good.tolist(), bad.tolist(), strict=True)
        found = [np.random.default_rng([self.seed, h, int(g), int(b)]).beta(g + 1, b + 1) for h, g, b in cases]
        return np.maximum(found, 1e-6)

    def explain(self, id: int) -> list[str]:
        self._make_room()
        host = self.graph.host[id : id + 1]
        flags = [name for i, name in enumerate(FLAGS) if int(self.flags[id]) >> i & 1]
        lines = [
            f"predicted {self.prediction[id]:.3g} when it was met (with {', '.join(flags) or 'no parent'})",
            f"host {self.graph.hosts[host[0]]}: {self.graph.good[host][0]} relevant pages, "
            f"{self.graph.bad[host][0]} others; its weight is {self.weight(host)[0]:.3g}",
        ]
        return [*lines, "its host was drawn at random: it is the next one"] if id == self.lottery.drawn else lines

    def save(self) -> dict[str, Any]:
        self._make_room()
        known = len(self.graph)
        by_id = {"prediction": self.prediction[:known].copy(), "flags": self.flags[:known].copy()}
        counts = {"seen": self.votes.seen.copy(), "ones": self.votes.ones.copy()}
        return {**by_id, **counts, **self.lottery.save(), "waiting": list(self.waiting)}

    def load(self, state: dict[str, Any]) -> None:
        self.prediction, self.flags = np.array(state["prediction"]), np.array(state["flags"], np.uint8)
        self.votes.seen, self.votes.ones = np.array(state["seen"]), np.array(state["ones"])
        self.votes.ready()
        self.waiting = list(state["waiting"])
        self.lottery.load(state)
        self._make_room()


def _in_order(predicted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Predictions from -1 to 1 as numbers from 0 to 1 in the same order, small ones as far apart as great ones."""
    size = 1 + np.log2(np.maximum(np.abs(predicted), 2.0**-128)) / 128
    return np.asarray(0.5 + np.sign(predicted) * size / 2)
