"""What a crawl has written down, read back: its URLs, visits, links, events, and what was learned."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import RESOURCES
from honeyguide.store.endings import Waits, last_ending, noted_refreshes, noted_rests, noted_troubles
from honeyguide.store.errors import damage_told, told_plainly
from honeyguide.store.log import Event, Kept, events, kept_knowledge, noted_weights
from honeyguide.store.visits import StoredVisit, stored_visits
from honeyguide.urls import origin

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.settings import Settings


class Books:
    """The database of a crawl directory, for those who only read."""

    def __init__(self, directory: Path, settings: Settings, database: sqlite3.Connection) -> None:
        self.directory = directory
        self.settings = settings
        self.database = database

    def runs(self) -> tuple[float, Counter[str]]:
        """Seconds and notes of all runs so far."""
        seconds, notes = 0.0, Counter[str]()
        for spent, told in self._rows("SELECT seconds, notes FROM runs"):
            seconds += spent
            notes.update(json.loads(told))
        return seconds, notes

    def stopped(self) -> str:
        """Why the last run ended; empty where nobody knows."""
        with told_plainly(self.directory), damage_told(self.directory):
            return last_ending(self.database)

    def troubles(self) -> dict[str, str]:
        """Origins that could not be asked when they were last tried, and why."""
        with told_plainly(self.directory), damage_told(self.directory):
            return noted_troubles(self.database)

    def refreshes(self) -> dict[int, int]:
        """Where pages with a meta refresh lead, by the number of the visit."""
        with told_plainly(self.directory), damage_told(self.directory):
            return noted_refreshes(self.database)

    def rests(self) -> dict[str, float]:
        """Hosts that asked to be left alone, and until when, in seconds since 1970."""
        with told_plainly(self.directory), damage_told(self.directory):
            return noted_rests(self.database)

    def resource_ids(self) -> list[int]:
        """The images, scripts and style sheets, queued and left out ones too."""
        kinds = ", ".join(f"'{kind}', 'known_{kind}'" for kind in RESOURCES)
        query = f"SELECT id FROM visits WHERE flag IN ({kinds}) UNION SELECT id FROM urls WHERE reason IN ({kinds})"
        return [id_ for (id_,) in self._rows(query)]

    def why_waiting(self, url: str) -> str:
        """Why a URL that is queued has to wait for its host; empty where it has not."""
        return self._waits().why(url)

    def waiting(self) -> dict[tuple[str, str], int]:
        """How many URLs wait for their hosts, by origin and why, most first."""
        if not (waits := self._waits()):
            return {}
        queued = (url for (url,) in self._rows("SELECT url FROM urls WHERE state = 'queued'"))
        return dict(Counter((origin(url), why) for url in queued if (why := waits.why(url))).most_common())

    def _waits(self) -> Waits:
        return Waits(self.troubles(), self.rests())

    def weights(self) -> list[tuple[int, dict[str, float]]]:
        """What each kind of evidence counted after some numbers of visits, in order."""
        with told_plainly(self.directory), damage_told(self.directory):
            return noted_weights(self.database, self.settings.strategy)

    def knowledge(self) -> Kept | None:
        """The last state kept."""
        with told_plainly(self.directory), damage_told(self.directory):
            return kept_knowledge(self.database)

    def learned(self) -> dict[str, str]:
        """What the strategy says of what it learned, by name."""
        row = next(self._rows("SELECT figures FROM knowledge"), None)
        return dict(json.loads(row[0])) if row else {}

    def events(self) -> list[Event]:
        """What happened beside visits, in order."""
        with told_plainly(self.directory), damage_told(self.directory):
            return events(self.database)

    def marks(self) -> dict[str, bool]:
        """What was said of pages, by URL."""
        if not self._one("SELECT count(*) FROM sqlite_master WHERE name = 'marks'"):
            return {}
        return {url: bool(relevant) for url, relevant in self._rows("SELECT url, relevant FROM marks ORDER BY date")}

    def urls(self) -> Iterator[tuple[int, str, int, str, str]]:
        """Every URL discovered: id, address, depth, state and reason."""
        return self._rows("SELECT id, url, depth, state, reason FROM urls ORDER BY id")

    def visits(self, start: int = 0) -> Iterator[StoredVisit]:
        """Visits in the order of the crawl, each with the ids it links to."""
        with told_plainly(self.directory), damage_told(self.directory):
            yield from stored_visits(self.database, start)

    def links(self) -> Iterator[tuple[int, list[int], list[str]]]:
        """The links of fetched pages: the id of each, the ids it links to, and the anchor texts."""
        for source, targets, anchors in self._rows("SELECT source, targets, anchors FROM links ORDER BY source"):
            yield source, json.loads(targets), json.loads(anchors)

    def title(self, id_: int) -> str:
        """Of a fetched page."""
        return str(next(self._rows("SELECT title FROM visits WHERE id = ?", (id_,)))[0])

    def url(self, id_: int) -> str:
        """The address of a URL by its id."""
        return str(next(self._rows("SELECT url FROM urls WHERE id = ?", (id_,)))[0])

    def targets(self, id_: int) -> NDArray[np.intp]:
        """The ids a fetched page links to, in the order on the page."""
        row = next(self._rows("SELECT targets FROM links WHERE source = ?", (id_,)), ("[]",))
        return np.array(json.loads(row[0]), np.intp)

    def anchors(self, id_: int) -> list[str]:
        """The anchor texts of a fetched page, in the order of its links."""
        row = next(self._rows("SELECT anchors FROM links WHERE source = ?", (id_,)), None)
        return list(json.loads(row[0])) if row else []

    def visit(self, number: int) -> StoredVisit | None:
        """One visit by its number."""
        return next(self.visits(number), None)

    def unjudged(self) -> list[StoredVisit]:
        """The visits whose pages nobody judged, for a budget was spent."""
        numbers = [row[0] for row in self._rows("SELECT number FROM visits WHERE error = 'unjudged' ORDER BY number")]
        return [visit for number in numbers if (visit := self.visit(number)) is not None]

    def marks_not_followed(self) -> int:
        """How many marked pages are judged otherwise than somebody says."""
        if not self.marks():
            return 0
        return self._one(
            "SELECT count(*) FROM marks JOIN urls USING (url) JOIN visits ON visits.id = urls.id"
            " WHERE visits.relevant != marks.relevant AND flag = '' AND error = ''"
        )

    def verdicts(self) -> NDArray[np.bool_]:
        """Whether each visit brought a relevant page, in the order of the crawl."""
        return np.array([row[0] for row in self._rows("SELECT relevant FROM visits ORDER BY number")], np.bool_)

    def reasons(self) -> list[tuple[str, str, int]]:
        """How many URLs are in each state, by reason, as committed; the most frequent first."""
        query = "SELECT state, reason, count(*) AS n FROM urls GROUP BY state, reason ORDER BY n DESC"
        return [(state, reason, count) for state, reason, count in self._rows(query)]

    def books_and_reasons(self) -> tuple[dict[str, int], dict[str, dict[str, int]]]:
        """How many URLs are in each state, and by state how many for each reason."""
        books, reasons = dict[str, int](), dict[str, dict[str, int]]()
        for state, reason, count in self.reasons():
            books[state] = books.get(state, 0) + count
            if reason:
                reasons.setdefault(state, {})[reason] = count
        return books, reasons

    def earlier_urls(self) -> list[tuple[str, int]]:
        """What the crawls before this one fetched, each with its latest depth."""
        rows = self._rows("SELECT url, depth, max(round) FROM earlier GROUP BY url ORDER BY depth, date, url")
        return [(url, depth) for url, depth, _ in rows]

    def earlier(self, url: str) -> tuple[Any, ...] | None:
        """The latest earlier visit of a URL: error, digest, etag, modified, warc, offset."""
        return next(
            self._rows(
                "SELECT error, digest, etag, modified, warc, offset FROM earlier WHERE url = ?"
                " ORDER BY round DESC LIMIT 1",
                (url,),
            ),
            None,
        )

    def hold_still(self) -> None:
        """Read, until it is closed, what is there now, whatever a crawl that goes on meanwhile adds."""
        with told_plainly(self.directory):
            self.database.execute("BEGIN")
            self._one("SELECT count(*) FROM runs")  # SQLite holds on to what there is at the first look

    @property
    def visits_made(self) -> int:
        """How many visits the present crawl has made."""
        return self._one("SELECT count(*) FROM visits")

    @property
    def runs_made(self) -> int:
        """How often the present crawl was started or gone on with."""
        return self._one("SELECT count(*) FROM runs")

    @property
    def rounds(self) -> int:
        """How many crawls there were before the present one."""
        return self._one("SELECT count(DISTINCT round) FROM earlier")

    def is_old_web(self) -> bool:
        """Whether it is no crawl but an imported web, of the time when those were kept in databases."""
        tables = "SELECT count(*) FROM sqlite_master WHERE name = 'pages'"
        return bool(self._one(tables)) and bool(self._one("SELECT count(*) FROM pages"))

    def books(self) -> dict[str, int]:
        """How many URLs are in each state, as committed."""
        return dict(self._rows("SELECT state, count(*) FROM urls GROUP BY state"))

    def _one(self, query: str) -> int:
        return int(next(self._rows(query))[0])

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        with told_plainly(self.directory), damage_told(self.directory):
            yield from self.database.execute(query, values)
