"""Hosts that ask for a long rest get it from the next run as well."""

import sqlite3
import time

import pytest

import honeyguide as hg
from loopback import Loopback, answer

PAGE = answer(b"<title>Bees</title><p>A hive.")
HOUR = 3600
BUSY = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n"


def crawl(directory, *seeds, pages):
    return hg.Crawl(
        list(seeds), "keyword:hive", "breadth-first", directory=directory, pages=pages, delay=0, allow_private=True
    ).run()


def times(server, path):
    return [request.path for request in server.requests].count(path)


@pytest.fixture
def busy():
    with Loopback({"/busy": BUSY, "/other": PAGE}) as server:
        yield server


@pytest.fixture
def server():
    with Loopback({f"/{n}": PAGE for n in range(4)}) as server:
        yield server


def rests(directory):
    with sqlite3.connect(directory / "crawl.db") as books:
        return dict(books.execute("SELECT host, until FROM rests"))


def test_a_rest_that_a_server_asked_for_outlasts_the_run(tmp_path, busy, server):
    seeds = [busy.origin + "/busy", busy.origin + "/other", *(f"{server.origin}/{n}" for n in range(4))]
    assert crawl(tmp_path / "crawl", *seeds, pages=2).fetched == 2
    (until,) = rests(tmp_path / "crawl").values()
    assert 0.9 * HOUR < until - time.time() <= HOUR
    for pages in (3, 4):
        assert crawl(tmp_path / "crawl", pages=pages).fetched == pages
    asked = times(busy, "/busy"), times(busy, "/other")
    assert asked[0] == 1 and asked[1] <= 1, "at most what was under way when it said so"
    assert len(rests(tmp_path / "crawl")) == 1


def test_it_is_over_when_its_time_is(tmp_path, busy, server):
    seeds = [busy.origin + "/busy", *(f"{server.origin}/{n}" for n in range(4))]
    crawl(tmp_path / "crawl", *seeds, pages=2)
    with sqlite3.connect(tmp_path / "crawl" / "crawl.db") as books:
        books.execute("UPDATE rests SET until = ?", (time.time() - 1,))
    busy.pages["/busy"] = PAGE
    crawl(tmp_path / "crawl", pages=5)
    assert times(busy, "/busy") == 2
    assert rests(tmp_path / "crawl") == {}


def test_it_is_kept_to_where_nothing_was_fetched_yet(tmp_path, busy):
    for seconds in (0.5, 0.3):
        hg.Crawl(
            [busy.origin + "/busy"], "keyword:hive", directory=tmp_path / "crawl", max_time=seconds, delay=0,
            allow_private=True,
        ).run()  # fmt: skip
    assert times(busy, "/busy") == 1


def test_short_pauses_are_not_kept(tmp_path, busy, server):
    busy.pages["/busy"] = BUSY.replace(b"3600", b"20")
    crawl(tmp_path / "crawl", busy.origin + "/busy", f"{server.origin}/1", f"{server.origin}/2", pages=2)
    assert rests(tmp_path / "crawl") == {}


def test_a_crawl_does_not_wait_for_a_host_that_asks_for_a_day(tmp_path, busy, server):
    busy.pages["/busy"] = BUSY.replace(b"3600", b"86400")
    summary = crawl(tmp_path / "crawl", busy.origin + "/busy", f"{server.origin}/1", f"{server.origin}/2", pages=9)
    assert (summary.stopped, summary.fetched, summary.queued) == ("nothing_may_be_fetched", 2, 1)
    assert crawl(tmp_path / "crawl", pages=9).stopped == "nothing_may_be_fetched", "nor does the next one"
    assert times(busy, "/busy") == 1


def test_it_waits_as_long_as_it_is_told_to(tmp_path, busy):
    busy.pages["/busy"] = BUSY.replace(b"3600", b"3")
    for seconds, stopped in ((2, "nothing_may_be_fetched"), (5, "max_time")):
        summary = hg.Crawl(
            [busy.origin + "/busy"], "keyword:hive", directory=tmp_path / str(seconds), max_wait=seconds, max_time=1,
            delay=0, allow_private=True,
        ).run()  # fmt: skip
        assert summary.stopped == stopped


def test_the_last_word_of_a_page_that_is_given_up_is_kept(tmp_path, busy):
    seeds = [busy.origin + "/busy", busy.origin + "/other"]
    given = {"directory": tmp_path / "crawl", "retries": 0, "delay": 0, "allow_private": True, "concurrency": 1}
    assert hg.Crawl(seeds, "keyword:hive", "breadth-first", pages=1, **given).run().failed == {"http_429": 1}
    assert len(rests(tmp_path / "crawl")) == 1


def test_hosts_behind_a_current_list_that_rests_get_their_turn(tmp_path, busy, server):
    busy.pages |= {f"/busy{n}": BUSY.replace(b"3600", b"86400") for n in range(8)}
    seeds = [f"{busy.origin}/busy{n}" for n in range(8)] + [f"{server.origin}/{n}" for n in range(4)]
    summary = hg.Crawl(
        seeds, "keyword:hive", "breadth-first", directory=tmp_path / "crawl", pages=9, delay=0, allow_private=True,
        current_list=8, max_time=20,
    ).run()  # fmt: skip
    assert (summary.fetched, summary.queued, summary.stopped) == (4, 8, "nothing_may_be_fetched")
