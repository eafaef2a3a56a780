"""TRES: a tree parts the frontier by what was rewarded; a Q-network chooses among one URL of each leaf.

Source: Kontogiannis and others: Tree-based focused web crawling with reinforcement learning (arXiv 2112.07620), and
its code, ddaedalus/tres, with the settings that it has for 100 pages a domain and its hub features.

Deviations ("TRES-style"):
- The KwBiLSTM that judges anchor and URL is not there: its feature is the share of the anchor's words that are the
  topic's, and rewards are the crawl's own verdicts. Keywords are the topic's words, without the expansion.
- A URL has one sample: the first, unless a later link stands nearer to a relevant page. There each link is a sample.
- Representatives are drawn and valued anew when the network is trained, every third page, and when they are fetched.
  There they are drawn for each page. The same holds for the random leaves of the first 500 pages.
- URLs that represent no leaf come after all that do, nearest to a relevant page first: when hosts must rest.
- Domains are hosts, failures count among their irrelevant pages, and the limit of pages a domain is the crawl's own.
- The learning rate does not fall: in their code the fall does not reach the optimiser.
- The network and Adam are written in NumPy, with Keras's defaults.
- After a kill, links out of scope may be drawn differently than before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import Link, knob
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.random import mixed
from honeyguide.strategy.rivals.link_samples import FEATURES, HOST, NEARNESS, TopicWords, host_features, quantized
from honeyguide.strategy.rivals.q_network import QNetwork
from honeyguide.strategy.rivals.representatives import NOBODY, Representatives
from honeyguide.strategy.rivals.split_tree import LEAF, SplitTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

    Rows = NDArray[np.float32]

LAYERS = (len(FEATURES), 30, 15)
CAPACITY = 20_000  # experiences to replay
WAITING = np.float32(-1e6)  # far below any value


@register
@dataclass
class Tres(Strategy):
    """Score = Q of a leaf's representative. Leaves are chosen at random before `start` pages were fetched."""

    name = "tres"
    needs_pages = True
    needs_surroundings = False
    needs_main_text = False

    start: int = knob(500, "pages before the network is trained and believed", 1)
    period: int = knob(3, "pages from one training to the next", 1)
    batch: int = knob(60, "experiences in a training", 1)
    gamma: float = knob(0.99, "discount of what comes later", 0, 1)
    rate: float = knob(0.001, "learning rate", 0, 1)
    target: int = knob(500, "pages from one update of the target network to the next", 1)
    max_depth: int = knob(18, "depth of the tree", 0)
    min_split: int = knob(5, "examples that a leaf must have to be split", 2)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self._words = TopicWords(topic)
        self.tree = SplitTree(len(FEATURES), self.max_depth, self.min_split)
        self.leaves = Representatives(graph, seed)
        self.leaves.add_group()
        self.network, self.late = QNetwork(LAYERS, self.rate, seed), QNetwork(LAYERS, self.rate, seed)
        self.samples = np.zeros((1024, len(FEATURES)), np.float32)  # by id
        self.paths = np.zeros((1024, 3), np.float32)  # relevant pages, others, and links since a relevant one
        self.value = np.full(1024, 2 * WAITING, np.float32)
        self.memory: list[tuple[int, Rows]] = []  # examples of the tree, and the samples of the links found there
        self.inserted = self.steps = 0

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        changed: list[int] = []
        if visit.error == "redirect":
            self._pass_on(visit.id, int(visit.targets[0]))
        elif visit.page is not None and not visit.error:
            changed = self._remember(visit, self._take_in(visit))
        fresh = self.leaves.replaced()
        self._evaluate(np.array(fresh, np.int64))
        return Lesson(ids=np.array([*changed, *fresh], np.int64))

    # -- samples ----------------------------------------------------------------------------------------------

    def _take_in(self, visit: Visit) -> Rows:
        """Give the links of a page their samples; the distinct ones of these."""
        assert visit.page is not None
        links = dict(zip(visit.targets.tolist(), visit.page.links, strict=True))
        links.pop(visit.id, None)
        if not links:
            return self.samples[:0]
        ids = np.fromiter(links, np.int64, len(links))
        path = self._path_beyond(visit)
        state = [float(path[2] == 1), 1 / path[2], path[0] / (path[0] + path[1])]
        texts = np.array([self._words.about(link) for link in links.values()], np.float32)
        states = np.tile(state, (len(ids), 1))
        rows = quantized(np.column_stack([states, texts[:, :3], host_features(self.graph, ids), texts[:, 3]]))
        better = (self.graph.visit_of[ids] == 0) & (rows[:, NEARNESS] > self.samples[ids, NEARNESS])
        self._place(ids[better], rows[better], path)
        distinct = b"".join(dict.fromkeys(row.tobytes() for row in rows))
        return np.frombuffer(distinct, np.float32).reshape(-1, len(FEATURES))

    def _path_beyond(self, visit: Visit) -> NDArray[np.float64]:
        """The path to the links of a page; seeds, and what came without a link, count as relevant."""
        good, bad, since = self.paths[visit.id].astype(np.float64)
        relevant = visit.relevant or self.leaves.group_of[visit.id] == NOBODY
        return np.array([good + 1, bad, 1] if relevant else [good, bad + 1, since + 1])

    def _place(self, ids: Ids, rows: Rows, path: NDArray[np.float64]) -> None:
        self.samples[ids], self.paths[ids] = rows, path
        self.value[ids] = WAITING * (2 - rows[:, NEARNESS])
        spoke = ids[self.leaves.represents(ids)]
        for id_, leaf in zip(ids.tolist(), self.tree.leaves_of(rows).tolist(), strict=True):
            self.leaves.put(id_, leaf)
        self._evaluate(spoke[self.leaves.represents(spoke)])

    def _pass_on(self, id_: int, target: int) -> None:
        sampled = self.leaves.group_of[[id_, target]] != NOBODY
        if sampled[0] and not sampled[1] and not self.graph.visit_of[target]:
            self._place(np.array([target]), self.samples[id_ : id_ + 1], self.paths[id_].astype(np.float64))

    # -- learning ---------------------------------------------------------------------------------------------

    def _remember(self, visit: Visit, found: Rows) -> list[int]:
        """Take in an experience, part the leaf that it splits, and train; the URLs whose score changed."""
        is_seed = self.leaves.group_of[visit.id] == NOBODY
        row = self._seed_sample(visit) if is_seed else self.samples[visit.id]
        if len(found):
            experience = (self.tree.size, found)
            if len(self.memory) < CAPACITY:
                self.memory.append(experience)
            else:
                self.memory[self.inserted % CAPACITY] = experience
            self.inserted += 1
        split = self.tree.add(row, float(visit.relevant or is_seed))
        parted = self._part(split) if split != LEAF else []
        if is_seed:
            return parted
        self.steps += 1
        return [*parted, *self._train()]

    def _seed_sample(self, visit: Visit) -> Rows:
        assert visit.page is not None
        in_url, in_anchor, phrase, share = self._words.about(Link(visit.url, visit.page.title))
        return quantized(np.array([0, 0, 0, in_url, in_anchor, phrase, 1, 0, share]))

    def _part(self, node: int) -> list[int]:
        """Put the URLs of a node into its new leaves; the one that spoke for it."""
        while len(self.leaves) < len(self.tree):
            self.leaves.add_group()
        members = np.array(self.leaves.members(node), np.int64)
        spoke = members[self.leaves.represents(members)]
        self.value[spoke] = WAITING * (2 - self.samples[spoke, NEARNESS])
        for id_, leaf in zip(members.tolist(), self.tree.leaves_of(self.samples[members]).tolist(), strict=True):
            self.leaves.put(id_, leaf)
        spoken: list[int] = spoke.tolist()
        return spoken

    def _train(self) -> list[int]:
        """Train where it is time to, and draw all representatives anew; the URLs whose score changed."""
        if self.steps % self.target == 0:
            self.late.copy_of(self.network)
        if self.steps % self.period:
            return []
        if self.steps >= self.start and self.memory:
            self.network.fit(*self._lesson())
        changed = np.array(self.leaves.redrawn(range(len(self.leaves))), np.int64)
        self.value[changed] = WAITING * (2 - self.samples[changed, NEARNESS])
        chosen = self.leaves.all[self.leaves.all != NOBODY]
        self._evaluate(chosen)
        return [*changed.tolist(), *chosen.tolist()]

    def _lesson(self) -> tuple[Rows, NDArray[np.float64]]:
        """Some experiences, and what they were worth: r + gamma · Q' of the link that Q takes for the best."""
        random = np.random.default_rng((self.seed, self.steps))
        drawn = random.choice(len(self.memory), min(self.batch, len(self.memory)), replace=False)
        numbers = [self.memory[i][0] for i in drawn.tolist()]
        found = [self.memory[i][1] for i in drawn.tolist()]
        rows, owners = np.concatenate(found), np.repeat(np.arange(len(found)), [len(each) for each in found])
        order = np.lexsort((-self.network.values(rows), owners))
        best = order[np.searchsorted(owners, np.arange(len(found)))]
        return self.tree.examples[numbers], self.tree.rewards[numbers] + self.gamma * self.late.values(rows[best])

    def _evaluate(self, ids: Ids) -> None:
        """Value representatives, with what is known of their hosts by now."""
        if len(ids):
            self.samples[ids, HOST : HOST + 2] = quantized(host_features(self.graph, ids))
            draws = (mixed(ids, self.seed + self.steps) >> np.uint64(40)) / 2.0**24
            self.value[ids] = self.network.values(self.samples[ids]) if self.steps >= self.start else draws

    def _make_room(self) -> None:
        self.leaves.make_room()
        more = len(self.leaves.group_of) - len(self.value)
        if more > 0:
            self.samples = np.concatenate([self.samples, np.zeros((more, len(FEATURES)), np.float32)])
            self.paths = np.concatenate([self.paths, np.zeros((more, 3), np.float32)])
            self.value = np.concatenate([self.value, np.full(more, 2 * WAITING, np.float32)])

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        return self.value[ids]

    # -- telling and keeping ----------------------------------------------------------------------------------

    def explain(self, id: int) -> list[str]:
        self._make_room()
        leaf = int(self.leaves.group_of[id])
        if leaf == NOBODY:
            return ["no link to it was seen, so it belongs to no leaf"]
        speaks = bool(self.leaves.represents(np.array([id]))[0])
        said = f"speaks for it: value {self.value[id]:.4g}" if speaks else "waits behind the leaf's representative"
        told = ", ".join(f"{name} {value:.2g}" for name, value in zip(FEATURES, self.samples[id], strict=True))
        return [f"in leaf {leaf}, one of {self.tree.leaves}; {said}", told]

    def figures(self) -> dict[str, str]:
        return {"leaves": f"{self.tree.leaves:,}", "trainings": f"{self.network.steps:,}"}

    def save(self) -> dict[str, Any]:
        self._make_room()
        known = len(self.graph)
        by_id = {name: getattr(self, name)[:known].copy() for name in ("samples", "paths", "value")}
        found = [rows for _, rows in self.memory]
        return {
            **self.tree.save(),
            **self.leaves.save(),
            **by_id,
            "network": self.network.save(),
            "late": self.late.save(),
            "remembered": np.array([number for number, _ in self.memory], np.int64),
            "found": np.concatenate([self.samples[:0], *found]),
            "found_counts": np.array([len(rows) for rows in found], np.int64),
            "counts": [self.inserted, self.steps],
        }

    def load(self, state: dict[str, Any]) -> None:
        self.tree.load(state)
        self.leaves.load(state)
        for name in ("samples", "paths", "value"):
            setattr(self, name, np.array(state[name], np.float32))
        self.network.load(state["network"])
        self.late.load(state["late"])
        found = np.split(np.array(state["found"], np.float32), np.cumsum(state["found_counts"])[:-1])
        self.memory = list(zip(np.asarray(state["remembered"]).tolist(), found, strict=False))
        self.inserted, self.steps = state["counts"]
        self._make_room()
