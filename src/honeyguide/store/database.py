"""The database of a crawl directory: opened to write, or to read where nobody may write."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING

from honeyguide.store.errors import WAY_OUT, StoreError
from honeyguide.store.lock import being_crawled

if TYPE_CHECKING:
    from pathlib import Path


def connected(path: Path, write: bool = True) -> sqlite3.Connection:
    """A connection; on a medium that cannot be written to, one that reads what is there."""
    _check_length(path)
    if not write and not os.access(path.parent, os.W_OK):
        return _read_as_it_is(path)
    return _prepared(sqlite3.connect(path, isolation_level="DEFERRED"), "PRAGMA journal_mode = WAL")


def _check_length(path: Path) -> None:
    """Tell a file that was cut short: SQLite does so only when it comes to what is missing."""
    if _has_changes(path) or not path.is_file():  # what is missing may still stand in the log
        return
    with path.open("rb") as file:
        head = file.read(100)
    pages, page = int.from_bytes(head[28:32]), int.from_bytes(head[16:18])
    expected = pages * (page if page > 1 else 65_536)
    if head[24:28] == head[92:96] and expected > (size := path.stat().st_size):
        raise StoreError(f"{path} is damaged: {size:,} of its {expected:,} bytes are left; {WAY_OUT}")


def _has_changes(path: Path) -> bool:
    log = _log_of(path)
    return log.exists() and log.stat().st_size > 0


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _read_as_it_is(path: Path) -> sqlite3.Connection:
    """A database beside which SQLite can make no files; changes that still stand in one can rarely be read then."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    if not _has_changes(path) and not being_crawled(path.parent):
        return sqlite3.connect(f"{address}&immutable=1", uri=True)
    try:
        return _prepared(sqlite3.connect(address, uri=True), "SELECT count(*) FROM warcs")
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"{_log_of(path)} holds changes that can only be read where the directory can be written to ({error});"
            " copy the directory to where it can be written to, and use the copy"
        ) from None


def _prepared(database: sqlite3.Connection, first: str) -> sqlite3.Connection:
    try:
        database.execute(first)
        database.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        database.close()
        raise
    return database


def is_begun(path: Path) -> bool:
    """Whether a database was made to its end: a process may have been killed while making it."""
    if not path.is_file():
        return False
    try:
        with contextlib.closing(sqlite3.connect(path)) as database:
            return bool(database.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return True  # opening it will say what is wrong
