"""Stored webs: files, imported directories, and crawls lived through again."""

import gzip
import json

import pytest

import honeyguide
from honeyguide.base import BadInput, Excluded, Link, Page, Visit
from honeyguide.graph import DONE, Graph
from honeyguide.settings import Settings
from honeyguide.store import Store
from honeyguide.store.warc import Asked, exchange_records
from honeyguide.web import Archive, SimulatedWeb, open_web
from loopback import Loopback, answer, ask
from small_webs import stored

A, B = "http://a.example/", "http://b.example/"


def test_an_archive_answers_and_counts_what_it_lacks():
    web = Archive({B: Page(B, text="bees"), A: Page(A)}, delay=2.0)
    found, lacking, again = ask(web, B, "http://c.example/", "http://c.example/")
    assert (found.page.url, found.size, found.status) == (B, 4, 200)
    for error in (lacking, again):
        assert isinstance(error, Excluded)
        assert error.reason == "not_in_archive"
    assert web.missing == 2
    assert len(web) == 2
    assert [page.url for page in web.pages()] == [A, B]
    assert isinstance(web, SimulatedWeb)
    assert web.gap("b.example") == 2.0


def jsonl(path, *entries):
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def test_open_a_jsonl_file(tmp_path):
    entries = {"url": B, "title": "first"}, {"url": "http://B.example:80", "title": "second"}, {"url": A}
    web = open_web(jsonl(tmp_path / "a.jsonl", *entries), delay=1.5)
    assert [page.url for page in web.pages()] == [A, B]
    (reply,) = ask(web, B)
    assert reply.page.title == "first"
    assert web.gap("b.example") == 1.5


def test_a_file_with_a_broken_line_is_not_opened(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"url": "http://a.example/"}\n{"url"\n')
    with pytest.raises(BadInput, match=r"a\.jsonl, line 2: not JSON .*; `honeyguide import` takes in the rest"):
        open_web(path)


def exchange(url, body):
    return exchange_records(
        Asked(url, "2026-01-02T03:04:05Z", "", []), "HTTP/1.1 200 OK", [(b"Content-Type", b"text/html")], body
    )


@pytest.mark.parametrize(("pack", "name"), [(bytes, "a.warc.gz"), (gzip.decompress, "a.warc")])
def test_open_a_warc_file(tmp_path, pack, name):
    path = tmp_path / name
    path.write_bytes(pack(exchange(A, b"<title>A</title>") + exchange(B, b"<title>B</title>")))
    web = open_web(path)
    assert [page.title for page in web.pages()] == ["A", "B"]
    assert ask(web, B)[0].page.title == "B"


def test_open_an_imported_web(tmp_path):
    stored(tmp_path / "web", Page(B, text="bees", links=(Link(A, "a"),)), Page(A))
    web = open_web(tmp_path / "web", delay=0.5)
    found, lacking = ask(web, B, "http://c.example/")
    assert found.page == Page(B, text="bees", links=(Link(A, "a"),))
    assert found.size == 4
    assert lacking.reason == "not_in_archive"
    assert web.missing == 1
    assert len(web) == 2
    assert [page.url for page in web.pages()] == [B, A]
    assert web.gap("a.example") == 0.5


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_what_is_no_web_is_refused(tmp_path, name):
    with pytest.raises(BadInput, match=r"does not exist|holds no crawl\.toml and crawl\.db"):
        open_web(tmp_path / name)


SITE = {
    "/robots.txt": answer(b"User-agent: *\nDisallow: /closed", type="text/plain"),
    "/": answer(
        b"<title>Home</title><a href=/bees>bees</a><a href=/old>old</a><a href=/gone>gone</a><a href=/closed>no</a>"
        b"<a href=/odd>odd</a>"
    ),
    "/bees": answer(gzip.compress(b"<title>Bees</title><p>All about bees"), Content_Encoding="gzip"),
    "/old": answer(b"", "301 Moved", Location="/bees"),
    "/odd": answer(b"?", Content_Encoding="rot13"),
}


@pytest.fixture
def crawled(tmp_path):
    """A crawl of that site: its directory, and where the site was."""
    with Loopback(SITE) as server:
        summary = honeyguide.Crawl(
            [server.origin + "/"],
            "keyword:bees",
            directory=tmp_path / "crawl",
            delay=0,
            allow_private=True,
        ).run()
    assert (summary.fetched, summary.relevant, summary.failed) == (5, 1, {"bad_encoding": 1, "http_404": 1})
    return tmp_path / "crawl", server.origin


def test_a_crawl_is_lived_through_again(crawled):
    directory, origin = crawled
    web = open_web(directory)
    home, bees, old, gone, odd, closed = ask(
        web, *(origin + path for path in ("/", "/bees", "/old", "/gone", "/odd", "/closed"))
    )
    assert (home.page.title, home.status, len(home.page.links)) == ("Home", 200, 5)
    assert (bees.page.title, bees.size) == ("Bees", len(SITE["/bees"].partition(b"\r\n\r\n")[2]))
    assert (old.redirect, old.status, old.page) == (origin + "/bees", 301, None)
    assert (gone.error, gone.status, gone.page) == ("http_404", 404, None)
    assert (odd.error, odd.detail) == ("bad_encoding", "unknown content encoding 'rot13'")
    assert closed.reason == "not_in_archive"
    assert [page.title for page in web.pages()] == ["Home", "Bees"]
    assert len(web) == 2


def test_a_simulated_crawl_on_it_comes_to_the_same(crawled):
    directory, origin = crawled
    summary = honeyguide.Crawl([origin + "/"], "keyword:bees", web=open_web(directory)).run()
    assert (summary.fetched, summary.relevant, summary.failed) == (5, 1, {"bad_encoding": 1, "http_404": 1})
    assert summary.excluded == {"not_in_archive": 1}


def test_the_log_of_a_simulated_crawl_is_no_web(tmp_path):
    web = Archive({A: Page(A, text="bees")})
    honeyguide.Crawl([A], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    with pytest.raises(BadInput, match="holds no pages, only the log of a simulated crawl"):
        open_web(tmp_path / "crawl")


def test_a_page_nobody_judged_is_a_page_still(tmp_path):
    with Store.create(tmp_path / "crawl", Settings()) as store:
        graph = Graph()
        graph.intern([A, B])
        for number, error in enumerate(("", "unjudged")):
            graph.mark(number, DONE)
            url = graph.url(number)
            visit = Visit(number, number, url, graph.intern([]), page=Page(url), error=error)
            store.record(graph, visit, honeyguide.Reply(Page(url), record=exchange(url, b"<title>T</title>")))
        store.commit()
    (reply,) = ask(open_web(tmp_path / "crawl"), B)
    assert reply.page.title == "T"


def test_a_web_imported_by_an_earlier_version_is_refused(tmp_path):
    with Store.create(tmp_path / "web", Settings()) as store:
        store.database.execute("CREATE TABLE pages (url TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID")
        store.database.execute("INSERT INTO pages VALUES (?, ?)", (A, b""))
        store.commit()
    with pytest.raises(BadInput, match="was imported by an earlier version; import it again"):
        open_web(tmp_path / "web")
