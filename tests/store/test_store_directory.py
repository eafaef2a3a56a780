"""The crawl directory: created, locked, written in transactions, cut back and read again."""

import sqlite3
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from test_store_warc import strict_records

from honeyguide.base import BadInput, Link, Original, Page, Reply, Visit
from honeyguide.graph import DONE, EXCLUDED, FAILED, Graph
from honeyguide.settings import Settings
from honeyguide.store import Event, Store, StoreError, is_crawl_directory, read_settings
from honeyguide.store.warc import Asked, exchange_records
from honeyguide.strategy import Strategy

SETTINGS = Settings(
    topic="keyword:bee", seed=["http://a.example/"], pages=7, delay=0.5, resolve=["a.example=127.0.0.1"]
)


def reply_of(url, body=b"<p>bees</p>"):
    headers = [(b"Content-Type", b"text/html")]
    record = exchange_records(Asked(url, "2026-01-02T03:04:05Z", "", []), "HTTP/1.1 200 OK", headers, body)
    return Reply(Page(url), size=len(body), record=record)


class Journal:
    """A store with a graph that grows as visits are written down."""

    def __init__(self, store):
        self.store, self.graph = store, Graph()
        self.numbers = 0

    def visit(self, url, links=(), body=b"<p>bees</p>", **fields):
        id_ = int(self.graph.intern([url])[0])
        targets = self.graph.intern([link.url for link in links], 1) if links else np.zeros(0, np.int32)
        page = Page(url, title=f"Title of {url}", language="en", links=tuple(links))
        self.graph.mark(id_, DONE)
        visit = Visit(self.numbers, id_, url, targets, page=page, **fields)
        self.numbers += 1
        self.store.record(self.graph, visit, reply_of(url, body))


def warc(directory):
    return directory / "crawl-00000.warc.gz"


@pytest.fixture
def directory(tmp_path):
    """A crawl of two committed visits."""
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        journal = Journal(store)
        journal.visit(
            "http://a.example/", [Link("http://b.example/", "to <b>"), Link("http://c.example/", 'the "c"')]
        )
        journal.visit("http://b.example/")
        store.commit()
    return tmp_path / "crawl"


# -- settings and directories -------------------------------------------------------------------------------------


def test_settings_come_back_through_crawl_toml(tmp_path):
    Store.create(tmp_path / "deep" / "crawl", SETTINGS).close()
    assert is_crawl_directory(tmp_path / "deep" / "crawl")
    assert read_settings(tmp_path / "deep" / "crawl") == SETTINGS
    text = (tmp_path / "deep" / "crawl" / "crawl.toml").read_text(encoding="utf-8")
    assert text.startswith('[crawl]\ntopic = "keyword:bee"\n')


@pytest.mark.parametrize("topic", ['keyword:"a b"', "regex:\\d+\\.\n", "keyword:bée ✓ \x7f", "'''", '"""'])
def test_any_topic_survives_crawl_toml(tmp_path, topic):
    settings = replace(SETTINGS, topic=topic, seed=["http://a.example/?q='\"\\"])
    Store.create(tmp_path / "crawl", settings).close()
    assert read_settings(tmp_path / "crawl") == settings


def test_settings_can_be_saved_again(directory):
    with Store.open(directory) as store:
        store.settings.pages = 99
        store.save_settings()
    assert read_settings(directory).pages == 99
    assert not (directory / "crawl.toml.new").exists()


def test_an_empty_directory_will_do(tmp_path):
    Store.create(tmp_path, SETTINGS).close()
    assert is_crawl_directory(tmp_path)


