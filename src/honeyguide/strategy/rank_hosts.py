"""The share of relevant pages of each host, as ranks know it: told anew only when it has changed enough.

The share changes with every page of a host, and with it the ranks of all URLs of the host. Where hundreds of pages
were fetched, one more changes little: so the work grows with the logarithm of the pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.rank_formulas import host_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids


class HostShares:
    """Shares by host number; they drift by `drift` before they are told anew."""

    def __init__(self, graph: Graph, drift: float) -> None:
        self._graph = graph
        self._drift = drift
        self._told = np.zeros(64, np.float64)

    def of(self, hosts: Ids) -> NDArray[np.float64]:
        """The shares of hosts, as they were last told."""
        self._make_room()
        return self._told[hosts]

    def of_one(self, host: int) -> float:
        """The same of one host."""
        self._make_room()
        return float(self._told[host])

    def drifted(self, host: int) -> bool:
        """Whether the share of a host is told anew."""
        self._make_room()
        good = int(self._graph.good[host])
        share = host_share(good, good + int(self._graph.bad[host]))
        if abs(share - self._told[host]) <= self._drift:
            return False
        self._told[host] = share
        return True

    def _make_room(self) -> None:
        if len(self._graph.hosts) > len(self._told):
            self._told = enlarged(self._told, len(self._graph.hosts))

    def save(self) -> dict[str, Any]:
        """All of it, as an array."""
        return {"host_shares": self._told.copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._told = np.array(state["host_shares"], np.float64)
