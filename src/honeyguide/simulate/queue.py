"""The queue: a heap of the best URLs, and a scan of all when it has run dry.

All queued URLs whose keys are up to the floor have an entry in the heap; an entry that is no longer true is skipped
when it comes up. Where the floor lies makes no difference to what is visited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.ranks import NUMBER, RANK, key_of, weigh
from honeyguide.simulate.records import EVERYTHING, QUEUED

if TYPE_CHECKING:
    from honeyguide.simulate.links import Records

BEST = 1000  # URLs that a scan puts into the heap, or
SHARE = 20  # one of so many, where that is more
SAMPLE = 2000  # keys that tell where the floor should be
SPREAD = 4  # times as many before there is another scan
ONE = np.uint64(1)


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
