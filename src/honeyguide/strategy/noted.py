"""Numbers kept by URL or by page: columns, and rows of different lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]


class Columns:
    """What is noted of each URL, by id."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.size = 0  # URLs that are known; there is room to spare
        self.value = np.zeros(0, np.float32)
        self.content = np.zeros(0, np.float64)  # what the words of the pages that link here are worth
        self.url = np.zeros(0, np.float64)  # what the tokens of the URL are worth
        self.is_page = np.zeros(0, np.bool_)
        self.children = np.zeros(0, np.int32)  # of a page: crawled pages it links to
        self.relevant_children = np.zeros(0, np.int32)
        self.siblings = np.zeros(0, np.int64)  # crawled children of all pages that link to a URL
        self.relevant_siblings = np.zeros(0, np.int64)

    def make_room(self) -> NDArray[np.int64]:
        """Know all URLs of the graph; the ids of the new ones."""
        first, self.size = self.size, len(self._graph)
        if self.size > len(self.value):
            for name, column in self._all().items():
                setattr(self, name, enlarged(column, self.size))
        return np.arange(first, self.size)

    def has_children(self, id_: int, children: int, relevant: int) -> None:
        """Note how many crawled children a page has: they are siblings of all it links to."""
        out = self._graph.links_from(id_)
        self.children[id_], self.relevant_children[id_] = children, relevant
        self.siblings[out] += children
        self.relevant_siblings[out] += relevant

    def is_child(self, id_: int, relevant: int) -> None:
        """Note a crawled page for those that link to it, by way of redirects as well."""
        parents, waiting, met = set[int](), [id_], {id_}
        while waiting:
            sources = set(self._graph.links_to(waiting.pop())) - met
            met |= sources
            redirects = {source for source in sources if not self.is_page[source]}
            parents |= sources - redirects
            waiting += redirects
        self.children[list(parents)] += 1
        self.relevant_children[list(parents)] += relevant

    def count_siblings(self) -> None:
        """Bring the siblings of all URLs up to date; so far only the links of the latest pages are."""
        self.siblings[: self.size] = self._over_in_links(self.children)
        self.relevant_siblings[: self.size] = self._over_in_links(self.relevant_children)

    def _over_in_links(self, numbers: NDArray[np.int32]) -> NDArray[np.float64]:
        """For each URL, the sum of the numbers of those that link to it."""
        edges = self._graph.edges
        source, target = self._graph.link_source[:edges], self._graph.link_target[:edges]
        return sums(target, numbers[source], self.size)

    def _all(self) -> dict[str, NDArray[np.generic]]:
        return {name: column for name, column in vars(self).items() if isinstance(column, np.ndarray)}

    def save(self) -> dict[str, Any]:
        """All columns by name."""
        return {name: column[: self.size].copy() for name, column in self._all().items()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        for name, column in self._all().items():
            setattr(self, name, np.array(state[name], column.dtype))
        self.size = len(self.value)


class Rows:
    """Rows of whole numbers, end to end in one array."""

    def __init__(self, kind: type[np.integer[Any]]) -> None:
        self._items: NDArray[np.integer[Any]] = np.zeros(4096, kind)
        self._ends = np.zeros(1024, np.int64)  # the end of row i at i + 1
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def items(self) -> NDArray[np.integer[Any]]:
        """All numbers."""
        return self._items[: self._ends[self._count]]

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where each row ends, after a leading 0."""
        return self._ends[: self._count + 1]

    def extend(self, items: NDArray[np.integer[Any]], lengths: NDArray[np.integer[Any]]) -> None:
        """Add rows of these lengths."""
        start = int(self._ends[self._count])
        count = self._count + len(lengths)
        if start + len(items) > len(self._items):
            self._items = enlarged(self._items, start + len(items))
        if count >= len(self._ends):
            self._ends = enlarged(self._ends, count + 1)
        self._items[start : start + len(items)] = items
        self._ends[self._count + 1 : count + 1] = start + np.cumsum(lengths)
        self._count = count

    def append(self, items: NDArray[np.integer[Any]]) -> int:
        """Add one row; its number."""
        start, row = int(self._ends[self._count]), self._count
        end = start + len(items)
        if end > len(self._items):
            self._items = enlarged(self._items, end)
        if row + 1 == len(self._ends):
            self._ends = enlarged(self._ends, row + 2)
        self._items[start:end] = items
        self._ends[row + 1] = end
        self._count += 1
        return row

    def row(self, row: int) -> NDArray[np.integer[Any]]:
        """The numbers of one row."""
        return self._items[self._ends[row] : self._ends[row + 1]]

    def gather(self, rows: Ids) -> tuple[NDArray[np.integer[Any]], NDArray[np.int64]]:
        """The numbers of these rows, end to end, and for each of them the position of its row among these."""
        lengths = self._ends[rows + 1] - self._ends[rows]
        owners = np.repeat(np.arange(len(rows)), lengths)
        places = np.arange(len(owners)) + (self._ends[rows + 1] - np.cumsum(lengths))[owners]
        return self._items[places], owners


def sums(owners: Ids, numbers: NDArray[Any], count: int) -> NDArray[np.float64]:
    """The sum of the numbers of each owner 0 … count - 1, added in their order."""
    return np.asarray(np.bincount(owners, numbers, count), np.float64)
