"""Ranks: `evolved`, compiled.

A key is a rank, turned so that the highest is the smallest integer, with the URL's number behind it: among equals,
the one found first comes first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.records import SIGN
from honeyguide.strategy import rank_formulas

if TYPE_CHECKING:
    from honeyguide.simulate.links import Records

NEGATIVE, NEGATIVE_ZERO, ZERO = np.uint32(31), np.uint32(0x80000000), np.uint32(0x7FFFFFFF)
NUMBER, RANK = np.uint64(0xFFFFFFFF), np.uint64(32)  # the lower and the upper half of a key

hub = compiled(rank_formulas.hub)
authority = compiled(rank_formulas.authority)
community_in = compiled(rank_formulas.community_in)
community_out = compiled(rank_formulas.community_out)


@compiled
def judgment(weight: Any) -> float:
    """A judgment as it was before it was made an integer; 0 where it is none, or endless."""
    value = np.uint32(weight ^ SIGN).view(np.float32)
    return np.float64(value) if np.isfinite(value) else 0.0


@compiled
def weigh(book: Records, urls: Records, judged: Any, hosts: Records, places: Records, i: int) -> None:
    """The part of a rank that does not depend on averages, added up in the order in which `evolved` does."""
    url, oldest = urls[i], book.oldest
    total = community_in(url.community_parents, url.parents) * book.comm_in
    total += book.comm_out * community_out(url.comm_out)
    for k in range(1, oldest + 1):
        total += book.parents[k - 1] * judgment(judged[i, k])
    if book.anchor:
        total += book.anchor * np.float64(np.uint32(judged[i, oldest + 1]).view(np.float32))
    if book.host:
        total += book.host * hosts[places[url.address].host].share
    url.steady = total


@compiled
def turned(score: float) -> Any:
    """A score as the frontier has it: the bits of a 32-bit float, turned so that the highest is the smallest."""
    bits = np.float32(score).view(np.uint32)
    if bits == NEGATIVE_ZERO:
        return ZERO
    return bits if bits >> NEGATIVE else bits ^ ZERO


@compiled
def key_of(book: Records, urls: Records, i: Any) -> Any:
    """Rank a URL by the averages as they are; its key."""
    url = urls[i]
    total = url.steady + book.hub * hub(url.most_links, book.each_of_page)
    total += book.authority * authority(url.parents, book.each_of_url)
    url.turned = turned(np.inf if url.ahead else total)
    return np.uint64(url.turned) << RANK | np.uint64(i)
