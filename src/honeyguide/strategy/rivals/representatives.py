"""Groups of URLs, each spoken for by one member, so that a group's new score costs one entry in the frontier."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph import EXCLUDED
from honeyguide.graph.table import enlarged
from honeyguide.strategy.noted import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]

NOBODY = -1
_BITS = (1 << 64) - 1


class Representatives:
    """Each group has one representative, drawn at random among its members that wait to be fetched."""

    def __init__(self, graph: Graph, seed: int) -> None:
        self._graph, self._seed = graph, seed
        self._members: list[list[int]] = []  # without the representative; some are fetched or moved by now
        self._of_group = np.full(64, NOBODY, np.int64)
        self.group_of = np.full(1024, NOBODY, np.int32)  # by id
        self._orphaned: set[int] = set()  # groups that may need a representative
        self._draws = 0

    def __len__(self) -> int:
        return len(self._members)

    @property
    def all(self) -> NDArray[np.int64]:
        """The representative of each group, or NOBODY."""
        return self._of_group[: len(self)]

    def make_room(self) -> None:
        """Know all URLs of the graph."""
        if len(self._graph) > len(self.group_of):
            self.group_of = enlarged(self.group_of, len(self._graph), NOBODY)

    def add_group(self) -> int:
        """A new group without members; its number."""
        self._members.append([])
        if len(self) > len(self._of_group):
            self._of_group = enlarged(self._of_group, len(self), NOBODY)
        return len(self) - 1

    def put(self, id_: int, group: int) -> None:
        """Make a URL a member of a group, and of no other one."""
        left = int(self.group_of[id_])
        if left == group:
            return
        if left != NOBODY and self._of_group[left] == id_:
            self._of_group[left] = NOBODY
            self._orphaned.add(left)
        self.group_of[id_] = group
        self._members[group].append(id_)
        if self._of_group[group] == NOBODY:
            self._orphaned.add(group)

    def members(self, group: int) -> list[int]:
        """All members that may still wait, the representative among them."""
        own = [int(self._of_group[group])] if self._of_group[group] != NOBODY else []
        return [id_ for id_ in dict.fromkeys([*own, *self._members[group]]) if self._waits(id_, group)]

    def represents(self, ids: Ids) -> NDArray[np.bool_]:
        """Whether each URL speaks for its group."""
        groups = self.group_of[ids]
        return np.asarray((groups != NOBODY) & (self._of_group[np.maximum(groups, 0)] == ids))

    def replaced(self) -> list[int]:
        """Give groups whose representative is gone another one; the ids of the new ones."""
        chosen = self.all
        spoken = np.flatnonzero(chosen != NOBODY)
        ids = chosen[spoken]
        gone = (self._graph.visit_of[ids] > 0) | (self._graph.state[ids] == EXCLUDED)
        groups = sorted(self._orphaned.union(spoken[gone].tolist()))
        self._orphaned.clear()
        return [new for group in groups if (new := self._draw(group)) != NOBODY]

    def redrawn(self, groups: Iterable[int]) -> list[int]:
        """Draw the representatives of groups anew; the ids of the old and the new ones."""
        changed = []
        for group in groups:
            old = int(self._of_group[group])
            if old != NOBODY:
                self._members[group].append(old)
                changed += [old, self._draw(group)]
        return [id_ for id_ in changed if id_ != NOBODY]

    def _draw(self, group: int) -> int:
        members, chosen = self._members[group], NOBODY
        while members and chosen == NOBODY:
            at = self._number() % len(members)
            members[at], members[-1] = members[-1], members[at]
            id_ = members.pop()
            chosen = id_ if self._waits(id_, group) else NOBODY
        self._of_group[group] = chosen
        return chosen

    def _waits(self, id_: int, group: int) -> bool:
        graph = self._graph
        return bool(self.group_of[id_] == group and not graph.visit_of[id_] and graph.state[id_] != EXCLUDED)

    def _number(self) -> int:
        """The next of a row of random numbers that is known by its place alone (SplitMix64)."""
        self._draws += 1
        x = (self._draws * 0x9E3779B97F4A7C15 + self._seed * 0xD1B54A32D192ED03) & _BITS
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _BITS
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _BITS
        return x ^ (x >> 31)

    def save(self) -> dict[str, Any]:
        """Groups, members in their order, and how far the draws went."""
        self.make_room()
        return {
            "members": np.array([id_ for group in self._members for id_ in group], np.int64),
            "sizes": np.array([len(group) for group in self._members], np.int64),
            "representatives": self.all.copy(),
            "group_of": self.group_of[: len(self._graph)].copy(),
            "orphaned": sorted(self._orphaned),
            "draws": self._draws,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        rows = Rows(np.int64)
        rows.extend(np.array(state["members"], np.int64), np.array(state["sizes"], np.int64))
        ends = rows.ends.tolist()
        items = rows.items.tolist()
        self._members = [items[start:end] for start, end in itertools.pairwise(ends)]
        self._of_group = enlarged(np.array(state["representatives"], np.int64), 1, NOBODY)
        self.group_of = np.array(state["group_of"], np.int32)
        self._orphaned, self._draws = set(state["orphaned"]), state["draws"]
        self.make_room()
