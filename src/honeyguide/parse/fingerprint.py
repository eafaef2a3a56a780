"""SimHash: a number of 64 bits for a text, of which alike texts share most."""

from __future__ import annotations

import hashlib

import numpy as np

ENOUGH = 40  # words; shorter texts resemble each other by chance
LOOKED_AT = 5000  # words
_SHINGLE = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))
_MOST_KNOWN = 100_000
_known: dict[str, int] = {}


def fingerprint(text: str) -> int:
    """The SimHash of all runs of three words, as a signed integer; 0 when there are too few words.

    >>> fingerprint("too short to tell")
    0
    """
    words = text.lower().split(None, LOOKED_AT)[:LOOKED_AT]
    if len(words) < ENOUGH:
        return 0
    hashes = np.fromiter((_known.get(word) or _hash(word) for word in words), np.uint64, len(words))
    runs = hashes[:-2] * _SHINGLE[0] + hashes[1:-1] * _SHINGLE[1] + hashes[2:] * _SHINGLE[2]
    runs ^= runs >> np.uint64(29)
    bits = np.unpackbits(runs.view(np.uint8).reshape(-1, 8), axis=1)
    majority = np.packbits(bits.sum(axis=0, dtype=np.int32) * 2 > len(bits))
    return int(majority.view(np.int64)[0]) or 1


def _hash(word: str) -> int:
    """The same in every process, unlike Python's own."""
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    return _known.setdefault(word, int.from_bytes(digest, "little"))


def distance(first: int, second: int) -> int:
    """In how many bits two fingerprints differ."""
    return ((first ^ second) & 0xFFFFFFFFFFFFFFFF).bit_count()
