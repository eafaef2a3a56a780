"""Taking in a visit: a page, a redirect or a failure; what `Crawl`, `Graph` and `evolved` do, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.lineage import hand_down, inherit
from honeyguide.simulate.links import Records, add_link, end_of, find, has_joined, join, lead_on, mark_dirty
from honeyguide.simulate.records import DONE, LISTED, MOVED, OVER, PAGE, QUEUED, REDIRECT
from honeyguide.strategy import rank_formulas

host_share = compiled(rank_formulas.host_share)
HOST_DRIFT = rank_formulas.HOST_DRIFT


@compiled
def take_in_page(
    book: Records, urls: Records, judged: Any, links: Records, todo: Records, i: int, place: Records
) -> None:
    """Enter a page whose links are entered: its judgment, and whether it joins the community."""
    url = urls[i]
    judged[i, 0] = place.judgment
    book.pages += 1
    book.links += url.links
    for link in range(url.first, url.first + url.links):
        child = links[link].target
        of_child = urls[child]
        of_child.parents += 1
        of_child.community_parents += url.community
        if of_child.most_links < url.links:
            of_child.most_links = url.links
        if of_child.community and book.keeps_comm_out:
            has_joined(book, urls, todo, i)
        hand_down(book, urls, judged, todo, i, child, 0, book.oldest)
        mark_dirty(book, urls, todo, child)
    if place.relevant and not url.community:
        join(book, urls, links, todo, i)


@compiled
def leads_back(book: Records, urls: Records, number_of: Any, places: Records, start: int) -> bool:
    """Whether a redirect leads, by redirects known, to where it started."""
    at = places[start].leads_to
    for _ in range(book.max_redirects + 1):
        i = number_of[at] - book.earlier - 1
        if at == start or i < 0 or urls[i].state != MOVED:
            break
        at = places[at].leads_to
    return bool(at == start)


@compiled
def take_in_redirect(
    book: Records, urls: Records, judged: Any, links: Records, todo: Records, i: int, target: int
) -> None:
    """Enter that an address leads to another, which inherits all that was known of it."""
    url = urls[i]
    if url.ahead:
        urls[target].ahead = 1
    url.state = MOVED
    mark_dirty(book, urls, todo, target)
    heir = end_of(urls, target)
    if heir == i:
        return
    if url.community != urls[heir].community:
        join(book, urls, links, todo, i if urls[heir].community else heir)
    inherit(book, urls, judged, todo, i, heir)
    lead_on(urls, links, i, heir)
    url.heir = heir


@compiled
def count_hop(book: Records, urls: Records, listing: Records, i: int, target: int) -> None:
    """Count the redirects in a row; where they are too many, the target is not asked for."""
    url = urls[target]
    url.hops = max(min(urls[i].hops + 1, 255), url.hops)
    if url.hops <= book.max_redirects:
        return
    if url.state == LISTED:
        place = 0
        while listing[place].url != target:
            place += 1
        leave_list(book, listing, place)
    if url.state == QUEUED or url.state == LISTED:
        url.state = OVER


@compiled
def leave_list(book: Records, listing: Records, place: int) -> int:
    """Take a URL out of the current list; the others keep their order."""
    i = listing[place].url
    book.listed -= 1
    for n in range(place, book.listed):
        listing[n].url = listing[n + 1].url
        listing[n].age = listing[n + 1].age
    return int(i)


@compiled
def count_fetch(book: Records, urls: Records, hosts: Records, todo: Records, host: int, relevant: bool) -> None:
    """Count a fetch for its host; where its share has drifted, its URLs are ranked anew."""
    of_host = hosts[host]
    of_host.good += relevant
    of_host.fetched += 1
    share = host_share(of_host.good, of_host.fetched)
    if abs(share - of_host.share) <= HOST_DRIFT * book.drift:
        return
    of_host.share = share
    i = of_host.last
    while i:
        mark_dirty(book, urls, todo, i - 1)
        i = todo[i - 1].next_of_host


@compiled
def update_averages(book: Records) -> None:
    """Take over the averages as they are now, where one has drifted."""
    per_page = book.links / max(book.pages, 1)
    per_url = book.links / max(book.known, 1)
    if (
        abs(per_page - book.per_page) > book.drift * book.per_page
        or abs(per_url - book.per_url) > book.drift * book.per_url
    ):
        book.per_page = per_page
        book.per_url = per_url


@compiled
def number_at(
    book: Records,
    urls: Records,
    judged: Any,
    hosts: Records,
    todo: Records,
    places: Records,
    number_of: Any,
    address: int,
    ahead: int,
) -> Any:
    """The number of the URL at an address; found for the first time ahead of others, it belongs to the community."""
    if number_of[address] > book.earlier:
        return int(number_of[address]) - book.earlier - 1
    i = find(book, urls, judged, hosts, todo, address, places[address].host if book.keeps_host else 0)
    number_of[address] = book.earlier + i + 1
    urls[i].ahead = ahead
    urls[i].community = ahead
    return i


@compiled
def look_ahead(book: Records, urls: Records, number_of: Any, out: Any, place: Records) -> None:
    """Touch what the links of a page will need: without a decision in between, waits for memory overlap."""
    touched, before = 0, book.earlier + 1
    for link in range(place.first, place.first + place.links):
        touched += urls[max(number_of[out[link]] - before, 0)].parents
    book.touched = touched


@compiled
def visit(
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
    i: int,
) -> None:
    """Ask for a URL that is in the archive."""
    url, address = urls[i], urls[i].address
    place = places[address]
    visited[book.visits] = address
    book.visits += 1
    if place.kind == PAGE:
        url.state, url.first, url.links = DONE, book.linked, place.links
        look_ahead(book, urls, number_of, out, place)
        for link in range(place.first, place.first + place.links):
            target = number_at(book, urls, judged, hosts, todo, places, number_of, out[link], 0)
            target = end_of(urls, target)
            add_link(book, urls, links, i, target)
            if book.keeps_anchor and anchor[link] > 0:
                best = book.oldest + 1
                judged[target, best] = max(judged[target, best], np.float32(anchor[link]).view(np.uint32))
        take_in_page(book, urls, judged, links, todo, i, place)
    elif place.kind == REDIRECT and not leads_back(book, urls, number_of, places, address):
        target = number_at(book, urls, judged, hosts, todo, places, number_of, place.leads_to, url.ahead)
        count_hop(book, urls, listing, i, target)
        take_in_redirect(book, urls, judged, links, todo, i, target)
    if book.keeps_host and url.state != MOVED:
        count_fetch(book, urls, hosts, todo, place.host, place.kind == PAGE and place.relevant)
    update_averages(book)
