"""Images, scripts and style sheets: fetched on request, each once a domain, known by kind and name."""

from __future__ import annotations

import mimetypes
from itertools import compress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide import urls
from honeyguide.base import RESOURCES
from honeyguide.graph import EXCLUDED, QUEUED

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.graph import Graph


class Resources:
    """Marks queued URLs by the kind of resource they are; of those alike, only the first is fetched."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ids: set[int] = set()
        self._known: set[tuple[str, str, str]] = set()
        self._looked_back = 0  # ids whose marks were taken in

    def kind(self, id_: int) -> str:
        """The kind of resource that a URL not yet visited is; empty for a page."""
        why = self._graph.why(id_)
        return why if why in RESOURCES else ""

    def enter(self, page: Page, targets: NDArray[np.intp], known: int) -> tuple[list[int], list[int]]:
        """Take in what a page is made of; ids from `known` on are new. What is queued of it; what proves a page."""
        links = [*zip(page.links, targets.tolist(), strict=True)]
        pages = dict.fromkeys(id_ for link, id_ in links if not link.rel & RESOURCES and not _named_as_one(link.url))
        queued = []
        for link, id_ in links:
            kind = next(iter(link.rel & RESOURCES), "")
            new = id_ >= known and id_ not in pages
            if kind and new and self._graph.state[id_] == QUEUED and not self._graph.why(id_):
                alike = _alike(link.url, kind) in self._all_known(known)
                self._graph.mark(id_, EXCLUDED if alike else QUEUED, f"known_{kind}" if alike else kind)
                self._known.add(_alike(link.url, kind))
                self._ids.add(id_)
                queued += [] if alike else [id_]
        return queued, [id_ for id_ in pages if id_ < known and self._is_page_after_all(id_)]

    def _is_page_after_all(self, id_: int) -> bool:
        """Take the mark off a URL that a page is not made of only, but links to, unless it was fetched already."""
        waits = self._graph.state[id_] in (QUEUED, EXCLUDED) and not self._graph.visit_of[id_]
        if not waits or self._graph.why(id_).removeprefix("known_") not in RESOURCES:
            return False
        self._graph.mark(id_, QUEUED)
        self._ids.discard(id_)
        return True

    def recall(self, ids: Iterable[int]) -> None:
        """Know the URLs that an earlier run took for resources."""
        self._ids.update(ids)

    def without(self, visit: Visit) -> Visit:
        """A visit as strategies see it: what a page is made of says nothing of where it leads."""
        kept = [id_ not in self._ids for id_ in visit.targets.tolist()] if self._ids else []
        if all(kept):
            return visit
        page = visit.page
        if page and len(page.links) == len(kept):
            page = replace(page, links=tuple(compress(page.links, kept)))
        return replace(visit, targets=visit.targets[kept], page=page)

    def visited(self, visit: Visit) -> None:
        """Remember a resource that was fetched."""
        if visit.flag in RESOURCES:
            self._known.add(_alike(visit.url, visit.flag))

    def _all_known(self, end: int) -> set[tuple[str, str, str]]:
        """What is queued counts as well: after a crawl was taken up again it is known by its marks alone."""
        for id_ in range(self._looked_back, end):
            if kind := self.kind(id_):
                self._known.add(_alike(self._graph.url(id_), kind))
        self._looked_back = max(self._looked_back, end)
        return self._known


def _named_as_one(url: str) -> bool:
    """Whether the name says that it is an image, a script or a style sheet: galleries link to the very pictures."""
    kind = mimetypes.guess_type(url.partition("?")[0])[0] or ""
    return kind.startswith("image/") or kind in ("text/css", "text/javascript", "application/javascript")


def _alike(url: str, kind: str) -> tuple[str, str, str]:
    path = url.partition("?")[0]
    return urls.site(url), kind, path.rpartition("/")[2] or path
