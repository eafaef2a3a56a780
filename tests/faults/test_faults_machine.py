"""The machine itself: clocks that jump, full disks, damaged files, too few of anything, and orders to stop."""

import contextlib
import itertools
import json
import os
import random
import shutil
import sqlite3
import subprocess
import time

import pytest

import honeyguide as hg
from honeyguide.base import HoneyguideError
from hostile import (
    NameServer,
    after,
    books,
    command,
    crawl_beside,
    crawl_options,
    crawled,
    leaping,
    limited,
    linking,
    needs_ipv6,
    page,
    run,
    stuck,
)
from loopback import Loopback, answer
from strict_warc import strict_records

DAY = 24 * 3600.0
NOISE = random.Random(3)


def site(count, body=""):
    """A front page and so many others."""
    paths = [f"/{number}" for number in range(count)]
    return {"/": linking(*paths), **{path: page(f"Page {path}", body) for path in paths}}


# -- clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [-3600.0, DAY, 1.0])
def test_m1_a_clock_that_jumps_changes_no_gap(jump, tmp_path, monkeypatch):
    ahead = [0.0]
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + ahead[-1])

    async def jumps(_, writer):
        ahead.append(ahead[-1] + jump)
        writer.write(page(f"After {len(ahead)} jumps"))
        await writer.drain()

    given = {"delay": 5, "ip_delay": 0, "retries": 1}
    pages = {"/busy": [answer(b"", "503 Later", Retry_After="0"), page()], "/a": jumps, "/b": jumps}
    came = crawl_beside(pages, tmp_path / "crawl", web=leaping(**given), **given)
    gaps = [later.time - earlier.time for earlier, later in itertools.pairwise(came.server.requests)]
    assert min(gaps) >= 4.5
    assert max(gaps) < 60


@needs_ipv6
def test_m1_the_gap_is_kept_as_the_server_sees_it(tmp_path):
    """A connection that takes its time does not shorten the gap to the request after it."""
    pages = {**site(3), "/": page("Front", "<a href=/0>0</a><a href=/1>1</a><a href=/2>2</a>", Connection="close")}
    pages["/robots.txt"] = answer(b"", "404 Not Found", Connection="close")
    names = NameServer({"bees.test": ["::1", "127.0.0.1"]})  # the first of them never answers
    with Loopback(pages) as server, stuck(server.port), names.instead():
        crawled(server, [f"http://bees.test:{server.port}/"], tmp_path / "crawl", delay=0.5, ip_delay=0)
    gaps = [later.time - earlier.time for earlier, later in itertools.pairwise(server.requests)]
    assert min(gaps) >= 0.3


# -- full disks ---------------------------------------------------------------------------------------------------


