"""Ranks and the queue: a heap of the best URLs, and a scan of all when it has run dry.

A key is a rank, turned so that the highest is the smallest integer, with the URL's number behind it: among equals,
the one found first comes first. All queued URLs whose keys are up to the floor have an entry in the heap; an entry
that is no longer true is skipped when it comes up. Where the floor lies makes no difference to what is visited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.records import EVERYTHING, QUEUED, SIGN
from honeyguide.strategy import rank_formulas

if TYPE_CHECKING:
    from honeyguide.simulate.links import Records

BEST = 1000  # URLs that a scan puts into the heap, or
SHARE = 20  # one of so many, where that is more
SAMPLE = 2000  # keys that tell where the floor should be
SPREAD = 4  # times as many before there is another scan
NEGATIVE, NEGATIVE_ZERO, ZERO = np.uint32(31), np.uint32(0x80000000), np.uint32(0x7FFFFFFF)
ONE = np.uint64(1)
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


@compiled
def push(book: Records, heap: Any, key: Any) -> None:
    """Enter a key in the heap."""
    at = book.in_heap
    book.in_heap += 1
    while at and heap[(at - 1) >> 1] > key:
        heap[at] = heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    heap[at] = key


@compiled
def pop(book: Records, heap: Any) -> Any:
    """Take the smallest key out of the heap."""
    top = heap[0]
    book.in_heap -= 1
    sift_down(heap, book.in_heap, 0, heap[book.in_heap])
    return top


@compiled
def sift_down(heap: Any, size: int, at: int, key: Any) -> None:
    """Put a key at a place of the heap, or further down, where it belongs."""
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = key


@compiled
def is_true(urls: Records, key: Any) -> bool:
    """Whether an entry still says what its URL ranks."""
    url = urls[key & NUMBER]
    return bool(url.state == QUEUED and url.turned == key >> RANK)


@compiled
def make_heap(heap: Any, size: int) -> None:
    """Put keys in the order of a heap."""
    for at in range(size // 2 - 1, -1, -1):
        sift_down(heap, size, at, heap[at])


@compiled
def nth(keys: Any, n: int) -> Any:
    """The nth smallest key, found by halves: to count many keys at once is what processors are good at."""
    low, high = np.uint64(0), EVERYTHING
    while low < high:
        middle = low + ((high - low) >> ONE)
        up_to_it = 0
        for k in range(len(keys)):
            up_to_it += keys[k] <= middle
        if up_to_it < n:
            low = middle + ONE
        else:
            high = middle
    return low


@compiled
def likely_nth(keys: Any, size: int, n: int) -> Any:
    """What the nth smallest key is like, by a sample, for which there is room behind the keys."""
    for k in range(SAMPLE):
        keys[size + k] = keys[k * size // SAMPLE]
    return nth(keys[size : size + SAMPLE], max(1, n * SAMPLE // size))


@compiled
def fill(book: Records, heap: Any, keys: Any, size: int, floor: Any) -> bool:
    """Fill the heap with the keys up to a floor; whether there was room for them."""
    book.floor = floor
    book.in_heap = 0
    for n in range(size):
        if keys[n] <= floor:
            if book.in_heap == len(heap):
                return False
            heap[book.in_heap] = keys[n]
            book.in_heap += 1
    make_heap(heap, book.in_heap)
    return True


@compiled
def scan(book: Records, urls: Records, heap: Any, keys: Any) -> None:
    """Rank all that is queued, and fill the heap with the best."""
    size = 0
    for i in range(book.known):
        if urls[i].state == QUEUED:
            keys[size] = key_of(book, urls, i)
            size += 1
    wanted = max(BEST, size // SHARE)
    book.in_heap_at_first = wanted
    if size <= wanted:
        fill(book, heap, keys, size, EVERYTHING)
        return
    if not fill(book, heap, keys, size, likely_nth(keys, size, wanted)):
        fill(book, heap, keys, size, nth(keys[:size], wanted))


@compiled
def rank_heap_anew(book: Records, urls: Records, heap: Any) -> None:
    """Rank the best anew when averages have risen: ranks have fallen, and what was below the floor stays there."""
    kept = 0
    for n in range(book.in_heap):
        if is_true(urls, heap[n]):
            key = key_of(book, urls, np.int64(heap[n] & NUMBER))
            if key <= book.floor:
                heap[kept] = key
                kept += 1
    book.in_heap = kept
    make_heap(heap, kept)


@compiled
def rank_dirty(
    book: Records, urls: Records, judged: Any, hosts: Records, todo: Records, places: Records, heap: Any
) -> bool:
    """Rank what may have changed, and enter the best; whether the heap has become too large."""
    for n in range(book.dirty):
        i = todo[n].dirty
        url = urls[i]
        url.dirty = 0
        if url.state != QUEUED:
            continue
        weigh(book, urls, judged, hosts, places, i)
        before = url.turned
        key = key_of(book, urls, i)
        if url.turned != before and key <= book.floor and book.in_heap < len(heap):
            push(book, heap, key)
    book.dirty = 0
    return bool(book.in_heap > SPREAD * book.in_heap_at_first or book.in_heap == len(heap))
