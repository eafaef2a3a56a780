"""How judgments reach children, grandchildren and so on: `Lineage`, compiled.

A row of `judged` holds the judgment of the URL itself, the one that counts of its parents, of theirs and so on, as
integers (see `arrays.by_weight`), and last the bits of the best score of an anchor. All of it only ever rises, so the
order in which it is handed down makes no difference.
"""

from __future__ import annotations

from typing import Any

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.links import Records, mark_dirty
from honeyguide.simulate.records import DONE


@compiled
def hand_down(
    book: Records, urls: Records, judged: Any, todo: Records, page: int, child: int, first: int, end: int
) -> None:
    """Tell a child judgments of a page, a generation older; if it was fetched, it may have to pass them on."""
    lowest = highest = 0
    for column in range(first, end):
        if judged[page, column] > judged[child, column + 1]:
            judged[child, column + 1] = judged[page, column]
            lowest = lowest or column + 1
            highest = column + 1
    if highest:
        mark_dirty(book, urls, todo, child)
        if lowest < book.oldest:
            has_news(book, urls, todo, child, lowest, min(highest + 1, book.oldest))


@compiled
def has_news(book: Records, urls: Records, todo: Records, page: int, first: int, end: int) -> None:
    """Have a fetched page tell its children of some generations."""
    url = urls[page]
    if url.state != DONE:
        return
    if not url.news_to:
        url.news_from = first
        todo[(book.told + book.telling) % len(todo)].telling = page
        book.telling += 1
    url.news_from = min(url.news_from, first)
    url.news_to = max(url.news_to, end)


@compiled
def tell_judgments(book: Records, urls: Records, judged: Any, links: Records, todo: Records) -> None:
    """Let judgments reach children, theirs and so on, as long as there is news for them."""
    while book.telling:  # first come, first served: what several parents tell a page is passed on at once
        page = todo[book.told].telling
        book.telling -= 1
        book.told = (book.told + 1) % len(todo)
        url = urls[page]
        first, end = url.news_from, url.news_to
        url.news_to = 0
        for link in range(url.first, url.first + url.links):
            hand_down(book, urls, judged, todo, page, links[link].target, first, end)


@compiled
def inherit(book: Records, urls: Records, judged: Any, todo: Records, i: int, heir: int) -> None:
    """What was known of an old address is now known of the new one."""
    old, new = urls[i], urls[heir]
    new.parents += old.parents
    new.community_parents += old.community_parents
    new.comm_out += old.comm_out
    new.most_links = max(new.most_links, old.most_links)
    for column in range(book.oldest + 2):
        if judged[i, column] > judged[heir, column]:
            judged[heir, column] = judged[i, column]
            has_news(book, urls, todo, heir, 0, book.oldest)
    mark_dirty(book, urls, todo, heir)
