"""The kill test: a live crawl is killed again and again and goes on each time: python -m benchmarks.kill [--pages N].

A finite web is served by a process that logs every request. Afterwards everything must be there exactly once, and the
server's log must show that nothing was asked for again that had been committed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import http.client
import itertools
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TESTS = Path(__file__).parent.parent / "tests"
sys.path.append(str(TESTS))

from dying import CRAWLING, MAKING, REPAIRING  # noqa: E402
from honeyguide.base import HoneyguideError  # noqa: E402
from honeyguide.store import Store  # noqa: E402
from killing import committed  # noqa: E402
from strict_warc import Record, strict_records  # noqa: E402

HOSTS, LINKS, WORDS = 7, 10, 90  # of the web; of a page
CONCURRENCY = 16
WARC_SIZE = 30_000  # bytes: files of some twenty visits
SLOWEST = 0.02  # seconds the server thinks, at most: so that requests are under way when the crawl is killed
LONGEST_LIFE = 120.0  # seconds until a crawl counts as stuck
LOOK_EVERY = 0.005  # seconds
NOT_STRICT = (AssertionError, ValueError, KeyError, zlib.error)
TORN = "half-way through a WARC write"
REPLAYING = "while replaying"
QUIET = "quiet.test"  # the host that answers once everybody else has hung up


# -- the web --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FiniteWeb:
    """Every URL and what it answers; each can be reached from the seed."""

    seed: str
    pages: dict[str, bytes]
    moved: dict[str, str]
    gone: frozenset[str]
    forbidden: frozenset[str]  # by robots.txt

    @cached_property
    def urls(self) -> frozenset[str]:
        """All that is to be asked for."""
        return frozenset((*self.pages, *self.moved, *self.gone))

    def body(self, url: str) -> bytes:
        """What a URL answers with."""
        return self.pages.get(url) or f"<p>Nothing is at {url} {'any more' * (url in self.moved)}</p>".encode()


def finite_web(size: int, seed: int, port: int) -> FiniteWeb:
    """A web of so many pages; some are copies, and now and then the only way to one is a redirect."""
    draw = random.Random(seed)
    names = vocabulary(draw)

    def new(directory: str = "") -> str:
        a, b, c = draw.choices(names, k=3)
        return f"http://h{draw.randrange(HOSTS)}.test:{port}{directory}/{a}/{b}-{c}"

    pages = list({new(): None for _ in range(2 * size)})[:size]
    originals = pages[: size - size // 50]
    moved: dict[str, str] = {}
    links: dict[str, list[str]] = {url: [] for url in originals}
    for number, url in enumerate(pages[1:], 1):
        way = url
        for _ in range(draw.choices((0, 1, 2), (18, 1, 1))[0]):
            way, moved[way] = new("/moved"), way
        links[originals[draw.randrange(min(number, len(originals)))]].append(way)
    gone = frozenset(new("/gone") for _ in range(size // 25))
    forbidden = frozenset(new("/private") for _ in range(size // 100))
    for url in sorted(gone | forbidden):
        links[draw.choice(originals)].append(url)
    bodies = {}
    for url, found in links.items():
        bodies[url] = html(url, found + draw.choices(pages, k=max(0, LINKS - len(found))), names, draw)
    bodies.update((url, bodies[draw.choice(originals)]) for url in pages[len(originals) :])
    return FiniteWeb(pages[0], bodies, moved, gone, forbidden)


def vocabulary(draw: random.Random) -> list[str]:
    """Made-up words, so that no two pages look alike."""
    syllables = [a + b for a, b in itertools.product("bdfgklmnprstvz", "aeiou")]
    return sorted({"".join(draw.choices(syllables, k=3)) for _ in range(1500)})


def html(url: str, links: list[str], names: list[str], draw: random.Random) -> bytes:
    """A page of its own words; one in three is about honey."""
    words = draw.choices(names, k=WORDS)
    if hashlib.sha256(url.encode()).digest()[0] % 3 == 0:
        words[5] = words[40] = "honey"
    step = WORDS // len(links)
    text = [
        f'{" ".join(words[n * step : (n + 1) * step])} <a href="{link}">{" ".join(draw.choices(names, k=2))}</a>.'
        for n, link in enumerate(links)
    ]
    return f"<!DOCTYPE html><html><title>{words[0]} {words[1]}</title><p>{' '.join(text)}</html>\n".encode()


# -- its server, in a process of its own ----------------------------------------------------------------------------


class LoggingServer:
    """Answers for all hosts of a web; every request is in the log before it is answered."""

    def __init__(self, size: int, seed: int, log: Path) -> None:
        self._size, self._seed = size, seed
        self._draw = random.Random(seed)
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._guests = 0
        self._left = asyncio.Event()

    async def run(self) -> None:
        """Say the port, then serve for ever."""
        server = await asyncio.start_server(self._welcome, "127.0.0.1", 0, backlog=1000)
        self._port = server.sockets[0].getsockname()[1]
        self._web = finite_web(self._size, self._seed, self._port)
        print(self._port, flush=True)
        await server.serve_forever()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._guests += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                await self._converse(reader, writer)
        self._guests -= 1
        self._left.set()
        writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        path = head.split(" ", 2)[1]
        host = next(line[5:].strip() for line in head.splitlines() if line.lower().startswith("host:"))
        if host == QUIET:
            await self._all_left()
        else:
            os.write(self._log, f"{time.time():.6f} {host} {path}\n".encode())
            await asyncio.sleep(self._draw.random() * SLOWEST)
        writer.write(self._answer(host, path))
        await writer.drain()

    async def _all_left(self) -> None:
        while self._guests > 1:
            self._left.clear()
            await self._left.wait()

    def _answer(self, host: str, path: str) -> bytes:
        url = f"http://{host}{path}"
        if path == "/robots.txt":
            return response("200 OK", b"User-agent: *\nDisallow: /private/\n", "Content-Type: text/plain")
        body = self._web.body(url)
        if url in self._web.moved:
            return response("301 Moved Permanently", body, f"Location: {self._web.moved[url]}")
        return response("200 OK" if url in self._web.pages else "404 Not Found", body)


def response(status: str, body: bytes, header: str = "Content-Type: text/html; charset=utf-8") -> bytes:
    """An HTTP answer."""
    return f"HTTP/1.1 {status}\r\n{header}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


@dataclass
class Served:
    """A web that is being served, and the log of its requests."""

    web: FiniteWeb
    port: int
    log: Path
    _read: int = 0

    def requests(self) -> list[str]:
        """The URLs asked for since this was last called; whoever was killed meanwhile has hung up by then."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", "/", headers={"Host": QUIET})
        connection.getresponse().read()
        connection.close()
        with self.log.open("rb") as file:
            file.seek(self._read)
            lines = file.read()
        self._read += len(lines)
        return ["http://{1}{2}".format(*line.split(" ", 2)) for line in lines.decode().splitlines()]


