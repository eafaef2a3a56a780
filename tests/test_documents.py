"""Example documents from wherever people keep them."""

import gzip
import json

import pytest

import honeyguide
from honeyguide.base import BadInput, Page
from honeyguide.documents import load_documents
from honeyguide.settings import Settings
from honeyguide.store.warc import Asked, exchange_records
from loopback import Loopback, answer
from small_webs import stored

LOCAL = Settings(delay=0, allow_private=True, timeout=5)
PAGE = answer(b"<title>Bees</title><p>A hive of bees")


def titles(source, *args):
    return [page.title for page in load_documents(str(source), *args)]


# -- files and folders --------------------------------------------------------------------------------------------


def test_an_html_file(tmp_path):
    (tmp_path / "bees.html").write_text("<title>Bees</title><p>hive", encoding="utf-8")
    (page,) = load_documents(str(tmp_path / "bees.html"))
    assert (page.title, page.type, page.url) == ("Bees", "text/html", "http://file.invalid/bees.html")
    assert "hive" in page.text


def test_a_text_file(tmp_path):
    (tmp_path / "bees.txt").write_text("Bées\nlive in <hives>", encoding="utf-8")
    (page,) = load_documents(str(tmp_path / "bees.txt"))
    assert (page.title, page.text, page.type) == ("Bées", "Bées\nlive in <hives>", "text/plain")


def test_a_file_without_a_telling_name(tmp_path):
    (tmp_path / "bees").write_text("<html><title>Bees</title>")
    assert titles(tmp_path / "bees") == ["Bees"]


def test_a_folder_with_all_below_it(tmp_path):
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "b.html").write_text("<title>B</title>")
    (tmp_path / "deep" / "a.txt").write_text("A")
    (tmp_path / "deep" / "deeper" / "c.jsonl").write_text('{"url": "http://c.example/", "title": "C"}\n')
    (tmp_path / ".hidden").write_text("no")
    assert sorted(titles(tmp_path)) == ["A", "B", "C"]


def test_stored_pages(tmp_path):
    headers = [(b"Content-Type", b"text/html")]
    record = exchange_records(
        Asked("http://w.example/", "2026-01-02T03:04:05Z", "", []), "HTTP/1.1 200 OK", headers, b"<title>W</title>"
    )
    (tmp_path / "a.warc.gz").write_bytes(record)
    entry = json.dumps({"url": "http://j.example/", "title": "J"}).encode()
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(entry))
    assert titles(tmp_path / "a.warc.gz") == ["W"]
    assert titles(tmp_path / "a.jsonl.gz") == ["J"]


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.jsonl", b'{"url": "http://a.example/"}\n{"url": 3}\n', 'line 2: no "url"'),
        ("a.warc", b"junk", "is not a WARC file"),
        ("a.jsonl", b"", "holds no pages"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, name, data, sentence):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=sentence):
        load_documents(str(tmp_path / name))


def test_nothing_there(tmp_path):
    with pytest.raises(BadInput, match="is no file, no directory and no URL"):
        load_documents(str(tmp_path / "nothing"))
    with pytest.raises(BadInput, match="holds no pages"):
        load_documents(str(tmp_path))


# -- URLs ---------------------------------------------------------------------------------------------------------


def test_a_url():
    with Loopback({"/a": PAGE}) as server:
        (page,) = load_documents(server.origin + "/a", settings=LOCAL)
        assert (page.title, page.url) == ("Bees", server.origin + "/a")
        assert server.hits("/robots.txt") == 1


def test_a_url_that_moved():
    hops = {f"/{i}": answer(b"", "302 Found", Location=f"/{i + 1}") for i in range(5)}
    with Loopback({**hops, "/5": PAGE, "/loop": answer(b"", "302 Found", Location="/loop")}) as server:
        assert titles(server.origin + "/0", None, LOCAL) == ["Bees"]
        with pytest.raises(BadInput, match="too many redirects"):
            load_documents(server.origin + "/loop", settings=LOCAL)


def test_a_url_with_a_delay_waits_behind_robots_txt():
    with Loopback({"/a": PAGE}) as server:
        settings = Settings(delay=0.3, allow_private=True, timeout=5)
        assert titles(server.origin + "/a", None, settings) == ["Bees"]
        robots, page = server.requests
        assert page.time - robots.time >= 0.15  # the first may arrive late


@pytest.mark.parametrize(
    ("pages", "sentence"),
    [
        ({}, "/a could not be fetched: http_404"),
        (
            {"/robots.txt": answer(b"User-agent: *\nDisallow: /", type="text/plain"), "/a": PAGE},
            "robots.txt of the host forbids it",
        ),
        ({"/robots.txt": answer(b"", "500 Oh no"), "/a": PAGE}, "could not be fetched: robots_unavailable"),
        ({"/a": answer(b"x", Content_Encoding="rot13")}, "could not be fetched: bad_encoding"),
    ],
)
def test_urls_that_cannot_be_fetched(pages, sentence):
    with Loopback(pages) as server, pytest.raises(BadInput, match=sentence):
        load_documents(server.origin + "/a", settings=LOCAL)


def test_private_addresses_are_refused_unless_allowed():
    with Loopback({"/a": PAGE}) as server:
        with pytest.raises(BadInput, match="private_address"):
            load_documents(server.origin + "/a")
        assert server.requests == []


# -- crawls -------------------------------------------------------------------------------------------------------


def test_the_two_halves_of_a_crawl(tmp_path):
    site = {
        "/": answer(
            b"<title>Home</title><a href=/bees>x</a><a href=/wasps>y</a><a href=/gone>z</a><a href=/old>o</a>"
        ),
        "/bees": answer(b"<title>Bees</title><p>honey bees"),
        "/wasps": answer(b"<title>Wasps</title><p>no such thing"),
        "/old": answer(b"", "301 Moved", Location="/bees"),
    }
    with Loopback(site) as server:
        seeds = [server.origin + "/"]
        honeyguide.Crawl(seeds, "keyword:honey", directory=tmp_path / "crawl", delay=0, allow_private=True).run()
    assert sorted(titles(tmp_path / "crawl")) == ["Bees", "Home", "Wasps"]
    assert titles(tmp_path / "crawl", True) == ["Bees"]
    assert sorted(titles(tmp_path / "crawl", False)) == ["Home", "Wasps"]


def test_a_crawl_without_relevant_pages(tmp_path):
    with Loopback({"/": PAGE}) as server:
        seeds = [server.origin + "/"]
        honeyguide.Crawl(seeds, "keyword:zebra", directory=tmp_path / "crawl", delay=0, allow_private=True).run()
    with pytest.raises(BadInput, match="holds no relevant pages"):
        load_documents(str(tmp_path / "crawl"), True)
    assert titles(tmp_path / "crawl", False) == ["Bees"]


def test_an_imported_web(tmp_path):
    stored(tmp_path / "web", Page("http://a.example/", title="A"), Page("http://b.example/", title="B"))
    assert titles(tmp_path / "web") == ["A", "B"]


def test_a_simulated_crawl_has_no_pages_to_learn_from(tmp_path):
    stored(tmp_path / "web", Page("http://a.test/", text="bees"))
    web = honeyguide.open_web(tmp_path / "web")
    honeyguide.Crawl(["http://a.test/"], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    with pytest.raises(BadInput, match="only the log of a simulated crawl"):
        load_documents(str(tmp_path / "crawl"), True)
