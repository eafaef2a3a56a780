"""Edge lists: links and nothing else, one a line; every address that is named is a page."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from honeyguide import urls
from honeyguide.base import Link, Page
from honeyguide.graph.table import UrlTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

COMMENTS = ("#", "%", "//")
HEADERS = {("source", "target"), ("from", "to"), ("src", "dst"), ("source", "destination")}
NO_TEXT = "\ufffd"  # what stands for bytes that are none
NODES = "http://nodes.invalid/"  # where what is no URL is put, such as numbers


def columns(line: str) -> list[str]:
    """Source, target and, behind a second tab or comma, the anchor.

    >>> columns("17 42"), columns("http://a.test/, http://b.test/, more, and more")
    (['17', '42'], ['http://a.test/', 'http://b.test/', 'more, and more'])
    """
    separator = next((mark for mark in "\t," if mark in line), None)
    return [part.strip() for part in line.strip().split(separator, 2)]


def begins_edge_list(line: str) -> bool:
    """Whether a line may be the first of an edge list: a comment, a header, or two URLs or two numbers.

    >>> [begins_edge_list(line) for line in ("# nodes", "source,target", "1 2", "two words")]
    [True, True, True, False]
    """
    ends = columns(line)[:2]
    named = len(ends) == 2 and (all(map(str.isdecimal, ends)) or all("://" in end for end in ends))
    return named or line.startswith(COMMENTS) or _is_header(line)


def _is_header(line: str) -> bool:
    return tuple(part.casefold() for part in columns(line)[:2]) in HEADERS


def address(node: str) -> str | None:
    """The URL of a node: itself, or one made from its name; None where it cannot be crawled.

    >>> address("HTTP://A.test"), address("17"), address("mailto:me@a.test")
    ('http://a.test/', 'http://nodes.invalid/17', None)
    """
    url = urls.normalize(node)
    if not isinstance(url, str) and ":" not in node:
        url = urls.normalize(NODES + quote(node, safe=""))
    return url if isinstance(url, str) else None


class Edges:
    """The links of a list, held as numbers until all are read: `progress` is told how many there are."""

    def __init__(self, progress: Callable[[int], None] = lambda links: None) -> None:
        self._progress = progress
        self._table = UrlTable()
        self._sources, self._targets = array("i"), array("i")
        self._anchors: dict[int, str] = {}
        self._has_urls: bool | None = None  # as the first line says: names without a scheme are no addresses then

    def add(self, line: str) -> str:
        """Take in one line; what is wrong with it, where something is."""
        parts = columns(line)
        if len(parts) < 2 or not all(parts[:2]):
            return "no two addresses"
        if wrong := [part for part in parts[:2] if NO_TEXT in part or (self._has_urls and "://" not in part)]:
            return f"{wrong[0][:80]!r} is no URL"
        ends = [address(part) for part in parts[:2]]
        if None in ends:
            return f"{parts[ends.index(None)][:80]!r} is no URL"
        if self._has_urls is None:
            self._has_urls = all("://" in part for part in parts[:2])
        source, target = self._table.intern([end for end in ends if end]).tolist()
        if len(parts) > 2 and parts[2]:
            self._anchors[len(self._sources)] = parts[2]
        self._sources.append(source)
        self._targets.append(target)
        self._progress(len(self._sources))
        return ""

    def pages(self) -> Iterator[Page]:
        """All pages, in the order in which they were first named."""
        sources = np.frombuffer(self._sources, np.int32) if self._sources else np.zeros(0, np.int32)
        order = np.argsort(sources, kind="stable")
        ends = np.searchsorted(sources[order], np.arange(len(self._table)), side="right")
        start = 0
        for id_, end in enumerate(ends.tolist()):
            yield Page(self._table.url(id_), links=self._links(order[start:end]))
            start = end

    def _links(self, edges: NDArray[np.int64]) -> tuple[Link, ...]:
        found = enumerate(edges.tolist())
        return tuple(
            Link(self._table.url(self._targets[edge]), self._anchors.get(edge, ""), position=i) for i, edge in found
        )


def meaningful(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """The lines that are neither empty nor a comment nor a header, with their numbers."""
    for number, line in enumerate(lines, 1):
        text = line.decode("utf-8", "replace").removeprefix("\ufeff").strip()
        if text and not (number == 1 and _is_header(text)) and not text.startswith(COMMENTS):
            yield number, text
