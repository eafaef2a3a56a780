"""A web as arrays to be measured: links in the order of the page, hosts, topics, and texts on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from honeyguide import urls
from honeyguide.evaluate.choosing import choose
from honeyguide.evaluate.comparing import TOPICS
from honeyguide.evaluate.network import MOST_HOPS, followed
from honeyguide.evaluate.relevance import Relevance, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from honeyguide.base import Page
    from honeyguide.evaluate.collection import Collection
    from honeyguide.synthetic import WorldArrays

DEAD, UNKNOWN = -1, -2  # instead of a page's number: nothing stands there; nobody knows what does


@dataclass(frozen=True)
class LinkedWeb:
    """Pages by number. A page's links stand from `start[i]` to `start[i + 1]`, each target once, itself left out."""

    name: str
    start: NDArray[np.int64]
    targets: NDArray[np.int32]
    host: NDArray[np.int32]
    topics: dict[str, NDArray[np.bool_]]  # which pages belong to each
    text: Callable[[int], str]

    @property
    def size(self) -> int:
        """How many pages there are."""
        return len(self.host)


def linked_collection(web: Collection) -> LinkedWeb:
    """A web in memory; its topics are its own, or those that the rule of comparisons chooses, if there are any."""
    ends = _Ends(web)
    rows = [ends.of(page) for page in web.pages]
    start = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=start[1:])
    return LinkedWeb(
        name=web.name,
        start=start,
        targets=np.array([end for row in rows for end in row], np.int32),
        host=_numbered(urls.host(page.url) for page in web.pages),
        topics={str(j.topic): _marked(j.ids, len(rows)) for j in _topics(web)},
        text=lambda i: web.pages[i].text,
    )


def linked_world(name: str, arrays: WorldArrays) -> LinkedWeb:
    """A generated web, however large; its topics are the labels of its pages."""
    size = len(arrays.label)
    ends = np.where(arrays.redirect >= 0, arrays.redirect, np.arange(len(arrays.redirect), dtype=np.int32))
    ends[size:][ends[size:] >= size] = UNKNOWN
    ends[arrays.failed == arrays.GONE] = DEAD
    return LinkedWeb(
        name=name,
        start=arrays.out_start[: size + 1],
        targets=ends[arrays.out],
        host=arrays.host[:size],
        topics={topic: arrays.label == k for k, topic in enumerate(arrays.label_names) if topic},
        text=lambda i: arrays.page(i).text,
    )


def _topics(web: Collection) -> list[Relevance]:
    ask = partial(judge, pages=web.pages)
    return ask(web.topics) if web.topics else choose(web.pages, False, TOPICS, ask)


class _Ends:
    """Where links lead."""

    def __init__(self, web: Collection) -> None:
        self._number = {page.url: i for i, page in enumerate(web.pages)}
        self._redirects = web.redirects
        self._dead = {url for url, reply in web.replies.items() if reply.error}

    def of(self, page: Page) -> list[int]:
        """The ends of a page's links, in its order, each once."""
        found = dict.fromkeys(link.url for link in followed(page))
        own = self._number[page.url]
        return [end for url in found if (end := self._end(url)) != own]

    def _end(self, url: str) -> int:
        for _ in range(MOST_HOPS):
            if url not in self._redirects:
                break
            url = self._redirects[url]
        return self._number.get(url, DEAD if url in self._dead else UNKNOWN)


def _numbered(hosts: Iterable[str]) -> NDArray[np.int32]:
    known: dict[str, int] = {}
    return np.array([known.setdefault(host, len(known)) for host in hosts], np.int32)


def _marked(ids: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
    marks = np.zeros(size, np.bool_)
    marks[ids] = True
    return marks
