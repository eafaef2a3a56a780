"""The full-text index of a stored web: an SQLite database, kept beside a crawl where that can be written to."""

from __future__ import annotations

import contextlib
import fcntl
import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.atlas import is_atlas
from honeyguide.store import StoreError, is_crawl_directory, new_file
from honeyguide.store.errors import told_plainly
from honeyguide.web import open_web

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from honeyguide.base import Page
    from honeyguide.web import Archive

KEPT_AS = "search.db"
VERSION = 1
FILES = ("crawl.db", "crawl.db-wal", "web.json")  # that change when pages do, WARC files aside
CACHE = 64_000  # kilobytes; what does not fit goes to a temporary file

_TABLES = """
CREATE VIRTUAL TABLE pages USING fts5(
    url UNINDEXED, title, text, tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE made_from (stamp TEXT NOT NULL);
"""


def directory_of(web: Archive) -> Path | None:
    """The directory a stored web was opened from; None where it is a file, or made in Python."""
    path = Path(web.source)
    return path if path.is_absolute() and (is_crawl_directory(path) or is_atlas(path)) else None


def index_of_pages(pages: Iterable[Page], stamp: str = "", file: Path | str = "") -> sqlite3.Connection:
    """A new index of pages in the order of their URLs, in a database that ends with the connection, or in a file."""
    database = sqlite3.connect(file, check_same_thread=False)
    database.execute(f"PRAGMA cache_size = -{CACHE}")
    database.execute("PRAGMA journal_mode = OFF")  # half an index is of no use to anybody
    database.executescript(_TABLES)
    database.executemany("INSERT INTO pages VALUES (?, ?, ?)", map(_row, pages))
    database.execute("INSERT INTO made_from VALUES (?)", (stamp,))
    database.commit()
    return database


def shared_index(file: Path, pages: Iterable[Page]) -> sqlite3.Connection:
    """The index in a file; the first of several processes to ask makes it, and the others wait."""
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            half = file.with_name(f"{file.name}.part")
            half.unlink(missing_ok=True)
            index_of_pages(pages, file=half).close()
            half.rename(file)
    return _read_only(file)


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)


def index_of_directory(directory: Path) -> sqlite3.Connection:
    """The index that is kept in a directory, or a new one where there is none or it is out of date."""
    stamp = _stamp(directory)
    kept = _kept(directory, stamp)
    if kept:
        return kept
    with told_plainly(directory):
        made = index_of_pages(open_web(directory).pages(), stamp)
    # A directory that cannot be written to, or has no room, can be searched all the same.
    with contextlib.suppress(StoreError):
        _keep(made, directory)
    return made


def _row(page: Page) -> tuple[str, str, str]:
    return page.url, _whole(page.title), _whole(page.main or page.text)


def _whole(text: str) -> str:
    """A text without halves of characters, which no database takes."""
    return text.encode("utf-8", "replace").decode()


def _stamp(directory: Path) -> str:
    """What tells whether pages came, went or changed: names, sizes and times of the files they are in."""
    files = [(path.name, path.stat()) for path in _sources(directory)]
    return json.dumps([VERSION, *([name, s.st_size, s.st_mtime_ns] for name, s in files if s.st_size)])


def _sources(directory: Path) -> Iterator[Path]:
    yield from (path for name in FILES if (path := directory / name).is_file())
    yield from sorted(directory.glob("*.warc.gz"))


def _kept(directory: Path, stamp: str) -> sqlite3.Connection | None:
    path = directory / KEPT_AS
    if not path.is_file():
        return None
    database = _read_only(path)
    with contextlib.suppress(sqlite3.Error):
        if database.execute("SELECT stamp FROM made_from").fetchone() == (stamp,):
            return database
    database.close()
    return None


def _keep(database: sqlite3.Connection, directory: Path) -> None:
    """Save an index under another name first, so that there never is half of one."""
    with new_file(directory / KEPT_AS) as fresh, contextlib.closing(sqlite3.connect(fresh)) as file:
        database.backup(file)
