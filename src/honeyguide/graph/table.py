"""URLs interned as small numbers, in a fraction of the memory that a dict of strings needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from honeyguide import urls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RECENT = 1 << 17  # URLs kept as they are, for the links that stand on every page of a site
FOUR_GIGABYTES = (1 << 32) - 1
FULLEST = 0.6  # of the slots; beyond it, probing gets slow
_SCHEMES = {"http": b"p", "https": b"s"}
_PREFIXES = {ord("p"): "http://", ord("s"): "https://"}


_Number = TypeVar("_Number", bound=np.generic)


def enlarged(array: NDArray[_Number], size: int, fill: int = 0) -> NDArray[_Number]:
    """A copy with room for at least `size`, and an eighth to spare."""
    grown = np.full(max(size, len(array) + (len(array) >> 3) + 16), fill, array.dtype)
    grown[: len(array)] = array
    return grown


class UrlTable:
    """Ids 0, 1, 2 … for URLs in the order they are first seen.

    A URL is found by its 64-bit hash alone: among ten million URLs the chance that any two share one is
    three in a million. Hashes are keyed anew in every process, so a site cannot prepare a clash.
    """

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.host = np.zeros(1024, np.int32)  # of each URL
        self._host_ids: dict[str, int] = {}
        self._recent: dict[str, int] = {}
        self._hashes = np.zeros(1024, np.int64)
        self._ends: NDArray[np.integer] = np.zeros(1024, np.uint32)  # wider once there are four gigabytes
        self._slots = np.full(4096, -1, np.int32)
        self._rest = bytearray()  # scheme letter and path of every URL, end to end
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def intern(self, texts: Sequence[str]) -> NDArray[np.intp]:
        """The ids of URLs; those not seen before get the next ones."""
        recent = self._recent
        ids = [*map(recent.get, texts)]
        if None in ids:
            missing = [k for k, id_ in enumerate(ids) if id_ is None]
            wanted = list(dict.fromkeys([texts[k] for k in missing]))
            if len(recent) + len(wanted) > RECENT:
                recent.clear()
            recent.update(zip(wanted, self._looked_up(wanted), strict=True))
            for k in missing:
                ids[k] = recent[texts[k]]
        return np.array(ids, np.intp)  # numbers of any other width are converted at each use as an index

    def _looked_up(self, texts: list[str]) -> list[int]:
        hashes = [*map(hash, texts)]
        found = self._lookup(hashes)
        if -1 in found:
            unknown = [k for k, id_ in enumerate(found) if id_ < 0]
            first = self._insert([texts[k] for k in unknown], [hashes[k] for k in unknown])
            for new, k in enumerate(unknown, first):
                found[k] = new
        return found

    def find(self, text: str) -> int | None:
        """The id of a URL, or None when it was never seen."""
        (found,) = self._lookup([hash(text)])
        return None if found < 0 else found

    def url(self, id: int) -> str:
        """The URL of an id."""
        start = int(self._ends[id - 1]) if id else 0
        path = self._rest[start + 1 : int(self._ends[id])].decode()
        return f"{_PREFIXES[self._rest[start]]}{self.hosts[self.host[id]]}{path}"

    def host_id(self, name: str) -> int:
        """The number of a host, a new one where it is new."""
        found = self._host_ids.get(name)
        if found is None:
            found = self._host_ids[name] = len(self.hosts)
            self.hosts.append(name)
        return found

    def _lookup(self, hashes: list[int]) -> list[int]:
        """The ids of hashes, -1 where there is none; one by one, since most pages bring only a few."""
        mask, slots, known = len(self._slots) - 1, memoryview(self._slots.data), memoryview(self._hashes.data)
        found = []
        for key in hashes:
            slot = key & mask
            while (id_ := slots[slot]) >= 0 and known[id_] != key:
                slot = slot + 1 & mask
            found.append(id_)
        return found

    def _insert(self, fresh: list[str], hashes: list[int]) -> int:
        """Append URLs, given with their hashes; the id of the first is returned."""
        first, end = self.size, self.size + len(fresh)
        while end > len(self._slots) * FULLEST:
            self._rehash(len(self._slots) * 2)
        if end > len(self._hashes):
            self._hashes, self._ends = enlarged(self._hashes, end), enlarged(self._ends, end)
            self.host = enlarged(self.host, end)
        self._hashes[first:end] = hashes
        ends, hosts, rest = [], [], self._rest
        for text in fresh:
            scheme, host, path = urls.split(text)
            rest += _SCHEMES[scheme] + path.encode()
            ends.append(len(rest))
            hosts.append(self.host_id(host))
        if len(rest) > FOUR_GIGABYTES and self._ends.dtype == np.uint32:
            self._ends = self._ends.astype(np.int64)
        self._ends[first:end], self.host[first:end] = ends, hosts
        self.size = end
        self._place(hashes, first)
        return first

    def _place(self, hashes: list[int], first: int) -> None:
        """Put ids, from the first on, into free slots, each at the first one from its hash on."""
        mask, slots = len(self._slots) - 1, memoryview(self._slots.data)
        for id_, key in enumerate(hashes, first):
            slot = key & mask
            while slots[slot] >= 0:
                slot = slot + 1 & mask
            slots[slot] = id_

    def _rehash(self, size: int) -> None:
        self._slots = np.full(size, -1, np.int32)
        self._place_all(np.arange(self.size, dtype=np.int32))

    def _place_all(self, ids: NDArray[np.int32]) -> None:
        """The same for many at once."""
        mask = len(self._slots) - 1
        slots = self._hashes[ids] & mask
        while ids.size:
            free = self._slots[slots] < 0
            self._slots[slots[free]] = ids[free]
            homeless = self._slots[slots] != ids
            if not homeless.any():
                return
            ids, slots = ids[homeless], (slots[homeless] + 1) & mask
