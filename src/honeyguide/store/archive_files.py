"""The WARC files of a crawl directory: appended to, rotated, and cut back to what was committed."""

from __future__ import annotations

import datetime
import errno
import importlib.metadata
from typing import TYPE_CHECKING

from honeyguide.store.errors import StoreError
from honeyguide.store.warc import Archived, info_record, read_at

if TYPE_CHECKING:
    import sqlite3
    from io import FileIO
    from pathlib import Path

LARGEST = 1_000_000_000  # bytes; the usual size of a WARC file


class ArchiveFiles:
    """Bytes go to the end of the newest file; the database knows how far each is valid."""

    def __init__(self, directory: Path, database: sqlite3.Connection) -> None:
        self._directory = directory
        self._database = database
        self._file: FileIO | None = None
        self._id = 0
        self._size = 0
        self.repaired = 0  # bytes of a torn end that were cut off on opening

    def append(self, record: bytes) -> tuple[int, int]:
        """Write records; where they begin: file id and offset."""
        if self._file is None or self._size > LARGEST:
            self._next_file()
        offset = self._size
        self._write(record)
        return self._id, offset

    def _write(self, record: bytes) -> None:
        """All of it or nothing: a full disk leaves no half record."""
        assert self._file is not None
        try:
            written = self._file.write(record)
            if written < len(record):
                raise OSError(errno.ENOSPC, "no space left for a whole record")
        except OSError:
            self._file.truncate(self._size)
            self._file.seek(self._size)
            raise
        self._size += written

    def _next_file(self) -> None:
        self.close()
        newest = self._database.execute("SELECT id, name, size FROM warcs ORDER BY id DESC LIMIT 1").fetchone()
        if newest and newest[2] <= LARGEST:
            self._id, name, self._size = newest
            self._file = (self._directory / name).open("r+b", buffering=0)
            self._file.seek(self._size)
            return
        self._id = newest[0] + 1 if newest else 0
        name = f"crawl-{self._id:05d}.warc.gz"
        self._file = (self._directory / name).open("wb", buffering=0)
        self._size = 0
        try:
            self._write(info_record(name, now(), f"honeyguide/{importlib.metadata.version('honeyguide')}"))
        except OSError:
            self.close()
            (self._directory / name).unlink()
            raise
        self._database.execute("INSERT INTO warcs VALUES (?, ?, ?)", (self._id, name, self._size))

    def flush(self) -> None:
        """Note how far the file is valid, within the open transaction."""
        if self._file is not None:
            self._database.execute("UPDATE warcs SET size = ? WHERE id = ?", (self._size, self._id))

    def repair(self) -> None:
        """Cut off what a killed process wrote and never committed; what is missing cannot be repaired."""
        committed = dict(self._database.execute("SELECT name, size FROM warcs"))
        found = {path.name: path.stat().st_size for path in self._directory.glob("crawl-*.warc.gz")}
        for name in sorted(committed.keys() | found.keys()):
            size, surplus = committed.get(name, 0), found.get(name, 0) - committed.get(name, 0)
            if surplus < 0:
                raise StoreError(f"{self._directory / name} has lost {-surplus} bytes; restore it from a copy")
            if surplus:
                self._cut(self._directory / name, size)
                self.repaired += surplus

    def _cut(self, path: Path, size: int) -> None:
        with path.open("r+b") as file:
            file.truncate(size)
        if not size:
            path.unlink()

    def read(self, warc: int, offset: int) -> Archived:
        """A response by where it was archived."""
        name = self._database.execute("SELECT name FROM warcs WHERE id = ?", (warc,)).fetchone()[0]
        return read_at(self._directory / name, offset)

    def close(self) -> None:
        """Close the file being written."""
        if self._file is not None:
            self._file.close()
            self._file = None


def now() -> str:
    """The time, as WARC files want it."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
