"""Stored pages as a web: crawl directories, imported and generated webs, WARC and JSONL files."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, NamedTuple

from honeyguide.atlas import Atlas, is_atlas
from honeyguide.base import WITH_PAGE, BadInput, Excluded, Page, Reply
from honeyguide.store import Store, is_crawl_directory
from honeyguide.web.base import SimulatedWeb
from honeyguide.web.sources import read_source
from honeyguide.web.stored import archived_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from honeyguide.synthetic.world import World


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

    def replies(self) -> Iterator[tuple[str, Reply]]:
        """What is known of every address that is not missing."""
        for url in sorted(self._pages):
            yield url, Reply(self._pages[url], size=len(self._pages[url].text))

    def pages(self) -> Iterator[Page]:
        """All pages, always in the same order."""
        return (reply.page for _, reply in self.replies() if reply.page)

    def __len__(self) -> int:
        return len(self._pages)


class AtlasWeb(Archive):
    """Pages that `import` or `generate` put into a directory, read one by one."""

    def __init__(self, atlas: Atlas, delay: float = 0.0) -> None:
        super().__init__({}, delay)
        self.atlas = atlas

    def _reply(self, url: str) -> Reply | None:
        found = self.atlas.find(url)
        return None if found is None else self._reply_of(found)

    def _reply_of(self, i: int) -> Reply | None:
        if i < self.atlas.pages:
            page = self.atlas.page(i)
            return Reply(page, size=len(page.text))
        if (target := int(self.atlas.redirect[i])) >= 0:
            return Reply(redirect=self.atlas.urls[target], status=301)
        reason = self.atlas.why_failed(i)
        return Reply(error=reason, status=status_of(reason)) if reason else None

    def replies(self) -> Iterator[tuple[str, Reply]]:
        for i in range(len(self.atlas)):
            if reply := self._reply_of(i):
                yield self.atlas.urls[i], reply

    def pages(self) -> Iterator[Page]:
        return self.atlas.all_pages()

    def __len__(self) -> int:
        return self.atlas.pages


def status_of(reason: str) -> int:
    """The status that a failure was named after; 0 where it was none.

    >>> status_of("http_404"), status_of("timeout")
    (404, 0)
    """
    kind, _, number = reason.partition("_")
    return int(number) if kind == "http" and number.isdecimal() else 0


class _Fetched(NamedTuple):
    """What a crawl noted of one address."""

    url: str
    error: str
    detail: str
    status: int
    warc: int | None
    offset: int | None
    targets: str | None  # JSON array of ids
    size: int
    digest: bytes


class CrawledWeb(Archive):
    """What a crawl fetched, read from its WARC files; what failed or was redirected then, is so again."""

    def __init__(self, store: Store, delay: float = 0.0) -> None:
        super().__init__({}, delay)
        self._store = store
        rows = store.database.execute(
            "SELECT url, error, detail, status, warc, offset, targets, size, digest FROM visits"
            " JOIN urls ON urls.id = visits.id LEFT JOIN links ON source = visits.id"
        )
        self._rows = {row[0]: _Fetched(*row) for row in rows}
        if not self._rows and store.is_old_web():
            raise BadInput(f"{store.directory} was imported by an earlier version; import it again")
        if self._rows and not any(row.error == "" and row.warc is not None for row in self._rows.values()):
            raise BadInput(
                f"{store.directory} holds no pages, only the log of a simulated crawl; simulate on the web it ran on"
            )

    def _reply(self, url: str) -> Reply | None:
        row = self._rows.get(url)
        if row is None:
            return None
        if row.error == "redirect":
            target = self._store.url(json.loads(row.targets or "[]")[0])
            return Reply(redirect=target, status=row.status, size=row.size)
        if row.error not in WITH_PAGE:
            return Reply(error=row.error, detail=row.detail, status=row.status, size=row.size)
        page = archived_page(self._store, row)
        return Reply(page, status=row.status, size=row.size, digest=row.digest) if page else None

    def replies(self) -> Iterator[tuple[str, Reply]]:
        for url in sorted(self._rows):
            if reply := self._reply(url):
                yield url, reply

    def __len__(self) -> int:
        return sum(row.error == "" for row in self._rows.values())


def open_web(path: Path, delay: float = 0.0) -> Archive:
    """Any stored web: a directory, a WARC or a JSONL file."""
    web = _opened(path, delay)
    web.source = str(path.absolute())
    return web


def open_atlas(path: Path) -> Atlas:
    """An imported or generated web as arrays; of a large generated one, pages are made when they are asked for."""
    atlas = Atlas(path)
    if atlas.manifest.generated is not None:
        atlas.make_pages_with(_page_maker(path, atlas.manifest.generated))
    return atlas


def _page_maker(path: Path, made_from: dict[str, int]) -> Callable[[int], Page]:
    from honeyguide.synthetic import generate
    from honeyguide.synthetic.making import GENERATOR

    @functools.cache
    def world() -> World:
        numbers = dict(made_from)
        if numbers.pop("generator", None) != GENERATOR:
            raise BadInput(f"{path} was generated by another version, whose pages were others; generate it again")
        return generate(**numbers)

    return lambda i: world().arrays.page(i)


def _opened(path: Path, delay: float) -> Archive:
    if is_crawl_directory(path):
        return CrawledWeb(Store.open(path, write=False), delay)
    if is_atlas(path):
        return AtlasWeb(open_atlas(path), delay)
    if path.is_dir():
        raise BadInput(
            f"{path} is not a stored web: it holds no crawl.toml and crawl.db, and no web.json of a finished import"
        )
    pages: dict[str, Page] = {}
    for item in read_source(path):
        if isinstance(item, Page):
            pages.setdefault(item.url, item)
        elif item.damaged:
            raise BadInput(f"{path}, {item}; `honeyguide import` takes in the rest of the file")
    return Archive(pages, delay)
