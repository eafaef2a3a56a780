"""How runs ended, and which hosts could or may not be asked: what the log of visits cannot tell."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from honeyguide import urls

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


def note_ending(database: sqlite3.Connection, stopped: str) -> None:
    """Keep why the present run ended."""
    database.execute("INSERT OR REPLACE INTO endings SELECT max(number), ? FROM runs", (stopped,))


def last_ending(database: sqlite3.Connection) -> str:
    """Why the last run ended; empty where it goes on, was cut off, or was not asked for the reason."""
    if not _knows(database, "endings"):
        return ""
    row = database.execute("SELECT stopped FROM endings WHERE run = (SELECT max(number) FROM runs)").fetchone()
    return str(row[0]) if row else ""


def note_troubles(database: sqlite3.Connection, changes: Mapping[str, str | None]) -> None:
    """Keep why hosts could not be asked; None for those that answer again."""
    answering = [(origin,) for origin, why in changes.items() if why is None]
    database.executemany("DELETE FROM troubles WHERE origin = ?", answering)
    shut = [(origin, why) for origin, why in changes.items() if why is not None]
    database.executemany("INSERT OR REPLACE INTO troubles VALUES (?, ?)", shut)


def noted_refreshes(database: sqlite3.Connection) -> dict[int, int]:
    """Where pages with a meta refresh lead, by the number of the visit."""
    if not _knows(database, "refreshes"):
        return {}
    return dict(database.execute("SELECT visit, target FROM refreshes").fetchall())


def noted_troubles(database: sqlite3.Connection) -> dict[str, str]:
    """The origins that could not be asked when they were last tried, and why."""
    if not _knows(database, "troubles"):
        return {}
    return dict(database.execute("SELECT origin, why FROM troubles ORDER BY origin").fetchall())


def note_rests(database: sqlite3.Connection, rests: Mapping[str, float]) -> None:
    """Keep which hosts asked to be left alone, and until when."""
    database.execute("DELETE FROM rests")
    database.executemany("INSERT INTO rests VALUES (?, ?)", rests.items())


def noted_rests(database: sqlite3.Connection) -> dict[str, float]:
    """The hosts that asked to be left alone, and until when."""
    return dict(database.execute("SELECT host, until FROM rests").fetchall()) if _knows(database, "rests") else {}


class Waits:
    """Why URLs wait for their hosts, which cannot be asked, or do not want to be yet; false where none does."""

    def __init__(self, troubles: Mapping[str, str], rests: Mapping[str, float]) -> None:
        self._troubles = troubles
        self._rests = {host: until for host, until in rests.items() if until > time.time()}

    def __bool__(self) -> bool:
        return bool(self._troubles or self._rests)

    def why(self, url: str) -> str:
        """The reason a URL waits; empty where it does not."""
        if (until := self._rests.get(urls.host(url))) and urls.origin(url) not in self._troubles:
            return time.strftime("it asked to be left alone until %Y-%m-%d %H:%M UTC", time.gmtime(until))
        return self._troubles.get(urls.origin(url), "")


def _knows(database: sqlite3.Connection, table: str) -> bool:
    """Whether the directory has a table that older versions did not write."""
    return bool(database.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0])
