"""Hosts that cannot be asked are written down, until they answer, and told to whoever looks at the directory."""

import contextlib
import time

import pytest

import honeyguide as hg
from honeyguide.cli.explaining import explain_url
from honeyguide.report import write_report, write_side_by_side
from honeyguide.running import run_async
from honeyguide.store import Store
from html_shape import Shape
from loopback import Loopback, answer

PAGE = answer(b"<title>Bees</title><p>A hive.")
LATER = answer(b"", "503 Later")
OPEN = answer(b"", "404 Not Found")
SHUT = "robots.txt: status 503"


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr("honeyguide.web.doorman.PAUSE", 0.02)


def crawl(directory, *seeds, **given):
    settings = {"delay": 0, "allow_private": True, "directory": directory, **given}
    return hg.Crawl(list(seeds), "keyword:hive", **settings).run()


def kept(directory):
    with Store.open(directory, write=False) as store:
        return store.troubles()


@contextlib.contextmanager
def shut_and_open(**robots):
    """Two servers; robots.txt of the first cannot be had."""
    with Loopback({"/robots.txt": LATER, "/a": PAGE, "/b": PAGE, **robots}) as shut, Loopback({"/a": PAGE}) as server:
        yield shut, server


def test_they_are_kept_with_the_reason(tmp_path):
    with shut_and_open() as (shut, server):
        crawl(tmp_path / "crawl", shut.origin + "/a", shut.origin + "/b", server.origin + "/a")
    assert kept(tmp_path / "crawl") == {shut.origin: SHUT}


def test_a_run_that_does_not_ask_them_knows_no_better(tmp_path):
    with shut_and_open() as (shut, server):
        seeds = [shut.origin + "/a", server.origin + "/a"]
        for _ in range(2):
            assert crawl(tmp_path / "crawl", *seeds, pages=1).fetched == 1
    assert kept(tmp_path / "crawl") == {shut.origin: SHUT}


def test_they_are_forgotten_once_they_answer(tmp_path):
    with shut_and_open() as (shut, server):
        seeds = [shut.origin + "/a", server.origin + "/a"]
        crawl(tmp_path / "crawl", *seeds)
        shut.pages["/robots.txt"] = OPEN
        crawl(tmp_path / "crawl", *seeds)
    assert kept(tmp_path / "crawl") == {}


@pytest.mark.parametrize("delay", [0, 0.01])
def test_a_host_that_answers_at_the_second_try_is_none(tmp_path, delay):
    with Loopback({"/robots.txt": [LATER, OPEN], "/a": PAGE}) as server:
        crawl(tmp_path / "crawl", server.origin + "/a", delay=delay)
    assert kept(tmp_path / "crawl") == {}


def test_a_crawl_made_again_begins_without(tmp_path):
    with shut_and_open() as (shut, server):
        crawl(tmp_path / "crawl", shut.origin + "/a", server.origin + "/a")
    with Store.open(tmp_path / "crawl") as store:
        store.begin_again()
        assert store.troubles() == {}


# -- told ---------------------------------------------------------------------------------------------------------


def test_the_report_names_them_and_counts_what_waits(tmp_path):
    with shut_and_open() as (shut, server):
        crawl(tmp_path / "crawl", shut.origin + "/a", shut.origin + "/b", server.origin + "/a")
    shape = Shape(write_report(tmp_path / "crawl").read_text())
    told = shape.sections["trouble"]
    assert "Hosts that could not be asked" in told
    assert f"{shut.origin}robots.txt: status 5032" in told
    assert "Nothing failed" not in told
    assert shape.files["waiting.csv"].splitlines() == [
        "host,why,urls_waiting",
        f"{shut.origin},robots.txt: status 503,2",
    ]


def test_crawls_side_by_side_tell_how_many_urls_wait(tmp_path):
    with shut_and_open() as (shut, server):
        crawl(tmp_path / "one", shut.origin + "/a", shut.origin + "/b", server.origin + "/a")
        crawl(tmp_path / "two", server.origin + "/a")
    page = write_side_by_side([tmp_path / "one", tmp_path / "two"], tmp_path / "page.html")
    assert "queued: host could not be asked20" in Shape(page.read_text()).sections["trouble"]


def test_explain_says_why_a_url_waits(tmp_path):
    with shut_and_open() as (shut, server):
        crawl(tmp_path / "crawl", shut.origin + "/a", server.origin + "/a")
    said = explain_url(tmp_path / "crawl", shut.origin + "/a")
    assert "  waits for its host (robots.txt: status 503)" in said
    assert "waits for" not in "\n".join(explain_url(tmp_path / "crawl", server.origin + "/a"))


def test_a_host_that_went_away_is_not_said_to_lack_a_robots_txt(tmp_path):
    gone = {"Connection": "close"}
    pages = {"/robots.txt": answer(b"", "404 Not Found", **gone), "/a": answer(b"<a href=b>b</a>", **gone)}
    with contextlib.ExitStack() as until_gone:
        server = until_gone.enter_context(Loopback(pages))
        seeds, given = [server.origin + "/a"], {"delay": 0, "allow_private": True, "max_time": 0.5}

        async def run():
            async for _ in hg.Crawl(seeds, "keyword:hive", directory=tmp_path, **given):
                until_gone.close()

        run_async(run())
    (why,) = kept(tmp_path).values()
    assert "robots" not in why
    assert "onnect" in why


def test_a_host_that_wants_to_be_left_alone_is_told_until_then(tmp_path):
    alone = answer(b"", "429 Too Many Requests", Retry_After="36000")
    with Loopback({"/robots.txt": OPEN, "/a": alone, "/b": PAGE}) as busy, Loopback({"/a": PAGE}) as server:
        seeds = [busy.origin + "/a", busy.origin + "/b", server.origin + "/a"]
        crawl(tmp_path / "crawl", *seeds, concurrency=1)
    with Store.open(tmp_path / "crawl") as store:
        until = time.strftime("%Y-%m-%d %H:%M", time.gmtime(*store.rests().values()))
    told = Shape(write_report(tmp_path / "crawl").read_text()).sections["trouble"]
    assert f"{busy.origin}it asked to be left alone until {until} UTC2" in told
    said = explain_url(tmp_path / "crawl", busy.origin + "/b")
    assert f"  waits for its host (it asked to be left alone until {until} UTC)" in said
    with Store.open(tmp_path / "crawl") as store:
        store.note_rests({host: time.time() - 1 for host in store.rests()})
        store.commit()
        assert store.waiting() == {}, "it has rested"


def test_a_directory_of_an_older_version_has_none_and_learns_of_them(tmp_path):
    with shut_and_open() as (shut, server):
        seeds = [shut.origin + "/a", server.origin + "/a"]
        crawl(tmp_path / "crawl", *seeds)
        with Store.open(tmp_path / "crawl") as store:
            store.database.execute("DROP TABLE troubles")
            store.commit()
        assert kept(tmp_path / "crawl") == {}
        assert "Hosts that could not be asked" not in write_report(tmp_path / "crawl").read_text()
        crawl(tmp_path / "crawl", *seeds)
    assert kept(tmp_path / "crawl") == {shut.origin: SHUT}
