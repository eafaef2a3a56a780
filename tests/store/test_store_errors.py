"""What goes wrong with disks and directories, and what is said of it."""

import contextlib
import errno
import resource
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from test_store_directory import SETTINGS, Journal, warc
from test_store_warc import strict_records

from honeyguide.settings import Settings
from honeyguide.store import Store, StoreError
from honeyguide.store.errors import told_plainly

HERE = Path("somewhere")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "is full. Nothing recorded so far is lost: make room"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "is full"),
        (sqlite3.OperationalError("database or disk is full"), "make room, then run the same command again"),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "cannot be written to .* choose another directory with -o",
        ),
        (OSError(errno.EROFS, "Read-only file system"), "cannot be written to"),
        (sqlite3.OperationalError("attempt to write a readonly database"), "cannot be written to"),
        (
            sqlite3.DatabaseError("file is not a database"),
            r"somewhere/crawl\.db is damaged .* restore it from a copy",
        ),
        (sqlite3.DatabaseError("database disk image is malformed"), "is damaged"),
        (OSError(errno.EIO, "Input/output error"), "somewhere: .*Input/output error"),
    ],
)
def test_a_sentence_with_a_way_out(error, sentence):
    with pytest.raises(StoreError, match=sentence), told_plainly(HERE):
        raise error


def test_other_errors_pass():
    with pytest.raises(KeyError), told_plainly(HERE):
        raise KeyError("x")


def test_books_that_are_missing_are_not_made_anew(tmp_path):
    Store.create(tmp_path / "crawl", SETTINGS).close()
    (tmp_path / "crawl" / "crawl.db").unlink()
    (tmp_path / "crawl" / "crawl-00000.warc.gz").touch()
    with pytest.raises(StoreError, match=r"crawl\.db is missing; restore it from a copy, or import the WARC files"):
        Store.open(tmp_path / "crawl")
    assert not (tmp_path / "crawl" / "crawl.db").exists()


def test_a_place_under_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="a file stands in its way; choose another directory with -o"):
        Store.create(tmp_path / "file" / "crawl", Settings())
    with pytest.raises(StoreError, match="a file stands in its way"):
        Store.create(tmp_path / "file", Settings())


def test_a_place_where_nobody_may_write():
    with pytest.raises(StoreError, match="/proc/honeyguide"):
        Store.create(Path("/proc/honeyguide"), Settings())


@pytest.fixture
def crawl(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        journal = Journal(store)
        for number in range(200):
            journal.visit(f"http://a.example/{number}")
        store.commit()
    return tmp_path / "crawl"


@pytest.mark.parametrize("write", [True, False])
def test_a_database_that_is_none(crawl, write):
    good = (crawl / "crawl.db").read_bytes()
    (crawl / "crawl.db").write_bytes(b"These are not the rows you are looking for." * 100)
    with pytest.raises(StoreError, match=r"crawl\.db is damaged"):
        Store.open(crawl, write)
    (crawl / "crawl.db").write_bytes(good)
    Store.open(crawl).close()


def read_everything(directory):
    with Store.open(directory, write=False) as store:
        list(store.visits())
        list(store.urls())
        store.knowledge()
        store.books()


def test_a_damaged_database_is_told_plainly_wherever_the_damage_is(crawl):
    good = (crawl / "crawl.db").read_bytes()
    refused = 0
    for place in range(4096, len(good), 4096):
        (crawl / "crawl.db").write_bytes(good[:place] + b"\xa5" * 4096 + good[place + 4096 :])
        try:
            read_everything(crawl)
        except StoreError as error:
            assert "damaged" in str(error)
            refused += 1
    assert refused > len(good) / 4096 / 2


def test_a_warc_file_that_is_missing(crawl):
    warc(crawl).unlink()
    with pytest.raises(StoreError, match=r"crawl-00000\.warc\.gz"):
        Store.open(crawl)


FILLS = """
import random, resource, signal, sys
sys.path[:0] = sys.argv[4:]
from pathlib import Path
from test_store_directory import Journal, SETTINGS
from honeyguide.base import HoneyguideError
from honeyguide.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store.create(Path(sys.argv[1]), SETTINGS)
journal = Journal(store)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    for number in range(100_000):
        journal.visit(f"http://a.example/{number}", body=random.Random(number).randbytes(int(sys.argv[3])))
        store.commit()
except HoneyguideError as error:
    print(number, type(error).__name__, error)
store.close()
"""


@pytest.mark.parametrize(("room", "body"), [(150_003, 10), (2_000_005, 10), (300_007, 60_000), (1_000_009, 200_000)])
def test_a_full_disk_costs_nothing_that_was_committed(tmp_path, room, body):
    here = [path for path in sys.path if path.endswith(("tests", "store"))]
    command = [sys.executable, "-c", FILLS, tmp_path / "crawl", str(room), str(body), *here]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    number, kind, *sentence = done.stdout.split()
    assert int(number) > 0
    assert kind == "StoreError", done.stdout
    assert any(word in " ".join(sentence) for word in ("full", "too large", "disk I/O"))
    strict_records(warc(tmp_path / "crawl").read_bytes())
    with Store.open(tmp_path / "crawl") as store:
        assert [visit.number for visit in store.visits()] == list(range(int(number)))
        for visit in store.visits():
            assert store.archive.read(visit.warc, visit.offset).url == visit.url
    assert len(strict_records(warc(tmp_path / "crawl").read_bytes())) == 1 + 2 * int(number)


def test_a_full_disk_at_the_first_record_leaves_no_file_behind(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        journal = Journal(store)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
        try:
            with pytest.raises(OSError, match=r"File too large|no space left"):
                store.archive.append(b"x")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, ignored)
        assert not warc(tmp_path / "crawl").exists()
        journal.visit("http://a.example/")
        store.commit()
    with Store.open(tmp_path / "crawl") as store:
        assert store.archive.repaired == 0
        assert len(list(store.visits())) == 1
    assert len(strict_records(warc(tmp_path / "crawl").read_bytes())) == 3


@pytest.mark.parametrize("lost", ["ALTER TABLE visits RENAME COLUMN offset TO off", "DROP TABLE runs"])
def test_a_table_that_is_not_as_it_was_made_is_damage(crawl, lost):
    with contextlib.closing(sqlite3.connect(crawl / "crawl.db")) as database:
        database.executescript(lost)
    with pytest.raises(StoreError, match=r"is damaged .*; restore it from a copy"), Store.open(crawl) as store:
        list(store.visits())
        store.begin_run()
