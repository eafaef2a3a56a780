"""Stored pages as a web: crawl directories, imported and generated webs, WARC and JSONL files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, Excluded, Page, Reply
from honeyguide.store import Store, is_crawl_directory
from honeyguide.web.base import SimulatedWeb
from honeyguide.web.content import read
from honeyguide.web.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Archive(SimulatedWeb):
    """Answers with stored pages, and counts how often it was asked for one it does not hold."""

    def __init__(self, pages: dict[str, Page], delay: float = 0.0) -> None:
        super().__init__(delay)
        self._pages = pages
        self.missing = 0

    async def get(self, url: str) -> Reply:
        reply = self._reply(url)
        if reply is None:
            self.missing += 1
            raise Excluded("not_in_archive")
        return reply

    def _reply(self, url: str) -> Reply | None:
        page = self._pages.get(url)
        return Reply(page, size=len(page.text)) if page else None

    def pages(self) -> Iterator[Page]:
        """All pages, in the order of their URLs."""
        for url in sorted(self._pages):
            yield self._pages[url]

    def __len__(self) -> int:
        return len(self._pages)


class ImportedWeb(Archive):
    """Pages that `import` or `generate` put into a directory, read one by one."""

    def __init__(self, store: Store, delay: float = 0.0) -> None:
        super().__init__({}, delay)
        self._store = store

    def _reply(self, url: str) -> Reply | None:
        page = self._store.page(url)
        return Reply(page, size=len(page.text)) if page else None

    def pages(self) -> Iterator[Page]:
        return self._store.pages()

    def __len__(self) -> int:
        return self._store.page_count()


class CrawledWeb(Archive):
    """What a crawl fetched, read from its WARC files; what failed or was redirected then, is so again."""

    def __init__(self, store: Store, delay: float = 0.0) -> None:
        super().__init__({}, delay)
        self._store = store
        rows = store.database.execute(
            "SELECT url, error, detail, status, warc, offset, targets, size, digest FROM visits"
            " JOIN urls ON urls.id = visits.id LEFT JOIN links ON source = visits.id"
        )
        self._rows = {row[0]: row[1:] for row in rows}
        if self._rows and not any(row[0] == "" and row[3] is not None for row in self._rows.values()):
            raise BadInput(
                f"{store.directory} holds no pages, only the log of a simulated crawl; simulate on the web it ran on"
            )

    def _reply(self, url: str) -> Reply | None:
        if url not in self._rows:
            return None
        error, detail, status, warc, offset, targets, size, digest = self._rows[url]
        if error == "redirect":
            target = self._store.database.execute(
                "SELECT url FROM urls WHERE id = ?", (json.loads(targets)[0],)
            ).fetchone()
            return Reply(redirect=target[0], status=status, size=size)
        if error and error != "unjudged":
            return Reply(error=error, detail=detail, status=status, size=size)
        return Reply(page_from_warc(self._store, url, warc, offset), status=status, size=size, digest=digest)

    def pages(self) -> Iterator[Page]:
        for url in sorted(self._rows):
            reply = self._reply(url)
            if reply and reply.page:
                yield reply.page

    def __len__(self) -> int:
        return sum(row[0] == "" for row in self._rows.values())


def page_from_warc(store: Store, url: str, warc: int, offset: int) -> Page:
    """A fetched page, parsed again from where it is archived."""
    stored = store.archive.read(warc, offset)
    return read(url, stored.headers, stored.body)


def open_web(path: Path, delay: float = 0.0) -> Archive:
    """Any stored web: a directory, a WARC or a JSONL file."""
    web = _opened(path, delay)
    web.source = str(path.absolute())
    return web


def _opened(path: Path, delay: float) -> Archive:
    if is_crawl_directory(path):
        store = Store.open(path, write=False)
        return (ImportedWeb if store.page_count() else CrawledWeb)(store, delay)
    if path.is_dir():
        raise BadInput(f"{path} is not a stored web: it holds no crawl.toml and crawl.db")
    pages: dict[str, Page] = {}
    for item in read_source(path):
        if isinstance(item, Page):
            pages.setdefault(item.url, item)
        elif item.damaged:
            raise BadInput(f"{path}, {item}; `honeyguide import` takes in the rest of the file")
    return Archive(pages, delay)
