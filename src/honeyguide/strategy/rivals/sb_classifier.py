"""SB-CLASSIFIER: links in like places are the arms of a bandit; a classifier of URLs says which links are targets.

Source: Gauquier, Manolescu, Senellart: Efficient crawling for scalable web data acquisition, 2026 (arXiv 2602.11874),
and its code (AntoineGauquier/efficient_crawler_for_scalable_web_data_acquisition, the semi-online crawler).

Deviations:
- A target is a page of the topic, known only once it is fetched; there it is a file of a wanted type.
- So a page fetched may be a target itself: that counts as one target found, and its links are followed.
- No HEAD requests: the classifier learns from fetched pages alone, in the order of the crawl, and is used after the
  first batch.
- A link without a tag path stands under its host and the shape of its URL instead.
- A tag path counts once in the centroid of its arm, however many links have it, and stays in that arm.
- Links taken for targets also shape arms; one that turns out to be no target plays its arm, as there.
- The nearest centroid is found exactly, not by an HNSW index; beyond 2,000 arms a new path joins the nearest one.
- ln t grows in steps of 5 % of t. Only one open link of each arm, drawn at random, is offered at the arm's score.
- The others come after all of these, by what their arm was worth when they were found: when hosts must rest.
- After a kill, links out of scope may be drawn differently than before it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.rivals.representatives import NOBODY, Representatives
from honeyguide.strategy.rivals.tag_paths import TagPaths, place_of
from honeyguide.strategy.rivals.url_classifier import UrlClassifier

if TYPE_CHECKING:
    from honeyguide.base import Link, Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic

UNTRIED = 1e-6  # added to the plays of an arm; their epsilon
STEP = 1.05
TARGET = np.float32(1e6)  # the score of a link taken for a target: above every arm


@register
@dataclass
class SbClassifier(Strategy):
    """Score = mean reward of the arm + alpha √(ln t / plays); links taken for targets go before all others."""

    name = "sb-classifier"
    needs_pages = True
    needs_main_text = False

    alpha: float = knob(2 * math.sqrt(2), "how much arms count that were played little", 0)
    threshold: float = knob(0.75, "cosine from which on a tag path belongs to the nearest arm", 0, 1)
    n: int = knob(2, "tags in an n-gram of a tag path", 1, 8)
    batch: int = knob(10, "fetched pages that the URL classifier learns from at once", 1)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.paths, self.classifier = TagPaths(self.n, self.threshold), UrlClassifier()
        self.arms = Representatives(graph, seed)
        self.plays, self.means = np.zeros(64), np.zeros(64)  # by arm
        self.taken = np.zeros(1024, np.bool_)  # for a target, by id
        self.found_at = np.zeros(1024, np.float32)  # what the arm was worth then
        self._labelled: list[tuple[str, bool]] = []
        self._clock = 1  # t, as the scores know it

    def learn(self, visit: Visit) -> Lesson:
        self._make_room()
        if visit.error == "redirect":
            self._pass_on(visit.id, int(visit.targets[0]))
        elif visit.page is not None and not visit.error:
            self._play(visit, self._take_in(visit))
            self._label(visit)
        new = self.arms.replaced()
        return Lesson(ids=np.array(self._all_anew() or [*new, *self._spokesman(visit.id)], np.int64))

    def _spokesman(self, id_: int) -> list[int]:
        arm = int(self.arms.group_of[id_])
        return [int(self.arms.all[arm])] if arm != NOBODY and self.arms.all[arm] != NOBODY else []

    def _all_anew(self) -> list[int]:
        """All representatives where t has grown enough to tell, else none."""
        if self.graph.visits < self._clock * STEP:
            return []
        self._clock = self.graph.visits
        chosen: list[int] = self.arms.all[self.arms.all != NOBODY].tolist()
        return chosen

    def _pass_on(self, id_: int, target: int) -> None:
        arm = int(self.arms.group_of[id_])
        if arm != NOBODY and self.arms.group_of[target] == NOBODY:
            self.taken[target], self.found_at[target] = self.taken[id_], self.found_at[id_]
            self._enter(target, arm)

    def _enter(self, id_: int, arm: int) -> None:
        """Links taken for targets need no representative: they are offered at once."""
        if self.taken[id_] or self.graph.visit_of[id_]:
            self.arms.group_of[id_] = arm
        else:
            self.arms.put(id_, arm)

    def _take_in(self, visit: Visit) -> int:
        """Give the new links of a page their arms; how many of them are taken for targets."""
        assert visit.page is not None
        new: dict[int, Link] = {}
        for link, id_ in zip(visit.page.links, visit.targets.tolist(), strict=True):
            if self.arms.group_of[id_] == NOBODY and not self.graph.visit_of[id_]:
                new.setdefault(id_, link)
        if not new:
            return 0
        ids = np.fromiter(new, np.int64, len(new))
        taken = self.classifier.says_target([link.url for link in new.values()])
        self.taken[ids] = taken
        arms = [self._arm(place_of(link)) for link in new.values()]
        self.found_at[ids] = self.worth(np.array(arms))
        for id_, arm in zip(ids.tolist(), arms, strict=True):
            self._enter(id_, arm)
        return int(taken.sum())

    def _arm(self, path: str) -> int:
        arm = self.paths.arm_of.get(path)
        if arm is None:
            arm = self.paths.assign(path)
            while len(self.arms) < self.paths.arms:
                self.arms.add_group()
            if len(self.arms) > len(self.plays):
                self.plays, self.means = enlarged(self.plays, len(self.arms)), enlarged(self.means, len(self.arms))
        return arm

    def _play(self, visit: Visit, found: int) -> None:
        """Reward the arm that led here; a link rightly taken for a target was not the arm's choice."""
        arm = int(self.arms.group_of[visit.id])
        if arm != NOBODY and not (self.taken[visit.id] and visit.relevant):
            self.plays[arm] += 1
            self.means[arm] += (found + visit.relevant - self.means[arm]) / self.plays[arm]

    def _label(self, visit: Visit) -> None:
        self._labelled.append((visit.url, visit.relevant))
        if len(self._labelled) >= self.batch:
            self.classifier.learn([url for url, _ in self._labelled], [target for _, target in self._labelled])
            self._labelled = []

    def _make_room(self) -> None:
        self.arms.make_room()
        if len(self.graph) > len(self.taken):
            self.taken = enlarged(self.taken, len(self.graph))
            self.found_at = enlarged(self.found_at, len(self.graph))

    def worth(self, arms: Ids) -> Scores:
        """Mean reward and the bonus for few plays."""
        bonus = np.sqrt(math.log(max(self._clock, 1)) / (self.plays[arms] + UNTRIED))
        return np.asarray(self.means[arms] + self.alpha * bonus, np.float32)

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        arms = self.arms.group_of[ids]
        waiting = np.where(arms == NOBODY, np.float32(0), -1 / (1 + self.found_at[ids]))
        scores = np.where(self.arms.represents(ids), self.worth(np.maximum(arms, 0)), waiting)
        return np.where(self.taken[ids], TARGET, scores).astype(np.float32)

    def explain(self, id: int) -> list[str]:
        self._make_room()
        arm = int(self.arms.group_of[id])
        if arm == NOBODY:
            return ["no link to it was seen, so it belongs to no arm"]
        return [
            f"arm {arm}: {self.plays[arm]:.0f} plays, {self.means[arm]:.3f} targets found by each",
            f"worth {self.worth(np.array([arm]))[0]:.3f} with alpha {self.alpha:.3g} at t = {self._clock}",
            "its URL is taken for a target" if self.taken[id] else "its URL is not taken for a target",
            "speaks for its arm"
            if self.arms.represents(np.array([id]))[0]
            else "waits behind its arm's representative",
        ]

    def figures(self) -> dict[str, str]:
        return {"arms": f"{self.paths.arms:,} of {len(self.paths.arm_of):,} tag paths"}

    def save(self) -> dict[str, Any]:
        self._make_room()
        known = len(self.graph)
        return {
            **self.paths.save(),
            **self.arms.save(),
            "plays": self.plays[: len(self.arms)].copy(),
            "means": self.means[: len(self.arms)].copy(),
            "taken": self.taken[:known].copy(),
            "found_at": self.found_at[:known].copy(),
            "weights": self.classifier.weights.copy(),
            "steps": self.classifier.steps,
            "labelled": [[url, int(target)] for url, target in self._labelled],
            "clock": self._clock,
        }

    def load(self, state: dict[str, Any]) -> None:
        self.paths.load(state)
        self.arms.load(state)
        self.plays, self.means = (enlarged(np.array(state[name], np.float64), 1) for name in ("plays", "means"))
        self.taken, self.found_at = np.array(state["taken"], np.bool_), np.array(state["found_at"], np.float32)
        self.classifier.weights, self.classifier.steps = np.array(state["weights"], np.float64), state["steps"]
        self._labelled = [(url, bool(target)) for url, target in state["labelled"]]
        self._clock = state["clock"]
        self._make_room()
