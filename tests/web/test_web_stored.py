"""Pages of a crawl directory: whoever reads one again gets the same."""

import pytest

import honeyguide
from exported_crawl import make_crawl
from honeyguide.base import Page
from honeyguide.documents import load_documents
from honeyguide.export.selection import Selection
from honeyguide.export.source import Source
from honeyguide.running import run_async
from honeyguide.store import Store
from honeyguide.web import open_web
from honeyguide.web.stored import archived_markdown, archived_page, stored_page
from small_webs import web_of

A, B = "http://a.example/", "http://b.example/"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """A crawl with pages, copies, redirects, images and failures."""
    return make_crawl(tmp_path_factory.mktemp("stored") / "crawl")


@pytest.fixture
def simulated(tmp_path):
    """A crawl whose directory holds no page, and the web it ran on."""
    web = web_of(Page(A, title="A", text="bees", main="bees"), Page(B, title="B", text="wax"))
    honeyguide.Crawl([A, B, "http://c.example/"], "keyword:bees", web=web, directory=tmp_path / "crawl").run()
    return tmp_path / "crawl", web


def test_exports_stored_webs_and_examples_read_the_same_pages(crawled):
    web = open_web(crawled)
    with Store.open(crawled, write=False) as store:
        pages = {visit.url: archived_page(store, visit) for visit in store.visits()}
    with Source(crawled, Selection(all=True)) as source:
        exported = {visit.url: source.page(visit) for visit in source.chosen()}
    found = {url: page for url, page in pages.items() if page}
    assert dict(web.replies()).keys() == pages.keys()
    assert {url: reply.page for url, reply in web.replies() if reply.page} == found
    assert {page.url: page for page in load_documents(str(crawled))} == found
    assert exported.items() <= found.items()
    assert exported


def test_a_visit_that_brought_no_page_has_none_though_its_answer_is_archived(crawled):
    with Store.open(crawled, write=False) as store:
        failed = [visit for visit in store.visits() if visit.error and visit.warc is not None]
        assert {visit.error for visit in failed} >= {"redirect", "http_404"}
        assert [archived_page(store, visit) or archived_markdown(store, visit) for visit in failed] == [None] * len(
            failed
        )


def test_a_page_that_is_not_archived_comes_from_the_web_the_crawl_ran_on(simulated):
    directory, web = simulated
    with Store.open(directory, write=False) as store:
        visits = list(store.visits())
        assert [archived_page(store, visit) for visit in visits] == [None] * len(visits)
        assert [run_async(stored_page(web, store, visit)).title for visit in visits] == ["A", "B"]


def test_a_crawled_web_lacks_a_page_whose_place_was_forgotten(crawled, tmp_path):
    import shutil

    directory = shutil.copytree(crawled, tmp_path / "crawl")
    with Store.open(directory) as store:
        url = next(visit.url for visit in store.visits() if not visit.error)
        store.database.execute("UPDATE visits SET warc = NULL, offset = NULL WHERE number = 0")
        store.commit()
    assert url not in dict(open_web(directory).replies())
