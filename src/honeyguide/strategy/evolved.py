"""Evolved: a weighted sum of scores, nine of them made of links and judgments; evolution found their weights.

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
from honeyguide.strategy.path_features import keywords
from honeyguide.strategy.rank_board import RankBoard
from honeyguide.strategy.rank_formulas import (
    HOST_DRIFT,
    anchor_share,
    authority,
    community_out,
    inverse,
    judgment_of,
    rank,
)
from honeyguide.strategy.rank_hosts import HostShares
from honeyguide.strategy.rank_scores import RankScores
from honeyguide.strategy.rank_weights import (
    BEST_FIRST,
    FIRST_SCORES,
    GENERATIONS,
    LAST_SCORES,
    MOST_GENERATIONS,
    chosen_stages,
    is_score,
    oldest,
    that_count,
    together,
)
from honeyguide.strategy.rank_words import lines_about

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.strategy.rank_scores import Changes, Gain
    from honeyguide.topic import Topic

FEW = 6  # URLs; one by one they are quicker ranked than as arrays


@register
@dataclass
class Evolved(Strategy):
    """Rank = Σ weight · score: hub, authority, comm_in, comm_out, parent_1 to parent_k; anchor and host if wanted."""

    name = "evolved"
    needs_surroundings = False
    needs_main_text = False
    bare = "weights"
    version = 2

    weights: str = knob("", f"a file of weights, or {BEST_FIRST}; empty: those of the paper", file=(BEST_FIRST,))
    generations: int = knob(
        GENERATIONS, "generations of parents that count; a file says so itself", 1, MOST_GENERATIONS
    )
    drift: float = knob(
        0.01, "share by which an average may change before all is ranked anew; 0: at every page", 0, 1
    )
    given: Mapping[str, float] = field(default_factory=dict)  # single weights by score; the others get none

    def __post_init__(self) -> None:
        check_bounds(self)
        self.stages = chosen_stages(self.weights, self.given, self.generations)

    @classmethod
    def from_argument(cls, argument: str, directory: Path | None = None) -> Strategy:
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
        strategy = super().from_argument(",".join(rest), directory)
        assert isinstance(strategy, cls)
        return dataclasses.replace(strategy, given=given)

    @classmethod
    def _check_setting(cls, name: str) -> None:
        knobs = [f.name for f in dataclasses.fields(cls) if "help" in f.metadata]
        if name not in knobs:
            scores = ", ".join(FIRST_SCORES + LAST_SCORES)
            raise BadInput(
                f"strategy {cls.name} has no setting {name!r}; it has {', '.join(knobs)}, and takes weights for"
                f" {scores} and parent_1, parent_2 …"
            )

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.averages = (0.0, 0.0)  # as they stood when all was ranked last
        self.stage = 0
        self._set_up()

    def _set_up(self) -> None:
        counting = that_count(together(self.stages))
        self.needs_pages = "anchor" in counting  # type: ignore[misc]  # it alone is read from pages
        self.scores = RankScores(self.graph, oldest(counting))
        self.hosts = HostShares(self.graph, HOST_DRIFT * self.drift)
        self._keywords = keywords(self.topic.words()) if self.needs_pages else []
        self._counts_hosts = "host" in counting
        self._names = list(counting)
        self._weigh()
        self.board = RankBoard(self.graph, exact=not self.drift)

    def _weigh(self) -> None:
        weights = self.stages[self.stage][1]
        self._weights = [weights.get(name, 0.0) for name in self._names]

    def _next_stage(self) -> bool:
        """Go over to other weights where it is time."""
        if self.stage + 1 == len(self.stages) or self.graph.visits < self.stages[self.stage + 1][0]:
            return False
        self.stage += 1
        self._weigh()
        return True

    def learn(self, visit: Visit) -> Lesson:
        self.board.visited(visit.id)
        new_weights = self._next_stage()
        changed = self._take_in(visit)
        before, now = self.averages, self._averages()
        too_few = False
        if now != before:
            changed = np.concatenate([changed, self.board.best()])
            too_few = self.board.lift(self.scores.most_risen(self._weights, before, now))
        known = self._note(changed)
        if new_weights or too_few or self.board.out_of_step:
            known = np.union1d(known, self._renew(new_weights))
        return Lesson(ids=known, links=False)

    @property
    def exact_from(self) -> float:
        return self.board.floor

    def catch_up(self) -> Lesson:
        self.board.lower()
        return Lesson(ids=self._renew())

    def _renew(self, new_weights: bool = False) -> Ids:
        if new_weights or self._counts_hosts:  # ceilings know of neither
            self.board.forget()
        return self.board.renew(self._ranks)

    def _take_in(self, visit: Visit) -> Ids:
        """Enter a visit; the URLs not visited whose ranks changed, but for those that stay below the floor."""
        changed = self._new_host_share(visit.id) if self._counts_hosts and visit.error != "redirect" else []
        if visit.error in ("", "redirect"):
            changes = self._enter(visit)
            changed += changes.ids
            changed += map(self._may_reach_floor, changes.gained)
        changed = [ids for ids in changed if len(ids)]
        if not changed:
            return NOTHING
        return self.board.unvisited_of(np.concatenate(changed) if len(changed) > 1 else changed[0])

    def _enter(self, visit: Visit) -> Changes:
        if visit.error == "redirect":
            return self.scores.add_redirect(visit.id, int(visit.targets[0]))
        if self._keywords and visit.page:
            shares = [anchor_share(self._keywords, link.anchor) for link in visit.page.links]
            self.scores.add_anchors(visit.targets, shares)
        judgment = judgment_of(self.topic, visit.relevance)
        return self.scores.add_page(visit.id, self.graph.links_from(visit.id), judgment, visit.relevant)

    def _may_reach_floor(self, gain: Gain) -> Ids:
        """Those of some URLs that may, now that comm_out has risen and there may be one more parent."""
        if self.needs_pages or self._counts_hosts:  # by these scores, ranks may have risen as well
            return gain.ids
        more = authority(1, inverse(self.averages[1]))
        rise = self._weights[1] * more + self._weights[3] * community_out(gain.shares)
        return self.board.climb(gain.ids, rise, gain.distinct)

    def _new_host_share(self, id_: int) -> list[Ids]:
        """The URLs of a host whose share of relevant pages has drifted."""
        host = int(self.graph.host[id_])
        return [self.board.of_host(host)] if self.hosts.drifted(host) else []

    def _note(self, ids: Ids) -> Ids:
        if len(ids) > FEW:
            return self.board.note(ids, self._ranks(ids))
        return self.board.note_few({id_: self._rank_of_one(id_) for id_ in ids.tolist()})

    def _averages(self) -> tuple[float, float]:
        """The averages that ranks are made with: the same as long as neither has drifted."""
        (links, parents), now = self.averages, self.scores.averages()
        if abs(now[0] - links) > self.drift * links or abs(now[1] - parents) > self.drift * parents:
            self.averages = now
        return self.averages

    def _ranks(self, ids: Ids) -> Scores:
        found = self.scores.of(ids, self.averages)
        if self.needs_pages:
            found.append(self.scores.anchor[ids].astype(np.float64))
        if self._counts_hosts:
            found.append(self.hosts.of(self.graph.host[ids]))
        ranks: Scores = rank(self._weights, found).astype(np.float32)
        return ranks

    def _rank_of_one(self, id_: int) -> float:
        return float(np.float32(rank(self._weights, self._scores_of_one(id_))))

    def _scores_of_one(self, id_: int) -> list[float]:
        """The scores that count, in the order of their names."""
        found = self.scores.of_one(id_, self.averages)
        if self.needs_pages:
            found.append(self.scores.anchor.item(id_))
        if self._counts_hosts:
            found.append(self.hosts.of_one(self.graph.host.item(id_)))
        return found

    def score(self, ids: Ids) -> Scores:
        return self.board.of(ids)

    def explain(self, id: int) -> list[str]:
        self.scores.make_room()
        weighed = zip(zip(self._names, self._weights, strict=True), self._scores_of_one(id), strict=True)
        lines = lines_about(id, self.graph, self.scores, self.averages, self._keywords, list(weighed))
        if not self.graph.visit_of[id] and self._rank_of_one(id) != (known := self.board.of(id)):
            lines.append(
                f"the crawl goes by {known:.4g}, an earlier rank: only the best queued URLs are kept up to date"
            )
        return lines

    def figures(self) -> dict[str, str]:
        heaviest = sorted(zip(self._names, self._weights, strict=True), key=lambda item: -item[1])
        stage = f" (stage {self.stage + 1} of {len(self.stages)})" if len(self.stages) > 1 else ""
        return {
            "weights": ", ".join(f"{name} {weight:.3g}" for name, weight in heaviest if weight) + stage,
            "community": f"{np.count_nonzero(self.scores.community):,} pages, seeds included",
        }

    def evidence_weights(self) -> dict[str, float]:
        return dict(zip(self._names, self._weights, strict=True))

    def save(self) -> dict[str, Any]:
        stages = [[after, weights] for after, weights in self.stages]
        rest = {"averages": list(self.averages), "stages": stages, "stage": self.stage}
        return {**self.scores.save(), **self.board.save(), **self.hosts.save(), **rest}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave, the weights included: a file of them may have changed since."""
        self.stages = [(int(after), dict(weights)) for after, weights in state["stages"]]
        self.stage = int(state["stage"])
        self.averages = (float(state["averages"][0]), float(state["averages"][1]))
        self._set_up()
        self.scores.load(state)
        self.board.load(state)
        self.hosts.load(state)


def _number(text: str) -> float | str:
    """A number where it is one; what is none is refused with all other weights."""
    try:
        return float(text)
    except ValueError:
        return text
