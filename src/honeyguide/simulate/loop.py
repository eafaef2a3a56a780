"""The compiled loop: the best URL, or one drawn from the current list, until the budget is spent."""

from __future__ import annotations

from typing import Any

import numpy as np

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.lineage import tell_judgments
from honeyguide.simulate.links import Records, mark_dirty, tell_of_community
from honeyguide.simulate.queue import is_true, pop, rank_dirty, rank_heap_anew, scan
from honeyguide.simulate.ranks import NUMBER
from honeyguide.simulate.records import EVERYTHING, LISTED, MISSING, OVER
from honeyguide.simulate.visits import leave_list, number_at, visit
from honeyguide.strategy import rank_formulas

inverse = compiled(rank_formulas.inverse)


@compiled
def plant(
    book: Records,
    urls: Records,
    judged: Any,
    hosts: Records,
    todo: Records,
    places: Records,
    number_of: Any,
    seeds: Any,
) -> None:
    """Begin with the seeds."""
    for seed in seeds:
        i = number_at(book, urls, judged, hosts, todo, places, number_of, seed, 1)
        mark_dirty(book, urls, todo, i)


@compiled
def bring_up_to_date(
    book: Records,
    urls: Records,
    judged: Any,
    links: Records,
    hosts: Records,
    todo: Records,
    places: Records,
    heap: Any,
    keys: Any,
) -> None:
    """Let everything known reach the ranks that it changes."""
    tell_of_community(book, urls, links, todo)
    tell_judgments(book, urls, judged, links, todo)
    page, url = book.hub > 0, book.authority > 0  # whether the averages count
    fell = (page and book.per_page < book.ranked_per_page) or (url and book.per_url < book.ranked_per_url)
    rose = (page and book.per_page > book.ranked_per_page) or (url and book.per_url > book.ranked_per_url)
    book.ranked_per_page = book.per_page
    book.ranked_per_url = book.per_url
    book.each_of_page = inverse(book.per_page)
    book.each_of_url = inverse(book.per_url)
    too_large = rank_dirty(book, urls, judged, hosts, todo, places, heap)
    if fell or too_large:
        scan(book, urls, heap, keys)
    elif rose:
        rank_heap_anew(book, urls, heap)


@compiled
def best(book: Records, urls: Records, heap: Any, keys: Any) -> Any:
    """Take the best URL out of the queue; -1 where there is none."""
    while True:
        while book.in_heap:
            key = pop(book, heap)
            if is_true(urls, key):
                return np.int64(key & NUMBER)
        if book.floor == EVERYTHING:
            return np.int64(-1)
        scan(book, urls, heap, keys)


@compiled
def refill(book: Records, urls: Records, listing: Records, heap: Any, keys: Any) -> None:
    """Let the best URLs join the list; where any does, those that were there grow older."""
    before = book.listed
    while book.listed < book.list_size:
        i = best(book, urls, heap, keys)
        if i < 0:
            break
        urls[i].state = LISTED
        listing[book.listed].url = i
        listing[book.listed].age = 1
        book.listed += 1
    if book.listed > before:
        for n in range(before):
            listing[n].age += 1


@compiled
def look_at_joined(
    book: Records, urls: Records, listing: Records, places: Records, out: Any, number_of: Any, first: int
) -> None:
    """Touch what visits to those that joined the list will need: many waits for memory at once take little longer."""
    touched = 0
    for n in range(first, book.listed):
        touched += places[urls[listing[n].url].address].links
    for n in range(first, book.listed):
        place = places[urls[listing[n].url].address]
        for link in range(place.first, place.first + place.links):
            touched += number_of[out[link]]
    book.touched = touched


@compiled
def spun(book: Records, listing: Records, number: float) -> Any:
    """Where a wheel stops on which every listed URL takes as much room as it is old."""
    total = 0
    for n in range(book.listed):
        total += listing[n].age
    left = np.int64(number * total)
    for n in range(book.listed):
        left -= listing[n].age
        if left < 0:
            return n
    return book.listed - 1


@compiled
def run(
    book: Records,
    urls: Records,
    judged: Any,
    links: Records,
    hosts: Records,
    todo: Records,
    listing: Records,
    visited: Any,
    places: Records,
    out: Any,
    anchor: Any,
    number_of: Any,
    heap: Any,
    keys: Any,
    numbers: Any,
) -> bool:
    """Visit URLs, with a current list one for each random number; whether there may be more to visit."""
    while book.visits < book.budget:
        if book.drawn == len(numbers):
            return True
        if book.listed <= book.list_size // 2:
            bring_up_to_date(book, urls, judged, links, hosts, todo, places, heap, keys)
            before = book.listed
            refill(book, urls, listing, heap, keys)
            look_at_joined(book, urls, listing, places, out, number_of, before)
        if not book.listed:
            return False
        i = leave_list(book, listing, spun(book, listing, numbers[book.drawn]))
        book.drawn += 1
        urls[i].state = OVER
        if places[urls[i].address].kind != MISSING:
            visit(book, urls, judged, links, hosts, todo, listing, visited, places, out, anchor, number_of, i)
    return False


@compiled
def rank_all_anew(book: Records, urls: Records, todo: Records) -> None:
    """Have all that is queued ranked by other weights."""
    for i in range(book.known):
        mark_dirty(book, urls, todo, i)


@compiled
def forget_hosts(book: Records, urls: Records, hosts: Records, places: Records) -> None:
    """Clear what was touched and nothing else, so that a small crawl costs little on a large web."""
    for i in range(book.known):
        host = hosts[places[urls[i].address].host]
        host.share = 0.0
        host.good = 0
        host.fetched = 0
        host.last = 0
