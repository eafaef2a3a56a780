"""The words of anchors and URLs, and what they tell by what is believed."""

from __future__ import annotations

import re
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.honeyguide.pace import READ, YOUNG, reads_for
from honeyguide.strategy.honeyguide.places import Places
from honeyguide.strategy.honeyguide.table import Numbered, Table
from honeyguide.strategy.honeyguide.words import Words
from honeyguide.strategy.link_book import anchors
from honeyguide.strategy.noted import Rows
from honeyguide.text import distinct_words, words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]

LONGEST_TEXT = 200  # characters of an anchor, and
LONGEST_ANCHOR = 12  # words of it that count
# Columns: told by words of pages, by what links led to, by what those pages led to; share of the topic's keywords.
WORTH, LEAD, ONWARD, KEYS = range(4)
_WORD_BITS = 32
_KEPT_ROWS = ("anchor_words", "led_by")
_NO_LETTERS = re.compile(r"[\W\d_]+")


class _Anchors(Numbered):
    """Anchors by number, of which no more is kept than counts."""

    def __missing__(self, text: str) -> int:
        return super().__missing__(text) if len(text) <= LONGEST_TEXT else self[text[:LONGEST_TEXT]]


class Texts:
    """Anchors by number, each once; URLs by id."""

    def __init__(self, graph: Graph, keywords: AbstractSet[str], memory: int) -> None:
        self._graph = graph
        self._keywords = frozenset(keywords)
        self.words = Words()
        self.anchor_words, self.url_words = Rows(np.int32), Rows(np.int32)
        self.anchors, self.urls = Table((0,) * 4), Table((0,) * 4)
        self.anchor_number = _Anchors([""])
        self.anchor_of = np.zeros(4096, np.int32)  # by link
        self.folder_number = Numbered()  # where URLs lie on their hosts
        self.folder_of = np.zeros(1024, np.int32)  # by URL
        self.folders = Places(memory)
        self.leading = Table((0,))  # pages of each folder that led to relevant ones
        self.led_by = Rows(np.int32)  # by visit: the words of the links that led to it
        self._valued = 0, 0  # anchors and URLs that have a value

    @property
    def has_keywords(self) -> bool:
        """Whether the topic has words to look for."""
        return bool(self._keywords)

    # -- reading ----------------------------------------------------------------------------------------------

    def read_new(self) -> None:
        """Read the anchors of pages that were noted, and the URLs that are new in the graph: many at once."""
        self._read_anchors()
        self.read_urls()

    def read_urls(self) -> None:
        """Take in the URLs that are new in the graph."""
        first, size = len(self.url_words), len(self._graph)
        if first < size:
            self.urls.make_room(size)
            if size > len(self.folder_of):
                self.folder_of = enlarged(self.folder_of, size)
            self.words.add_rows(self.url_words, [self._read_url(id_) for id_ in range(first, size)])

    def _read_url(self, id_: int) -> list[str]:
        host, _, path = self._graph.url(id_).partition("://")[2].partition("/")
        tokens = [token for token in dict.fromkeys(_NO_LETTERS.split(path.lower())) if len(token) > 1]
        folder = f"{host}/{path.rpartition('/')[0]}"
        self.folder_of[id_] = self.folder_number[folder]
        if self._keywords:
            self.urls.rows[id_, KEYS] = self._keys_in(tokens)
        return tokens

    def _keys_in(self, tokens: Sequence[str]) -> float:
        return len(self._keywords.intersection(tokens)) / len(self._keywords)

    def read_page(self, visit: Visit, page: Page) -> None:
        """Count the distinct words of a page; later on one page stands for several."""
        few = visit.relevant and self.words.cases[1] < YOUNG
        if times := 1 if few else reads_for(visit.number):
            found = self.words.numbers(distinct_words(f"{page.title}\n{page.text[:READ]}"))
            self.words.count_page(found, visit.relevant, times)

    def note_anchors(self, visit: Visit, page: Page) -> None:
        """Note the anchors of the links that were entered in the graph last."""
        links = self._graph.links_from(visit.id)
        told = [pair for pair in anchors(self._graph, visit, page) if pair[1]]
        text_of = dict(reversed(told))  # the first of several to a URL
        texts = map(text_of.get, links.tolist(), repeat(""))
        numbers = [*map(self.anchor_number.__getitem__, texts)]
        self.anchor_of[self._graph.edges - len(links) : self._graph.edges] = numbers

    def make_room(self) -> None:
        """Have an anchor for every link, and one to be read where there is none."""
        if self._graph.edges >= len(self.anchor_of):
            self.anchor_of = enlarged(self.anchor_of, self._graph.edges + 1)

    def value_new(self) -> None:
        """Value the anchors and URLs that were read since the last time, by what is believed."""
        for folders in (self.folders, self.leading):
            folders.make_room(len(self.folder_number))
        self._value(self.anchors, self.anchor_words, np.arange(self._valued[0], len(self.anchor_words)))
        self._value(self.urls, self.url_words, np.arange(self._valued[1], len(self.url_words)))
        self._valued = len(self.anchor_words), len(self.url_words)

    def _read_anchors(self) -> None:
        first, end = len(self.anchor_words), len(self.anchor_number)
        if first == end:
            return
        tokens = [list(dict.fromkeys(words(text)))[:LONGEST_ANCHOR] for text in self.anchor_number.texts[first:]]
        self.words.add_rows(self.anchor_words, tokens)
        self.anchors.make_room(end)
        if self._keywords:
            self.anchors.rows[first:end, KEYS] = [*map(self._keys_in, tokens)]

    # -- learning ---------------------------------------------------------------------------------------------

    def count(self, visits: Ids, links: Ids, good: Flags) -> None:
        """Enter what came of visits that these links led to, a line a visit."""
        ids = self._graph.visited()[visits]
        lines, numbers = self._met(ids, links)
        self._keep_led_by(visits, lines, numbers)
        self.words.count_links(numbers, good[lines], good)
        self.folders.count(self.folder_of[ids], good)

    def _met(self, ids: Ids, links: Ids) -> tuple[Ids, Ids]:
        """The distinct words of URLs and of the anchors of links to them, by line."""
        line, place = np.nonzero(links >= 0)
        in_urls, url_lines = self.url_words.gather(ids)
        in_anchors, owners = self.anchor_words.gather(self.anchor_of[links[line, place]])
        both = np.concatenate([url_lines, line[owners]]) << _WORD_BITS | np.concatenate([in_urls, in_anchors])
        keys = np.unique(both)
        return keys >> _WORD_BITS, keys & (1 << _WORD_BITS) - 1

    def _keep_led_by(self, visits: Ids, lines: Ids, numbers: Ids) -> None:
        """Of redirects, images and scripts, of which nothing is learned, there are rows without words."""
        lengths = np.zeros(self._graph.visits - len(self.led_by), np.int64)
        lengths[visits - len(self.led_by)] = np.bincount(lines, minlength=len(visits))
        self.led_by.extend(numbers.astype(np.int32), lengths)

    def count_leading(self, visits: Ids) -> None:
        """Credit pages, by their visits, that have led to a relevant page."""
        self.words.count_leading(self.led_by.gather(visits)[0], len(visits))
        np.add.at(self.leading.rows[:, 0], self.folder_of[self._graph.visited()[visits]], 1)

    def value_all(self) -> None:
        """Believe what was counted so far, and value all anchors and URLs by it."""
        self.words.weigh()
        self._value(self.anchors, self.anchor_words, np.arange(len(self.anchor_words)))
        self._value(self.urls, self.url_words, np.flatnonzero(self._graph.visit_of[: len(self.url_words)] == 0))

    def _value(self, table: Table, rows: Rows, which: Ids) -> None:
        table.rows[which, :3] = self.words.of_links(rows, which)

    # -- keeping ----------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """All of it; the words of URLs are read again."""
        rows = {name: getattr(self, name) for name in _KEPT_ROWS}
        kept = {f"{name}_{part}": getattr(of, part).copy() for name, of in rows.items() for part in ("items", "ends")}
        return {
            **self.words.save(),
            **kept,
            "anchor_texts": self.anchor_number.texts.copy(),
            "anchor_of": self.anchor_of[: self._graph.edges].copy(),
            "anchors": self.anchors.save(len(self.anchor_number)),
            "urls": self.urls.save(len(self.url_words)),
            "folder_texts": self.folder_number.texts.copy(),
            "folders": self.folders.save(len(self.folder_number)),
            "leading": self.leading.save(len(self.folder_number)),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave, on the graph as it was."""
        self.words.load(state)
        self.folder_number = Numbered(map(str, state["folder_texts"]))
        self.folders.load(state["folders"])
        self.leading.load(state["leading"])
        self.anchor_number = _Anchors(map(str, state["anchor_texts"]))
        for name in _KEPT_ROWS:
            rows = Rows(np.int32)
            rows.extend(np.asarray(state[f"{name}_items"], np.int32), np.diff(state[f"{name}_ends"]))
            setattr(self, name, rows)
        self.anchor_of = np.array(state["anchor_of"], np.int32)
        self.anchors.load(state["anchors"])
        self.read_urls()
        self.urls.load(state["urls"])
        self._valued = len(self.anchor_words), len(self.url_words)
