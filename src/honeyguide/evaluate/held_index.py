"""The search engine of a comparison: an index of the web that is crawled."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from honeyguide.search import Hit, IndexSearch, Search
from honeyguide.web import Archive

if TYPE_CHECKING:
    from honeyguide.evaluate.collection import Collection


class HeldIndex(Search):
    """Made when it is first asked, and kept from crawl to crawl; `made_in` is what that took of CPU time."""

    name = "index"

    def __init__(self, web: Collection) -> None:
        self._index = IndexSearch(Archive({page.url: page for page in web.pages}))
        self.made_in = 0.0

    async def _find(self, query: str, limit: int) -> list[Hit]:
        if not self.made_in:
            began = time.process_time()
            await self._index.find(query, 1)
            self.made_in = time.process_time() - began
        return await self._index.find(query, limit)

    def end(self) -> None:
        """Let go of it; a crawl that closes its search does not."""
        self._index.close()
