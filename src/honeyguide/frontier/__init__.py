"""The queue: the best-scored URL of any host that may be fetched now.

Every host has a queue of its own, so that a resting host costs nothing. An entry is one integer below 2**60: the
score as a 32-bit float, turned so that the highest comes first, then the id, so that among equals the URL found
first comes first. A changed score is a second entry; the old one is recognised and skipped when it comes up.
"""

from __future__ import annotations

import math
import struct
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.frontier.host_queue import HostQueue
from honeyguide.graph.table import enlarged

if TYPE_CHECKING:
    from numpy.typing import NDArray

ID_BITS = 28
_ID_MASK = (1 << ID_BITS) - 1
_GONE = 0xFFFFFFFF  # the rank of no score: what a NaN would have
FEW = 8  # URLs; one by one they are quicker pushed than as arrays
_SIGN, _ONE, _VALUE = np.uint32(31), np.uint32(1), np.uint32(0x7FFFFFFF)
_LOWEST, _ZERO = np.float32(-np.inf), np.float32(0)
_FLOAT, _UNSIGNED = struct.Struct("<f"), struct.Struct("<I")


def _ranks(scores: NDArray[np.float32]) -> NDArray[np.uint32]:
    """Scores as unsigned integers that sort the other way: the highest score is the smallest."""
    # What is not a number becomes the lowest; adding zero makes one zero of the two that floats have.
    bits = (np.fmax(scores, _LOWEST) + _ZERO).view(np.uint32)
    return bits ^ ((bits >> _SIGN) - _ONE & _VALUE)


