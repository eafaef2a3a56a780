"""Pages with those that link to them, for topics that ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide.base import Page
from honeyguide.web.stored import stored_page

if TYPE_CHECKING:
    from honeyguide.graph import Graph
    from honeyguide.store import Store
    from honeyguide.web import Web

LOOKED_AT = 50
KEPT = 2000  # pages


class Parents:
    """Keeps the latest pages; earlier ones are read from where they are stored."""

    def __init__(self, graph: Graph, web: Web) -> None:
        self._graph = graph
        self._web = web
        self._pages: dict[int, Page] = {}

    async def with_parents(self, id_: int, page: Page, store: Store | None) -> Page:
        """A page that knows which fetched pages link to it."""
        found = [await self._parent(parent, store) for parent in self._graph.links_to(id_)[:LOOKED_AT]]
        self._pages[id_] = replace(page, links=())
        if len(self._pages) > KEPT:
            del self._pages[next(iter(self._pages))]
        return replace(page, parents=tuple(found))

    async def _parent(self, id_: int, store: Store | None) -> Page:
        """A fetched page, from memory or from where it is stored; its address alone where it is nowhere."""
        page = self._pages.get(id_)
        if page is None and store:
            visit = store.visit(int(self._graph.visit_of[id_]) - 1)
            page = await stored_page(self._web, store, visit) if visit else None
        return page or Page(self._graph.url(id_))
