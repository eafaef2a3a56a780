"""The words of crawled pages, and what those of all pages that link to a URL are worth together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.noted import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]
    Logs = NDArray[np.float64]
    Bits = NDArray[np.uint8]

AT_ONCE = 1 << 13  # telling words that are looked at together
CELLS = 1 << 17  # bytes that are worked on together: few enough to stay in the processor's cache


class PageWords:
    """The distinct words of pages, in rows from 1 on; row 0 has none."""

    def __init__(self) -> None:
        self.load({"page_words": np.zeros(0, np.int32), "page_ends": np.zeros(2, np.int64)})

    def add(self, words: NDArray[np.int32]) -> int:
        """Keep the words of one more page; the number of its row."""
        return self._rows.append(words)

    def of(self, rows: Ids) -> NDArray[np.int32]:
        """The distinct words of several pages together."""
        return np.unique(self._rows.gather(rows)[0]).astype(np.int32)

    def values(self, in_links: InLinks, ids: Ids, logs: Logs) -> Logs:
        """What the words on any of the pages that link to each URL are worth, each counted once."""
        values, telling = np.zeros(len(ids)), np.flatnonzero(logs)
        for start in range(0, len(telling), AT_ONCE):
            values += _Sheet(self._rows, telling[start : start + AT_ONCE], logs).values(in_links, ids)
        return values

    def save(self) -> dict[str, Any]:
        """The words of all pages."""
        return {"page_words": self._rows.items.copy(), "page_ends": self._rows.ends.copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._rows = Rows(np.int32)
        self._rows.extend(state["page_words"], np.diff(state["page_ends"]))


class _Sheet:
    """A line for each page with one bit for each word that tells something.

    The words on any of several pages are found by a bitwise or, what they are worth by looking up every byte: several
    times as fast as lists of words, whose repetitions would have to be found.
    """

    def __init__(self, rows: Rows, telling: Ids, logs: Logs) -> None:
        self._worth = _worth_of_bytes(logs[telling])
        self._bits = np.zeros((len(rows), len(self._worth)), np.uint8)
        known = max(len(logs), int(rows.items.max(initial=-1)) + 1)  # some may be newer than what is believed
        place = np.full(known, 8 * len(self._worth), np.int32)  # words that tell nothing have one place together
        place[telling] = np.arange(len(telling))
        for part in self._in_parts(np.arange(len(rows)), 8):
            self._bits[part] = self._marked(place, rows, part[0], part[-1] + 1)

    def _in_parts(self, items: NDArray[Any], size: int = 1) -> Iterator[NDArray[Any]]:
        step = max(1, CELLS // (size * len(self._worth)))
        return (items[start : start + step] for start in range(0, len(items), step))

    def _marked(self, place: NDArray[np.int32], rows: Rows, first: int, end: int) -> Bits:
        """The lines of rows that follow each other."""
        ends = rows.ends[first : end + 1]
        width = 8 * len(self._worth) + 8  # with room for the one place, which is then left out
        flags = np.zeros((end - first) * width, np.bool_)
        cells = np.repeat(np.arange(0, len(flags), width, dtype=np.int32), np.diff(ends))
        cells += place[rows.items[ends[0] : ends[-1]]]
        flags[cells] = True
        return np.packbits(flags, bitorder="little").reshape(end - first, -1)[:, :-1]

    def values(self, in_links: InLinks, ids: Ids) -> Logs:
        parts = [self._united(in_links.rows(part)) for part in self._in_parts(ids)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _united(self, pages: Ids) -> Logs:
        values = np.zeros(len(pages))
        several = pages[:, 1:].any(axis=1)
        alone, back = np.unique(pages[~several, 0], return_inverse=True)
        values[~several] = self._looked_up(self._bits[alone])[back]
        values[several] = self._looked_up(self._any(pages[several]))
        return values

    def _any(self, pages: Ids) -> Bits:
        """The words on any page of each line."""
        found = self._bits[pages[:, 0]]
        for column in pages.T[1:]:
            more = np.flatnonzero(column)
            found[more] |= self._bits[column[more]]
        return found

    def _looked_up(self, bits: Bits) -> Logs:
        places = bits + np.arange(0, self._worth.size, 256, dtype=np.int32)
        return np.asarray(self._worth.ravel()[places].sum(axis=1), np.float64)


def _worth_of_bytes(logs: Logs) -> Logs:
    """For every eight words, what each of the 256 choices among them is worth."""
    eights = np.zeros((-(-len(logs) // 8), 8))
    eights.ravel()[: len(logs)] = logs
    worth = np.zeros((len(eights), 1))
    for word in eights.T:
        worth = np.concatenate([worth, worth + word[:, None]], axis=1)
    return worth


class InLinks:
    """The rows of the newest pages that link to each URL, at most so many of them; all of them when that is 0."""

    def __init__(self, graph: Graph, most: int) -> None:
        self._graph, self._most = graph, most
        self._row = np.zeros(0, np.int32)  # of each page
        self._newest = np.zeros((0, most), np.int32)

    def make_room(self) -> None:
        """Know all URLs of the graph."""
        if len(self._graph) > len(self._row):
            self._row = enlarged(self._row, len(self._graph))
            fresh = np.zeros((len(self._row) - len(self._newest), self._most), np.int32)
            self._newest = np.concatenate([self._newest, fresh])

    def add(self, id_: int, row: int) -> None:
        """Note the row of a page for all it links to."""
        self._row[id_] = row
        if self._most:
            out = self._graph.links_from(id_)
            self._newest[out, 1:] = self._newest[out, :-1]
            self._newest[out, 0] = row

    def rows(self, ids: Ids) -> NDArray[np.int32]:
        """A line for each URL, filled up with zeros."""
        if self._most:
            return self._newest[ids]
        found = [self._row[self._graph.links_to(id_)] for id_ in ids.tolist()]
        lines = np.zeros((len(ids), max(map(len, found), default=0) or 1), np.int32)
        for line, rows in zip(lines, found, strict=True):
            line[: len(rows)] = rows
        return lines

    def save(self) -> dict[str, Any]:
        """The rows of pages; which are the newest follows from the graph."""
        return {"row": self._row[: len(self._graph)].copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave, on the graph as it was."""
        self.make_room()
        for id_ in self._graph.visited().tolist():
            self.add(id_, int(state["row"][id_]))
