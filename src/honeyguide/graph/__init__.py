"""The part of the web known so far, kept once, as arrays; strategies read it and keep no copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.graph.table import UrlTable, enlarged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["DONE", "EXCLUDED", "FAILED", "NO_LINKS", "QUEUED", "STATES", "UNDER_WAY", "Graph"]

QUEUED, DONE, FAILED, EXCLUDED, UNDER_WAY = range(5)
NO_LINKS = np.zeros(0, np.intp)
STATES = ("queued", "done", "failed", "excluded", "queued")  # in the books, what is under way is still queued

_COLUMNS: dict[str, type[np.generic]] = {
    "state": np.uint8,
    "depth": np.int32,
    "relevance": np.float32,
    "relevant": np.bool_,
    "parents": np.int32,
    "relevant_parents": np.int32,
    "best_parent": np.float32,
    "reason": np.uint16,
    "visit_of": np.int32,
    "last_in": np.int32,
}


class Graph:
    """Columns by URL id (each with room to spare: index them by ids, never take their length).

    `parents` and `relevant_parents` count the fetched pages that link to a URL, `best_parent` is the highest
    relevance among them; `good` and `bad` count what fetches from a host brought: relevant pages and the rest,
    failures included; `visit_of` is the number of a URL's visit plus one, 0 before it.
    """

    state: NDArray[np.uint8]
    depth: NDArray[np.int32]
    relevance: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    parents: NDArray[np.int32]
    relevant_parents: NDArray[np.int32]
    best_parent: NDArray[np.float32]
    reason: NDArray[np.uint16]
    visit_of: NDArray[np.int32]
    last_in: NDArray[np.int32]  # the URL's newest in-link plus one; the older ones hang on it

    def __init__(self) -> None:
        self.table = UrlTable()
        self.host = self.table.host  # the host number of each URL; an attribute, since all ask for it all the time
        self.hosts = self.table.hosts  # the names of the hosts by number
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.zeros(1024, dtype))
        self.good = np.zeros(64, np.int32)
        self.bad = np.zeros(64, np.int32)
        self._visited = np.zeros(1024, np.int32)  # ids in the order of visits
        self._out_end = np.zeros(1024, np.int64)
        self._source = np.zeros(4096, np.int32)
        self._target = np.zeros(4096, np.int32)
        self._next_in = np.zeros(4096, np.int32)
        self._reasons: list[str] = [""]
        self._latest = NO_LINKS  # the links of the latest visit
        self.edges = 0
        self.visits = 0

    def __len__(self) -> int:
        return self.table.size

    def url(self, id: int) -> str:
        """The URL of an id."""
        return self.table.url(id)

    def intern(self, texts: Sequence[str], depth: int = 0) -> NDArray[np.intp]:
        """The ids of URLs found at a depth; new ones are queued."""
        known = self.table.size
        ids = self.table.intern(texts)
        if self.table.size > known:
            self._make_room()
            self.depth[known : self.table.size] = depth
        (deeper,) = (self.depth[ids] > depth).nonzero()
        if len(deeper):
            self.depth[ids[deeper]] = depth
        return ids

    def _make_room(self) -> None:
        self.host = self.table.host
        if self.table.size > len(self.state):
            for name in _COLUMNS:
                setattr(self, name, enlarged(getattr(self, name), self.table.size))
        if len(self.hosts) > len(self.good):
            self.good, self.bad = enlarged(self.good, len(self.hosts)), enlarged(self.bad, len(self.hosts))

    def record(self, id: int, targets: NDArray[np.integer], relevance: float, relevant: bool) -> None:
        """Enter one fetch: its verdict, its links, and what they say of their targets."""
        self.relevance[id], self.relevant[id] = relevance, relevant
        host = self.host.item(id)
        (self.good if relevant else self.bad)[host] += 1
        found = dict.fromkeys(targets.tolist())  # twice as fast as np.unique, for a page's links
        found.pop(id, None)
        distinct = len(found) == len(targets)
        out = targets.astype(np.intp, copy=False) if distinct else np.fromiter(found, np.intp, len(found))
        self.parents[out] += 1
        if relevant:
            self.relevant_parents[out] += 1
        if relevance > 0:
            self.best_parent[out] = np.maximum(self.best_parent[out], np.float32(relevance))
        self._add_visit(id, out)

    def record_redirect(self, id: int, target: int) -> None:
        """Enter a redirect: what was known of the old address now speaks for the new one."""
        self.parents[target] += self.parents[id]
        self.relevant_parents[target] += self.relevant_parents[id]
        self.best_parent[target] = max(self.best_parent[target], self.best_parent[id])
        self._add_visit(id, np.array([target]))

    def record_beside(self, id: int) -> None:
        """Enter a fetch that says nothing of pages: an image, a script, a style sheet."""
        self._add_visit(id, NO_LINKS)

    def mark(self, ids: NDArray[np.integer] | int, state: int, reason: str = "") -> None:
        """Set the state of URLs, with the reason where it is no good one."""
        if reason not in self._reasons:
            self._reasons.append(reason)
        self.state[ids] = state
        self.reason[ids] = self._reasons.index(reason)

    def why(self, id: int) -> str:
        """The reason a URL failed or was excluded."""
        return self._reasons[self.reason.item(id)]

    def _add_visit(self, id: int, out: NDArray[np.intp]) -> None:
        self._add_edges(id, out)
        if self.visits == len(self._visited):
            self._visited = enlarged(self._visited, self.visits + 1)
            self._out_end = enlarged(self._out_end, self.visits + 1)
        self._visited[self.visits], self._out_end[self.visits] = id, self.edges
        self._latest = out
        self.visits += 1
        self.visit_of[id] = self.visits

    def _add_edges(self, source: int, out: NDArray[np.intp]) -> None:
        start, end = self.edges, self.edges + len(out)
        if end > len(self._source):
            self._source, self._target = enlarged(self._source, end), enlarged(self._target, end)
            self._next_in = enlarged(self._next_in, end)
        self._source[start:end] = source
        self._target[start:end] = out
        self._next_in[start:end] = self.last_in[out]
        self.last_in[out] = np.arange(start + 1, end + 1, dtype=np.int32)
        self.edges = end

    def visited(self) -> NDArray[np.int32]:
        """The ids of visited URLs, in the order of the crawl."""
        return self._visited[: self.visits]

    def links_from(self, id: int) -> NDArray[np.intp]:
        """The distinct targets of a fetched page, in its order; not to be written to."""
        visit = int(self.visit_of[id])
        if not visit:
            return NO_LINKS
        if visit == self.visits:
            return self._latest
        start = int(self._out_end[visit - 2]) if visit > 1 else 0
        return self._target[start : int(self._out_end[visit - 1])].astype(np.intp)

    def links_to(self, id: int) -> list[int]:
        """The fetched pages that link to a URL, the newest first."""
        found = []
        edge = int(self.last_in[id])
        while edge:
            found.append(int(self._source[edge - 1]))
            edge = int(self._next_in[edge - 1])
        return found

    @property
    def link_source(self) -> NDArray[np.int32]:
        """The page each link stands on, by the link's number: those of a page follow each other, in its order."""
        return self._source

    @property
    def link_target(self) -> NDArray[np.int32]:
        """Where each link leads."""
        return self._target

    def links_of(self, visits: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the first link of visits, and of the first that is no longer theirs."""
        return np.where(visits > 0, self._out_end[visits - 1], 0), self._out_end[visits]

    def newest_links_to(self, ids: NDArray[np.integer], most: int) -> NDArray[np.int32]:
        """The numbers of the newest links to each URL, a line a URL, filled up with -1."""
        found = np.empty((len(ids), most), np.int32)
        link = self.last_in[ids]
        for column in range(most):
            found[:, column] = link
            if not link.any():
                return found[:, : column + 1] - 1
            link = self._next_in[link - 1] * (link > 0)
        return found - 1

    def links_into(self, id: int, most: int) -> NDArray[np.int32]:
        """The numbers of the newest links to one URL."""
        found: list[int] = []
        link = int(self.last_in[id])
        while link and len(found) < most:
            found.append(link - 1)
            link = int(self._next_in[link - 1])
        return np.array(found, np.int32)

    def queued(self) -> NDArray[np.int64]:
        """The ids still to be fetched."""
        return np.flatnonzero(self.state[: len(self)] == QUEUED)

    @property
    def under_way(self) -> int:
        """How many URLs were asked for and have not come back, nor will where their requests were called back."""
        return int(np.count_nonzero(self.state[: len(self)] == UNDER_WAY))

    def books(self) -> dict[str, int]:
        """How many URLs are in each state."""
        counts = np.bincount(self.state[: len(self)], minlength=len(STATES)).tolist()
        return {
            "queued": counts[QUEUED] + counts[UNDER_WAY],
            "done": counts[DONE],
            "failed": counts[FAILED],
            "excluded": counts[EXCLUDED],
        }

    def reasons(self, state: int) -> dict[str, int]:
        """How many URLs are in a state, by reason, the most frequent first."""
        counts = np.bincount(self.reason[: len(self)][self.state[: len(self)] == state])
        named = {self._reasons[i]: int(n) for i, n in enumerate(counts) if n}
        return dict(sorted(named.items(), key=lambda item: (-item[1], item[0])))