def _scores(ranks: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The scores again."""
    bits = ranks ^ ((ranks >> _SIGN) - _ONE & _VALUE)
    return bits.view(np.float32).astype(np.float64)


def _rank(score: float) -> int:
    """What `_ranks` makes of one score."""
    bits: int = _UNSIGNED.unpack(_FLOAT.pack(score + 0.0 if score == score else -math.inf))[0]
    return bits if bits >> 31 else ~bits & 0x7FFFFFFF


def _score(rank: int) -> float:
    bits = rank if rank >> 31 else ~rank & 0x7FFFFFFF
    return float(_FLOAT.unpack(_UNSIGNED.pack(bits))[0])


class Frontier:
    """Push ids with scores, pop the best; hosts rest, and may weigh more or less than others."""

    def __init__(self) -> None:
        self._rank = np.full(1024, _GONE, np.uint32)  # by id; the truth that heap entries are checked against
        self._rank_of = memoryview(self._rank.data)  # the same, three times as fast for one id
        self._queues: dict[int, HostQueue] = {}
        self._best: list[tuple[float, int, int]] = []  # (-score, id, host): the top of each ready host
        self._top: dict[int, tuple[float, int, int]] = {}  # the entry of `_best` that is still true
        self._weight: dict[int, float] = {}
        self._resting: dict[int, float] = {}
        self._waking: list[tuple[float, int]] = []
        self._asleep: list[tuple[float, int, int]] = []  # like `_best`, of resting hosts; some no longer true
        self._queued = 0
        self._entries = 0

    def __len__(self) -> int:
        return self._queued

    @property
    def hosts(self) -> int:
        """How many hosts have something queued."""
        return len(self._queues)

    def push(self, ids: NDArray[np.integer], scores: NDArray[np.floating], hosts: NDArray[np.integer]) -> None:
        """Queue URLs, or change the scores of queued ones; the ids are distinct."""
        if not len(ids):
            return
        if len(ids) <= FEW:
            self._push_few(ids.tolist(), np.asarray(scores, np.float32).tolist(), hosts.tolist())
        else:
            self._push_many(ids, np.asarray(scores, np.float32), hosts)
        if self._entries > 2 * self._queued + 1000:
            self._forget_old_entries()

    def _push_few(self, ids: list[int], scores: list[float], hosts: list[int]) -> None:
        self._make_room(max(ids) + 1)
        keys, hosts_of_keys = [], []
        for id_, score, host in zip(ids, scores, hosts, strict=True):
            rank, old = _rank(score), self._rank_of[id_]
            if rank != old:
                self._queued += old == _GONE
                self._rank_of[id_] = rank
                keys.append(rank << ID_BITS | id_)
                hosts_of_keys.append(host)
        self._add(keys, hosts_of_keys)

    def _push_many(self, ids: NDArray[np.integer], scores: NDArray[np.float32], hosts: NDArray[np.integer]) -> None:
        try:
            old = self._rank[ids]
        except IndexError:  # rare; to look for the highest id each time takes longer
            self._make_room(int(ids.max()) + 1)
            old = self._rank[ids]
        ranks = _ranks(scores)
        (changed,) = (old != ranks).nonzero()
        ids, ranks = ids[changed], ranks[changed]
        self._queued += int(np.count_nonzero(old == _GONE))
        self._rank[ids] = ranks
        self._add((ranks.astype(np.int64) << ID_BITS | ids).tolist(), hosts[changed].tolist())

    def _make_room(self, size: int) -> None:
        if size > _ID_MASK:
            raise OverflowError(f"more than {_ID_MASK} URLs")
        if size > len(self._rank):
            self._rank = enlarged(self._rank, size, _GONE)
            self._rank_of = memoryview(self._rank.data)

    def _add(self, keys: list[int], hosts: list[int]) -> None:
        queues = self._queues
        for key, host in zip(keys, hosts, strict=True):
            queue = queues.get(host)
            if queue is None:
                queue = queues[host] = HostQueue()
            if key > queue.limit:  # as most are: to call `push` for each would take twice as long
                queue.cold.append(key)
            else:
                queue.push(key)
        self._entries += len(keys)
        pushed = set(keys)
        for host in set(hosts):
            if (top := queues[host].hot[0]) in pushed or self._is_old(top):
                self._show_top(host)

    def weigh(self, hosts: NDArray[np.integer], weights: NDArray[np.floating]) -> None:
        """Multiply the scores of all URLs of a host by a positive weight, at the cost of one entry."""
        for host, weight in zip(hosts.tolist(), weights.tolist(), strict=True):
            if self._weight.get(host, 1.0) != weight:
                self._weight[host] = weight
                self._show_top(host)

    def pop(self, now: float) -> tuple[int, float] | None:
        """The best URL of a host that is not resting, with its score; None when there is none now."""
        self._wake(now)
        while self._best:
            entry = heappop(self._best)
            host = entry[2]
            if self._top.get(host) != entry:
                continue
            del self._top[host]
            queue = self._queues[host]
            current = not self._is_old(queue.hot[0])
            if current:
                queue.pop()
                self._entries -= 1
                self._rank_of[entry[1]] = _GONE
                self._queued -= 1
            self._show_top(host)
            if current:
                return entry[1], -entry[0]
        return None

    def rest(self, host: int, until: float) -> None:
        """Give nothing of a host before `until`; infinity until told otherwise."""
        self._top.pop(host, None)
        self._resting[host] = until
        if until < math.inf:
            heappush(self._waking, (until, host))
        self._show_top(host)

    def rests_until(self, host: int) -> float:
        """When a host's rest ends; minus infinity when it does not rest, or its end is not set."""
        until = self._resting.get(host, -math.inf)
        return until if until < math.inf else -math.inf

    def resting(self) -> list[tuple[int, float]]:
        """The hosts that have something queued and rest, and until when; infinity where no end is set."""
        return [(host, until) for host, until in self._resting.items() if host in self._queues]

    def queued(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """All ids, and their scores before the weights of hosts."""
        ids = np.flatnonzero(self._rank != _GONE)
        return ids, _scores(self._rank[ids])

    def weights(self, hosts: int) -> NDArray[np.float64]:
        """The weights of the first so many hosts."""
        found = np.ones(hosts)
        known = {host: weight for host, weight in self._weight.items() if host < hosts}
        found[list(known)] = list(known.values())
        return found

    def given_up(self, score: float) -> float:
        """How much better the best URL of all resting hosts scores."""
        while self._asleep:
            entry = self._asleep[0]
            current = self._entry(entry[2]) if entry[2] in self._resting else None
            if current == entry:
                return max(0.0, -entry[0] - score) if math.isfinite(entry[0]) else 0.0
            heappop(self._asleep)
            if current is not None:
                heappush(self._asleep, current)
        return 0.0

    def next_time(self) -> float:
        """When the next resting host may be asked; infinity when none rests with an end in sight."""
        while self._waking and self._resting.get(self._waking[0][1]) != self._waking[0][0]:
            heappop(self._waking)
        return self._waking[0][0] if self._waking else math.inf

    def drop(self, ids: NDArray[np.integer]) -> None:
        """Take URLs out of the queue."""
        self._make_room(int(ids.max()) + 1 if len(ids) else 0)
        self._queued -= int(np.count_nonzero(self._rank[ids] != _GONE))
        self._rank[ids] = _GONE

    def worst(self, keep: int) -> NDArray[np.int64]:
        """The ids to drop so that only the `keep` best-scored remain (hosts' weights left aside)."""
        queued = np.flatnonzero(self._rank != _GONE)
        if len(queued) <= keep:
            return queued[:0]
        return np.sort(queued[np.lexsort((queued, self._rank[queued]))[keep:]])

    def _is_old(self, key: int) -> bool:
        return self._rank_of[key & _ID_MASK] != key >> ID_BITS

    def _entry(self, host: int) -> tuple[float, int, int] | None:
        """The best URL of a host; what is no longer true is dropped on the way."""
        queue = self._queues.get(host)
        if queue is None:
            return None
        rank_of = self._rank_of
        while queue.hot:
            id_, rank = queue.hot[0] & _ID_MASK, queue.hot[0] >> ID_BITS
            if rank_of[id_] == rank:
                return -_score(rank) * self._weight.get(host, 1.0), id_, host
            queue.pop()
            self._entries -= 1
        del self._queues[host]
        return None

    def _show_top(self, host: int) -> None:
        """Offer the best URL of a host, if it has one left; of a resting host it is only noted."""
        entry = self._entry(host)
        if entry is None:
            self._top.pop(host, None)
        elif host in self._resting:
            heappush(self._asleep, entry)
            if len(self._asleep) > 2 * len(self._resting) + 1000:
                self._asleep = sorted({e for each in self._resting if (e := self._entry(each))})
        elif self._top.get(host) != entry:
            self._top[host] = entry
            heappush(self._best, entry)
            if len(self._best) > 2 * len(self._top) + 1000:
                self._best = sorted(self._top.values())  # a sorted list is a heap

    def _wake(self, now: float) -> None:
        while self._waking and self._waking[0][0] <= now:
            until, host = heappop(self._waking)
            if self._resting.get(host) == until:
                del self._resting[host]
                self._show_top(host)

    def _forget_old_entries(self) -> None:
        for host, queue in list(self._queues.items()):
            queue.keep(self._are_current)
            self._show_top(host)  # what was on offer may have been dropped
        self._entries = sum(map(len, self._queues.values()))

    def _are_current(self, keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self._rank[keys & _ID_MASK] == keys >> ID_BITS
        return found
