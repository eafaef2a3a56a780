"""The crawl directory itself: created, opened, locked, written in transactions and read back."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import sqlite3
import tomllib
from collections import Counter
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from honeyguide.base import BESIDE, BadInput
from honeyguide.graph import STATES
from honeyguide.settings import Settings
from honeyguide.store.archive_files import ArchiveFiles, now
from honeyguide.store.errors import StoreError, damage_told, told_plainly
from honeyguide.store.files import STORED_WEB
from honeyguide.store.log import (
    Event,
    Kept,
    events,
    insert_event,
    is_noted,
    keep,
    kept_knowledge,
    note_weights,
    noted_weights,
)
from honeyguide.store.own_models import kept_topic, known_topic
from honeyguide.store.schema import HISTORY, MARKS, TABLES, VERSION
from honeyguide.store.visits import StoredVisit, insert_visit, stored_visits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.base import Reply, Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy import Strategy


# What a killed process may have left of a directory it was making.
_MADE_FIRST = {"crawl.toml", "crawl.toml.new", "crawl.lock", "crawl.db", "crawl.db-wal", "crawl.db-shm"}


def is_crawl_directory(path: Path) -> bool:
    """Whether a path holds a crawl."""
    return (path / "crawl.toml").is_file() and (_is_begun(path / "crawl.db") or any(path.glob("crawl-*.warc.gz")))


def being_crawled(path: Path) -> bool:
    """Whether a process holds a directory to write in it."""
    try:
        with _locked(path):
            return False
    except StoreError:
        return True


def no_crawl(directory: Path) -> BadInput:
    """Why a directory cannot be opened as a crawl."""
    if (directory / STORED_WEB).is_file():
        return BadInput(f"{directory} is a stored web, not a crawl; try: honeyguide simulate {directory} --topic …")
    return BadInput(f"{directory} is not a crawl directory: it holds no crawl.toml and crawl.db")


def _is_begun(path: Path) -> bool:
    """Whether a database was made to its end: a process may have been killed while making it."""
    if not path.is_file():
        return False
    try:
        with contextlib.closing(sqlite3.connect(path)) as database:
            return bool(database.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.Error:
        return True  # opening it will say what is wrong


class Store:
    """One crawl directory, open for one process."""

    def __init__(self, directory: Path, settings: Settings, database: sqlite3.Connection, lock: Any) -> None:
        self.directory = directory
        self.settings = settings
        self.database = database
        self.archive = ArchiveFiles(directory, database, settings.warc_size)
        self._lock = lock
        self._graph: Graph | None = None  # of the visits since URLs were last written down
        self._visited: list[int] = []  # their ids
        self._known = self._one("SELECT count(*) FROM urls")

    @classmethod
    def create(cls, directory: Path, settings: Settings) -> Self:
        """A new directory; an existing one must be empty."""
        with told_plainly(directory), contextlib.ExitStack() as undo:
            directory.mkdir(parents=True, exist_ok=True)
            foreign = {path.name for path in directory.iterdir()} - _MADE_FIRST
            if foreign or _is_begun(directory / "crawl.db"):
                raise BadInput(
                    f"{directory} is not empty and holds no crawl; choose another directory with -o, or empty it"
                )
            lock = undo.enter_context(_locked(directory))
            database = undo.enter_context(contextlib.closing(_connected(directory / "crawl.db")))
            _save_settings(directory, settings)
            database.executescript(f"BEGIN; PRAGMA user_version = {VERSION}; {TABLES}")
            database.execute("INSERT INTO judged_by VALUES (?)", (kept_topic(settings.topic, directory),))
            database.commit()
            store = cls(directory, settings, database, lock)
            undo.pop_all()
        return store

    @classmethod
    def open(cls, directory: Path, write: bool = True) -> Self:
        """An existing directory; a torn end of its last WARC file is cut off when it is opened to write."""
        if not is_crawl_directory(directory):
            raise no_crawl(directory)
        with told_plainly(directory), damage_told(directory), contextlib.ExitStack() as undo:
            lock = undo.enter_context(_locked(directory)) if write else None
            database = undo.enter_context(contextlib.closing(_connected(directory / "crawl.db")))
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if not version:
                raise StoreError(f"{directory}/crawl.db is damaged: it holds nothing; restore it from a copy")
            if version != VERSION:
                raise BadInput(f"{directory} was written in format {version}; this version reads format {VERSION}")
            store = cls(directory, _toml_settings(directory), database, lock)
            # The database is the truth: a change of topic may have been cut off before it reached crawl.toml.
            topic = database.execute("SELECT topic FROM judged_by").fetchone()[0]
            store.settings.topic = known_topic(topic, directory)
            if write:
                database.execute(HISTORY)
                store.archive.repair()
                database.commit()
                store._known = store._one("SELECT count(*) FROM urls")
            undo.pop_all()
        return store

    def save_settings(self) -> None:
        """Write crawl.toml: what was asked, in a form that can be read and run again."""
        with told_plainly(self.directory):
            _save_settings(self.directory, self.settings)

    def record(self, graph: Graph, visit: Visit, reply: Reply | None) -> tuple[int, int] | None:
        """Write down one visit and its links; `commit` adds the URLs it discovered and makes it last.

        Returns where the bytes of the page are archived.
        """
        with told_plainly(self.directory):
            place = self.archive.append(reply.record) if reply and reply.record else None
            if reply and reply.original:
                place = reply.original.warc, reply.original.offset
            self._graph = graph
            self._visited.append(visit.id)
            insert_visit(self.database, visit, reply, len(graph), place, self.archive.end)
            if len(visit.targets):
                self._record_links(visit)
        return place

    def _record_links(self, visit: Visit) -> None:
        links = visit.page.links if visit.page else ()
        anchors = [link.anchor for link in links] or [""] * len(visit.targets)
        row = (visit.id, json.dumps(visit.targets.tolist()), json.dumps(anchors, ensure_ascii=False))
        self.database.execute("INSERT OR REPLACE INTO links VALUES (?, ?, ?)", row)

    def update_urls(self, graph: Graph, changed: Iterable[int]) -> None:
        """Write down newly discovered URLs and the new states of known ones."""
        with told_plainly(self.directory):
            new = range(self._known, len(graph))
            self.database.executemany(
                "INSERT INTO urls VALUES (?, ?, ?, ?, ?)",
                ((i, graph.url(i), int(graph.depth[i]), STATES[graph.state[i]], graph.why(i)) for i in new),
            )
            self.database.executemany(
                "UPDATE urls SET state = ?, reason = ? WHERE id = ?",
                (
                    (STATES[graph.state[i]], graph.why(i), int(i))
                    for i in itertools.chain(self._visited, changed)
                    if i < new.start
                ),
            )
            self._known = len(graph)
            self._visited.clear()

    def commit(self) -> None:
        """Make everything recorded so far last: first the archive, then the books."""
        if self._graph and self._visited:
            self.update_urls(self._graph, ())
        with told_plainly(self.directory):
            self.archive.flush()
            self.database.commit()

    def begin_run(self) -> tuple[float, Counter[str]]:
        """Note that the crawl was started or gone on with; seconds and notes of all runs before."""
        seconds, notes = self.runs()
        with told_plainly(self.directory):
            self.database.execute("INSERT INTO runs (seconds, notes) VALUES (0, '{}')")
        return seconds, notes

    def runs(self) -> tuple[float, Counter[str]]:
        """Seconds and notes of all runs so far."""
        seconds, notes = 0.0, Counter[str]()
        for spent, told in self._rows("SELECT seconds, notes FROM runs"):
            seconds += spent
            notes.update(json.loads(told))
        return seconds, notes

    def end_run(self, seconds: float, notes: dict[str, int]) -> None:
        """Note how long the present run took so far, and what its web notes."""
        with told_plainly(self.directory):
            self.database.execute(
                "UPDATE runs SET seconds = ?, notes = ? WHERE number = (SELECT max(number) FROM runs)",
                (seconds, json.dumps(notes)),
            )

    def save_knowledge(self, visits: int, settings: Settings, strategy: Strategy, events: int | None = None) -> None:
        """Keep what a strategy has learned after so many visits (and events, or all); older states are dropped."""
        with told_plainly(self.directory):
            keep(self.database, visits, settings, strategy, events)

    def note_weights(self, visits: int, strategy: Strategy) -> None:
        """Keep, now and then, what each kind of evidence counts by now."""
        if is_noted(visits):
            with told_plainly(self.directory):
                note_weights(self.database, visits, self.settings.strategy, strategy.evidence_weights())

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

    def record_event(self, event: Event) -> None:
        """Write down what happened beside visits."""
        with told_plainly(self.directory):
            insert_event(self.database, event)

    def record_at_rest(self, kind: str, query: str) -> None:
        """Write down what happened while nobody crawls."""
        known = self._one("SELECT count(*) FROM urls")
        self.record_event(Event(self.visits_made, known, kind, query, ()))

    def change_topic(self, topic: str) -> None:
        """Be known by another topic; the one until now is written down."""
        if topic != self.settings.topic:
            self.record_at_rest("topic", kept_topic(self.settings.topic, self.directory))
        self.settings.topic = topic

    def events(self) -> list[Event]:
        """What happened beside visits, in order."""
        with told_plainly(self.directory), damage_told(self.directory):
            return events(self.database)

    def mark_not_kept(self, ids: Iterable[int]) -> None:
        """Note that pages do not belong to the strategy's collection."""
        with told_plainly(self.directory):
            self.database.executemany("UPDATE visits SET kept = 0 WHERE id = ?", ((id_,) for id_ in ids))

    def mark(self, url: str, relevant: bool) -> None:
        """Keep what somebody says of a page: whether it belongs to the topic."""
        with told_plainly(self.directory):
            self.database.execute(MARKS)
            self.database.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (url, relevant, now()))

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

    def targets(self, id_: int) -> NDArray[np.int32]:
        """The ids a fetched page links to, in the order on the page."""
        row = next(self._rows("SELECT targets FROM links WHERE source = ?", (id_,)), ("[]",))
        return np.array(json.loads(row[0]), np.int32)

    def anchors(self, id_: int) -> list[str]:
        """The anchor texts of a fetched page, in the order of its links."""
        row = next(self._rows("SELECT anchors FROM links WHERE source = ?", (id_,)), None)
        return list(json.loads(row[0])) if row else []

    def visit(self, number: int) -> StoredVisit | None:
        """One visit by its number."""
        return next(self.visits(number), None)

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

    def rejudge(self, verdicts: Iterable[tuple[float, bool, int]]) -> None:
        """Replace the verdicts of visits, given as relevance, relevant, number; old knowledge goes with them."""
        with told_plainly(self.directory):
            self.database.executemany(
                "UPDATE visits SET relevance = ?, relevant = ?, error = replace(error, 'unjudged', '')"
                " WHERE number = ?",
                verdicts,
            )
            self.database.execute(
                "UPDATE judged_by SET topic = ?", (kept_topic(self.settings.topic, self.directory),)
            )
            self.database.execute("DELETE FROM knowledge")
            self.database.execute("DELETE FROM history")

    def begin_again(self) -> int:
        """Start the crawl anew; what it fetched so far becomes what later pages are compared with."""
        with told_plainly(self.directory):
            round_ = self._one("SELECT coalesce(max(round), 0) + 1 FROM earlier")
            self.database.execute(
                "INSERT INTO earlier"
                " SELECT ?, url, depth, relevant, error, status, digest, etag, modified, date, warc, offset,"
                " file, file_end"
                " FROM visits JOIN urls ON urls.id = visits.id"
                f" WHERE flag NOT IN ({', '.join(repr(flag) for flag in sorted(BESIDE))})",
                (round_,),
            )
            for table in ("visits", "links", "urls", "knowledge", "history", "runs"):
                self.database.execute(f"DELETE FROM {table}")
            self.database.execute("DELETE FROM events WHERE kind NOT IN ('block', 'unblock', 'topic')")  # still hold
            self.database.execute("UPDATE events SET visits = 0, known = 0")
            self.database.commit()
        self._known = 0
        return round_

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
    def writable(self) -> bool:
        """Whether it was opened to go on with."""
        return self._lock is not None

    @property
    def visits_made(self) -> int:
        """How many visits the present crawl has made."""
        return self._one("SELECT count(*) FROM visits")

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

    def close(self) -> None:
        """Let go of the directory; what was not committed is rolled back."""
        self.database.rollback()
        self.archive.close()
        self.database.close()
        if self._lock:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level="DEFERRED")
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _locked(directory: Path) -> Any:
    lock = (directory / "crawl.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise StoreError(f"another process is crawling into {directory}; wait for it or stop it first") from None
    return lock


def _save_settings(directory: Path, settings: Settings) -> None:
    import tomli_w

    fresh = directory / "crawl.toml.new"  # one of _MADE_FIRST: what a killed process leaves of it is known
    kept = {**settings.to_dict(), "topic": kept_topic(settings.topic, directory)}
    fresh.write_text(tomli_w.dumps({"crawl": kept}, multiline_strings=False), encoding="utf-8")
    fresh.replace(directory / "crawl.toml")


def _toml_settings(directory: Path) -> Settings:
    try:
        with (directory / "crawl.toml").open("rb") as file:
            settings = Settings.from_dict(tomllib.load(file).get("crawl", {}))
            settings.topic = known_topic(settings.topic, directory)
            return settings
    except (ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{directory}/crawl.toml cannot be read: {error}") from None


def read_settings(directory: Path) -> Settings:
    """What the crawl of a directory was asked for, or is to be when only its crawl.toml is there yet."""
    if (directory / "crawl.toml").is_file() and not _is_begun(directory / "crawl.db"):
        return _toml_settings(directory)
    with Store.open(directory, write=False) as store:
        return store.settings
