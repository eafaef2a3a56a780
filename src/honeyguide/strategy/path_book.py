"""Pages in layers, and the links that lead from one layer to a later one, with what their paths are made of.

A layer is what one cycle of the crawl fetches, so its pages are visits in a row. All links that lead upward to a page
come from layers that were closed before it was fetched: what is averaged here over paths is over all there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]
    Numbers = NDArray[np.float32]

MOST_HOPS = 5  # back to a valuable page; more are not told apart
_LINK = ("distance", "mean", "count", "hops", "harvest")  # what a link has by itself
_PAGE = ("page", "valuable1", "count1", "hops1", "harvest1", "links_in")
_INTO = tuple(f"into_{name}" for name in _LINK)  # the mean over the links to a page
_PATHS = (*(f"{name}2" for name in _LINK), "valuable2", *(f"{name}3" for name in _LINK))  # over the paths to it
COLUMNS = {name: number for number, name in enumerate((*_PAGE, *_INTO, *_PATHS))}
_INTO_AT = slice(COLUMNS["into_distance"], COLUMNS["into_harvest"] + 1)
_PATHS_AT = slice(COLUMNS["distance2"], COLUMNS["harvest3"] + 1)


class PathBook:
    """Pages by the number of their visit; links from layers that are closed, and those just found."""

    def __init__(self, graph: Graph, cap: int) -> None:
        self.graph = graph
        self.cap = cap
        self.starts = [0]  # the first visit of each layer, the one under way included
        self.pages = np.zeros((len(COLUMNS), 0), np.float32)  # of the layers that are closed
        self.now: list[tuple[bool, bool, int]] = []  # of the layer under way: a page? valuable? keywords
        self.count = 0  # links
        self._source, self._target = np.zeros(1024, np.int32), np.zeros(1024, np.int32)
        self._distance, self._mean = np.zeros(1024, np.float32), np.zeros(1024, np.float32)
        self._links_to = np.zeros(1024, np.int32)  # by id
        self.moved: dict[int, int] = {}  # where redirects lead
        self._found: list[tuple[Ids, Ids, Numbers, Numbers]] = []  # links of the layer under way
        self._no_link = np.array([cap, cap, 0, MOST_HOPS, 0], np.float32)

    @property
    def layer(self) -> int:
        """The number of the layer under way."""
        return len(self.starts) - 1

    @property
    def source(self) -> NDArray[np.int32]:
        """The number of the visit on whose page each link stands."""
        return self._source[: self.count]

    @property
    def target(self) -> NDArray[np.int32]:
        """The id each link leads to."""
        return self._target[: self.count]

    @property
    def has_found(self) -> bool:
        """Whether the layer under way has brought links."""
        return bool(self._found)

    def links_to(self, id_: int) -> int:
        """How many links that count lead to a URL."""
        return int(self._links_to[id_]) if id_ < len(self._links_to) else 0

    def layers_of(self, visits: Ids) -> NDArray[np.int64]:
        """The layers in which visits were made."""
        return np.searchsorted(self.starts, visits, "right") - 1

    def enter(self, visit: int, is_page: bool, valuable: bool, keywords: int) -> None:
        """Note a visit."""
        self._pass_over(visit)
        self.now.append((is_page, valuable, keywords))

    def _pass_over(self, visits: int) -> None:
        """Leave lines for visits that taught nothing: images, scripts and style sheets."""
        self.now += [(False, False, 0)] * (visits - self.starts[-1] - len(self.now))

    def enter_links(self, visit: int, targets: Ids, distance: Numbers, mean: Numbers) -> None:
        """Note the links of its page; they count when the layer is closed."""
        self._found.append((np.full(len(targets), visit, np.int32), targets, distance, mean))

    def move(self, old: int, new: int) -> None:
        """What led to an address leads to another one as well."""
        self.moved[old] = new
        links = np.flatnonzero(self.target == old)
        known = self.source[self.target == new]
        links = links[~np.isin(self.source[links], known)]
        if self.graph.visit_of[new] == 0 and len(links):
            self._append(self._source[links], np.full(len(links), new), self._distance[links], self._mean[links])

    def verdicts(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For every visit: whether it brought a page, and whether that is valuable."""
        is_page = [page for page, _, _ in self.now]
        valuable = [value for _, value, _ in self.now]
        return (
            np.concatenate((self.pages[COLUMNS["page"]] > 0, np.array(is_page, bool))),
            np.concatenate((self.pages[COLUMNS["valuable1"]] > 0, np.array(valuable, bool))),
        )

    def visit_of_targets(self) -> NDArray[np.int32]:
        """For every link the visit of what it leads to, -1 before there is one."""
        return self.graph.visit_of[self.target] - 1

    def features(self, links: Ids, names: Sequence[str]) -> Numbers:
        """The features of links, one row each."""
        found = np.empty((len(names), len(links)), np.float32)
        source = self.source[links]
        for row, name in enumerate(names):
            if name == "distance1":
                found[row] = self._distance[links]
            elif name == "mean1":
                found[row] = self._mean[links]
            else:
                found[row] = self.pages[COLUMNS[name]][source]
        return found

    def close_layer(self) -> None:
        """Reckon up the pages of the layer under way, let their links count, and begin the next."""
        self._pass_over(self.graph.visits)
        self.pages = np.concatenate((self.pages, self._closing_pages()), axis=1)
        self.starts.append(self.starts[-1] + len(self.now))
        self.now.clear()
        self._let_links_count()

    def _closing_pages(self) -> Numbers:
        start, size = self.starts[-1], len(self.now)
        pages = np.zeros((len(COLUMNS), size), np.float32)
        pages[: COLUMNS["count1"] + 1] = np.array(self.now, np.float32).reshape(size, 3).T
        visit_of = self.visit_of_targets()
        links = np.flatnonzero(visit_of >= start)
        into, source = visit_of[links] - start, self.source[links]
        pages[COLUMNS["links_in"]] = np.bincount(into, minlength=size)
        pages[COLUMNS["hops1"]] = self._hops(into, source, pages[COLUMNS["valuable1"]] > 0)
        pages[_INTO_AT] = self._means(self._own(links), into, np.ones(len(links)), size, self._no_link)
        no_path = np.concatenate((self._no_link, [0], self._no_link))
        paths = np.maximum(self.pages[COLUMNS["links_in"]][source], 1)
        pages[_PATHS_AT] = self._means(self._behind(links), into, paths, size, no_path)
        before = self.pages[: COLUMNS["valuable1"] + 1].sum(axis=1, dtype=np.float64)
        all_, valuable = before + pages[: COLUMNS["valuable1"] + 1].sum(axis=1, dtype=np.float64)
        pages[COLUMNS["harvest1"]] = valuable / max(all_, 1)
        return pages

    def _hops(self, into: Ids, source: Ids, valuable: NDArray[np.bool_]) -> Numbers:
        hops = np.full(len(valuable), MOST_HOPS, np.float32)
        np.minimum.at(hops, into, self.pages[COLUMNS["hops1"]][source] + 1)
        hops[valuable] = 0
        return hops

    def _own(self, links: Ids) -> Numbers:
        """What links have by themselves, one row each."""
        return self.features(links, [f"{name}1" for name in _LINK])

    def _behind(self, links: Ids) -> Numbers:
        """What a link brings to the paths through it: itself, and the links to its page."""
        source = self.source[links]
        return np.vstack((self._own(links), self.pages[COLUMNS["valuable1"]][source], self.pages[_INTO_AT, source]))

    def _means(self, rows: Numbers, into: Ids, weights: NDArray[Any], size: int, missing: Numbers) -> Numbers:
        totals = np.bincount(into, weights, size)
        sums = np.array([np.bincount(into, row * weights, size) for row in rows]).reshape(len(missing), size)
        return np.where(totals > 0, sums / np.maximum(totals, 1), missing[:, None]).astype(np.float32)

    def _let_links_count(self) -> None:
        """Of several links from a page to the same URL, one counts: with the least distance and the mean of means."""
        if not self._found:
            return
        source, target, distance, mean = (np.concatenate(parts) for parts in zip(*self._found, strict=True))
        self._found.clear()
        target = self._where_moved(target)
        new = self.graph.visit_of[target] == 0
        pairs, same = np.unique((source.astype(np.int64) << 32 | target)[new], return_inverse=True)
        least = np.full(len(pairs), np.inf, np.float32)
        np.minimum.at(least, same, distance[new])
        means = np.bincount(same, mean[new], len(pairs)) / np.maximum(np.bincount(same, minlength=len(pairs)), 1)
        self._append(pairs >> 32, pairs & 0xFFFFFFFF, least, means)

    def _where_moved(self, target: Ids) -> Ids:
        old = np.fromiter(self.moved, np.int64, len(self.moved))
        for at in np.flatnonzero(np.isin(target, old)).tolist():
            seen = set()
            while (id_ := int(target[at])) in self.moved and id_ not in seen:
                seen.add(id_)
                target[at] = self.moved[id_]
        return target

    def _append(self, source: Ids, target: Ids, distance: Any, mean: Any) -> None:
        start, end = self.count, self.count + len(source)
        if end > len(self._source):
            self._source, self._target = enlarged(self._source, end), enlarged(self._target, end)
            self._distance, self._mean = enlarged(self._distance, end), enlarged(self._mean, end)
        self._source[start:end], self._target[start:end] = source, target
        self._distance[start:end], self._mean[start:end] = distance, mean
        self.count = end
        if len(self.graph) > len(self._links_to):
            self._links_to = enlarged(self._links_to, len(self.graph))
        np.add.at(self._links_to, target, 1)

    def save(self) -> dict[str, Any]:
        """All of it, as arrays."""
        found = (
            [np.concatenate(parts) for parts in zip(*self._found, strict=True)] if self._found else [np.zeros(0)] * 4
        )
        return {
            "starts": np.array(self.starts),
            "pages": self.pages,
            "now": np.array(self.now, np.int64).reshape(len(self.now), 3),
            "moved": np.array(list(self.moved.items()), np.int64).reshape(len(self.moved), 2),
            "links": np.stack((self.source, self.target)),
            "link_distances": np.stack((self._distance[: self.count], self._mean[: self.count])),
            "found": np.stack(found[:2]).astype(np.int32),
            "found_distances": np.stack(found[2:]).astype(np.float32),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.starts = state["starts"].tolist()
        self.pages = np.array(state["pages"], np.float32)
        self.now = [(bool(page), bool(valuable), count) for page, valuable, count in state["now"].tolist()]
        self.moved = dict(state["moved"].tolist())
        self.count = 0
        self._links_to[:] = 0
        self._append(*state["links"], *state["link_distances"])
        found = (*state["found"], *state["found_distances"])
        self._found = [found] if len(found[0]) else []
