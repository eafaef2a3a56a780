"""What a crawl directory holds already, for the web: bodies by digest, and pages of the crawl before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import Original
from honeyguide.web.base import Memory

if TYPE_CHECKING:
    from honeyguide.base import Reply
    from honeyguide.crawl.copies import Copies
    from honeyguide.graph import Graph
    from honeyguide.store import Store
    from honeyguide.store.warc import Archived


class CrawlMemory(Memory):
    """Looks things up in the store only where there is something to find."""

    def __init__(self, store: Store, graph: Graph, copies: Copies) -> None:
        self._store, self._graph, self._copies = store, graph, copies
        self._again = store.rounds > 0

    def by_digest(self, digest: bytes) -> Original | None:
        id_ = self._copies.first(digest)
        visit = next(self._store.visits(int(self._graph.visit_of[id_]) - 1), None) if id_ >= 0 else None
        if visit is None or visit.warc is None or visit.offset is None:
            return None
        return Original(visit.url, visit.date, visit.warc, visit.offset)

    def by_url(self, url: str) -> Original | None:
        found = self._store.earlier(url) if self._again else None
        if found is None or found[0] or found[5] is None:
            return None
        _, digest, etag, modified, date, warc, offset = found
        return Original(url, date, warc, offset, etag, modified, digest)

    def change(self, url: str, reply: Reply) -> str:
        if not self._again:
            return ""
        before = self._store.earlier(url)
        if before is None:
            return "new"
        if before[0] == "" and not reply.page:
            return "gone"
        return "same" if before[0] == reply.error and before[1] == reply.digest else "changed"

    def read(self, original: Original) -> Archived:
        return self._store.archive.read(original.warc, original.offset)
