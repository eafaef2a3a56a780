"""Pages that came before under another URL: exact copies, near ones, hosts that mirror others."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.parse.fingerprint import distance

if TYPE_CHECKING:
    from honeyguide.settings import Settings

MOSTLY = 0.8  # share of a host's pages that makes it a mirror


class Copies:
    """Remembers the first page with each content, by its bytes and by its fingerprint."""

    def __init__(self, settings: Settings) -> None:
        self._limits = settings
        self._by_digest: dict[bytes, int] = {}
        self._alike = Alike(settings.copy_bits)
        self._repeated: Counter[tuple[int, bytes]] = Counter()  # by host
        self._mirrored: Counter[tuple[int, int]] = Counter()  # by host and the host it copies
        self._pages: Counter[int] = Counter()  # by host

    def original(self, digest: bytes, fingerprint: int) -> tuple[str, int]:
        """Whether a page is a `copy` or a `near_copy`, and of which; empty and -1 for a page of its own."""
        if self._limits.copy_bits < 0:
            return "", -1
        if digest and digest in self._by_digest:
            return "copy", self._by_digest[digest]
        near = self._alike.find(fingerprint) if fingerprint else -1
        return ("near_copy" if near >= 0 else ""), near

    def first(self, digest: bytes) -> int:
        """The id of the first page with these bytes; -1 when there is none."""
        return self._by_digest.get(digest, -1)

    def says_nothing(self, host: int, digest: bytes) -> bool:
        """Whether a host gives these bytes under so many URLs that they stand for `not found`."""
        limit = self._limits.soft_404_after
        return bool(limit and digest) and self._repeated[host, digest] >= limit

    def add(self, id: int, host: int, digest: bytes, fingerprint: int) -> None:
        """Remember a page that is no copy."""
        self._pages[host] += 1
        if digest:
            self._by_digest.setdefault(digest, id)
        if fingerprint:
            self._alike.add(fingerprint, id)

    def add_copy(self, host: int, digest: bytes, original_host: int) -> None:
        """Count a page that is one."""
        self._pages[host] += 1
        if digest:
            self._repeated[host, digest] += 1
        if host != original_host:
            self._mirrored[host, original_host] += 1

    def is_mirror(self, host: int, original_host: int) -> bool:
        """Whether most of a host was copied from another."""
        limit, copied = self._limits.mirror_after, self._mirrored[host, original_host]
        return bool(limit) and copied >= limit and copied >= MOSTLY * self._pages[host]


class Alike:
    """Finds a fingerprint that differs in few bits: cut in one part more, two such share at least one part."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        edges = [64 * i // (bits + 1) for i in range(bits + 2)] if bits >= 0 else []
        self._parts = [(low, (1 << high - low) - 1) for low, high in itertools.pairwise(edges)]
        self._fingerprints, self._ids = array("q"), array("i")
        self._places: list[dict[int, int | array[int]]] = [{} for _ in self._parts]  # most parts are of one page only

    def find(self, fingerprint: int) -> int:
        """The first id with a fingerprint alike; -1 when there is none."""
        found = -1
        for (low, mask), places in zip(self._parts, self._places, strict=True):
            same = places.get(fingerprint >> low & mask, ())
            for place in (same,) if isinstance(same, int) else same:
                id_ = self._ids[place]
                if distance(self._fingerprints[place], fingerprint) <= self._bits and (found < 0 or id_ < found):
                    found = id_
        return found

    def add(self, fingerprint: int, id: int) -> None:
        """Remember a fingerprint."""
        place = len(self._ids)
        self._fingerprints.append(fingerprint)
        self._ids.append(id)
        for (low, mask), places in zip(self._parts, self._places, strict=True):
            same = places.setdefault(fingerprint >> low & mask, place)
            if isinstance(same, array):
                same.append(place)
            elif same != place:
                places[fingerprint >> low & mask] = array("i", (same, place))
