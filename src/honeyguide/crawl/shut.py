"""Origins whose robots.txt cannot be had, while their hosts have others to give: http beside https."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide import urls
from honeyguide.graph import QUEUED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.graph import Graph

    Ids = NDArray[np.integer[Any]]


class ShutOrigins:
    """Holds URLs of shut origins, which stay queued in the books, until these open."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._until: dict[str, float] = {}  # by origin that is shut
        self._held: dict[int, str] = {}  # the origins of URLs

    def __len__(self) -> int:
        return len(self._held)

    def __bool__(self) -> bool:
        """Whether any is shut."""
        return bool(self._until)

    def shut(self, id_: int, until: float) -> bool:
        """Let the origin of a URL wait, where others of its host are queued; else it is the host that must rest."""
        graph, known, origin = self._graph, slice(len(self._graph)), self._origin(id_)
        beside = (graph.host[known] == graph.host[id_]) & (graph.state[known] == QUEUED)
        if all(self._origin(other) == origin for other in np.flatnonzero(beside).tolist()):
            return False
        self._until[origin] = until
        return True

    def _origin(self, id_: int) -> str:
        return urls.origin(self._graph.url(id_))

    def hold(self, id_: int) -> bool:
        """Keep a URL where its origin is shut; whether it is."""
        if (origin := self._origin(id_)) not in self._until:
            return False
        self._held[id_] = origin
        return True

    def not_held(self, ids: Ids) -> Ids:
        """Those of some URLs that are not kept here."""
        return np.array([id_ for id_ in ids.tolist() if id_ not in self._held], np.intp)

    def opened(self, now: float) -> Ids:
        """The URLs of all origins that may be asked again."""
        self._until = {origin: until for origin, until in self._until.items() if until > now}
        free = [id_ for id_, origin in self._held.items() if origin not in self._until]
        for id_ in free:
            del self._held[id_]
        return np.array(free, np.intp)

    def next_time(self) -> float:
        """When the next one opens; infinity when none will."""
        return min(self._until.values(), default=math.inf)
