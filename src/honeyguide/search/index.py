"""The pages of a stored web, searched by their words."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from typing import TYPE_CHECKING

from honeyguide.search.base import Hit, Search, SearchFailed
from honeyguide.search.indexing import KEPT_AS, directory_of, index_of_directory, index_of_pages

if TYPE_CHECKING:
    from honeyguide.web import Archive

MOST_WORDS = 100  # of a query
TITLE_WEIGHT = 5  # against 1 for the text
SNIPPET = 30  # words

_PART = re.compile(r'"([^"]*)"|([^"]+)')
_QUOTES = str.maketrans("“”„«»", '"""""')
_BETWEEN_WORDS = re.compile(r"[\s,;/|]+")

# Among equals the first by URL comes first: rows are in that order, and reading a URL means reading its page.
_RANKED = f"""(
    SELECT rowid AS id, bm25(pages, 0, {TITLE_WEIGHT}, 1) AS score FROM pages
    WHERE pages MATCH :query ORDER BY score, rowid LIMIT :limit
) JOIN pages ON pages.rowid = id
"""
# Only the best are asked for a snippet: making one takes longer than ranking a page.
_BEST = f"""
SELECT pages.url, pages.title, snippet(pages, 2, '', '', '…', {SNIPPET})
FROM {_RANKED} WHERE pages MATCH :query ORDER BY score, id
"""
_ADDRESSES = f"SELECT pages.url FROM {_RANKED} ORDER BY score, id"


class IndexSearch(Search):
    """Ranks by BM25; the index is made, or found in the directory of the web, when it is first asked."""

    name = "index"

    def __init__(self, web: Archive, snippets: bool = True) -> None:
        self._web = web
        self._asked = _BEST if snippets else _ADDRESSES
        self._directory = directory_of(web)
        self._index: sqlite3.Connection | None = None
        self._one_at_a_time = threading.Lock()

    async def _find(self, query: str, limit: int) -> list[Hit]:
        if self._directory is None:
            return self._best(query, limit)
        # A live crawl may search a directory: it goes on while the index is made.
        return await asyncio.to_thread(self._best, query, limit)

    def _best(self, query: str, limit: int) -> list[Hit]:
        try:
            with self._one_at_a_time:
                rows = self._opened().execute(self._asked, {"query": expression(query), "limit": limit}).fetchall()
        except sqlite3.Error as error:
            raise SearchFailed("index", f"the index cannot be used ({error})", self._advice()) from error
        return [Hit(*row) for row in rows]

    def _opened(self) -> sqlite3.Connection:
        if self._index is None:
            # The connection of a web belongs to the thread it was opened in, so a directory is opened anew.
            self._index = (
                index_of_directory(self._directory) if self._directory else index_of_pages(self._web.pages())
            )
        return self._index

    def _advice(self) -> str:
        return f"delete {self._directory / KEPT_AS}" if self._directory else "make room for temporary files"

    def close(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None


def expression(query: str) -> str:
    """A query in the language of FTS5: any of the words and quoted phrases, whatever characters they hold.

    >>> expression('bees "heat pump" AND:NOT*')
    '"bees" OR "heat pump" OR "AND:NOT*"'
    """
    parts: list[str] = []
    for phrase, words in _PART.findall(query.translate(_QUOTES)):
        parts += [phrase] if phrase else _BETWEEN_WORDS.split(words)
    return " OR ".join(f'"{part}"' for part in list(dict.fromkeys(parts))[:MOST_WORDS] if part) or '""'
