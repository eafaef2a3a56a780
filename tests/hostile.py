"""Servers that misbehave, one handler for each way; and whole crawls beside them that must come through."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gzip
import json
import socket
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import brotli
import pytest

import honeyguide as hg
from honeyguide.web import LiveWeb
from loopback import Loopback, Request, answer, break_off, hang_up, never, settings
from strict_warc import Record, strict_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from honeyguide.crawl import Summary
    from honeyguide.settings import Settings
    from loopback import Handler, Handlers

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
POISON = answer(b"<title>Poison</title><a href='/poisoned'>bees</a>")


def page(title: str = "Bees", body: str = "", **headers: str) -> bytes:
    """A good page about bees."""
    return answer(f"<title>{title}</title><p>All about bees.</p>{body}".encode(), **headers)


def linking(*urls: str) -> bytes:
    """A good page that leads to some URLs."""
    return page("Links", "".join(f'<a href="{url}">bees</a>\n' for url in urls))


def moved(location: str, status: str = "302 Found", **headers: str) -> bytes:
    """A redirect."""
    return answer(b"", status, Location=location, **headers)


def refreshing(location: str) -> bytes:
    """A page that sends its reader on."""
    return page("Refresh", f'<meta http-equiv="refresh" content="0; url={location}">')


def robots(text: str) -> bytes:
    """A robots.txt."""
    return answer(text.encode(), type="text/plain")


# -- answers that come slowly, or without end ---------------------------------------------------------------------


def sends(*parts: bytes, then: Handler = hang_up, gap: float = 0.05) -> Handler:
    """Sends some bytes, with a pause between them, and then does something else."""

    async def handler(request: Request, writer: asyncio.StreamWriter) -> None:
        for number, part in enumerate(parts):
            await asyncio.sleep(gap if number else 0)
            writer.write(part)
            await writer.drain()
        await then(request, writer)

    return handler


def after(seconds: float, data: bytes) -> Handler:
    """A good answer that takes its time."""
    return sends(b"", data, gap=seconds)


async def slow_headers(_: Request, writer: asyncio.StreamWriter) -> None:
    """A head that comes byte by byte and never ends."""
    await _trickle(writer, HEAD + b"X-Long: " + b"x" * 10_000)


async def slow_body(_: Request, writer: asyncio.StreamWriter) -> None:
    """A body that comes byte by byte and never ends."""
    writer.write(HEAD + b"\r\n")
    await _trickle(writer, b"<title>Slow</title>" + b"x" * 10_000)


async def _trickle(writer: asyncio.StreamWriter, data: bytes) -> None:
    for byte in data:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.02)


class Endless:
    """Sends some bytes and then others, again and again, until the client hangs up."""

    def __init__(self, first: bytes, again: bytes) -> None:
        self.sent = 0
        self.hung_up = False
        self._first, self._again = first, again

    async def __call__(self, _: Request, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        writer.write(self._first)
        try:
            while True:
                writer.write(self._again)
                await writer.drain()
                self.sent += len(self._again)
        except ConnectionError:
            self.hung_up = True


def endless_body() -> Endless:
    """A body that ends with the connection, which does not end."""
    return Endless(HEAD + b"\r\n<title>Endless</title>", b"bees " * 10_000)


def endless_chunks() -> Endless:
    """Chunk after chunk."""
    return Endless(CHUNKED, b"2710\r\n" + b"bees " * 2000 + b"\r\n")


def endless_image() -> Endless:
    """A picture of a gigabyte that says it is HTML."""
    start = HEAD + b"Content-Length: 1000000000\r\n\r\n\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    return Endless(start, b"\0<a href='/trap'>bees</a>" * 1000)


def endless_line() -> Endless:
    """HTML of 100 MB on one line."""
    return Endless(HEAD + b"Content-Length: 100000000\r\n\r\n<p>", b"bees <b>and</b> " * 10_000)


def endless_header() -> Endless:
    """One header without end."""
    return Endless(HEAD + b"X-More: ", b"and more " * 1000)


def endless_headers() -> Endless:
    """Header after header."""
    return Endless(HEAD, b"X-More: and more\r\n" * 100)


def endless_trailers() -> Endless:
    """After the last chunk, header after header."""
    return Endless(CHUNKED + b"4\r\nbees\r\n0\r\n", b"X-More: and more\r\n" * 100)


def endless_extension() -> Endless:
    """A chunk whose extension does not end."""
    return Endless(CHUNKED + b"7;bees=", b"honey" * 2000)


def interim_flood() -> Endless:
    """Early hints for ever, and never the answer."""
    return Endless(b"", INTERIM * 100)


INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"

# -- HTTP that is not as it should be -----------------------------------------------------------------------------

ONE_CHUNK = b"13\r\n<title>Both</title>\r\n0\r\n\r\n"
content_length_too_big = sends(HEAD + b"Content-Length: 1000\r\n\r\n<title>Half</title>" + b"x" * 481)
content_length_too_small = HEAD + b"Content-Length: 11\r\n\r\n<p>bees</p>" + b"x" * 989
two_content_lengths = HEAD + b"Content-Length: 1\r\nContent-Length: 20\r\n\r\n<title>Two</title>.."
length_and_chunks = HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + ONE_CHUNK

HALF = CHUNKED + b"7\r\n<title>\r\n"
no_last_chunk = sends(HALF)
chunk_garbage = sends(HALF, b"zz\r\nbees\r\n", then=never)
chunk_negative = sends(HALF, b"-5\r\nbees\r\n", then=never)
chunk_huge = sends(HALF, b"f" * 30 + b"\r\nbees\r\n", then=never)
chunk_too_long = sends(HALF, b"4\r\nbees and more bees\r\n0\r\n\r\n", then=never)
chunk_extension = CHUNKED + b"13;x=" + b"y" * 1_000_000 + b"\r\n<title>Long</title>\r\n0\r\n\r\n"

giant_header = HEAD + b"X-Giant: " + b"x" * 1_000_000 + b"\r\nContent-Length: 0\r\n\r\n"
header_flood = HEAD + b"X-One: more\r\n" * 100_000 + b"Content-Length: 0\r\n\r\n"

no_content_with_body = b"HTTP/1.1 204 No Content\r\nContent-Length: %d\r\n\r\n" % len(POISON) + POISON
not_modified_with_body = b"HTTP/1.1 304 Not Modified\r\nContent-Length: %d\r\n\r\n" % len(POISON) + POISON
switching = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: bees\r\nConnection: Upgrade\r\n\r\n" + POISON
pipelined_extra = page("First") + POISON
late_extra = sends(page("First"), POISON, then=never)  # the second while the connection rests

NO_HTTP = {
    "/http09": b"<title>HTTP/0.9</title>\r\n\r\n",
    "/garbage": bytes(range(256)) * 20 + b"\r\n\r\n",
    "/tls": b"\x15\x03\x03\x00\x02\x02\x46",
    "/ssh": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "/smtp": b"220 mail.bees.test ESMTP\r\n\r\n",
    "/version": b"HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
    "/status": b"HTTP/1.1 20000 OK\r\nContent-Length: 0\r\n\r\n",
}


async def reset_mid_body(_: Request, writer: asyncio.StreamWriter) -> None:
    """Half a body, then a reset."""
    writer.write(HEAD + b"Content-Length: 1000\r\n\r\n<title>Half</title>")
    await writer.drain()
    await asyncio.sleep(0.05)
    break_off(writer)


def with_head(line: bytes, status: bytes = b"200 OK") -> bytes:
    """A page with a line of our own in its head, whatever the line holds."""
    return b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\n" + line + b"\r\nContent-Length: 4\r\n\r\nbees"


# -- bodies that grow ---------------------------------------------------------------------------------------------


def packed(data: bytes, encoding: str = "gzip", **headers: str) -> bytes:
    """An answer that says how its body is packed."""
    return answer(data, Content_Encoding=encoding, **headers)


def gzip_bomb(megabytes: int) -> bytes:
    """Zeros, a thousandth of the size; the same block again and again, so that it is made at once."""
    packer = zlib.compressobj(9, wbits=-15)
    packer.compress(bytes(1_000_000))
    packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    return gzip.compress(b"")[:10] + block * megabytes


@functools.cache
def brotli_bomb() -> bytes:
    """A few bytes that stand for 11.5 MB."""
    return brotli.compress(bytes(11_500_000))


# -- crawls -------------------------------------------------------------------------------------------------------

GOOD = ("/good", "/fine")


@dataclass(frozen=True)
class Outcome:
    """What a crawl left behind."""

    server: Loopback
    directory: Path
    summary: Summary
    crawl: hg.Crawl
    visited: list[hg.Visit]
    books: Books

    def at(self, path: str) -> str:
        """The URL of a path."""
        return path if "://" in path else self.server.origin + path

    def end(self, path: str) -> str:
        """Why a URL failed or was excluded; where it did not and was not, its state."""
        return self.books.end(self.at(path))

    def ends(self, *paths: str) -> dict[str, str]:
        """The same for several."""
        return {path: self.end(path) for path in paths}

    def title(self, path: str) -> str:
        """The title under which a page was stored."""
        return self.books.visits[self.at(path)]["title"]

    def detail(self, path: str) -> str:
        """What is told of a visit beside its reason."""
        return self.books.visits[self.at(path)]["detail"]

    def page(self, path: str) -> hg.Page:
        """What was read."""
        (visit,) = [visit for visit in self.visited if visit.url == self.at(path)]
        assert visit.page is not None
        return visit.page

    def record(self, path: str) -> Record:
        """The one response archived of a URL."""
        (found,) = [record for record in self.books.responses if record.url == self.at(path)]
        return found

    def truncated(self, path: str) -> str:
        """Why the archived response is not whole."""
        return self.record(path).fields.get("WARC-Truncated", "")

    def hits(self, path: str) -> int:
        """How often the server was asked for a path."""
        return self.server.hits(path)


@dataclass(frozen=True)
class Books:
    """The books of a crawl directory, checked against each other and against the archive."""

    urls: dict[str, tuple[str, str]]  # state and reason by URL
    visits: dict[str, dict[str, Any]]  # the row of the one visit, by URL
    responses: list[Record]  # and revisits

    def end(self, url: str) -> str:
        """Why a URL failed or was excluded; where it did not and was not, its state."""
        state, reason = self.urls[url]
        return reason or state


def books(directory: Path) -> Books:
    """Read a crawl directory and see that every URL is in one state, with one visit and one record, or none."""
    with contextlib.closing(sqlite3.connect(directory / "crawl.db")) as database:
        database.row_factory = sqlite3.Row
        urls = database.execute("SELECT url, state, reason FROM urls").fetchall()
        visits = database.execute("SELECT urls.url, visits.* FROM visits JOIN urls USING (id)").fetchall()
        sizes = {row["name"]: row["size"] for row in database.execute("SELECT * FROM warcs")}
    found = Books(
        {row["url"]: (row["state"], row["reason"]) for row in urls},
        {row["url"]: dict(row) for row in visits},
        _responses(directory, sizes),
    )
    assert (len(found.urls), len(found.visits)) == (len(urls), len(visits)), "a URL is there twice"
    for url, (state, reason) in found.urls.items():
        _check_state(url, state, reason, found)
    _check_archive(found)
    return found


def _check_archive(found: Books) -> None:
    """Every answer has one record, and every visit says where its bytes are: there, or where a revisit refers to."""
    records = {record.url: record for record in found.responses}
    assert len(records) == len(found.responses), "a URL is archived twice"
    visits = [visit for visit in found.visits.values() if visit["warc"] is not None]
    assert {visit["url"] for visit in visits} == set(records)
    assert {visit["url"] for visit in found.visits.values() if visit["status"]} <= set(records)
    for visit in visits:
        record = records[visit["url"]]
        if record.type == "revisit":
            record = records[record.fields["WARC-Refers-To-Target-URI"]]
        assert (record.type, record.offset) == ("response", visit["offset"])


def _check_state(url: str, state: str, reason: str, found: Books) -> None:
    assert state in ("queued", "done", "failed", "excluded"), (url, state)
    assert bool(reason) == (state in ("failed", "excluded")), (url, state, reason)
    assert (url in found.visits) == (state in ("done", "failed")), (url, state)
    if state == "failed":
        assert found.visits[url]["error"] == reason
    elif state == "done":
        assert found.visits[url]["error"] in ("", "redirect"), url


def archived(directory: Path) -> list[Record]:
    """All records of a crawl directory, read strictly."""
    return [record for path in sorted(directory.glob("*.warc.gz")) for record in strict_records(path)]


def _responses(directory: Path, sizes: Mapping[str, int]) -> list[Record]:
    assert {path.name: path.stat().st_size for path in directory.glob("*.warc.gz")} == sizes
    found = [record for record in archived(directory) if record.type in ("response", "revisit")]
    held = {(record.url, record.fields["WARC-Date"]) for record in found if record.type == "response"}
    for record in found:
        if record.type == "revisit":
            assert (record.fields["WARC-Refers-To-Target-URI"], record.fields["WARC-Refers-To-Date"]) in held
    return found


def crawl_beside(
    hostile: Mapping[str, Handlers],
    directory: Path,
    *,
    more: Mapping[str, Handlers] | None = None,
    seeds: Iterable[str] = (),
    web: LiveWeb | None = None,
    host: str = "127.0.0.1",
    good: Iterable[str] = GOOD,
    **given: Any,
) -> Outcome:
    """Crawl a site where links to hostile pages stand among good ones, and see that the crawl came through.

    `more` are pages that the front page does not link to; in seeds, {port} stands for the server's.
    """
    linked = [path for path in hostile if path != "/robots.txt"]
    pages = {"/": linking("/good", *linked, "/fine"), "/good": page("Good"), "/fine": page("Fine")}
    clock = {"clock": web.now} if web else {}
    with Loopback({**pages, **hostile, **(more or {})}, host=host, **clock) as server:
        asked = [server.origin + "/", *(seed.replace("{port}", str(server.port)) for seed in seeds)]
        outcome = crawled(server, asked, directory, web, **given)
    assert outcome.ends(*good) == dict.fromkeys(good, "done")
    return outcome


def crawled(
    server: Loopback,
    seeds: Iterable[str],
    directory: Path,
    web: LiveWeb | None = None,
    patience: float = 60,
    **given: Any,
) -> Outcome:
    """Crawl from some seeds to the end, and check what it left behind."""
    chosen = {"delay": 0, "allow_private": True, "timeout": 5, "retries": 0, **given}
    crawl = hg.Crawl(list(seeds), "keyword:bees", web=web, directory=directory, **chosen)

    async def run() -> list[hg.Visit]:
        return [visit async for visit in crawl]

    with short_pauses():
        visited = asyncio.run(asyncio.wait_for(run(), patience))
    outcome = Outcome(server, directory, crawl.summary(), crawl, visited, books(directory))
    assert outcome.summary.balanced
    assert outcome.summary.discovered == len(outcome.books.urls)
    return outcome


@contextlib.contextmanager
def short_pauses(seconds: float = 0.01) -> Iterator[None]:
    """Second tries come soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("honeyguide.web.live.RETRY_PAUSE", seconds)
        patch.setattr("honeyguide.web.doorman.PAUSE", seconds)
        yield


