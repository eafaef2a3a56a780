"""Who links to whom, redirects followed, and who belongs to the community: `RankScores` and `Lineage`, compiled.

A link to an address that was redirected is made one to the page that it leads to, as soon as that is known.
"""

from __future__ import annotations

from typing import Any

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.records import DONE, QUEUED, UNRANKED
from honeyguide.strategy import rank_formulas

Records = Any  # an array of them, or one

share_of_one = compiled(rank_formulas.share_of_one)


@compiled
def mark_dirty(book: Records, urls: Records, todo: Records, i: int) -> None:
    """Have a URL ranked before the next one is chosen."""
    url = urls[i]
    if not url.dirty and url.state == QUEUED:
        url.dirty = 1
        todo[book.dirty].dirty = i
        book.dirty += 1


@compiled
def find(book: Records, urls: Records, judged: Any, hosts: Records, todo: Records, address: int, host: int) -> Any:
    """Enter a URL that was found just now; its number."""
    i = book.known
    book.known += 1
    url = urls[i]
    url.comm_out = 0
    url.links = 0
    url.address = address
    url.parents = 0
    url.community_parents = 0
    url.most_links = 0
    url.last_in = 0
    url.heir = i
    url.joined = 0
    url.turned = UNRANKED
    url.state = QUEUED
    url.community = 0
    url.ahead = 0
    url.dirty = 0
    url.news_to = 0
    url.hops = 0
    for column in range(book.oldest + 2):
        judged[i, column] = 0
    if book.keeps_host:
        todo[i].next_of_host = hosts[host].last
        hosts[host].last = i + 1
    return i


@compiled
def end_of(urls: Records, i: int) -> int:
    """Where an address leads by all redirects known."""
    while urls[i].heir != i:
        i = urls[i].heir
    return i


@compiled
def add_link(book: Records, urls: Records, links: Records, source: int, target: int) -> None:
    """Enter a link; those of a page are entered one after the other."""
    link = links[book.linked]
    book.linked += 1
    link.target = target
    link.source = source
    link.next_in = urls[target].last_in
    urls[target].last_in = book.linked


@compiled
def lead_on(urls: Records, links: Records, i: int, heir: int) -> None:
    """Let all links to an old address lead to the new one."""
    link = urls[i].last_in
    if not link:
        return
    links[link - 1].target = heir
    while links[link - 1].next_in:
        link = links[link - 1].next_in
        links[link - 1].target = heir
    links[link - 1].next_in = urls[heir].last_in
    urls[heir].last_in = urls[i].last_in
    urls[i].last_in = 0


@compiled
def join(book: Records, urls: Records, links: Records, todo: Records, i: int) -> None:
    """Let a page join the community: its children, and those beside it on the pages that link to it, will be told."""
    url = urls[i]
    url.community = 1
    if url.state == DONE:
        for link in range(url.first, url.first + url.links):
            child = links[link].target
            urls[child].community_parents += 1
            mark_dirty(book, urls, todo, child)
    link = url.last_in if book.keeps_comm_out else 0
    while link:
        has_joined(book, urls, todo, links[link - 1].source)
        link = links[link - 1].next_in


@compiled
def has_joined(book: Records, urls: Records, todo: Records, page: int) -> None:
    """One more link of a page leads into the community."""
    if not urls[page].joined:
        todo[book.joined].joined = page
        book.joined += 1
    urls[page].joined += 1


@compiled
def tell_of_community(book: Records, urls: Records, links: Records, todo: Records) -> None:
    """Add to the children of pages what has joined since they were told."""
    for n in range(book.joined):
        page = urls[todo[n].joined]
        gain = page.joined * share_of_one(page.links)
        page.joined = 0
        for link in range(page.first, page.first + page.links):
            urls[links[link].target].comm_out += gain
        for link in range(page.first, page.first + page.links):  # in two goes, so that waits for memory overlap
            mark_dirty(book, urls, todo, links[link].target)
    book.joined = 0
