"""The scores of all URLs, kept up to date page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.rank_formulas import (
    authority,
    community_in,
    community_out,
    hub,
    inverse,
    parent,
    parents_of_one,
    share_of_one,
)
from honeyguide.strategy.rank_lineage import Lineage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids

ONE = np.int32(1)
_COLUMNS: dict[str, type[np.generic]] = {
    "parents": np.int32,
    "community_parents": np.int32,
    "most_links": np.int32,
    "community_out": np.int64,
    "community": np.bool_,
    "anchor": np.float32,
}


class Gain(NamedTuple):
    """URLs that have at most one more parent."""

    ids: Ids
    shares: Any  # what comm_out rose by: whole numbers
    distinct: bool  # whether each is named once


class Changes(NamedTuple):
    """What a visit changed."""

    ids: list[Ids]  # URLs whose scores may be anything now
    gained: list[Gain]


class RankScores:
    """Columns by URL id, as the graph has them.

    `parents` counts the links from fetched pages that lead to a URL, `community_parents` those from pages of the
    community; `most_links` is how many links the parent with most has; `community_out` is a score in whole
    numbers; `anchor` is the highest share of keywords in an anchor that leads to it.
    """

    parents: NDArray[np.int32]
    community_parents: NDArray[np.int32]
    most_links: NDArray[np.int32]
    community_out: NDArray[np.int64]
    community: NDArray[np.bool_]
    anchor: NDArray[np.float32]

    def __init__(self, graph: Graph, generations: int) -> None:
        self._graph = graph
        self.lineage = Lineage(graph, generations)
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.zeros(1024, dtype))
        self.pages = self.links = self._known = 0

    def make_room(self) -> None:
        """Follow the graph; what is new at depth 0 is a seed, and seeds belong to the community."""
        first, known = self._known, len(self._graph)
        if known == first:
            return
        if known > len(self.parents):
            for name in _COLUMNS:
                setattr(self, name, enlarged(getattr(self, name), known))
        self.lineage.make_room(known)
        self.community[first:known] |= self._graph.depth[first:known] == 0
        self._known = known

    # -- what happens: each says what it changed ----------------------------------------------------------------

    def add_page(self, id_: int, links: Ids, judgment: float, relevant: bool) -> Changes:
        """Take in a fetched page and its links."""
        self.make_room()
        children = self.lineage.leads_to(links)
        changes = Changes([], [])
        self._add_parent(children, children is links, changes)
        if self.community[id_]:
            np.add.at(self.community_parents, children, ONE)
            changes.ids.append(children)
        changes.ids.extend(self.lineage.judge(id_, judgment, children))
        if relevant and not self.community[id_]:
            self._join(id_, changes)
        return changes

    def _add_parent(self, children: Ids, distinct: bool, changes: Changes) -> None:
        size, add = len(children), _add_once if distinct else np.add.at
        self.pages += 1
        self.links += size
        if not size:
            return
        add(self.parents, children, ONE)
        share = int(np.count_nonzero(self.community[children])) * share_of_one(size)
        if share:
            add(self.community_out, children, share)
        changes.gained.append(Gain(children, share, distinct))
        (fewer,) = (self.most_links[children] < size).nonzero()
        if len(fewer):
            self.most_links[children[fewer]] = size
            changes.ids.append(children[fewer])

    def add_anchors(self, targets: Ids, shares: Sequence[float]) -> None:
        """Take in the shares of keywords in the anchors of a page's links."""
        self.make_room()
        np.maximum.at(self.anchor, self.lineage.leads_to(targets), np.array(shares, np.float32))

    def add_redirect(self, id_: int, target: int) -> Changes:
        """Take in that an address leads to another, which inherits all that was known of it."""
        self.make_room()
        self.lineage.set_out(id_)
        heir = self.lineage.heir(target)
        if heir == id_:
            return Changes([], [])
        changes = Changes([np.array([heir])], [])
        if self.community[id_] != self.community[heir]:  # two addresses of one page
            self._join(id_ if self.community[heir] else heir, changes)
        for counts in (self.parents, self.community_parents, self.community_out):
            np.add.at(counts, heir, counts[id_])
        for highest in (self.most_links, self.anchor):
            highest[heir] = max(highest[heir], highest[id_])
        changes.ids.extend(self.lineage.arrive(id_, heir))
        return changes

    def _join(self, id_: int, changes: Changes) -> None:
        """Let a page join the community, which concerns what it links to, and what is linked to beside it."""
        self.community[id_] = True
        children = self.lineage.children(id_)
        np.add.at(self.community_parents, children, ONE)
        changes.ids.append(children)
        families = [self._graph.links_from(parent) for parent in self.lineage.parents(id_)]
        if families:
            sizes = np.array([len(family) for family in families])
            siblings = self.lineage.leads_to(np.concatenate(families))
            shares = np.repeat(share_of_one(sizes), sizes)
            np.add.at(self.community_out, siblings, shares)
            changes.gained.append(Gain(siblings, shares, distinct=False))

    # -- what it comes to -------------------------------------------------------------------------------------

    def averages(self) -> tuple[float, float]:
        """How many links a fetched page has, and how many lead to a URL."""
        return self.links / max(self.pages, 1), self.links / max(len(self._graph), 1)

    def most_risen(self, weights: Sequence[float], before: tuple[float, float], now: tuple[float, float]) -> float:
        """The most that a rank can have risen because averages fell; where they rise, ranks can only fall."""
        rises = [max(0.0, inverse(new) - inverse(old)) for new, old in zip(now, before, strict=True)]
        return weights[0] * int(self.most_links.max()) * rises[0] + weights[1] * int(self.parents.max()) * rises[1]

    def of(self, ids: Ids, averages: tuple[float, float]) -> list[Any]:
        """The paper's scores of some URLs, in the order of their names: an array a score."""
        oldest = self.lineage.generations
        judged = self.lineage.judged.take(ids, axis=0).T
        told = parent(judged[1 : oldest + 1], -judged[oldest + 2 :]).astype(np.float64)
        counts = self.most_links[ids], self.parents[ids], self.community_parents[ids], self.community_out[ids]
        return [*_of_counts(averages, *counts), *told]

    def of_one(self, id_: int, averages: tuple[float, float]) -> list[Any]:
        """The same of one URL, as numbers: an array of one takes ten times as long."""
        oldest = self.lineage.generations
        judged = self.lineage.judged[id_].tolist()
        counts = _of_counts(
            averages,
            self.most_links.item(id_),
            self.parents.item(id_),
            self.community_parents.item(id_),
            self.community_out.item(id_),
        )
        return [*counts, *parents_of_one(judged[1:], judged[oldest + 2 :])]

    def save(self) -> dict[str, Any]:
        """All of it, as arrays and numbers."""
        columns = {name: getattr(self, name)[: self._known].copy() for name in _COLUMNS}
        return {**columns, **self.lineage.save(self._known), "pages": self.pages, "links": self.links}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.array(state[name], dtype))
        self.lineage.load(state)
        self.pages, self.links, self._known = int(state["pages"]), int(state["links"]), len(state["parents"])
        self.make_room()


def _of_counts(
    averages: tuple[float, float], most_links: Any, parents: Any, community_parents: Any, shares: Any
) -> tuple[Any, Any, Any, Any]:
    return (
        hub(most_links, inverse(averages[0])),
        authority(parents, inverse(averages[1])),
        community_in(community_parents, parents),
        community_out(shares),
    )


def _add_once(column: Any, ids: Ids, amount: Any) -> None:
    """`np.add.at` in a third of the time, where no id stands twice."""
    column[ids] += amount