class LeapingWeb(LiveWeb):
    """The live web on a clock that leaps over every wait, so that hours pass at once."""

    def __init__(self, given: Settings, allowed: Iterable[str] = ()) -> None:
        self._ahead = 0.0
        self._busy = 0
        super().__init__(given, allowed)

    def now(self) -> float:
        """The time, with what was leapt over."""
        return super().now() + self._ahead

    def leap(self, seconds: float) -> None:
        """Let time pass at once."""
        self._ahead += seconds

    async def get(self, url: str) -> hg.Reply:
        """Ask for a URL; meanwhile nothing is leapt over."""
        with self._at_work():
            return await super().get(url)

    async def work(self, *args: Any, **kwargs: Any) -> Any:
        """Judge a page; likewise."""
        with self._at_work():
            return await super().work(*args, **kwargs)

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        self._busy += 1
        try:
            yield
        finally:
            self._busy -= 1

    async def wait(self, until: float) -> None:
        """Leap, once nothing is under way and nobody had anything else in mind."""
        quiet = 0
        while quiet < 4:
            await asyncio.sleep(0.002)
            quiet = 0 if self._busy else quiet + 1
        self.leap(max(0.0, until - self.now()))


def leaping(**given: Any) -> LeapingWeb:
    """A leaping web to crawl this machine with."""
    return LeapingWeb(settings(**{"retries": 0, **given}))