def test_a_directory_of_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(BadInput, match="is not empty and holds no crawl; choose another directory"):
        Store.create(tmp_path, SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("present", [(), ("crawl.toml",), ("crawl.db",)])
def test_what_is_no_crawl_is_not_opened(tmp_path, present):
    for name in present:
        (tmp_path / name).write_text("")
    for path in (tmp_path, tmp_path / "nowhere"):
        assert not is_crawl_directory(path)
        with pytest.raises(BadInput, match="is not a crawl directory"):
            Store.open(path)


@pytest.mark.parametrize(
    "text",
    [
        b"[crawl",
        b"\xff\xfe",
        b"crawl = 3",
        b"crawl = []",
        b"[crawl]\ncolour = 1",
        b"[crawl]\npages = 'many'",
        b"[crawl]\npages = 0",
    ],
)
def test_a_crawl_toml_that_was_spoilt_is_refused_and_the_directory_let_go(directory, text):
    good = (directory / "crawl.toml").read_bytes()
    (directory / "crawl.toml").write_bytes(text)
    with pytest.raises(BadInput, match=r"crawl\.toml|pages"):
        Store.open(directory)
    (directory / "crawl.toml").write_bytes(good)
    Store.open(directory).close()


def test_a_directory_of_another_version_is_refused_and_let_go(directory):
    with sqlite3.connect(directory / "crawl.db") as database:
        database.execute("PRAGMA user_version = 7")
    database.close()
    with pytest.raises(BadInput, match="was written in format 7; this version reads format 3"):
        Store.open(directory)
    with sqlite3.connect(directory / "crawl.db") as database:
        database.execute("PRAGMA user_version = 3")
    database.close()
    Store.open(directory).close()


# -- the lock -----------------------------------------------------------------------------------------------------

OPENS = """
import sys
from pathlib import Path
from honeyguide.base import HoneyguideError
from honeyguide.store import Store
try:
    Store.open(Path(sys.argv[1]), write=sys.argv[2] == "write").close()
except HoneyguideError as error:
    print(type(error).__name__, error)
"""


def opened_elsewhere(directory, how):
    done = subprocess.run([sys.executable, "-c", OPENS, directory, how], capture_output=True, text=True, check=True)
    return done.stdout


def test_one_process_writes_at_a_time(directory):
    with Store.open(directory):
        refusal = opened_elsewhere(directory, "write")
        assert refusal.startswith("StoreError another process is crawling into")
        assert opened_elsewhere(directory, "read") == ""
    assert opened_elsewhere(directory, "write") == ""


def test_nor_does_one_process_write_twice(directory):
    with Store.open(directory), pytest.raises(StoreError, match="another process"):
        Store.open(directory)
    Store.open(directory).close()


def test_the_lock_of_a_killed_process_is_gone(directory):
    script = OPENS.replace(").close()", ") as _: print('open', flush=True), sys.stdin.read()").replace(
        "    Store", "    with Store"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, directory, "write"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(StoreError):
            Store.open(directory)
        process.kill()
        process.wait()
        Store.open(directory).close()


# -- visits -------------------------------------------------------------------------------------------------------


def test_visits_come_back(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        journal = Journal(store)
        links = [
            Link("http://b.example/", "b"),
            Link("http://a.example/", "home"),
            Link("http://b.example/", "b again"),
        ]
        journal.visit(
            "http://a.example/",
            links,
            score=float("inf"),
            relevance=0.75,
            relevant=True,
            status=200,
            size=9,
            started=1.5,
            seconds=0.25,
        )
        journal.visit("http://b.example/", score=0.5, error="http_404", detail="gone", status=404)
        store.commit()
    with Store.open(tmp_path / "crawl", write=False) as store:
        first, second = store.visits()
        assert (first.number, first.id, first.url, first.known) == (0, 0, "http://a.example/", 2)
        assert (first.score, first.relevance, first.relevant) == (None, 0.75, 1)
        assert (first.error, first.detail, first.status, first.size) == ("", "", 200, 9)
        assert (first.started, first.seconds) == (1.5, 0.25)
        assert (first.type, first.language, first.title) == ("text/html", "en", "Title of http://a.example/")
        assert first.targets.tolist() == [1, 0, 1]
        assert (second.score, second.error, second.detail, second.status) == (0.5, "http_404", "gone", 404)
        assert second.targets.tolist() == []
        assert [visit.number for visit in store.visits(1)] == [1]
        for visit in (first, second):
            stored = store.archive.read(visit.warc, visit.offset)
            assert (stored.url, stored.body) == (visit.url, b"<p>bees</p>")


def test_urls_and_books(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        graph = Graph()
        graph.intern(["http://a.example/", "http://b.example/", "http://c.example/"])
        graph.mark(1, EXCLUDED, "robots")
        store.update_urls(graph, ())
        graph.intern(["http://d.example/"], 3)
        graph.mark(0, FAILED, "timeout")
        graph.mark(3, DONE)
        store.update_urls(graph, [0, 3])
        store.commit()
        assert list(store.urls()) == [
            (0, "http://a.example/", 0, "failed", "timeout"),
            (1, "http://b.example/", 0, "excluded", "robots"),
            (2, "http://c.example/", 0, "queued", ""),
            (3, "http://d.example/", 3, "done", ""),
        ]
        assert store.books() == {"failed": 1, "excluded": 1, "queued": 1, "done": 1}
        reasons = {"failed": {"timeout": 1}, "excluded": {"robots": 1}}
        assert store.books_and_reasons() == (store.books(), reasons)


def test_a_reader_may_hold_on_to_what_there_is(directory):
    with Store.open(directory) as writing, Store.open(directory, write=False) as reading:
        reading.hold_still()
        before = reading.books()
        writing.database.execute("INSERT INTO urls VALUES (9, 'http://new.example/', 1, 'queued', '')")
        writing.commit()
        assert reading.books() == before
        assert writing.books() != before


def test_edges_can_be_asked_for_in_sql(directory):
    database = sqlite3.connect(directory / "crawl.db")
    rows = database.execute(
        "SELECT here.url, there.url, anchor FROM edges JOIN urls AS here ON here.id = source"
        " JOIN urls AS there ON there.id = target ORDER BY target"
    ).fetchall()
    database.close()
    assert rows == [
        ("http://a.example/", "http://b.example/", "to <b>"),
        ("http://a.example/", "http://c.example/", 'the "c"'),
    ]


def test_a_redirect_is_an_edge_without_an_anchor(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        graph = Graph()
        ids = graph.intern(["http://a.example/", "http://b.example/"])
        store.record(graph, Visit(0, 0, "http://a.example/", ids[1:], error="redirect", status=301), None)
        store.commit()
        assert store.database.execute("SELECT * FROM edges").fetchall() == [(0, 1, "")]
        (visit,) = store.visits()
        assert (visit.warc, visit.offset, visit.type) == (None, None, "")


def test_rejudging(directory):
    with Store.open(directory) as store:
        store.save_knowledge(2, SETTINGS, Knowing({"x": 1}))
        store.settings.topic = "keyword:wasp"
        store.rejudge([(0.9, True, 1)])
        assert store.weights() == []
        store.commit()
    with Store.open(directory) as store:
        assert [(visit.relevance, visit.relevant) for visit in store.visits()] == [(0.0, 0), (0.9, 1)]
        assert store.settings.topic == "keyword:wasp"  # though crawl.toml was not written
        assert store.knowledge() is None


# -- commits ------------------------------------------------------------------------------------------------------


def test_what_was_not_committed_is_gone(directory):
    size = warc(directory).stat().st_size
    with Store.open(directory) as store:
        journal = Journal(store)
        journal.graph.intern(["http://a.example/", "http://b.example/", "http://c.example/"])
        journal.numbers = 2
        journal.visit("http://c.example/", [Link("http://d.example/")])
        assert len(list(store.visits())) == 3
    assert warc(directory).stat().st_size > size
    with Store.open(directory) as store:
        assert len(list(store.visits())) == 2
        assert len(list(store.urls())) == 3
        assert store.archive.repaired > 0
    assert warc(directory).stat().st_size == size
    assert len(strict_records(warc(directory).read_bytes())) == 5


@pytest.mark.parametrize("tail", [b"\x1f\x8b\x08torn", b"x", bytes(100_000)])
def test_a_torn_end_is_cut_off_and_written_after(directory, tail):
    whole = warc(directory).read_bytes()
    warc(directory).write_bytes(whole + tail)
    with Store.open(directory, write=False) as store:
        assert store.archive.repaired == 0
    assert warc(directory).read_bytes() == whole + tail
    with Store.open(directory) as store:
        assert store.archive.repaired == len(tail)
        journal = Journal(store)
        journal.graph.intern(["http://a.example/", "http://b.example/", "http://c.example/"])
        journal.numbers = 2
        journal.visit("http://c.example/")
        store.commit()
        last = list(store.visits())[-1]
        assert last.offset == len(whole)
        assert store.archive.read(last.warc, last.offset).url == "http://c.example/"
    kinds = [fields["WARC-Type"] for fields, _ in strict_records(warc(directory).read_bytes())]
    assert kinds == ["warcinfo", "response", "request", "response", "request", "response", "request"]


def test_a_file_that_was_never_committed_is_removed(directory):
    torn = directory / "crawl-00001.warc.gz"
    torn.write_bytes(b"\x1f\x8b")
    other = directory / "mine.warc.gz"
    other.write_bytes(b"hands off")
    with Store.open(directory) as store:
        assert store.archive.repaired == 2
    assert not torn.exists()
    assert other.read_bytes() == b"hands off"


def test_a_sound_directory_needs_no_repair(directory):
    before = warc(directory).read_bytes()
    with Store.open(directory) as store:
        assert store.archive.repaired == 0
    assert warc(directory).read_bytes() == before


def test_visits_whose_records_were_lost_are_undone(directory):
    whole = warc(directory).read_bytes()
    warc(directory).write_bytes(whole[:-10])
    with Store.open(directory) as store:
        assert (store.archive.undone, [visit.url for visit in store.visits()]) == (1, ["http://a.example/"])
        assert store.books() == {"done": 1, "queued": 2}
        assert strict_records(warc(directory).read_bytes())[-1][0]["WARC-Target-URI"] == "http://a.example/"


def test_a_file_that_lost_everything_starts_anew(directory):
    warc(directory).write_bytes(b"")
    with Store.open(directory) as store:
        assert (store.archive.undone, list(store.visits()), store.books()) == (2, [], {})
    assert not warc(directory).exists()


def test_what_a_lost_visit_changed_is_undone_with_it(directory):
    with Store.open(directory) as store:
        store.save_knowledge(2, SETTINGS, Knowing({"seen": 2}))
        store.commit()
    warc(directory).write_bytes(warc(directory).read_bytes()[:-10])
    with Store.open(directory) as store:
        assert (store.knowledge(), store.books()) == (None, {"done": 1, "queued": 2})
        assert store.database.execute("SELECT count(*) FROM links").fetchone() == (1,)
    with Store.open(directory) as store:
        assert (store.archive.undone, store.archive.repaired, store.visits_made) == (0, 0, 1)


def test_only_the_last_file_may_have_lost_records(tmp_path):
    with Store.create(tmp_path / "crawl", replace(SETTINGS, warc_size=1000)) as store:
        journal = Journal(store)
        for number in range(4):
            journal.visit(f"http://a.example/{number}")
            store.commit()
    first, *_, last = sorted((tmp_path / "crawl").glob("*.warc.gz"))
    assert first != last
    whole = first.read_bytes()
    first.write_bytes(whole[:-10])
    with pytest.raises(StoreError, match="has lost 10 bytes"):
        Store.open(tmp_path / "crawl")
    first.write_bytes(whole)
    last.write_bytes(last.read_bytes()[:-10])
    with Store.open(tmp_path / "crawl") as store:
        assert (store.archive.undone, store.visits_made) == (1, 3)


def test_a_page_that_refers_to_a_lost_one_is_undone_too(directory):
    """Visits are undone from the first whose record is lost, so that nothing refers to what is gone."""
    with Store.open(directory) as store:
        journal = Journal(store)
        journal.graph.intern(["http://a.example/", "http://b.example/", "http://c.example/"])
        journal.numbers = 2
        first = next(store.visits(1))
        reply = structs.replace(
            reply_of("http://c.example/"), original=Original(first.url, "", first.warc, first.offset)
        )
        id_ = int(journal.graph.intern(["http://c.example/"])[0])
        journal.graph.mark(id_, DONE)
        store.record(journal.graph, Visit(2, id_, "http://c.example/", np.zeros(0, np.int32)), reply)
        store.commit()
        assert [(visit.warc, visit.offset) for visit in store.visits(1)] == [(first.warc, first.offset)] * 2
    warc(directory).write_bytes(warc(directory).read_bytes()[: first.offset + 10])
    with Store.open(directory) as store:
        assert (store.archive.undone, [visit.url for visit in store.visits()]) == (2, ["http://a.example/"])


def test_a_file_that_is_gone_is_not_written_after(directory):
    whole = warc(directory).read_bytes()
    warc(directory).unlink()
    with pytest.raises(StoreError, match=r"crawl-00000\.warc\.gz has lost \d+ bytes"):
        Store.open(directory)
    warc(directory).write_bytes(whole)
    with Store.open(directory) as store:
        assert len(list(store.visits())) == 2


def test_a_killed_process_loses_only_what_it_had_not_committed(tmp_path):
    script = """
import os, sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
from test_store_directory import Journal, SETTINGS
from honeyguide.store import Store
journal = Journal(Store.create(Path(sys.argv[1]), SETTINGS))
for number in range(20):
    journal.visit(f"http://a.example/{number}")
    if number == 12:
        journal.store.commit()
os._exit(9)
"""
    here = [path for path in sys.path if path.endswith(("tests", "store"))]
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "crawl", *here], capture_output=True, check=False)
    assert done.returncode == 9, done.stderr
    with Store.open(tmp_path / "crawl") as store:
        assert [visit.number for visit in store.visits()] == list(range(13))
        assert store.archive.repaired > 0
    assert len(strict_records(warc(tmp_path / "crawl").read_bytes())) == 1 + 2 * 13


def test_files_are_followed_by_files(tmp_path):
    with Store.create(tmp_path / "crawl", replace(SETTINGS, warc_size=2000)) as store:
        journal = Journal(store)
        for number in range(10):
            journal.visit(f"http://a.example/{number}")
            store.commit()
        assert len({visit.warc for visit in store.visits()}) > 1
        for visit in store.visits():
            assert store.archive.read(visit.warc, visit.offset).url == visit.url
    with Store.open(tmp_path / "crawl") as store:
        assert store.archive.repaired == 0
    for path in tmp_path.glob("crawl/*.warc.gz"):
        fields, _ = strict_records(path.read_bytes())[0]
        assert (fields["WARC-Type"], fields["WARC-Filename"]) == ("warcinfo", path.name)


# -- runs and rounds ----------------------------------------------------------------------------------------------


def test_seconds_and_notes_of_runs_add_up(directory):
    with Store.open(directory) as store:
        assert store.begin_run() == (0.0, {})
        store.end_run(1.5, {"retries": 2, "robots_requests": 1})
        store.end_run(2.5, {"retries": 3, "robots_requests": 1})  # the same run, later
        store.commit()
    with Store.open(directory) as store:
        assert store.begin_run() == (2.5, {"retries": 3, "robots_requests": 1})
        store.end_run(1.0, {"retries": 1})
        store.commit()
    with Store.open(directory) as store:
        assert store.begin_run() == (3.5, {"retries": 4, "robots_requests": 1})


def again(store):
    store.commit()
    return store.begin_again()


def test_what_was_fetched_becomes_what_later_pages_are_compared_with(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        journal = Journal(store)
        journal.visit("http://a.example/", [Link("http://b.example/"), Link("http://c.example/")], digest=b"1")
        journal.visit("http://b.example/", error="http_404", digest=b"2")
        journal.visit("http://m.example/", flag="sitemap")
        assert (store.rounds, store.earlier("http://a.example/")) == (0, None)
        assert again(store) == 1
        assert (store.visits_made, list(store.urls()), store.books(), store.rounds) == (0, [], {}, 1)
        assert sorted(url for url, _ in store.earlier_urls()) == ["http://a.example/", "http://b.example/"]
        error, digest, *_, file, offset = store.earlier("http://a.example/")
        assert (error, digest, store.archive.read(file, offset).url) == ("", b"1", "http://a.example/")
        assert store.earlier("http://b.example/")[:2] == ("http_404", b"2")
        assert store.earlier("http://c.example/") is None


def test_a_round_can_follow_a_round(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        Journal(store).visit("http://a.example/", digest=b"1")
        assert again(store) == 1
        Journal(store).visit("http://a.example/", digest=b"2")
        assert again(store) == 2
        assert (store.rounds, store.earlier("http://a.example/")[1]) == (2, b"2")
    with Store.open(tmp_path / "crawl") as store:
        assert (store.rounds, store.earlier_urls()) == (2, [("http://a.example/", 0)])


def test_what_the_last_round_did_not_reach_is_not_forgotten(tmp_path):
    with Store.create(tmp_path / "crawl", SETTINGS) as store:
        journal = Journal(store)
        journal.visit("http://a.example/", digest=b"1")
        journal.visit("http://b.example/", digest=b"2")
        again(store)
        Journal(store).visit("http://a.example/", digest=b"3")  # and was stopped
        again(store)
        assert sorted(url for url, _ in store.earlier_urls()) == ["http://a.example/", "http://b.example/"]
        assert store.earlier("http://a.example/")[1] == b"3"
        assert store.earlier("http://b.example/")[1] == b"2"


@pytest.mark.parametrize("kept", [0, 10])
def test_records_of_earlier_rounds_outlive_a_loss_in_this_one(kept, directory):
    held = warc(directory).stat().st_size
    with Store.open(directory) as store:
        store.begin_again()
        Journal(store).visit("http://d.example/")
        store.commit()
        *_, file, offset = store.earlier("http://a.example/")
    warc(directory).write_bytes(warc(directory).read_bytes()[: held + kept])
    with Store.open(directory) as store:
        assert (store.archive.undone, store.visits_made) == (1, 0)
        assert warc(directory).exists(), "the records of the round before are gone"
        assert store.archive.read(file, offset).url == "http://a.example/"
    assert len(strict_records(warc(directory).read_bytes())) == 5


def test_what_refers_to_lost_records_of_earlier_rounds_is_forgotten_too(directory):
    with Store.open(directory) as store:
        store.begin_again()
        *_, offset = store.earlier("http://b.example/")
    warc(directory).write_bytes(warc(directory).read_bytes()[: offset + 10])
    with Store.open(directory) as store:
        *_, file, offset = store.earlier("http://a.example/")
        assert store.archive.read(file, offset).url == "http://a.example/"
        assert (store.earlier("http://b.example/") or (None,))[-1] is None


# -- knowledge ----------------------------------------------------------------------------------------------------


class Knowing(Strategy):
    name = "knowing"
    version = 4

    def __init__(self, state):
        self.state = state

    def save(self):
        return self.state

    def knowledge(self):
        return {"words": ["bee"]}

    def figures(self):
        return {"words": "bee"}

    def evidence_weights(self):
        return {"anchor": np.float32(0.5), "unknown": np.nan}


def test_knowledge_comes_back(directory):
    with Store.open(directory) as store:
        assert store.knowledge() is None
        store.save_knowledge(1, SETTINGS, Knowing({"old": True}))
        state = {"weights": np.array([0.5, 2.0], np.float32), "hosts": ["a.example"]}
        store.record_event(Event(2, 2, "search", "bees", (0, 1)))
        store.save_knowledge(2, replace(SETTINGS, strategy="knowing:x=1"), Knowing(state))
        store.commit()
    with Store.open(directory, write=False) as store:
        kept = store.knowledge()
    assert (kept.visits, kept.events, kept.strategy, kept.name) == (2, 1, "knowing:x=1", "knowing")
    assert (kept.version, kept.topic, kept.portable) == (4, SETTINGS.topic, {"words": ["bee"]})
    assert kept.figures == {"words": "bee"}
    assert (kept.state["hosts"], kept.state["weights"].tolist()) == (["a.example"], [0.5, 2.0])


def test_weights_come_back_as_they_were_over_time(directory):
    with Store.open(directory) as store:
        for visits in (0, 19, 20, 1000, 1020, 1040):
            store.note_weights(visits, Knowing({}))
        store.save_knowledge(1041, SETTINGS, Knowing({}))
        store.save_knowledge(1042, replace(SETTINGS, strategy="knowing:x=1"), Knowing({}))
        store.commit()
    with Store.open(directory, write=False) as store:
        noted = store.weights()
    assert [visits for visits, _ in noted] == [0, 20, 1000, 1040, 1041]  # those of another strategy are not its own
    assert noted[0][1] == {"anchor": 0.5}


def test_weights_go_with_the_visits_they_were_learned_from(directory):
    with Store.open(directory) as store:
        for visits in (1, 2):
            store.save_knowledge(visits, SETTINGS, Knowing({}))
        store.commit()
    warc(directory).write_bytes(warc(directory).read_bytes()[:-10])  # the second visit is lost
    with Store.open(directory) as store:
        assert [visits for visits, _ in store.weights()] == [1]
        store.begin_again()
        assert store.weights() == []


def test_a_directory_of_a_time_without_weights_is_read_and_gone_on_with(directory):
    with Store.open(directory) as store:
        store.database.execute("DROP TABLE history")
        store.commit()
    with Store.open(directory, write=False) as store:
        assert store.weights() == []
    with Store.open(directory) as store:
        store.save_knowledge(2, SETTINGS, Knowing({}))
        assert store.weights() == [(2, {"anchor": 0.5})]


def test_events_come_back_in_order_and_go_with_the_visits_before_them(directory):
    log = [Event(1, 2, "search", "bees", (1,)), Event(1, 2, "idle"), Event(2, 3, "search", "wasps")]
    with Store.open(directory) as store:
        for event in log:
            store.record_event(event)
        store.commit()
    with Store.open(directory, write=False) as store:
        assert store.events() == log
    warc(directory).write_bytes(warc(directory).read_bytes()[:-10])  # the second visit is lost
    with Store.open(directory) as store:
        assert store.events() == []


def test_pages_that_are_not_kept_are_marked(directory):
    with Store.open(directory) as store:
        store.mark_not_kept([1])
        store.commit()
    with Store.open(directory, write=False) as store:
        assert store.database.execute("SELECT id, kept FROM visits ORDER BY id").fetchall() == [(0, 1), (1, 0)]


def test_knowledge_of_others_is_refused(directory):
    with Store.open(directory) as store:
        store.save_knowledge(1, SETTINGS, Knowing({}))
        store.database.execute("UPDATE knowledge SET state = ?", (b"\x80\x04.",))
        with pytest.raises(BadInput, match="not written by honeyguide"):
            store.knowledge()