def about_a_host(url: str) -> bool:
    """Whether a URL is asked for once in every life, before the pages of its host."""
    return "/" + url.split("/", 3)[3] in ("/robots.txt", "/.well-known/tdmrep.json", "/sitemap.xml")


@contextlib.contextmanager
def served(size: int, seed: int, directory: Path) -> Iterator[Served]:
    """A web of so many pages, served until the block ends."""
    log = directory / "requests.log"
    command = [sys.executable, __file__, "--serve", str(log), "--pages", str(size), "--seed", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            yield Served(finite_web(size, seed, port), port, log)
        finally:
            process.kill()


# -- what a crawl directory says ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Books:
    """What crawl.db holds, read without opening it to write."""

    states: dict[str, str] = field(default_factory=dict)  # by URL
    visits: dict[str, tuple[str, int]] = field(default_factory=dict)  # by URL: WARC file and offset
    warcs: dict[str, int] = field(default_factory=dict)  # by name: bytes that are valid
    numbers: int = 0  # of visits

    def count(self, state: str) -> int:
        """URLs in a state."""
        return sum(found == state for found in self.states.values())


def read_books(directory: Path) -> Books:
    """The books as committed; empty where there are none yet."""
    path = directory / "crawl.db"
    if not path.exists():
        return Books()
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'warcs'").fetchone():
            return Books()
        visits = database.execute(
            "SELECT url, name, offset FROM visits JOIN urls USING (id) LEFT JOIN warcs ON warcs.id = warc"
        ).fetchall()
        return Books(
            dict(database.execute("SELECT url, state FROM urls")),
            {url: (name, offset) for url, name, offset in visits},
            dict(database.execute("SELECT name, size FROM warcs")),
            len(visits),
        )


# -- lives of a crawl -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fate:
    """How a life is to end: after so many further visits or seconds, or at a point it comes to so many times."""

    visits: int | None = None
    pause: float = 0.0  # seconds after the last of these visits
    seconds: float | None = None
    point: str = ""
    times: int = 1

    @property
    def kind(self) -> str:
        """In words."""
        if self.point:
            return self.point
        if self.seconds is not None:
            return "after some time"
        return "after some visits" if self.visits is not None else "at its end"


@dataclass
class Life:
    """One process of a crawl, and what its end left behind."""

    fate: Fate
    killed: bool = False
    visits: int = 0  # committed in it
    asked: int = 0
    lost: int = 0  # asked for, not committed
    torn: int = 0  # bytes in WARC files that the books know nothing of


@dataclass
class Trial:
    """One crawl through all its lives."""

    served: Served
    directory: Path
    pages: int
    lives: list[Life] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    books: Books = field(default_factory=Books)
    asked: Counter[str] = field(default_factory=Counter)
    again: int = 0  # requests for URLs that had been committed
    checks: int = 0  # of WARC files
    _valid: dict[str, bytes] = field(default_factory=dict)  # by WARC file: what is in order
    _infos: dict[str, int] = field(default_factory=dict)  # by WARC file: where its first record ends
    _groups: list[int] = field(default_factory=list)  # of processes

    @property
    def kills(self) -> int:
        """How often it was killed so far."""
        return sum(life.killed for life in self.lives)

    def command(self) -> list[str]:
        """To start the crawl, or to go on with it once there is something to go on with."""
        if (self.directory / "crawl.toml").exists():
            return ["crawl", str(self.directory), "--json"]
        pinned = [f"--resolve=h{n}.test=127.0.0.1" for n in range(HOSTS)]
        return [
            "crawl", "--topic", "keyword:honey", "--seed", self.served.web.seed, "-o", str(self.directory), "--json",
            "--strategy", "shark-search", "--pages", str(self.pages), "--delay", "0", "--allow-private", *pinned,
            "--concurrency", str(CONCURRENCY), "--warc-size", str(WARC_SIZE),
        ]  # fmt: skip

    def live(self, fate: Fate, repair: bool = False) -> Life:
        """Let the crawl live until its fate or its end, and look at what is there then."""
        life = Life(fate)
        self.lives.append(life)
        code, said = self._run(fate)
        life.killed = code == -signal.SIGKILL
        if code and not life.killed:
            self.complain(f"it could not go on, code {code}: {said}")
        elif fate.point and not life.killed:
            self.complain(f"it did not come to this point, passed {fate.times} times, but ended: {said}")
        before, self.books = self.books, read_books(self.directory)
        self._check_requests(life, before)
        self._check_books(before)
        life.torn = self._check_archive()
        if repair and (self.directory / "crawl.toml").exists():
            self._check_repair()
        return life

    def _run(self, fate: Fate) -> tuple[int, str]:
        """Run a process to its fate; the code it ended with, and the last thing it said."""
        program = [str(TESTS / "dying.py"), fate.point, str(fate.times)] if fate.point else ["-m", "honeyguide"]
        with self._said(len(self.lives)).open("w+") as said:
            process = subprocess.Popen(
                [sys.executable, *program, *self.command()], stdout=said, stderr=said, start_new_session=True
            )
            if not fate_came(process, fate, self.directory, len(self.books.visits)):
                self.complain(f"it was stuck for {LONGEST_LIFE:.0f} s")
            process.kill()
            self._groups.append(process.pid)
            code = process.wait()
            said.seek(0)
            return code, (said.read().strip().splitlines() or ["nothing"])[-1]

    def complain(self, problem: str) -> None:
        """Note what should not be, with the life it was found after."""
        self.problems.append(f"life {len(self.lives)} ({self.lives[-1].fate.kind}): {problem}")

    def _said(self, life: int) -> Path:
        """Where everything goes that a life says."""
        return self.directory.with_name(f"{self.directory.name}-said-{life}.txt")

    def check_orphans(self) -> None:
        """Whatever a crawl started ends by itself when it is killed, quietly; the next life has not waited for it."""
        patience = time.monotonic() + 10
        while (left := processes(self._groups)) and time.monotonic() < patience:
            time.sleep(0.05)
        if left:
            self.complain(f"{len(left)} processes were left behind")
            for process in left:
                os.kill(process, signal.SIGKILL)
        for life in range(1, len(self.lives) + 1):
            if "Traceback" in (text := self._said(life).read_text()):
                self.complain(f"life {life} left a traceback: {text.strip().splitlines()[-1]}")

    def _check_requests(self, life: Life, before: Books) -> None:
        """Nothing committed is asked for again, nothing twice in a life, and only what was under way is lost."""
        asked = Counter(url for url in self.served.requests() if not about_a_host(url))
        self.asked += asked
        self.again += sum(count for url, count in asked.items() if url in before.visits)
        life.asked, life.visits = sum(asked.values()), len(self.books.visits) - len(before.visits)
        life.lost = len(asked.keys() - self.books.visits.keys())
        if twice := [url for url, count in asked.items() if count > 1]:
            self.complain(f"{len(twice)} URLs were asked for twice in one life, such as {twice[0]}")
        if committed := [url for url in asked if url in before.visits]:
            self.complain(f"{len(committed)} URLs were asked for again once committed, such as {committed[0]}")
        if foreign := asked.keys() - self.served.web.urls:
            self.complain(f"{len(foreign)} URLs were asked for that nobody should, such as {min(foreign)}")
        if life.lost > CONCURRENCY:
            self.complain(f"{life.lost} requests were lost, of {CONCURRENCY} that may be under way")

    def _check_books(self, before: Books) -> None:
        """What was committed stays, every visit is that of another URL, and the books balance."""
        books = self.books
        if lost := before.visits.keys() - books.visits.keys():
            self.complain(f"{len(lost)} visits that were committed are gone, such as {min(lost)}")
        if books.numbers != len(books.visits):
            self.complain(f"{books.numbers - len(books.visits)} URLs were visited more than once")
        states = Counter(books.states.values())
        finished = states["done"] + states["failed"]
        if len(books.visits) != finished or len(books.states) != finished + states["excluded"] + states["queued"]:
            self.complain(f"{len(books.visits)} visits, but the books say {dict(states)}")

    def _check_archive(self) -> int:
        """Every WARC file is valid as far as the books know it; how many bytes they do not know."""
        for name, size in self.books.warcs.items():
            known = (self.directory / name).read_bytes()[:size]
            if len(known) < size:
                self.complain(f"{name} has {len(known)} bytes, and {size} in the books")
            elif not known.startswith(self._valid.get(name, b"")):
                self.complain(f"{name} has changed where it was committed")
            else:
                self._check_new_part(name, known)
        found = sum(path.stat().st_size for path in self.directory.glob("*.warc.gz"))
        return found - sum(self.books.warcs.values())

    def _check_new_part(self, name: str, known: bytes) -> None:
        """Read strictly what was added to a file, as a file of its own that begins like it."""
        before, info = self._valid.get(name, b""), self._infos.get(name, 0)
        if len(known) == len(before):
            return
        part = self.directory.parent / "part.warc.gz"
        part.write_bytes(before[:info] + known[len(before) :])
        self.checks += 1
        try:
            records = strict_records(part)
        except NOT_STRICT as error:
            self.complain(f"{name} is not valid after {len(before)} bytes: {error}")
            return
        shift = len(before) - info
        self.check_places(name, {record.offset + shift: record for record in records}, len(before))
        self._valid[name] = known
        self._infos[name] = info or (records[1].offset if len(records) > 1 else len(known))

    def check_places(self, name: str, records: dict[int, Record], start: int) -> None:
        """Where the books say that the bytes of a visit are archived, they are."""
        for url, (file, offset) in self.books.visits.items():
            if file == name and offset >= start:
                record = records.get(offset)
                if record is None or record.type != "response" or record.body != self.served.web.body(url):
                    found = f"{record.type} of {record.url}" if record else "no record"
                    self.complain(f"{url} is not at {offset} of {name}: {found} is")

    def _check_repair(self) -> None:
        """Opened to write, a directory has no torn end any more, and no file the books do not know."""
        try:
            Store.open(self.directory).close()
        except HoneyguideError as error:
            self.complain(f"it cannot be opened: {error}")
        found = {path.name: path.stat().st_size for path in self.directory.glob("*.warc.gz")}
        if found != self.books.warcs:
            self.complain(f"files {found}, and {self.books.warcs} in the books")


def fate_came(process: subprocess.Popen[bytes], fate: Fate, directory: Path, already: int) -> bool:
    """Wait for the moment to kill a process, or for its end; False when neither comes."""
    began = time.monotonic()
    while process.poll() is None:
        now = time.monotonic() - began
        if now >= LONGEST_LIFE:
            return False
        if fate.seconds is not None and now >= fate.seconds:
            return True
        if fate.visits is not None and committed(directory) >= already + fate.visits:
            time.sleep(fate.pause)
            return True
        time.sleep(LOOK_EVERY)
    return True


def processes(groups: list[int]) -> list[int]:
    """The processes of some groups that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
            if int(pgrp) in groups and state != "Z":
                found.append(int(stat.parent.name))
    return found


# -- what happens to a crawl ----------------------------------------------------------------------------------------


def kill_again_and_again(trial: Trial, kills: int, draw: random.Random) -> None:
    """Lives that end at random and lives that end at every point, in any order; then one to the end.

    One that ends otherwise is the last.
    """
    groups: list[list[str]] = [[""] for _ in range(kills)] + [[point] for point in CRAWLING if point != TORN]
    groups += [[TORN, point] for point in REPAIRING]
    draw.shuffle(groups)
    trial.live(Fate(visits=1))
    left = sum(map(len, groups))
    for group in groups:
        for point in group:
            fate = at_point(trial, point, draw) if point else at_random(trial, left, draw)
            life = trial.live(fate, repair=point == group[-1] and draw.random() < 0.5)
            if not life.killed:
                return
            left -= 1
    trial.live(Fate())
    trial.check_orphans()


def at_point(trial: Trial, point: str, draw: random.Random) -> Fate:
    """A life that ends at a point."""
    most = len(trial.books.visits) if point == REPLAYING else {**CRAWLING, **REPAIRING}[point]
    return Fate(point=point, times=draw.randint(1, most))


def at_random(trial: Trial, left: int, draw: random.Random) -> Fate:
    """A life that ends after two seconds at most, or after so many visits that all lives together take nearly all."""
    rest = len(trial.served.web.urls) - len(trial.books.visits)
    visits = draw.randint(1, max(1, round(1.8 * rest / (left + 3))))
    seconds = draw.uniform(0.02, 2.0) if draw.random() < 0.4 else None
    return Fate(visits=visits, seconds=seconds, pause=draw.uniform(0, 0.02))


def kill_while_made(web: Served, directory: Path, points: Iterable[str], by_hand: bool) -> Trial:
    """A crawl that is killed at points while its directory is made, by a command or a crawl.toml; then it goes on."""
    trial = Trial(web, directory, pages=3)
    if by_hand:
        directory.mkdir()
        (directory / "crawl.toml").write_text(settings(trial))
    for point in points:
        trial.live(Fate(point=point, times=MAKING[point]))
    trial.live(Fate())
    trial.check_orphans()
    if not trial.problems and len(trial.books.visits) != 3:
        trial.problems.append(f"{len(trial.books.visits)} visits instead of 3")
    return trial


def settings(trial: Trial) -> str:
    """The command that starts a crawl as a crawl.toml."""
    web = trial.served.web
    pinned = [f"h{n}.test=127.0.0.1" for n in range(HOSTS)]
    return (
        f"[crawl]\ntopic = 'keyword:honey'\nseed = ['{web.seed}']\npages = {trial.pages}\ndelay = 0\n"
        f"allow_private = true\nresolve = {pinned}\n"
    )


# -- the verdict ----------------------------------------------------------------------------------------------------


def archived(trial: Trial) -> Counter[str]:
    """How often each URL is in the WARC files, which are strictly valid and hold the bytes that were served."""
    found: Counter[str] = Counter()
    for name in trial.books.warcs:
        try:
            records = strict_records(trial.directory / name)
        except NOT_STRICT as error:
            trial.complain(f"{name} is not valid in the end: {error}")
            continue
        trial.check_places(name, {record.offset: record for record in records}, 0)
        found.update(record.url for record in records if record.type in ("response", "revisit"))
    return Counter({url: count for url, count in found.items() if url in trial.served.web.urls})


def verdict(trial: Trial, kills: int) -> list[tuple[str, object, object, bool]]:
    """What was promised, what came of it, and whether that is the same."""
    web, books, found = trial.served.web, trial.books, archived(trial)
    repeats = sum(count - 1 for count in trial.asked.values())
    most_lost = max(life.lost for life in trial.lives)
    rows = [
        (f"{what} in the WARC files exactly once", sum(found[url] == 1 for url in urls), len(urls))
        for what, urls in (("pages", web.pages), ("redirects", web.moved), ("errors", web.gone))
    ]
    rows += [
        ("URLs in the WARC files more than once", sum(count > 1 for count in found.values()), 0),
        ("discovered", len(books.states), len(web.urls) + len(web.forbidden)),
        ("done", books.count("done"), len(web.pages) + len(web.moved)),
        ("failed", books.count("failed"), len(web.gone)),
        ("excluded", books.count("excluded"), len(web.forbidden)),
        ("queued", books.count("queued"), 0),
        ("requests for URLs that had been committed", trial.again, 0),
    ]
    judged = [(what, value, bar, value == bar) for what, value, bar in rows]
    judged.append(("kills", trial.kills, f"at least {kills}", trial.kills >= kills))
    most = trial.kills * CONCURRENCY
    judged.append(("requests for URLs asked for before", repeats, f"at most {most}", repeats <= most))
    judged.append(("the same, after one kill", most_lost, f"at most {CONCURRENCY}", most_lost <= CONCURRENCY))
    judged.append(("complaints of any check after any life", len(trial.problems), 0, not trial.problems))
    return judged


def ends(trial: Trial) -> list[tuple[str, int, int, int, int]]:
    """By kind of end: lives, visits committed, requests to be repeated at most, bytes torn at most."""
    kinds: dict[str, list[Life]] = {}
    for life in trial.lives:
        if life.killed:
            kinds.setdefault(life.fate.kind, []).append(life)
    return [
        (kind, len(lives), sum(x.visits for x in lives), max(x.lost for x in lives), max(x.torn for x in lives))
        for kind, lives in sorted(kinds.items())
    ]


def table(head: str, rows: list[tuple[object, ...]]) -> None:
    """A Markdown table."""
    print(f"\n| {head} |\n|{'---|' * (head.count('|') + 1)}")
    for row in rows:
        print("|", " | ".join(f"{cell:,}" if type(cell) is int else str(cell) for cell in row), "|")


def report(trial: Trial, kills: int, made: dict[str, Trial], seconds: float) -> bool:
    """Print it all; whether every promise was kept."""
    judged = verdict(trial, kills)
    checks = sum(t.checks for t in (trial, *made.values()))
    print(
        f"A crawl of {len(trial.served.web.urls):,} URLs on {HOSTS} hosts, killed {trial.kills} times, and "
        f"{len(made)} killed while their directories were made; {checks} checks of WARC files; {seconds:.0f} seconds."
    )
    table("what was promised | found | expected | kept", [(*row[:3], "yes" if row[3] else "NO") for row in judged])
    table("killed | times | visits before | requests lost, at most | bytes torn, at most", ends(trial))
    table("killed while its directory is made | goes on", [(name, _how(t)) for name, t in made.items()])
    for problem in trial.problems[:50]:
        print(f"- {problem}")
    return all(row[3] for row in judged) and not any(t.problems for t in made.values())


def _how(trial: Trial) -> str:
    return "; ".join(trial.problems) or "yes"


def whole_test(pages: int, kills: int, seed: int, directory: Path) -> bool:
    """All of it, in a directory of its own."""
    began, draw, made = time.monotonic(), random.Random(seed), {}
    with served(pages, seed, directory) as web:
        for by_hand, points in itertools.product((False, True), (*([point] for point in MAKING), [*MAKING])):
            name = points[0] if len(points) == 1 else "at all of these, one after the other"
            name += ", crawl.toml written by hand" * by_hand
            made[name] = kill_while_made(web, directory / f"made-{len(made)}", points, by_hand)
        trial = Trial(web, directory / "crawl", pages=10 * pages)
        kill_again_and_again(trial, kills, draw)
    return report(trial, kills + len(CRAWLING) + len(REPAIRING), made, time.monotonic() - began)


def main() -> None:
    """Run the test, or the server it needs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=5000)
    options.add_argument("--kills", type=int, default=50, help="at random; every point comes on top")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        asyncio.run(LoggingServer(given.pages, given.seed, given.serve).run())
        return
    directory = Path(tempfile.mkdtemp(prefix="kill-"))
    kept = whole_test(given.pages, given.kills, given.seed, directory)
    if kept:
        shutil.rmtree(directory)
    else:
        sys.exit(f"\nA promise was broken. What is left of the crawls is in {directory}")


if __name__ == "__main__":
    main()
