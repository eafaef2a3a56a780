"""What a crawl directory holds already, for the web: bodies by digest, and pages of the crawl before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

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
        return self._original(visit.warc, visit.offset)

    def by_url(self, url: str) -> Original | None:
        found = self._store.earlier(url) if self._again else None
        if found is None or found[0] or found[4] is None:
            return None
        _, digest, etag, modified, warc, offset = found
        return replace(self._original(warc, offset), etag=etag, modified=modified, digest=digest)

    def _original(self, warc: int, offset: int) -> Original:
        """A record by its place; it may belong to another URL, or to an earlier crawl."""
        found = self._store.archive.read(warc, offset)
        return Original(found.url, found.date, warc, offset, rendered=found.rendered)

    def change(self, url: str, reply: Reply, error: str) -> str:
        if not self._again:
            return ""
        before = self._store.earlier(url)
        if before is None:
            return "new"
        then, now = (
            reason.replace("soft_404", "") for reason in (before[0], error)
        )  # that depends on what came before
        if now not in ("", "redirect") and then in ("", "redirect"):
            return "gone" if reply.status in (404, 410) else "failed"
        return "same" if (then, before[1]) == (now, reply.digest) else "changed"

    def read(self, original: Original) -> Archived:
        return self._store.archive.read(original.warc, original.offset)
