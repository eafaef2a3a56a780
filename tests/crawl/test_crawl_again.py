"""Crawling once more: what has not changed is not sent again, and what has is told."""

import itertools
import json

import pytest

import honeyguide as hg
from changing import AFTER, BEFORE, CHANGES, MONDAY, TUESDAY, html, rows, versioned
from honeyguide.store import Store
from loopback import Loopback, answer
from strict_warc import strict_records


@pytest.fixture
def clock(monkeypatch):
    """Every fetch has a date of its own."""
    seconds = itertools.count()
    monkeypatch.setattr("honeyguide.web.live.utc_now", lambda: f"2026-01-02T03:{next(seconds):02d}:00Z")


def crawl(server, directory, **given):
    chosen = {"delay": 0, "allow_private": True, "workers": 0, **given}
    return hg.Crawl([server.origin + "/"], "keyword:bees", directory=directory, **chosen).run()


def crawl_again(server, directory, **given):
    with Store.open(directory) as store:
        store.begin_again()
    return crawl(server, directory, **given)


def records(directory):
    return [record for path in sorted(directory.glob("*.warc.gz")) for record in strict_records(path)]


@pytest.fixture
def twice(tmp_path, clock):
    """A site crawled, changed and crawled again: the server, the directory and what the second crawl says."""
    with Loopback(dict(BEFORE)) as server:
        crawl(server, tmp_path / "crawl")
        server.requests.clear()
        server.pages.update(AFTER)
        yield server, tmp_path / "crawl", crawl_again(server, tmp_path / "crawl")


def test_changes_are_told_page_by_page(twice):
    server, directory, summary = twice
    assert {path: change for path, (change,) in rows(directory, server, "change").items()} == CHANGES
    assert summary.changes == {"same": 6, "changed": 2, "gone": 1, "new": 1}
    assert summary.balanced


def test_a_page_that_was_not_sent_again_is_read_from_the_archive(twice):
    server, directory, _ = twice
    found = rows(directory, server, "status", "title", "relevant", "size", "etag", "modified")
    assert found["/etag"] == [304, "Bees", 1, 0, 'W/"e1"', ""]
    assert found["/dated"] == [304, "Bees", 1, 0, "", MONDAY]
    assert found["/plain"][:2] == [200, "Bees"]
    assert server.hits("/behind") == 1  # its only link is on a page that was not sent again
    with Store.open(directory) as store:
        for visit in store.visits():
            if visit.status == 304:
                assert store.archive.read(visit.warc, visit.offset).body.startswith(b"<title>Bees")


def test_every_page_of_before_is_asked_for_with_what_is_known_of_it(twice):
    server, _, _ = twice
    asked = {request.path: request.headers for request in server.requests}
    assert asked.keys() == {*CHANGES, "/robots.txt"}
    assert asked["/etag"]["if-none-match"] == 'W/"e1"'
    assert asked["/dated"]["if-modified-since"] == MONDAY
    unconditional = [
        path for path, headers in asked.items() if not {"if-none-match", "if-modified-since"} & set(headers)
    ]
    assert sorted(unconditional) == ["/fresh", "/goes", "/missing", "/moved", "/plain", "/robots.txt"]


def test_what_was_not_sent_again_is_a_revisit(twice):
    _, directory, _ = twice
    found = records(directory)
    unchanged = [r for r in found if r.fields.get("WARC-Profile", "").endswith("server-not-modified")]
    assert sorted(r.url.rpartition("/")[2] for r in unchanged) == ["behind", "dated", "etag"]
    held = {(r.url, r.fields["WARC-Date"]) for r in found if r.type == "response"}
    for record in unchanged:
        assert record.head.startswith(b"HTTP/1.1 304 ")
        assert (record.fields["WARC-Refers-To-Target-URI"], record.fields["WARC-Refers-To-Date"]) in held
        assert record.fields["WARC-Refers-To-Target-URI"] == record.url


