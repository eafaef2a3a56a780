"""A crawl of a site that scripts write: found, archived, resumed, judged anew, imported and asked again."""

import json
import shutil

import pytest

import honeyguide as hg
from honeyguide.cli.importing import import_sources
from honeyguide.cli.running import told
from honeyguide.crawl.rejudging import rejudge
from honeyguide.running import run_async
from honeyguide.store import Store
from honeyguide.topic import as_topic
from honeyguide.web import LiveWeb, open_web
from honeyguide.web.browser import NAMES
from loopback import Loopback, answer
from strict_warc import strict_records

pytestmark = pytest.mark.skipif(not any(map(shutil.which, NAMES)), reason="there is no Chromium on this machine")

APP = b"""
fetch('/api' + location.pathname + '.json').then(got => got.json()).then(page => {
  document.title = page.title
  document.getElementById('root').innerHTML = '<h1>' + page.title + '</h1><p>' + page.text + '</p>'
    + page.links.map(link => '<a href="' + link + '">' + link + '</a>').join(' ')
})
"""
SHELL = answer(
    b'<title>App</title><div id="root"></div><script src="/app.js"></script>',
    type="text/html; charset=utf-8",
    ETag="1",
)


def data(title, text, *links):
    body = json.dumps({"title": title, "text": f"{text} of {title}. " * 30, "links": links}).encode()
    return answer(body, type="application/json")


@pytest.fixture
def site():
    pages = {
        "/app.js": answer(APP, type="text/javascript"),
        "/home": SHELL,
        "/bees": SHELL,
        "/wasps": SHELL,
        "/plain": answer(b"<p>" + b"Nothing but honey in a page as old as the hills. " * 10),
        "/api/home.json": data("Home", "A garden full", "/bees", "/wasps", "/plain"),
        "/api/bees.json": data("Bees", "The honey"),
        "/api/wasps.json": data("Wasps", "The sting"),
    }
    with Loopback(pages) as server:
        yield server


def crawl(site, directory, **given):
    seeds = [site.origin + "/home"]
    more = {"delay": 0, "allow_private": True, "render": "auto", "workers": 1, **given}
    return hg.Crawl(seeds, "keyword:honey", "breadth-first", directory=directory, **more)


def test_a_site_that_scripts_write(site, tmp_path):
    directory = tmp_path / "crawl"
    crawled = crawl(site, directory)
    summary = crawled.run()
    assert summary.balanced
    assert (summary.fetched, summary.relevant, summary.failed) == (4, 2, {})
    assert not summary.flags  # one shell, four pages
    assert {name: summary.notes[name] for name in summary.notes if name.startswith("render")} == {
        "rendered": 3,
        "render_gained": 3,
        "render_failed": 0,
        "render_requests": 4,
        "render_refused": 0,
    }
    assert "Rendered in a browser: 3 pages, of which 3 gained by it; 0 failed. That took 4 further requests" in told(
        crawled, summary
    )
    assert site.hits("/app.js") == 1
    with Store.open(directory, write=False) as store:
        visits = {visit.url.removeprefix(site.origin): visit for visit in store.visits()}
        assert {path: visit.detail for path, visit in visits.items()} == {
            "/home": "rendered", "/bees": "rendered", "/wasps": "rendered", "/plain": "",
        }  # fmt: skip
        stored = store.archive.read(visits["/bees"].warc, visits["/bees"].offset)
        assert b"The honey of Bees." in stored.body
        assert summary.bytes == sum(visit.size for visit in visits.values())
    kinds = [record.type for record in strict_records(directory / "crawl-00000.warc.gz")]
    assert (kinds.count("response"), kinds.count("conversion")) == (4, 3)

    _check_resuming(site, directory)
    _check_a_new_topic(directory)
    _check_import(site, directory, tmp_path)
    _check_again(site, directory)


def _check_resuming(site, directory):
    resumed = crawl(site, directory, pages=2000).run()
    assert (resumed.fetched, resumed.relevant, resumed.notes["rendered"]) == (4, 2, 3)


def _check_a_new_topic(directory):
    judged = run_async(rejudge(directory, LiveWeb(hg.Settings()), as_topic("keyword:sting")))
    assert judged == 4
    with Store.open(directory, write=False) as store:
        assert [visit.title for visit in store.visits() if visit.relevant] == ["Wasps"]


def _check_import(site, directory, tmp_path):
    for number, source in enumerate([directory, directory / "crawl-00000.warc.gz"]):
        assert import_sources([source], tmp_path / f"web{number}", None) == 0
        pages = {page.url.removeprefix(site.origin): page for page in open_web(tmp_path / f"web{number}").pages()}
        assert set(pages) == {"/home", "/bees", "/wasps", "/plain"}
        assert pages["/bees"].text.startswith("Bees\n\nThe honey of Bees.")


def _check_again(site, directory):
    """The shell is the same, its data is not: a page that was rendered is asked for without conditions."""
    site.pages["/api/bees.json"] = data("Bees", "The wax")
    with Store.open(directory) as store:
        store.begin_again()
    summary = crawl_again(site, directory)
    assert (summary.notes["rendered"], summary.changes) == (3, {"same": 3, "changed": 1})
    assert not any("if-none-match" in request.headers for request in site.requests)


def crawl_again(site, directory):
    more = {"delay": 0, "allow_private": True, "render": "auto", "workers": 1}
    return hg.Crawl([site.origin + "/home"], "keyword:sting", "breadth-first", directory=directory, **more).run()


def test_without_rendering_the_same_site_is_one_empty_page(site, tmp_path):
    summary = crawl(site, tmp_path / "crawl", render="never").run()
    assert (summary.fetched, summary.relevant) == (1, 0)
    assert not any(name.startswith("render") for name in summary.notes)
