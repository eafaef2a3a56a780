"""The current list: some of the best URLs, as if under way at once, of which chance says which comes back next.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003. The list has room for so many
URLs; when it has fallen to half of them, the best of the queue join until it is full again. A URL's age is 1 when it
joins and one more whenever others join later; the next URL is drawn by roulette on ages. Seeds score infinity, so
those for which there is no room at first join before all others. URLs whose hosts rest are left out of a draw; when
that leaves nobody, the best of the queue whose host does not rest joins, and is drawn at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from honeyguide.frontier import Frontier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

JOINED, DROPPED = "joined", "dropped"


class Happening(Protocol):
    """Something that was noted in a log: what joined the list, what was dropped from it undrawn, or anything else."""

    @property
    def kind(self) -> str:
        """JOINED, DROPPED or another word."""

    @property
    def query(self) -> str:
        """The scores of what joined, as text."""

    @property
    def found(self) -> tuple[int, ...]:
        """The ids of what it happened to."""


@dataclass(slots=True)
class Listed:
    """A URL of the list, with the score it joined with."""

    id: int
    score: float
    age: int = 1


class CurrentList(Frontier):
    """A frontier with a list in front of it: `draw` gives a URL of the list, `best` fills it.

    What happens to the list is told to `note`, which writes it down; `restore` makes the list of it again.
    """

    def __init__(
        self,
        size: int,
        seed: int,
        best: Callable[[float], tuple[int, float] | None],
        host_of: Callable[[int], int],
        note: Callable[[str, str, Sequence[int]], None],
    ) -> None:
        super().__init__()
        self._size, self._seed = size, seed
        self._take_best, self._host_of, self._note = best, host_of, note
        self._random = np.random.default_rng(seed)
        self.listed: list[Listed] = []  # in the order in which they joined
        self._ids: set[int] = set()

    def __len__(self) -> int:
        return super().__len__() + len(self.listed)

    def push(self, ids: NDArray[np.integer], scores: NDArray[np.floating], hosts: NDArray[np.integer]) -> None:
        """Queue URLs, or change the scores of queued ones; for those listed it is too late."""
        if self._ids:
            keep = np.array([id_ not in self._ids for id_ in ids.tolist()], np.bool_)
            ids, scores, hosts = ids[keep], scores[keep], hosts[keep]
        super().push(ids, scores, hosts)

    def draw(self, now: float) -> tuple[int, float] | None:
        """A URL of the list, by chance, with its score; None when there is none now."""
        self._wake(now)
        if len(self.listed) <= self._size // 2:
            self._refill(now, self._size)
        if not any(ages := self._ages()):
            self._refill(now, len(self.listed) + 1)
            if not any(ages := self._ages()):
                return None
        url = self.listed.pop(spun(ages, self._random.random()))
        self._ids.remove(url.id)
        return url.id, url.score

    def _ages(self) -> list[int]:
        """As draws know them: nobody is drawn whose host rests."""
        if not self._resting:
            return [url.age for url in self.listed]
        return [0 if self._host_of(url.id) in self._resting else url.age for url in self.listed]

    def _refill(self, now: float, size: int) -> None:
        joining: list[Listed] = []
        while len(self.listed) + len(joining) < size and (best := self._take_best(now)) is not None:
            joining.append(Listed(*best))
        if joining:
            self._join(joining)
            self._note(JOINED, " ".join(repr(url.score) for url in joining), [url.id for url in joining])

    def _join(self, joining: list[Listed]) -> None:
        for url in self.listed:
            url.age += 1
        self.listed += joining
        self._ids.update(url.id for url in joining)

    def drop(self, ids: NDArray[np.integer]) -> None:
        """Take URLs out of the queue, and out of the list."""
        super().drop(ids)
        if listed := [id_ for id_ in ids.tolist() if id_ in self._ids]:
            self._leave(listed)
            self._note(DROPPED, "", listed)

    def _leave(self, ids: Sequence[int]) -> None:
        self.listed = [url for url in self.listed if url.id not in ids]
        self._ids.difference_update(ids)

    def restore(self, log: Iterable[Happening], queued: Iterable[int]) -> None:
        """The list as a log tells of it, less what is no longer queued: that was drawn, each by one random number."""
        drawn = 0
        for event in log:
            if event.kind == JOINED:
                again = [id_ for id_ in event.found if id_ in self._ids]  # drawn, and queued once more
                self._leave(again)
                drawn += len(event.found)
                scores = map(float, event.query.split())
                self._join([Listed(id_, score) for id_, score in zip(event.found, scores, strict=True)])
            elif event.kind == DROPPED:
                self._leave(event.found)
                drawn -= len(event.found)
        self._leave(list(self._ids.difference(queued)))
        bits = np.random.PCG64(self._seed)
        bits.advance(drawn - len(self.listed))
        self._random = np.random.Generator(bits)


def spun(ages: Sequence[int], number: float) -> int:
    """Where a wheel stops on which everything takes as much room as it is old; the number lies from 0 to below 1.

    >>> [spun([1, 2, 1], number) for number in (0, 0.24, 0.25, 0.74, 0.75, 0.99)]
    [0, 0, 1, 1, 2, 2]
    """
    left = int(number * sum(ages))
    for place, age in enumerate(ages):
        left -= age
        if left < 0:
            return place
    return len(ages) - 1