def test_a_third_time_still_refers_to_the_bytes_themselves(twice):
    server, directory, _ = twice
    crawl_again(server, directory)
    found = records(directory)
    held = {(r.url, r.fields["WARC-Date"]) for r in found if r.type == "response"}
    for record in found:
        if record.type == "revisit":
            assert (record.fields["WARC-Refers-To-Target-URI"], record.fields["WARC-Refers-To-Date"]) in held
    with Store.open(directory) as store:
        assert {visit.status for visit in store.visits()} == {200, 302, 304, 404}
        for visit in store.visits():
            if not visit.error:
                assert store.archive.read(visit.warc, visit.offset).body.startswith(b"<title>Bees")


def test_a_third_time_changes_are_told_against_the_second(twice):
    server, directory, _ = twice
    server.pages["/dated"] = versioned(html("dated anew"), Last_Modified=TUESDAY)
    summary = crawl_again(server, directory)
    assert summary.changes == {"same": 9, "changed": 1}
    assert rows(directory, server, "change")["/dated"] == ["changed"]


def test_a_copy_of_a_page_that_was_not_sent_again_refers_to_the_bytes_themselves(tmp_path, clock):
    pages = {"/": versioned(html("start", "/one", "/two"), ETag='"s"'), "/one": versioned(html("same"), ETag='"1"')}
    with Loopback(pages) as server:
        crawl(server, tmp_path / "crawl")
        server.pages["/two"] = answer(html("same"))
        crawl_again(server, tmp_path / "crawl", concurrency=1)
    found = records(tmp_path / "crawl")
    held = {(r.url, r.fields["WARC-Date"]) for r in found if r.type == "response"}
    refers = {
        (r.fields["WARC-Refers-To-Target-URI"], r.fields["WARC-Refers-To-Date"]) for r in found if r.type == "revisit"
    }
    assert refers <= held


def test_links_are_no_further_away_than_they_were(tmp_path):
    chain = {f"/{n}": answer(html(str(n), f"/{n + 1}")) for n in range(1, 5)}
    with Loopback({"/": answer(html("start", "/1")), **chain}) as server:
        first = crawl(server, tmp_path / "crawl", depth=2)
        second = crawl_again(server, tmp_path / "crawl", depth=2)
        assert (first.fetched, first.excluded) == (3, {"too_deep": 1})
        assert (second.fetched, second.excluded) == (3, {"too_deep": 1})
        assert server.hits("/3") == 0


