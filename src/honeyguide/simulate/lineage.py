"""How judgments reach children, grandchildren and so on: `Lineage`, compiled.

A row of `judged` holds the highest judgment of the URL itself, of its parents, of theirs and so on, then the lowest
of each with the sign turned, and last the best score of an anchor. All of it only ever rises, so the order
in which it is handed down makes no difference.
"""

from __future__ import annotations

from typing import Any

from honeyguide.simulate.compiled import compiled
from honeyguide.simulate.links import Records, mark_dirty
from honeyguide.simulate.records import DONE


@compiled
def hand_down(book: Records, urls: Records, judged: Any, todo: Records, page: int, child: int) -> None:
    """Tell a child the judgments of a page, a generation older; if it was fetched, it may have to pass them on."""
    oldest = book.oldest
    rose = news = False
    for first in (0, oldest + 1):
        for column in range(first, first + oldest):
            if judged[page, column] > judged[child, column + 1]:
                judged[child, column + 1] = judged[page, column]
                rose = True
                news |= column + 1 < first + oldest
    if rose:
        mark_dirty(book, urls, todo, child)
        if news:
            has_news(book, urls, todo, child)


@compiled
def has_news(book: Records, urls: Records, todo: Records, page: int) -> None:
    """Have a fetched page tell its children."""
    url = urls[page]
    if url.state == DONE and not url.telling:
        url.telling = 1
        todo[(book.told + book.telling) % len(todo)].telling = page
        book.telling += 1


@compiled
def tell_judgments(book: Records, urls: Records, judged: Any, links: Records, todo: Records) -> None:
    """Let judgments reach children, theirs and so on, as long as there is news for them."""
    while book.telling:  # first come, first served: what several parents tell a page is passed on at once
        page = todo[book.told].telling
        book.telling -= 1
        book.told = (book.told + 1) % len(todo)
        url = urls[page]
        url.telling = 0
        for link in range(url.first, url.first + url.links):
            hand_down(book, urls, judged, todo, page, links[link].target)


@compiled
def inherit(book: Records, urls: Records, judged: Any, todo: Records, i: int, heir: int) -> None:
    """What was known of an old address is now known of the new one."""
    old, new = urls[i], urls[heir]
    new.parents += old.parents
    new.community_parents += old.community_parents
    new.comm_out += old.comm_out
    new.most_links = max(new.most_links, old.most_links)
    for column in range(2 * book.oldest + 3):
        if judged[i, column] > judged[heir, column]:
            judged[heir, column] = judged[i, column]
            has_news(book, urls, todo, heir)
    mark_dirty(book, urls, todo, heir)
