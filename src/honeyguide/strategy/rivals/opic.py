"""OPIC: pages hand their cash on to what they link to; the URL with the most cash is fetched next.

Sources: Abiteboul, Preda, Cobena: Adaptive on-line page importance computation, 2003; and the scoring-opic plugin of
Apache Nutch 1.x, whose defaults these are (db.score.injected, db.score.link.internal, db.score.link.external: 1.0).

Deviations:
- Every page is fetched once, so cash that comes later stays where it is; the paper hands it on at the next visit.
- There is no virtual page that spreads the cash of dead ends; Nutch has none either.
- All distinct links of a page count, those out of scope as well (Nutch: db.score.count.filtered=true).
- A redirect hands on all its cash, as a page with one link does.
- The crawl goes on page by page; Nutch selects and updates in rounds.
- The history only serves explanations and figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import knob
from honeyguide.graph.table import enlarged
from honeyguide.strategy import register
from honeyguide.strategy.base import NOTHING, Lesson, Strategy

if TYPE_CHECKING:
    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores
    from honeyguide.topic import Topic


@register
@dataclass
class Opic(Strategy):
    """Score = cash. Knows nothing of the topic: what importance alone is worth."""

    name = "opic"

    injected: float = knob(1.0, "cash of a seed", 0)
    internal: float = knob(1.0, "factor for what goes to URLs of the same host", 0)
    external: float = knob(1.0, "factor for what goes to other hosts", 0)

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.cash = np.zeros(1024, np.float64)  # by id
        self.history = np.zeros(1024, np.float64)  # what was handed on so far
        self._known = 0

    def learn(self, visit: Visit) -> Lesson:
        moved = visit.error == "redirect"
        self._make_room(visit.targets if moved else NOTHING)
        out = self.graph.links_from(visit.id)
        if len(out) and (moved or visit.page is not None):
            self._hand_on(visit.id, out, moved)
        return Lesson()

    def _hand_on(self, id_: int, out: Ids, moved: bool) -> None:
        share = self.cash[id_] / len(out)
        same_host = self.graph.host[out] == self.graph.host[id_]
        factor = np.where(same_host, self.internal, self.external)
        self.cash[out] += share * (1.0 if moved else factor)
        self.history[id_] += self.cash[id_]
        self.cash[id_] = 0.0

    def _make_room(self, not_seeds: Ids = NOTHING) -> None:
        """Know all URLs; give new seeds their cash. A seed's redirect is as near as a seed, but is none."""
        first, self._known = self._known, len(self.graph)
        if self._known > len(self.cash):
            self.cash = enlarged(self.cash, self._known)
            self.history = enlarged(self.history, self._known)
        if first < self._known:
            new = np.arange(first, self._known)
            seeds = new[(self.graph.depth[new] == 0) & ~np.isin(new, not_seeds)]
            self.cash[seeds] = self.injected

    def score(self, ids: Ids) -> Scores:
        self._make_room()
        return self.cash[ids].astype(np.float32)

    def explain(self, id: int) -> list[str]:
        self._make_room()
        return [
            f"cash {self.cash[id]:.4g} from {self.graph.parents[id]} fetched pages that link to it",
            f"handed on so far {self.history[id]:.4g}; importance {self.importance()[id]:.3g}",
        ]

    def importance(self) -> Scores:
        """The paper's estimate, by id: a URL's part of all the cash there ever was."""
        total = self.cash[: self._known] + self.history[: self._known]
        return np.asarray(total / max(total.sum(), 1e-300), np.float32)

    def figures(self) -> dict[str, str]:
        return {"cash handed on": f"{self.history.sum():.4g}", "cash waiting": f"{self.cash.sum():.4g}"}

    def save(self) -> dict[str, Any]:
        self._make_room()
        return {"cash": self.cash[: self._known].copy(), "history": self.history[: self._known].copy()}

    def load(self, state: dict[str, Any]) -> None:
        self.cash = np.array(state["cash"], np.float64)
        self.history = np.array(state["history"], np.float64)
        self._known = len(self.cash)