def test_a_page_that_cannot_be_had_at_the_moment_is_not_gone(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.web.live.RETRY_PAUSE", 0.01)
    with Loopback({"/": answer(html("start", "/a")), "/a": answer(html("a"))}) as server:
        crawl(server, tmp_path / "crawl")
        server.pages["/a"] = answer(b"later", "503 Later")
        summary = crawl_again(server, tmp_path / "crawl", retries=0)
    assert "gone" not in summary.changes


def test_a_page_that_comes_back_is_told(tmp_path):
    with Loopback({"/": answer(html("start", "/a"))}) as server:
        crawl(server, tmp_path / "crawl")
        server.pages["/a"] = answer(html("a"))
        crawl_again(server, tmp_path / "crawl")
        assert rows(tmp_path / "crawl", server, "change")["/a"] in (["new"], ["changed"])


def test_a_page_that_leads_elsewhere_now_has_changed(tmp_path):
    with Loopback({"/": answer(html("start", "/a")), "/a": answer(html("a"))}) as server:
        crawl(server, tmp_path / "crawl")
        server.pages["/a"] = answer(b"", "301 Moved", Location="/b")
        server.pages["/b"] = answer(html("a"))
        summary = crawl_again(server, tmp_path / "crawl")
        assert rows(tmp_path / "crawl", server, "change")["/a"] == ["changed"]
    assert summary.changes == {"same": 1, "changed": 1, "new": 1}


def test_a_soft_404_that_is_still_one_is_the_same(tmp_path):
    sorry = answer(html("nothing here"))
    pages = {f"/{n}": sorry for n in range(8)}
    with Loopback({"/": answer(html("start", *pages)), **pages}) as server:
        first = crawl(server, tmp_path / "crawl", soft_404_after=3)
        second = crawl_again(server, tmp_path / "crawl", soft_404_after=3)
    assert (first.failed, second.failed) == ({"soft_404": 4}, {"soft_404": 4})
    assert second.changes == {"same": 9}


def test_a_round_that_was_stopped_goes_on(tmp_path):
    with Loopback(dict(BEFORE)) as server:
        crawl(server, tmp_path / "crawl")
        server.pages.update(AFTER)
        first = crawl_again(server, tmp_path / "crawl", pages=4)
        assert (first.fetched, sum(first.changes.values())) == (4, 4)
        summary = crawl(server, tmp_path / "crawl")
    assert summary.fetched == 10
    assert summary.changes == {"same": 6, "changed": 2, "gone": 1, "new": 1}


def test_an_unasked_for_304_is_an_error(tmp_path):
    with Loopback({"/": answer(b"", "304 Not Modified", ETag='"x"')}) as server:
        summary = crawl(server, tmp_path / "crawl")
        assert summary.failed == {"http_304": 1}
        server.pages["/"] = answer(b"<title>Bees</title> bees")  # nothing to ask by the next time
        crawl(server, tmp_path / "other")
        server.pages["/"] = answer(b"", "304 Not Modified")
        again = crawl_again(server, tmp_path / "other")
    assert (again.failed, again.changes) == ({"http_304": 1}, {"failed": 1})


def test_validators_that_could_break_a_request_are_not_sent(tmp_path):
    odd = answer(html("odd"), ETag='"\xe9\x01"', Last_Modified="\x7f")
    with Loopback({"/": odd}) as server:
        crawl(server, tmp_path / "crawl")
        server.requests.clear()
        summary = crawl_again(server, tmp_path / "crawl")
        assert not {"if-none-match", "if-modified-since"} & set(server.requests[-1].headers)
    assert summary.changes == {"same": 1}


def test_a_crawl_without_an_earlier_one_tells_no_changes(tmp_path):
    with Loopback(dict(BEFORE)) as server:
        summary = crawl(server, tmp_path / "crawl")
        assert {change for (change,) in rows(tmp_path / "crawl", server, "change").values()} == {""}
    assert summary.changes == {}


def test_notes_and_seconds_add_up_over_the_runs_of_a_crawl(tmp_path):
    with Loopback(dict(BEFORE)) as server:
        first = crawl(server, tmp_path / "crawl", pages=2)
        second = crawl(server, tmp_path / "crawl")
        assert server.hits("/robots.txt") == 2
    assert (first.notes["robots_requests"], second.notes["robots_requests"]) == (1, 2)
    assert second.seconds >= first.seconds
    with Store.open(tmp_path / "crawl") as store:
        seconds, notes = store.begin_run()
    assert (notes["robots_requests"], seconds >= first.seconds) == (2, True)


def test_all_pages_are_asked_for_again_however_short_the_queue(tmp_path):
    names = [f"/{n}" for n in range(150)]
    pages = {"/": answer(html("start", *names)), **{name: answer(html(name)) for name in names}}
    with Loopback(pages) as server:
        crawl(server, tmp_path / "crawl", pages=200)
        summary = crawl_again(server, tmp_path / "crawl", pages=200, max_queue=100, deny=["/149"])
    assert (summary.fetched, summary.excluded) == (150, {"denied": 1})
    assert json.loads(json.dumps(summary.to_dict()))["changes"] == {"same": 150, "excluded": 1}


def test_a_page_that_is_gone_from_where_it_led_elsewhere_is_gone(tmp_path, clock):
    moved = answer(b"", "302 Found", Location="/new")
    pages = {"/": answer(html("start", "/old")), "/old": moved, "/new": answer(html("new"))}
    with Loopback(pages) as server:
        crawl(server, tmp_path / "crawl")
        server.pages["/old"] = answer(b"", "410 Gone")
        assert crawl_again(server, tmp_path / "crawl").changes == {"same": 2, "gone": 1}
