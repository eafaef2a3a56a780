"""Which of the URLs found may be asked for: rules of scope, endless shapes, and how many may be known at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from honeyguide.crawl.scope import Scope
from honeyguide.crawl.traps import Traps
from honeyguide.graph import EXCLUDED, QUEUED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.crawl.resources import Resources
    from honeyguide.graph import Graph
    from honeyguide.settings import Settings

    Ids = NDArray[np.integer[Any]]

NOT_REQUESTED = "not_requested"  # by whoever says which URLs are asked for


class Bounds:
    """Excludes URLs of the graph, or takes them in again, as the rules stand."""

    def __init__(self, settings: Settings, graph: Graph, resources: Resources, by_request: bool) -> None:
        self._settings = settings
        self._graph = graph
        self._resources = resources
        self._by_request = by_request
        self._scope = Scope(settings)
        self._traps = Traps(settings)

    @property
    def blocked(self) -> set[str]:
        """Hosts that nothing of is asked for; whoever blocks one adds it."""
        return self._scope.blocked

    def open_to(self, seeds: Iterable[str]) -> None:
        """Take seeds in: where a crawl must stay on their sites, on these as well."""
        self._scope.open_to(seeds)

    def apply_scope(self, new: range, depth: int) -> None:
        """Put new URLs, found at a depth, under the rules of scope."""
        if self._by_request:
            self._graph.mark(np.arange(new.start, new.stop), EXCLUDED, NOT_REQUESTED)
            return
        for id_ in new if self._scope.bounded(depth) else ():
            if objection := self._scope.objection(self._graph.url(id_), depth):
                self._graph.mark(id_, EXCLUDED, objection)

    def refuse_endless(self, new: Mapping[int, str]) -> None:
        """Leave out new URLs whose shape has no end."""
        for id_, url in new.items():
            if (objection := self._traps.shape(url)) and self._graph.state[id_] == QUEUED:
                self._graph.mark(id_, EXCLUDED, objection)

    def brought_nearer(self, targets: Ids) -> list[int]:
        """Take in what was too deep, now that a shorter way to it is known; which that were."""
        found = []
        for id_ in targets[self._graph.state[targets] == EXCLUDED].tolist():
            depth = int(self._graph.depth[id_])
            if self._graph.why(id_) == "too_deep" and not self._scope.too_deep(depth):
                objection = self._scope.objection(self._graph.url(id_), depth)
                self._graph.mark(id_, EXCLUDED if objection else QUEUED, objection)
                found.append(id_)
        return found

    def reconsidered(self, reasons: Collection[str]) -> list[int]:
        """Look again at what is queued, and at what was excluded for these reasons; which were marked anew."""
        known = np.arange(len(self._graph))
        excluded = known[self._graph.state[known] == EXCLUDED].tolist()
        open_ = [id_ for id_ in excluded if self._graph.why(id_) in reasons]
        return self.looked_at_again([*open_, *self._graph.queued().tolist()])

    def looked_at_again(self, ids: Iterable[int]) -> list[int]:
        """Mark URLs by the rules as they are now; which were marked otherwise before."""
        return [id_ for id_ in ids if self._look_again(id_)]

    def _look_again(self, id_: int) -> bool:
        url = self._graph.url(id_)
        objection = self._scope.objection(url, int(self._graph.depth[id_])) or self._traps.shape(url)
        if objection == self._graph.why(id_) or (self._resources.kind(id_) and not objection):
            return False
        self._graph.mark(id_, EXCLUDED if objection else QUEUED, objection)
        return True

    def visited(self, visit: Visit) -> None:
        """Count a page for or against those with a URL like its own."""
        self._traps.visited(visit.url, visit.relevant)

    def is_barren(self, id_: int) -> bool:
        """Whether pages like this one have brought nothing for long; seeds are asked for all the same."""
        return self._traps.found and self._graph.depth[id_] > 0 and self._traps.barren(self._graph.url(id_))

    def has_room_for(self, url: str) -> bool:
        """Whether one more URL may be known, where this one is not."""
        limit = self._settings.max_known
        return limit is None or len(self._graph) < limit or self._graph.table.find(url) is not None

    def within(self, page: Page) -> Page:
        """A page without the links that it forbids to follow, or that lead to more URLs than may be known."""
        if "nofollow" in page.robots:  # what its site's robots.txt names may be followed all the same
            page = replace(page, links=tuple(link for link in page.links if "sitemap" in link.rel))
        limit = self._settings.max_known
        if limit is None or len(self._graph) + len(page.links) <= limit:
            return page
        room, kept, new = limit - len(self._graph), [], set[str]()
        for link in page.links:
            if link.url not in new and self._graph.table.find(link.url) is None:
                if len(new) >= room:
                    continue
                new.add(link.url)
            kept.append(link)
        return replace(page, links=tuple(kept), cut_links=page.cut_links + len(page.links) - len(kept))
