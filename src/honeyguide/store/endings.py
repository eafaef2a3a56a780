"""How runs ended, and which hosts could or may not be asked: what the log of visits cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def _knows(database: sqlite3.Connection, table: str) -> bool:
    """Whether the directory has a table that older versions did not write."""
    return bool(database.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0])
