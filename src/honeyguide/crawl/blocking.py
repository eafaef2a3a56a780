"""Hosts that are asked no more: somebody said so, or they bring nothing of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.graph import EXCLUDED, QUEUED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph

BLOCKED = "blocked"


class Blocking:
    """Knows which hosts are closed and why, and which of their URLs that concerns."""

    def __init__(self, graph: Graph, blocked: set[str]) -> None:
        self._graph = graph
        self._blocked = blocked  # by name; the scope looks here when it meets a URL
        self._closed: dict[int, str] = {}  # by number, and why

    @property
    def hosts(self) -> list[str]:
        """Those that somebody blocked."""
        return sorted(self._blocked)

    def why_closed(self, host: int) -> str:
        """The reason a host is asked no more; empty where it is."""
        return self._closed.get(host, "")

    def close(self, host: int, reason: str) -> None:
        """Ask a host no more, unless it is closed already."""
        self._closed.setdefault(host, reason)

    def block(self, host: str) -> NDArray[np.int64]:
        """Close a host because somebody says so; the URLs that are queued of it."""
        self._blocked.add(host)
        if host in self._graph.hosts:
            self._closed[self._graph.hosts.index(host)] = BLOCKED
        return self.queued(host)

    def unblock(self, host: str) -> list[int]:
        """Open a host; the URLs that were left out because it was blocked."""
        self._blocked.discard(host)
        if host in self._graph.hosts and self.why_closed(number := self._graph.hosts.index(host)) == BLOCKED:
            del self._closed[number]
        return self.left_out(host)

    def left_out(self, host: str) -> list[int]:
        """The URLs of a host that are excluded because it was blocked."""
        return [id_ for id_ in self._urls(host, EXCLUDED).tolist() if self._graph.why(id_) == BLOCKED]

    def queued(self, host: str) -> NDArray[np.int64]:
        """The URLs of a host that wait."""
        return self._urls(host, QUEUED)

    def _urls(self, host: str, state: int) -> NDArray[np.int64]:
        graph = self._graph
        if host not in graph.hosts:
            return np.zeros(0, np.int64)
        of_host = graph.host[: len(graph)] == graph.hosts.index(host)
        return np.flatnonzero(of_host & (graph.state[: len(graph)] == state))
