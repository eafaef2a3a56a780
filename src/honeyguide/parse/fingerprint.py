"""SimHash: a number of 64 bits for a text, of which alike texts share most."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.uint64]

ENOUGH = 40  # words; shorter texts resemble each other by chance
_DIGITS = re.compile(r"[0-9]+")
LOOKED_AT = 8192  # bytes, of the beginning and the end of a longer text

_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse among the numbers of 64 bits
_INVERSE = pow(_BASE, -1, 1 << 64)
_SHINGLE = (np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9), np.uint64(0x27D4EB2F165667C5))
_ABREAST = 32  # numbers whose bits are counted side by side: of 4,096 there are, no byte counts more than 128
_MIX, _HALF = np.uint64(0xFF51AFD7ED558CCD), np.uint64(32)


def _powers(base: int) -> Numbers:
    factors = np.full(LOOKED_AT, base, np.uint64)
    factors[0] = 1
    return np.multiply.accumulate(factors)


_POWERS, _INVERSES = _powers(_BASE), _powers(_INVERSE)


def fingerprint(text: str, title: str = "") -> int:
    """The SimHash of all runs of three words, as a signed integer; 0 when there are too few words.

    Pages with different titles, numbers aside, are never alike: the products of a shop share most of their text.

    >>> fingerprint("too short to tell")
    0
    """
    if len(text) > LOOKED_AT:
        text = text[: LOOKED_AT // 2] + text[-LOOKED_AT // 2 :]
    letters = np.frombuffer(text.lower().encode("utf-8", "replace")[:LOOKED_AT], np.uint8)
    words = _word_hashes(letters)
    if len(words) < ENOUGH:
        return 0
    runs = words[:-2] * _SHINGLE[0] + words[1:-1] * _SHINGLE[1] + words[2:] * _SHINGLE[2]
    majority = np.packbits(_set_bits(_mixed(runs)) * 2 > len(runs))
    return (int(majority.view(np.int64)[0]) ^ _of_title(title)) or 1


def _of_title(title: str) -> int:
    words = " ".join(_DIGITS.sub(" ", title.lower()).split())
    digest = hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True) if words else 0


def _word_hashes(letters: NDArray[np.uint8]) -> Numbers:
    """A number for each word, the same wherever it stands: sums of letters times powers, all words at once."""
    dark = np.zeros(len(letters) + 2, bool)
    dark[1:-1] = letters > 32
    edges = np.flatnonzero(dark[1:] != dark[:-1])
    starts, ends = edges[::2], edges[1::2]
    sums = np.zeros(len(letters) + 1, np.uint64)
    np.cumsum(letters * _POWERS[: len(letters)], out=sums[1:])
    return _mixed((sums[ends] - sums[starts]) * _INVERSES[starts])


def _set_bits(numbers: Numbers) -> NDArray[np.int64]:
    """In how many of the numbers each bit is set. A byte counts a bit, and long rows of them are added at once."""
    padded = np.zeros(-(-len(numbers) // _ABREAST) * _ABREAST, np.uint64)
    padded[: len(numbers)] = numbers
    rows = np.unpackbits(padded.view(np.uint8)).view(np.uint64).reshape(-1, 8 * _ABREAST)
    counts = np.add.reduce(rows, axis=0).view(np.uint8).reshape(_ABREAST, 64)
    total: NDArray[np.int64] = counts.sum(axis=0, dtype=np.int64)
    return total


def _mixed(numbers: Numbers) -> Numbers:
    """Let every bit depend on every other."""
    numbers = (numbers ^ (numbers >> _HALF)) * _MIX
    return numbers ^ (numbers >> _HALF)


def distance(first: int, second: int) -> int:
    """In how many bits two fingerprints differ."""
    return ((first ^ second) & 0xFFFFFFFFFFFFFFFF).bit_count()
