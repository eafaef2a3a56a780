"""The crawl directory itself: created, opened, locked and written in transactions; `books` reads it back."""

from __future__ import annotations

import contextlib
import itertools
import json
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any, Self

import msgspec

from honeyguide.base import BESIDE, BadInput
from honeyguide.graph import STATES
from honeyguide.store.archive_files import ArchiveFiles, now
from honeyguide.store.books import Books
from honeyguide.store.database import connected, is_begun
from honeyguide.store.endings import note_ending, note_rests, note_troubles
from honeyguide.store.errors import WAY_OUT, StoreError, damage_told, told_plainly
from honeyguide.store.files import STORED_WEB
from honeyguide.store.lock import taken_lock
from honeyguide.store.log import Event, insert_event, is_noted, keep, note_weights
from honeyguide.store.own_models import kept_topic, known_topic
from honeyguide.store.schema import ADDED, MARKS, TABLES, VERSION
from honeyguide.store.settings_file import save_settings, toml_settings
from honeyguide.store.visits import insert_visit
from honeyguide.strategy.own_files import COPIES

if TYPE_CHECKING:
    import sqlite3
    from collections import Counter
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from honeyguide.base import Reply, Visit
    from honeyguide.graph import Graph
    from honeyguide.settings import Settings
    from honeyguide.strategy import Strategy


# What a killed process may have left of a directory it was making.
_MADE_FIRST = {"crawl.toml", "crawl.toml.new", "crawl.lock", "crawl.db", "crawl.db-wal", "crawl.db-shm"}

# What `crawl --again` begins anew.
_OF_A_CRAWL = ("visits", "links", "refreshes", "urls", "knowledge", "history", "runs", "endings", "troubles")


def is_crawl_directory(path: Path) -> bool:
    """Whether a path holds a crawl."""
    return (path / "crawl.toml").is_file() and (is_begun(path / "crawl.db") or any(path.glob("crawl-*.warc.gz")))


def no_crawl(directory: Path) -> BadInput:
    """Why a directory cannot be opened as a crawl."""
    if (directory / STORED_WEB).is_file():
        return BadInput(f"{directory} is a stored web, not a crawl; try: honeyguide simulate {directory} --topic …")
    return BadInput(f"{directory} is not a crawl directory: it holds no crawl.toml and crawl.db")


