"""The links between the pages of a crawl, as arrays, and the words of their anchors."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.text import content_words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from honeyguide.store import Store, StoredVisit

    Numbers = NDArray[np.int64]

MOST_HOPS = 20  # redirects in a row
LONGEST_ANCHOR = 200  # characters whose words are read


class Pages:
    """Visit, id, host, seed and redirect of every page, in the order of the crawl."""

    def __init__(self) -> None:
        self.visits, self.ids, self.hosts, self.seeds = array("q"), array("q"), array("q"), array("b")
        self._moved: dict[int, int] = {}  # pages that are redirects, and the ids they lead to
        self.depth = np.zeros(0, np.int64)  # links from a seed, when discovered; known when links were read

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, visit: StoredVisit, host: int) -> None:
        """Enter the next page."""
        if visit.error == "redirect" and len(visit.targets):
            self._moved[len(self.ids)] = int(visit.targets[0])
        self.visits.append(visit.number)
        self.ids.append(visit.id)
        self.hosts.append(host)
        self.seeds.append(visit.score is None)

    def by_id(self) -> Numbers:
        """The page that each id leads to, by way of redirects; -1 where it was not fetched."""
        ids = np.array(self.ids, np.int64)
        known = max(int(ids.max(initial=-1)), max(self._moved.values(), default=-1))
        page = np.full(known + 2, -1, np.int64)  # the last one is for ids beyond
        page[ids] = np.arange(len(ids))
        onwards = np.append(np.arange(len(ids)), -1)  # the last one is for pages that were not fetched
        for number, target in self._moved.items():
            onwards[number] = page[target]
        for _ in range(MOST_HOPS):
            page = onwards[page]
        page[np.isin(page, list(self._moved))] = -1  # a circle, or a longer chain
        return page

    @property
    def redirects(self) -> frozenset[int]:
        """The pages that only lead elsewhere."""
        return frozenset(self._moved)


@dataclass(frozen=True)
class Parent:
    """A page that linked to another before it was fetched."""

    page: int
    anchor: str


@dataclass
class Linked:
    """Links between fetched pages, each once; redirects stand for what they lead to."""

    sources: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    targets: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    words: list[str] = field(default_factory=list)  # of anchors
    word_of: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))  # each with a page it leads to, once
    word_leads_to: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    parents: dict[int, list[Parent]] = field(default_factory=dict)  # of pages that were asked for
    titles: dict[int, str] = field(default_factory=dict)  # of these parents
    searched: frozenset[int] = frozenset()  # pages that a search brought


def read_links(
    store: Store, pages: Pages, relevant: NDArray[np.bool_], wanted: Sequence[int], searched: Collection[int]
) -> Linked:
    """The links of a crawl; of the wanted pages also who linked to them."""
    reader = _Reader(pages, frozenset(wanted))
    for source, targets, anchors in store.links():
        reader.read(source, targets, anchors)
    linked = reader.linked()
    linked.searched = frozenset(number for number, id_ in enumerate(pages.ids) if id_ in searched)
    pages.depth = np.array([depth for _, _, depth, _, _ in store.urls()], np.int64)[np.array(pages.ids, np.int64)]
    for number in wanted:
        if parents := linked.parents.get(number):
            best = max(parents, key=lambda parent: (relevant[parent.page], bool(parent.anchor), -parent.page))
            linked.parents[number] = [best, *(parent for parent in parents if parent is not best)]
            linked.titles[best.page] = store.title(pages.ids[best.page])
    return linked


class _Reader:
    """Takes in the links of page after page."""

    def __init__(self, pages: Pages, wanted: frozenset[int]) -> None:
        self._page, self._redirects, self._wanted = pages.by_id(), pages.redirects, wanted
        self._own = np.full(len(self._page), -1, np.int64)
        self._own[np.array(pages.ids, np.int64)] = np.arange(len(pages))
        self._number: dict[str, int] = {}  # of words
        self._numbers: dict[str, list[int]] = {}  # of the words of anchors
        self._sources, self._targets, self._words, self._led_to = (array("q") for _ in range(4))
        self.parents: dict[int, dict[int, Parent]] = {}

    def read(self, source: int, targets: Sequence[int], anchors: Sequence[str]) -> None:
        """The links of the page with an id."""
        page = int(self._own[min(source, len(self._own) - 1)])
        if page < 0 or page in self._redirects:
            return
        ends = self._page[np.minimum(np.array(targets, np.int64), len(self._page) - 1)]
        for place in np.flatnonzero((ends >= 0) & (ends != page)).tolist():
            self._link(page, int(ends[place]), anchors[place])

    def _link(self, page: int, end: int, anchor: str) -> None:
        self._sources.append(page)
        self._targets.append(end)
        for word in self._words_of(anchor[:LONGEST_ANCHOR]):
            self._words.append(word)
            self._led_to.append(end)
        if end in self._wanted and page < end:
            parents = self.parents.setdefault(end, {})
            parents[page] = Parent(page, anchor or (parents[page].anchor if page in parents else ""))

    def _words_of(self, anchor: str) -> list[int]:
        if anchor not in self._numbers:
            words = dict.fromkeys(content_words(anchor))
            self._numbers[anchor] = [self._number.setdefault(word, len(self._number)) for word in words]
        return self._numbers[anchor]

    def linked(self) -> Linked:
        """All that was read, every link and every word of a page once."""
        sources, targets = _pairs(self._sources, self._targets)
        words, led_to = _pairs(self._words, self._led_to)
        parents = {end: list(found.values()) for end, found in self.parents.items()}
        return Linked(sources, targets, list(self._number), words, led_to, parents)


def _pairs(first: array[int], second: array[int]) -> tuple[Numbers, Numbers]:
    """Pairs of numbers, each once, in order."""
    size = max(second, default=0) + 1
    pairs = np.unique(np.array(first, np.int64) * size + np.array(second, np.int64))
    return pairs // size, pairs % size