def bulky(count, size):
    """Pages that cannot be compressed."""
    return {path: page(path, NOISE.randbytes(size // 2).hex()) if path != "/" else data
            for path, data in site(count).items()}  # fmt: skip


def wordy(count, links):
    """Pages that take little room in the archive and much in the books."""
    many = "".join(f"<a href='/x{number}'>bees</a>" for number in range(links))
    return {path: page(path, many) if path == "/3" else data for path, data in site(count).items()}


@pytest.mark.parametrize(
    ("pages", "room"), [(bulky(12, 60_000), 200_000), (wordy(12, 5000), 150_000), (site(12), 30_000)]
)
def test_m2_a_full_disk_is_told_and_costs_nothing(pages, room, tmp_path):
    directory = tmp_path / "crawl"
    with Loopback(pages) as server:
        options = crawl_options(server, directory, "--deny", "*/x*")
        done = run(*options, before=limited("RLIMIT_FSIZE", room), code=1)
        assert any(word in done.stderr for word in (b"full", b"too large", b"disk I/O"))
        assert str(directory).encode() in done.stderr
        for path in directory.glob("*.warc.gz"):
            strict_records(path)
        again = json.loads(run(*options, "--json").stdout)
    assert (again["done"], again["queued"], again["failed"]) == (13, 0, {})
    assert len(books(directory).visits) == 13


# -- two at once, too few, stop -----------------------------------------------------------------------------------


@contextlib.contextmanager
def started(*arguments, **more):
    """A command under way; it is killed at the end when it still is."""
    process = subprocess.Popen(command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(condition):
    """Until something is so; not for ever."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to it")


def test_m4_the_second_crawler_in_a_directory_is_refused(tmp_path):
    with Loopback({"/": linking("/slow"), "/slow": after(20, page())}) as server:
        options = crawl_options(server, tmp_path / "crawl")
        with started(*options) as first:
            wait_for(lambda: server.hits("/slow"))
            refused = run(*options, code=1)
            assert first.poll() is None
        assert b"another process is crawling" in refused.stderr
        assert server.hits("/slow") == 1


def test_m5_with_few_open_files_there_are_fewer_requests_at_once_and_no_loss(tmp_path):
    paths = [f"/{number}" for number in range(150)]
    pages = {"/": linking(*paths), **{path: after(0.2, page(path)) for path in paths}}
    with Loopback(pages) as server:
        options = crawl_options(server, tmp_path / "crawl", "--concurrency", 200, "--json")
        summary = json.loads(run(*options, before=limited("RLIMIT_NOFILE", 64)).stdout)
    assert (summary["done"], summary["failed"]) == (151, {})
    assert len(books(tmp_path / "crawl").visits) == 151


def test_m6_told_to_end_it_waits_for_what_is_under_way(tmp_path):
    pages = {**site(3), "/": linking("/slow", "/0", "/1", "/2"), "/slow": after(1, page("Slow"))}
    with Loopback(pages) as server:
        options = crawl_options(server, tmp_path / "crawl", "--concurrency", 1)
        with started(*options) as process:
            wait_for(lambda: server.hits("/slow"))
            process.terminate()
            _, told = process.communicate(timeout=30)
            assert (process.returncode, b"Traceback" in told) == (0, False)
        ended = books(tmp_path / "crawl")
        assert ended.visits[server.origin + "/slow"]["title"] == "Slow"
        assert [ended.end(server.origin + path) for path in ("/0", "/1", "/2")] == ["queued"] * 3
        run(*options)
        assert [server.hits(path) for path in ("/slow", "/0", "/1", "/2")] == [1] * 4
    assert len(books(tmp_path / "crawl").visits) == 5


# -- damage -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A crawl that has stopped half-way, and its server."""
    directory = tmp_path_factory.mktemp("stopped") / "crawl"
    with Loopback(site(40)) as server:
        crawled(server, [server.origin + "/"], directory, pages=20)
        yield directory, server


def copy_of(stopped, tmp_path):
    shutil.copytree(stopped[0], tmp_path / "crawl")
    return tmp_path / "crawl"


def gone_on(directory):
    """What a crawl says when it goes on, or the sentence it is refused with."""
    try:
        return hg.Crawl([], "keyword:bees", directory=directory, delay=0, allow_private=True, pages=20).run()
    except HoneyguideError as error:
        return str(error)


def told_damaged(said):
    return isinstance(said, str) and any(word in said for word in ("damaged", "cannot be read", "lost", "holds no"))


def test_m7_an_undamaged_crawl_goes_on(stopped, tmp_path):
    assert gone_on(copy_of(stopped, tmp_path)).fetched == 20


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_m7_a_database_cut_short_is_told(share, stopped, tmp_path):
    database = copy_of(stopped, tmp_path) / "crawl.db"
    with database.open("r+b") as file:
        file.truncate(int(database.stat().st_size * share))
    assert told_damaged(gone_on(tmp_path / "crawl"))


@pytest.mark.parametrize("seed", range(3))
def test_m7_a_flipped_bit_brings_nothing_down(seed, stopped, tmp_path):
    """SQLite keeps no checksums, so a changed digit may go unnoticed; a change that makes nonsense is told."""
    directory = copy_of(stopped, tmp_path)
    good, choose = (directory / "crawl.db").read_bytes(), random.Random(seed)
    for _ in range(25):
        flipped = bytearray(good)
        flipped[choose.randrange(100, len(good))] ^= 1 << choose.randrange(8)
        for left in directory.glob("crawl.db-*"):
            left.unlink()
        (directory / "crawl.db").write_bytes(flipped)
        said = gone_on(directory)
        assert told_damaged(said) if isinstance(said, str) else said.balanced, said


def test_m7_text_that_is_no_text_is_told(stopped, tmp_path):
    directory = copy_of(stopped, tmp_path)
    with contextlib.closing(sqlite3.connect(directory / "crawl.db")) as database, database:
        database.execute("UPDATE visits SET date = CAST(x'ff31' AS TEXT) WHERE number = 3")
    assert "crawl.db is damaged (Could not decode" in gone_on(directory)


def test_m7_a_damaged_archive_is_told_when_it_is_read(stopped, tmp_path):
    directory = copy_of(stopped, tmp_path)
    (warc,) = directory.glob("*.warc.gz")
    data, offset = bytearray(warc.read_bytes()), max(visit["offset"] for visit in books(directory).visits.values())
    data[offset + 20 : offset + 60] = bytes(40)  # within the last response
    warc.write_bytes(data)
    done = run("crawl", directory, "--topic", "keyword:honey", code=1)
    assert b"was changed after the crawl" in done.stderr


def test_m7_the_pages_of_a_damaged_crawl_can_be_had_from_its_archive(stopped, tmp_path):
    directory = copy_of(stopped, tmp_path)
    (directory / "crawl.db").write_bytes(b"damage" * 1000)
    assert "import the WARC files anew" in gone_on(directory)
    run("import", *directory.glob("*.warc.gz"), "-o", tmp_path / "again")
    assert len(hg.open_web(tmp_path / "again")) == 20


@pytest.mark.parametrize("lost", [1, 10, 3000])
def test_m7_an_archive_that_lost_its_end_is_taken_up_where_it_is_whole(lost, stopped, tmp_path):
    directory = copy_of(stopped, tmp_path)
    (warc,) = directory.glob("*.warc.gz")
    with warc.open("r+b") as file:
        file.truncate(warc.stat().st_size - lost)
    assert gone_on(directory).fetched == 20
    assert len(books(directory).visits) == 20


def test_m7_what_is_behind_the_end_of_the_archive_is_cut_off(stopped, tmp_path):
    directory = copy_of(stopped, tmp_path)
    (warc,) = directory.glob("*.warc.gz")
    with warc.open("ab") as file:
        file.write(warc.read_bytes()[:300])
    assert gone_on(directory).fetched == 20
    books(directory)


@pytest.mark.parametrize(
    "text", [b"\0" * 100, b"[crawl\n", b"[crawl]\ntopic = 7\n", b"\xff\xfe", b"[crawl]\nnew = 1\n"]
)
def test_m7_damaged_settings_are_told(text, stopped, tmp_path):
    directory = copy_of(stopped, tmp_path)
    (directory / "crawl.toml").write_bytes(text)
    assert "crawl.toml" in gone_on(directory)


# -- places that cannot be written to -----------------------------------------------------------------------------


def a_file(tmp_path):
    (tmp_path / "crawl").write_text("mine")
    return tmp_path / "crawl"


def under_a_file(tmp_path):
    return a_file(tmp_path) / "deeper"


def nowhere(_):
    return "/proc/honeyguide-crawl"


def lock_that_is_none(tmp_path):
    (tmp_path / "crawl" / "crawl.lock").mkdir(parents=True)
    return tmp_path / "crawl"


def forbidden(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to root")
    (tmp_path / "crawl").mkdir(mode=0o555)
    return tmp_path / "crawl"


def somebody_elses(tmp_path):
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "thesis.txt").write_text("mine")
    return tmp_path / "crawl"


@pytest.mark.parametrize("place", [a_file, under_a_file, nowhere, lock_that_is_none, forbidden, somebody_elses])
def test_m8_a_place_that_cannot_be_written_to_is_refused_at_the_start(place, tmp_path):
    with Loopback({"/": page()}) as server:
        directory = place(tmp_path)
        with pytest.raises(HoneyguideError, match=str(directory)):
            crawled(server, [server.origin + "/"], directory)
        assert server.requests == []


def test_m8_the_refusal_is_one_sentence(tmp_path):
    with Loopback({"/": page()}) as server:
        done = run(*crawl_options(server, under_a_file(tmp_path)), code=1)
        assert server.requests == []
    assert done.stderr.startswith(b"honeyguide: ")
    assert done.stderr.count(b"\n") == 1