class Store(Books):
    """One crawl directory, open for one process."""

    def __init__(self, directory: Path, settings: Settings, database: sqlite3.Connection, lock: Any) -> None:
        super().__init__(directory, settings, database)
        self.archive = ArchiveFiles(directory, database, settings.warc_size)
        self.closed = False
        self._lock = lock
        self._graph: Graph | None = None  # of the visits since URLs were last written down
        self._visited: list[int] = []  # their ids
        self._known = self._one("SELECT count(*) FROM urls")

    @classmethod
    def create(cls, directory: Path, settings: Settings) -> Self:
        """A new directory; an existing one must be empty."""
        with told_plainly(directory), contextlib.ExitStack() as undo:
            directory.mkdir(parents=True, exist_ok=True)
            foreign = {path.name for path in directory.iterdir() if not fnmatch(path.name, COPIES)} - _MADE_FIRST
            if foreign or is_begun(directory / "crawl.db"):
                raise BadInput(
                    f"{directory} is not empty and holds no crawl; choose another directory with -o, or empty it"
                )
            lock = undo.enter_context(taken_lock(directory))
            database = undo.enter_context(contextlib.closing(connected(directory / "crawl.db")))
            save_settings(directory, settings)
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
        if not (directory / "crawl.db").is_file():  # which SQLite would make, and leave there empty
            raise StoreError(f"{directory}/crawl.db is missing; {WAY_OUT}")
        with told_plainly(directory), damage_told(directory), contextlib.ExitStack() as undo:
            lock = undo.enter_context(taken_lock(directory)) if write else None
            database = undo.enter_context(contextlib.closing(connected(directory / "crawl.db", write)))
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if not version:
                raise StoreError(f"{directory}/crawl.db is damaged: it holds nothing; restore it from a copy")
            if version != VERSION:
                raise BadInput(f"{directory} was written in format {version}; this version reads format {VERSION}")
            store = cls(directory, toml_settings(directory), database, lock)
            # The database is the truth: a change of topic may have been cut off before it reached crawl.toml.
            topic = database.execute("SELECT topic FROM judged_by").fetchone()[0]
            store.settings.topic = known_topic(topic, directory)
            if write:
                for table in ADDED:
                    database.execute(table)
                store.archive.repair()
                database.commit()
                store._known = store._one("SELECT count(*) FROM urls")
            undo.pop_all()
        return store

    def save_settings(self) -> None:
        """Write crawl.toml: what was asked, in a form that can be read and run again."""
        with told_plainly(self.directory):
            save_settings(self.directory, self.settings)

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
            if visit.refreshes >= 0:
                self.database.execute("INSERT INTO refreshes VALUES (?, ?)", (visit.number, visit.refreshes))
        return place

    def _record_links(self, visit: Visit) -> None:
        links = visit.page.links if visit.page else ()
        anchors = [link.anchor for link in links] or [""] * len(visit.targets)
        row = (visit.id, _as_json(visit.targets.tolist()), _as_json(anchors))
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

    def end_run(self, seconds: float, notes: dict[str, int]) -> None:
        """Note how long the present run took so far, and what its web notes."""
        with told_plainly(self.directory):
            self.database.execute(
                "UPDATE runs SET seconds = ?, notes = ? WHERE number = (SELECT max(number) FROM runs)",
                (seconds, json.dumps(notes)),
            )

    def note_ending(self, stopped: str) -> None:
        """Note why the present run ended."""
        with told_plainly(self.directory):
            note_ending(self.database, stopped)

    def note_troubles(self, changes: Mapping[str, str | None]) -> None:
        """Note why hosts could not be asked; None for those that answer again."""
        with told_plainly(self.directory):
            note_troubles(self.database, changes)

    def note_rests(self, rests: Mapping[str, float]) -> None:
        """Note which hosts asked to be left alone, and until when, in seconds since 1970."""
        with told_plainly(self.directory):
            note_rests(self.database, rests)

    def save_knowledge(self, visits: int, settings: Settings, strategy: Strategy, events: int | None = None) -> None:
        """Keep what a strategy has learned after so many visits (and events, or all); older states are dropped."""
        with told_plainly(self.directory):
            keep(self.database, visits, settings, strategy, events)

    def note_weights(self, visits: int, strategy: Strategy) -> None:
        """Keep, now and then, what each kind of evidence counts by now."""
        if is_noted(visits):
            with told_plainly(self.directory):
                note_weights(self.database, visits, self.settings.strategy, strategy.evidence_weights())

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

    def mark_not_kept(self, ids: Iterable[int]) -> None:
        """Note that pages do not belong to the strategy's collection."""
        with told_plainly(self.directory):
            self.database.executemany("UPDATE visits SET kept = 0 WHERE id = ?", ((id_,) for id_ in ids))

    def mark(self, url: str, relevant: bool) -> None:
        """Keep what somebody says of a page: whether it belongs to the topic."""
        with told_plainly(self.directory):
            self.database.execute(MARKS)
            self.database.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (url, relevant, now()))

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
            for table in _OF_A_CRAWL:
                self.database.execute(f"DELETE FROM {table}")
            self.database.execute("DELETE FROM events WHERE kind NOT IN ('block', 'unblock', 'topic')")  # still hold
            self.database.execute("UPDATE events SET visits = 0, known = 0")
            self.database.commit()
        self._known = 0
        return round_

    @property
    def writable(self) -> bool:
        """Whether it was opened to go on with."""
        return self._lock is not None

    def close(self) -> None:
        """Let go of the directory; what was not committed is rolled back."""
        self.closed = True
        self.database.rollback()
        self.archive.close()
        self.database.close()
        if self._lock:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _as_json(values: list[int] | list[str]) -> str:
    return msgspec.json.encode(values).decode()


def read_settings(directory: Path) -> Settings:
    """What the crawl of a directory was asked for, or is to be when only its crawl.toml is there yet."""
    if (directory / "crawl.toml").is_file() and not is_begun(directory / "crawl.db"):
        return toml_settings(directory)
    with Store.open(directory, write=False) as store:
        return store.settings
