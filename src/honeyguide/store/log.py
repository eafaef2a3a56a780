"""What happened beside visits, and what was learned from it all: kept in the books, so that a crawl can go on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from honeyguide.store import state as learned

if TYPE_CHECKING:
    import sqlite3

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


def keep(database: sqlite3.Connection, visits: int, settings: Settings, strategy: Strategy) -> None:
    """Replace what was kept before."""
    database.execute("DELETE FROM knowledge")
    database.execute(
        "INSERT INTO knowledge VALUES (?, (SELECT count(*) FROM events), ?, ?, ?, ?, ?, ?, ?)",
        (
            visits,
            settings.strategy,
            strategy.name,
            strategy.version,
            settings.topic,
            learned.dump(strategy.save()),
            learned.dump(strategy.knowledge()),
            json.dumps(strategy.figures()),
        ),
    )


def kept_knowledge(database: sqlite3.Connection) -> Kept | None:
    """What was kept last."""
    row = database.execute(
        "SELECT visits, events, strategy, name, version, topic, state, portable, figures FROM knowledge"
    ).fetchone()
    if row is None:
        return None
    *plain, state, portable, figures = row
    return Kept._make((*plain, learned.load(state), learned.load(portable), json.loads(figures)))