# -- names --------------------------------------------------------------------------------------------------------

Answers = list[str] | Exception | None  # addresses, an error, or no answer at all


class NameServer:
    """Stands in for the name server of the system, which a test cannot bring to answer as it likes."""

    def __init__(self, names: Mapping[str, Answers | Callable[[], Answers]]) -> None:
        self.asked: list[str] = []
        self._names = names

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[dict[str, Any]]:
        """The addresses of a host."""
        del family
        self.asked.append(host)
        found = self._names.get(host, socket.gaierror(socket.EAI_NONAME, "no such name"))
        found = found() if callable(found) else found
        if isinstance(found, Exception):
            raise found
        if found is None:
            await asyncio.Event().wait()
        return [_resolved(host, address, port) for address in found or ()]

    @contextlib.contextmanager
    def instead(self) -> Iterator[None]:
        """Names are asked here."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("aiohttp.resolver.ThreadedResolver", lambda: self)
            yield


def _resolved(host: str, address: str, port: int) -> dict[str, Any]:
    kind = socket.AF_INET6 if ":" in address else socket.AF_INET
    return {"hostname": host, "host": address, "port": port, "family": kind, "proto": 0, "flags": 0}


# -- addresses on which nobody answers --------------------------------------------------------------------------


@contextlib.contextmanager
def stuck(port: int) -> Iterator[None]:
    """A port on which connections are neither taken nor refused."""
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(socket.socket(socket.AF_INET6))
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind(("::1", port))
        listening.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket(socket.AF_INET6))
            waiting.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                waiting.connect(("::1", port))
        yield


def _has_ipv6() -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET6) as made:
        made.bind(("::1", 0))
        return True
    return False


needs_ipv6 = pytest.mark.skipif(not _has_ipv6(), reason="there is no IPv6 on this machine")


# -- the command line ---------------------------------------------------------------------------------------------

_START = """
import sys
import honeyguide.web.doorman, honeyguide.web.live
honeyguide.web.doorman.PAUSE = honeyguide.web.live.RETRY_PAUSE = 0.01
{before}
sys.argv[0] = "honeyguide"
from honeyguide.cli import main
main()
"""
_PEAK = """
import atexit, pathlib, re, resource
def tell_peak():
    most = max(resource.getrusage(whose).ru_maxrss for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    status = pathlib.Path("/proc/self/status")  # where there is one: the other figure counts our parent's memory too
    found = re.search("VmHWM:\\\\s*(\\\\d+)", status.read_text()) if status.exists() else None
    sys.stderr.write(f"PEAK {found[1] if found else most}\\n")
atexit.register(tell_peak)
"""


def command(*arguments: object, before: str = "") -> list[str]:
    """The command line, as a process of its own; `before` is Python that is run first."""
    return [sys.executable, "-c", _START.format(before=before), *map(str, arguments)]


def limited(name: str, value: int) -> str:
    """What to run before a command to set a limit of the system."""
    return f"import resource; resource.setrlimit(resource.{name}, ({value}, {value}))"


def run(*arguments: object, before: str = "", code: int = 0, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    done = subprocess.run(command(*arguments, before=before), capture_output=True, timeout=100, check=False, **more)
    assert done.returncode == code, done.stderr.decode(errors="replace")
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    return done


def crawl_options(
    server: Loopback | None, directory: Path, *more: object, seeds: Iterable[str] = ("/",)
) -> list[object]:
    """The options of a crawl of a server on this machine."""
    asked = [server.origin + seed if server and seed.startswith("/") else seed for seed in seeds]
    named = [option for seed in asked for option in ("--seed", seed)]
    return ["crawl", "--topic", "keyword:bees", *named, "-o", directory, "--delay", 0, "--allow-private", *more]


def peak_of(*arguments: object) -> tuple[dict[str, Any], int]:
    """The summary of a crawl in a process of its own, and the most memory it held, in bytes."""
    done = run(*arguments, "--json", before=_PEAK)
    peak = int(done.stderr.rpartition(b"PEAK ")[2])
    return json.loads(done.stdout), peak * (1 if sys.platform == "darwin" else 1024)


def peak_beside(pages: Mapping[str, Handlers], directory: Path, *more: object) -> tuple[dict[str, Any], int]:
    """The summary of a crawl of hostile pages, and how much more memory it held than one of good pages."""
    good = {"/a": page("A"), "/b": page("B")}
    with Loopback({"/": linking(*pages, *good), **good, **pages}) as server:
        summary, peak = peak_of(*crawl_options(server, directory, *more))
    return summary, peak - peak_of_good_pages()


@functools.cache
def peak_of_good_pages() -> int:
    """What a crawl of good pages holds at most."""
    pages = {"/a": page("A"), "/b": page("B")}
    with Loopback({"/": linking(*pages), **pages}) as server, tempfile.TemporaryDirectory() as place:
        return peak_of(*crawl_options(server, Path(place) / "crawl"))[1]
