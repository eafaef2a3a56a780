"""The WARC files of a crawl directory: appended to, rotated, and cut back to what was committed."""

from __future__ import annotations

import errno
import importlib.metadata
import os
import time
from typing import TYPE_CHECKING

from honeyguide.store.errors import StoreError
from honeyguide.store.visits import forget_visits
from honeyguide.store.warc import Archived, info_record, read_at

if TYPE_CHECKING:
    import sqlite3
    from io import FileIO
    from pathlib import Path

SYNC_EVERY = 1.0  # seconds between two times the disk is waited for


class ArchiveFiles:
    """Bytes go to the end of the newest file; the database knows how far each is valid."""

    def __init__(self, directory: Path, database: sqlite3.Connection, largest: int) -> None:
        self._directory = directory
        self.largest = largest
        self._synced = 0.0
        self._database = database
        self._file: FileIO | None = None
        self._id = 0
        self._size = 0
        self.repaired = 0  # bytes of a torn end that were cut off on opening
        self.undone = 0  # visits whose records did not outlive a crash of the machine

    def append(self, record: bytes) -> tuple[int, int]:
        """Write records; where they begin: file id and offset."""
        if self._file is None or self._size > self.largest:
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
        self.flush()
        self.close()
        newest = self._database.execute("SELECT id, name, size FROM warcs ORDER BY id DESC LIMIT 1").fetchone()
        if newest and newest[2] <= self.largest:
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
        """Note how far the file is valid, within the open transaction; now and then, see that it is on the disk."""
        if self._file is not None:
            if time.monotonic() - self._synced > SYNC_EVERY:
                os.fdatasync(self._file.fileno())
                self._synced = time.monotonic()
            self._database.execute("UPDATE warcs SET size = ? WHERE id = ?", (self._size, self._id))

    @property
    def end(self) -> tuple[int, int] | None:
        """The file being written and its size; None when none was begun."""
        return (self._id, self._size) if self._file is not None else None

    def repair(self) -> None:
        """Cut off what a killed process wrote and never committed, and undo what a crash of the machine took away."""
        files = self._database.execute("SELECT id, name, size FROM warcs ORDER BY id").fetchall()
        found = {path.name: path.stat().st_size for path in self._directory.glob("crawl-*.warc.gz")}
        for id_, name, size in files:
            actual = found.pop(name, -1)
            if actual < size and (actual < 0 or id_ != files[-1][0]):
                raise StoreError(
                    f"{self._directory / name} has lost {size - max(actual, 0)} bytes; restore it from a copy"
                )
            if actual < size:
                size = self._undo(id_, actual)
                self.repaired += actual - size
            elif actual > size:
                self.repaired += actual - size
            self._cut(self._directory / name, size)
        for name, actual in found.items():
            self.repaired += actual
            (self._directory / name).unlink()

    def _undo(self, file: int, size: int) -> int:
        """Forget the visits whose records are not all there; where the last good one ends."""
        lost = self._database.execute(
            "SELECT min(number) FROM visits WHERE file = ? AND file_end > ?", (file, size)
        ).fetchone()[0]
        self.undone = forget_visits(self._database, lost) if lost is not None else 0
        kept = "SELECT file, file_end FROM visits UNION ALL SELECT file, file_end FROM earlier"
        end = self._database.execute(
            f"SELECT max(file_end) FROM ({kept}) WHERE file = ? AND file_end <= ?", (file, size)
        ).fetchone()[0]
        forget = "UPDATE earlier SET warc = NULL, offset = NULL WHERE warc = ? AND offset >= ?"
        self._database.execute(forget, (file, end or 0))
        if end:
            self._database.execute("UPDATE warcs SET size = ? WHERE id = ?", (end, file))
        else:
            self._database.execute("DELETE FROM warcs WHERE id = ?", (file,))
        return int(end or 0)

    def _cut(self, path: Path, size: int) -> None:
        if not size:
            path.unlink()
        elif path.stat().st_size > size:
            os.truncate(path, size)

    def read(self, warc: int, offset: int) -> Archived:
        """A response by where it was archived."""
        return read_at(self.path(warc), offset)

    def path(self, warc: int) -> Path:
        """A file by its id."""
        name = self._database.execute("SELECT name FROM warcs WHERE id = ?", (warc,)).fetchone()[0]
        return self._directory / str(name)

    def close(self) -> None:
        """Close the file being written."""
        if self._file is not None:
            self._file.close()
            self._file = None


def now() -> str:
    """The time, as WARC files want it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
