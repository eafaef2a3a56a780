"""The log of visits: written row by row, read back with URL and links."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import Page, Reply

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from honeyguide.base import Visit

RENDERED = "rendered"  # how the detail of a visit begins that a browser had a part in


@dataclass(frozen=True, slots=True)
class StoredVisit:
    """A row of the table of visits, with the URL and its links."""

    number: int
    id: int
    known: int
    score: float | None
    relevance: float
    relevant: bool
    error: str
    detail: str
    status: int
    size: int
    started: float
    seconds: float
    type: str
    language: str
    title: str
    flag: str
    copy_of: int | None
    given_up: float
    change: str
    bad_links: int
    cut_links: int
    robots: str
    opt_outs: str
    digest: bytes
    fingerprint: int
    etag: str
    modified: str
    date: str
    warc: int | None
    offset: int | None
    file: int | None
    file_end: int | None
    url: str
    depth: int  # links from a seed, when discovered
    targets: NDArray[np.intp]

    @property
    def rendered(self) -> bool:
        """Whether its text is what a browser made of the answer."""
        return self.detail.partition("; ")[0] == RENDERED


COLUMNS = tuple(f.name for f in dataclasses.fields(StoredVisit))[:-3]
_INSERT = f"INSERT INTO visits ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
_SELECT = (
    f"SELECT {', '.join(f'visits.{name}' for name in COLUMNS)}, url, depth, targets"
    " FROM visits JOIN urls ON urls.id = visits.id LEFT JOIN links ON source = visits.id"
    " WHERE number >= ? ORDER BY number"
)


def insert_visit(
    database: sqlite3.Connection,
    visit: Visit,
    reply: Reply | None,
    known: int,
    place: tuple[int, int] | None,
    end: tuple[int, int] | None,
) -> None:
    """Write down a visit. `known` URLs were discovered by then, and the archive ended at `end`."""
    page, reply = visit.page or Page(url=visit.url, type=""), reply or Reply()
    nowhere = (None, None)
    row = (
        visit.number,
        visit.id,
        known,
        visit.score if math.isfinite(visit.score) else None,
        visit.relevance,
        visit.relevant,
        visit.error,
        visit.detail,
        visit.status,
        visit.size,
        visit.started,
        visit.seconds,
        page.type,
        page.language,
        page.title,
        visit.flag,
        visit.copy_of if visit.copy_of >= 0 else None,
        visit.given_up,
        visit.change,
        visit.bad_links,
        visit.cut_links,
        " ".join(sorted(page.robots)),
        " ".join(sorted(page.opt_outs)),
        visit.digest,
        visit.fingerprint,
        reply.etag,
        reply.modified,
        reply.date,
        *(place or nowhere),
        *(end or nowhere),
    )
    database.execute(_INSERT, row)


def forget_visits(database: sqlite3.Connection, first: int) -> int:
    """Undo visits from a number on, as if they had never been made; how many there were."""
    lost = database.execute("SELECT count(*) FROM visits WHERE number >= ?", (first,)).fetchone()[0]
    known = database.execute("SELECT known FROM visits WHERE number = ?", (first - 1,)).fetchone() or (0,)
    ids = "(SELECT id FROM visits WHERE number >= ?)"
    database.execute(f"UPDATE urls SET state = 'queued', reason = '' WHERE id IN {ids}", (first,))
    database.execute(f"DELETE FROM links WHERE source IN {ids}", (first,))
    database.execute("DELETE FROM urls WHERE id >= ?", known)
    database.execute("DELETE FROM visits WHERE number >= ?", (first,))
    database.execute("DELETE FROM refreshes WHERE visit >= ?", (first,))
    database.execute("DELETE FROM events WHERE visits >= ?", (first,))
    database.execute("DELETE FROM knowledge WHERE visits > ? OR events > (SELECT count(*) FROM events)", (first,))
    database.execute("DELETE FROM history WHERE visits > ?", (first,))
    return int(lost)


def stored_visits(database: sqlite3.Connection, start: int = 0) -> Iterator[StoredVisit]:
    """Visits from a number on, in the order of the crawl."""
    for row in database.execute(_SELECT, (start,)):
        targets = np.array(json.loads(row[-1] or "[]"), np.intp)
        yield StoredVisit(*row[:-1], targets)  # type: ignore[call-arg]
