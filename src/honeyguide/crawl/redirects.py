"""Where redirects led, and how many came in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from honeyguide.graph import Graph


class Redirects:
    """Follows chains of them; a page that refreshes itself to another is a hop, too."""

    def __init__(self, graph: Graph, longest: int) -> None:
        self._graph = graph
        self._longest = longest
        self._moved: set[int] = set()
        self._hops: dict[int, int] = {}  # in a row that led to a URL

    def __contains__(self, id_: int) -> bool:
        """Whether a URL was answered with another."""
        return id_ in self._moved

    def enter(self, id_: int, target: int) -> bool:
        """Take a redirect in; whether it is one too many in a row."""
        self._moved.add(id_)
        return self.hop(id_, target)

    def hop(self, id_: int, target: int) -> bool:
        """Count a step from one URL to another; whether it is one too many in a row."""
        if target == id_:
            return False
        hops = self._hops[target] = max(self._hops.get(id_, 0) + 1, self._hops.get(target, 0))
        return hops > self._longest

    def lead_back(self, id_: int, redirect: str) -> bool:
        """Whether a redirect leads, by redirects known, to where it started."""
        at = self._graph.table.find(redirect)
        for _ in range(self._longest + 1):
            if at is None or at == id_ or at not in self._moved:
                break
            at = int(self._graph.links_from(at)[0])
        return at == id_
