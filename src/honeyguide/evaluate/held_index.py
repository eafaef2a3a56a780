"""The search engine of a comparison: an index of the web that is crawled."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from honeyguide.search import IndexSearch
from honeyguide.search.indexing import shared_index
from honeyguide.web import Archive

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from honeyguide.evaluate.collection import Collection

KEPT_AS = "search.db"


class HeldIndex(IndexSearch):
    """Made when it is first asked, kept from crawl to crawl, and shared by all processes.

    `made_in` is what that took of this one's CPU time.
    """

    def __init__(self, web: Collection, folder: Path) -> None:
        super().__init__(Archive({}), snippets=False)
        self._pages = web.pages
        self._file = folder / KEPT_AS
        self.made_in = 0.0

    def _opened(self) -> sqlite3.Connection:
        if self._index is None:
            began = time.process_time()
            self._index = shared_index(self._file, self._pages)
            self.made_in += time.process_time() - began
        return self._index

    def close(self) -> None:
        """A crawl that ends closes its search; the next one will ask again."""

    def end(self) -> None:
        """Let go of it."""
        super().close()
