"""A frontier in tiers: what stands in a higher one comes first, whatever its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.frontier import Frontier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class Tiers(Frontier):
    """Itself the tier 0, where everything stands that was not placed in another."""

    def __init__(self) -> None:
        super().__init__()
        self._others: dict[int, Frontier] = {}
        self._placed: dict[int, int] = {}  # the tier of each id that is not in tier 0
        self._rests: dict[int, float] = {}  # as told last, for tiers to come

    def place(self, id: int, tier: int) -> None:
        """Let a URL stand in a tier from when it is pushed next; it is in no other until then."""
        if tier == self._placed.get(id, 0):
            return
        self.drop(np.array([id]))
        if tier:
            self._placed[id] = tier
        else:
            del self._placed[id]

    def __len__(self) -> int:
        return super().__len__() + sum(map(len, self._others.values()))

    @property
    def hosts(self) -> int:
        """How many hosts have something queued, in any tier."""
        return len(set(self._queues).union(*(tier._queues for tier in self._others.values())))

    def push(self, ids: NDArray[np.integer], scores: NDArray[np.floating], hosts: NDArray[np.integer]) -> None:
        if not self._placed:
            return super().push(ids, scores, hosts)
        tiers = np.array([self._placed.get(id_, 0) for id_ in ids.tolist()])
        for tier in np.unique(tiers).tolist():
            here = tiers == tier
            push = self._tier(tier).push if tier else super().push
            push(ids[here], scores[here], hosts[here])
        return None

    def _tier(self, tier: int) -> Frontier:
        found = self._others.get(tier)
        if found is None:
            found = self._others[tier] = Frontier()
            found.weigh(np.array(list(self._weight), np.int64), np.array(list(self._weight.values())))
            for host, until in self._rests.items():
                found.rest(host, until)
        return found

    def pop(self, now: float) -> tuple[int, float] | None:
        for tier, frontier in self._from_the_top():
            popped = frontier.pop(now) if tier else super().pop(now)
            if popped is not None:
                return popped
            if tier and not len(frontier):
                del self._others[tier]
        return None

    def _from_the_top(self) -> Iterator[tuple[int, Frontier]]:
        yield from sorted({0: self, **self._others}.items(), reverse=True)

    def weigh(self, hosts: NDArray[np.integer], weights: NDArray[np.floating]) -> None:
        super().weigh(hosts, weights)
        for frontier in self._others.values():
            frontier.weigh(hosts, weights)

    def rest(self, host: int, until: float) -> None:
        super().rest(host, until)
        self._rests[host] = until
        for frontier in self._others.values():
            frontier.rest(host, until)

    def drop(self, ids: NDArray[np.integer]) -> None:
        super().drop(ids)
        for frontier in self._others.values():
            frontier.drop(ids)
