"""What happened beside visits, and what was learned from it all: kept in the books, so that a crawl can go on."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from honeyguide.store import state as learned

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from honeyguide.settings import Settings
    from honeyguide.strategy import Strategy


class Event(NamedTuple):
    """A search and what it brought, a moment when nothing was left, a host blocked, a change of the current list."""

    visits: int  # made before it
    known: int  # URLs discovered when it was over
    kind: str  # seeds, search, idle; block, unblock; joined or dropped, of the current list
    query: str = ""
    found: tuple[int, ...] = ()  # ids


class Kept(NamedTuple):
    """What a strategy had learned when it was last asked."""

    visits: int
    events: int
    strategy: str  # as it was asked for, settings included
    name: str
    version: int
    topic: str
    state: dict[str, Any]
    portable: dict[str, Any]
    figures: dict[str, str]


def insert_event(database: sqlite3.Connection, event: Event) -> None:
    """Append to the log."""
    row = (event.visits, event.known, event.kind, event.query, json.dumps(event.found))
    database.execute("INSERT INTO events (visits, known, kind, query, found) VALUES (?, ?, ?, ?, ?)", row)


def events(database: sqlite3.Connection) -> list[Event]:
    """The log, from its beginning."""
    rows = database.execute("SELECT visits, known, kind, query, found FROM events ORDER BY number")
    return [Event(visits, known, kind, query, tuple(json.loads(found))) for visits, known, kind, query, found in rows]


def keep(
    database: sqlite3.Connection, visits: int, settings: Settings, strategy: Strategy, events: int | None = None
) -> None:
    """Replace what was kept before; the weights of evidence are added to those of earlier times."""
    note_weights(database, visits, settings.strategy, strategy.evidence_weights())
    database.execute("DELETE FROM knowledge")
    database.execute(
        "INSERT INTO knowledge VALUES (?, coalesce(?, (SELECT count(*) FROM events)), ?, ?, ?, ?, ?, ?, ?)",
        (
            visits,
            events,
            settings.strategy,
            strategy.name,
            strategy.version,
            settings.topic,
            learned.dump(strategy.save()),
            learned.dump(strategy.knowledge()),
            json.dumps(strategy.figures()),
        ),
    )


def is_noted(visits: int) -> bool:
    """Whether weights are noted after so many visits: every 20 up to 1,000, then ever more rarely.

    >>> [sum(map(is_noted, range(1, most))) for most in (1_001, 20_001, 1_000_001)]
    [50, 156, 298]
    """
    return visits % (20 << (visits // 1000).bit_length()) == 0


def note_weights(database: sqlite3.Connection, visits: int, asked: str, weights: Mapping[str, float]) -> None:
    """Keep what each kind of evidence counts by now."""
    finite = {name: round(float(value), 6) for name, value in weights.items() if math.isfinite(value)}
    if finite:
        database.execute("INSERT OR REPLACE INTO history VALUES (?, ?, ?)", (visits, asked, json.dumps(finite)))


def noted_weights(database: sqlite3.Connection, asked: str) -> list[tuple[int, dict[str, float]]]:
    """What each kind of evidence counted for a strategy after some visits; none where they were not kept yet."""
    if not database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'history'").fetchone()[0]:
        return []
    rows = database.execute("SELECT visits, weights FROM history WHERE strategy = ? ORDER BY visits", (asked,))
    return [(visits, {name: float(value) for name, value in json.loads(told).items()}) for visits, told in rows]


def kept_knowledge(database: sqlite3.Connection) -> Kept | None:
    """What was kept last."""
    row = database.execute(
        "SELECT visits, events, strategy, name, version, topic, state, portable, figures FROM knowledge"
    ).fetchone()
    if row is None:
        return None
    *plain, state, portable, figures = row
    return Kept._make((*plain, learned.load(state), learned.load(portable), json.loads(figures)))
