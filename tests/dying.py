"""A crawl that kills itself at a chosen point: python tests/dying.py POINT TIMES COMMAND…, e.g. crawl DIR.

The points lie where the program meets the world: a file, the database, the network. It knows nothing of them.
"""

from __future__ import annotations

import functools
import io
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from honeyguide.cli import main as honeyguide
from honeyguide.crawl import Crawl, keeping
from honeyguide.web.http import Http

if TYPE_CHECKING:
    from collections.abc import Callable

# While a directory is made; the times count from the start of the process.
MAKING = {
    "before the lock is made": 1,
    "before the database is made": 1,
    "before the first table": 1,
    "half-way through the tables": 1,
    "after the tables": 1,
    "before a commit": 1,
    "half-way through crawl.toml": 1,
    "before crawl.toml is put in place": 1,
    "after crawl.toml is put in place": 1,
}
# While a crawl goes on: how often the point is passed before it is the last, at most.
CRAWLING = {
    "after an answer": 8,
    "before a WARC write": 8,
    "half-way through a WARC write": 8,
    "after a WARC write": 8,
    "before a commit": 5,
    "after a commit": 5,
    "before a new WARC file's first write": 2,
    "half-way through a new WARC file's first write": 2,
    "after a new WARC file's first write": 2,
    "half-way through a snapshot": 2,
    "after a snapshot": 2,
    "while replaying": 1,
    "half-way through crawl.toml": 1,
    "before crawl.toml is put in place": 1,
}
# While a torn end is being cut off: a WARC write must have been torn just before.
REPAIRING = {"before a torn end is cut off": 1, "after a torn end is cut off": 1}

OFTEN = 10  # visits, where it is to die with a snapshot


class Fate:
    """The point at which to die, and how often it is passed until then."""

    def __init__(self, point: str, times: int) -> None:
        self.point, self.left = point, times

    def has_come(self, point: str) -> bool:
        """Whether this is the point, and the time."""
        self.left -= point == self.point
        return point == self.point and not self.left

    def may_come(self, point: str) -> None:
        """Die here, where this is the point and the time."""
        if self.has_come(point):
            die()


def die() -> NoReturn:
    """End at once, as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)
    while True:
        time.sleep(1)


class DyingFile(io.FileIO):
    """A WARC file that is written to."""

    fate: Fate

    def __init__(self, path: Path, mode: str) -> None:
        super().__init__(path, mode)
        self._what = "a new WARC file's first write" if mode.startswith("w") else "a WARC write"

    def write(self, data: Any) -> int:
        """All of it, half of it or nothing."""
        self.fate.may_come(f"before {self._what}")
        if self.fate.has_come(f"half-way through {self._what}"):
            super().write(data[: len(data) // 2])
            die()
        written = super().write(data)
        self.fate.may_come(f"after {self._what}")
        self._what = "a WARC write"
        return written


class DyingDatabase(sqlite3.Connection):
    """The books."""

    fate: Fate

    def commit(self) -> None:
        """All or nothing, as SQLite has it."""
        self.fate.may_come("before a commit")
        super().commit()
        self.fate.may_come("after a commit")

    def execute(self, query: str, *values: Any) -> sqlite3.Cursor:
        """Snapshots are told by their query."""
        snapshot = query.startswith("INSERT INTO knowledge")
        if snapshot:
            self.fate.may_come("half-way through a snapshot")
        done = super().execute(query, *values)
        if snapshot:
            self.fate.may_come("after a snapshot")
        return done

    def executescript(self, script: str) -> sqlite3.Cursor:
        """The tables: none, some or all of them."""
        self.fate.may_come("before the first table")
        if self.fate.has_come("half-way through the tables"):
            middle = script.index(";", len(script) // 2)
            super().executescript(script[: script.rindex("CREATE", 0, middle)])
            die()
        done = super().executescript(script)
        self.fate.may_come("after the tables")
        return done


def arrange(fate: Fate) -> None:
    """Put the points in the way of the program."""
    DyingFile.fate = DyingDatabase.fate = fate
    _arrange_files(fate)
    _arrange_repair(fate)
    _arrange_settings(fate)
    connect = functools.partial(sqlite3.connect, factory=DyingDatabase)

    def connected(*args: Any, **named: Any) -> sqlite3.Connection:
        fate.may_come("before the database is made")
        return connect(*args, **named)

    sqlite3.connect = connected  # type: ignore[assignment]
    _arrange_crawl(fate)


def _arrange_files(fate: Fate) -> None:
    plain = Path.open

    def opened(path: Path, mode: str = "r", *args: Any, **named: Any) -> Any:
        if path.name.endswith(".warc.gz") and mode in ("wb", "ab", "r+b"):
            return DyingFile(path, mode)
        if path.name == "crawl.lock":
            fate.may_come("before the lock is made")
        return plain(path, mode, *args, **named)

    Path.open = opened  # type: ignore[method-assign, assignment]


def _arrange_repair(fate: Fate) -> None:
    """A torn end is cut off; where nothing of a file was ever committed, the file is taken away."""

    def dying(plain: Callable[..., None]) -> Callable[..., None]:
        def called(path: Path, *args: Any, **named: Any) -> None:
            torn = str(path).endswith(".warc.gz")
            if torn:
                fate.may_come("before a torn end is cut off")
            plain(path, *args, **named)
            if torn:
                fate.may_come("after a torn end is cut off")

        return called

    os.truncate, Path.unlink = dying(os.truncate), dying(Path.unlink)  # type: ignore[method-assign, assignment]


def _arrange_settings(fate: Fate) -> None:
    write, put = Path.write_text, Path.replace

    def written(path: Path, text: str, *args: Any, **named: Any) -> int:
        if path.name.startswith("crawl.toml") and fate.has_come("half-way through crawl.toml"):
            write(path, text[: len(text) // 2], *args, **named)
            die()
        return write(path, text, *args, **named)

    def replaced(path: Path, target: Path) -> Path:
        fate.may_come("before crawl.toml is put in place")
        moved = put(path, target)
        fate.may_come("after crawl.toml is put in place")
        return moved

    Path.write_text, Path.replace = written, replaced  # type: ignore[method-assign, assignment]


def _arrange_crawl(fate: Fate) -> None:
    get, enter = Http.get, Crawl.enter

    async def got(http: Http, url: str, *args: Any, **named: Any) -> Any:
        exchange = await get(http, url, *args, **named)
        if not url.endswith("/robots.txt"):
            fate.may_come("after an answer")
        return exchange

    def entered(crawl: Crawl, *args: Any) -> None:
        fate.may_come("while replaying")
        enter(crawl, *args)

    Http.get, Crawl.enter = got, entered  # type: ignore[method-assign, assignment]
    if "snapshot" in fate.point:
        assert keeping.SNAPSHOT_EVERY > OFTEN
        keeping.SNAPSHOT_EVERY = OFTEN


def main() -> None:
    """Run the command line with a fate."""
    point, times, *command = sys.argv[1:]
    assert point in {**MAKING, **CRAWLING, **REPAIRING}, f"no such point: {point}"
    arrange(Fate(point, int(times)))
    sys.argv = ["honeyguide", *command]
    honeyguide()


if __name__ == "__main__":
    main()
