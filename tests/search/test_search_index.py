"""The index of a stored web: ranking, any query, any text, and the file it is kept in."""

import os
import shutil
import sqlite3
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide import Crawl
from honeyguide.base import Page
from honeyguide.running import run_async
from honeyguide.search import IndexSearch, SearchFailed
from honeyguide.web import Archive, open_web
from loopback import Loopback, answer
from small_webs import stored

PAGES = [
    Page("http://a.test/", "Bees", main="They make honey. The pump is broken; heat helps."),
    Page("http://b.test/", "Honey", main="Sweet and golden."),
    Page("http://c.test/", "Warmth", text="A heat pump warms the house.", main=""),
    Page("http://d.test/", "Café Zürich", main="Тёплый дом — 養蜂 हिन्दी"),
    Page("http://e.test/"),
]


def web_of(*pages):
    return Archive({page.url: page for page in pages})


def find(search, query, limit=10):
    hits = run_async(search.find(query, limit))
    return [hit.url.removeprefix("http://").removesuffix(".test/") for hit in hits]


@pytest.fixture(scope="module")
def small():
    search = IndexSearch(web_of(*PAGES))
    yield search
    search.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("honey", ["b", "a"]),  # the title counts more
        ("golden bee", ["a", "b"]),  # any of the words, by their stems
        ('"heat pump"', ["c"]),
        ("“heat pump”", ["c"]),
        ("heat-pump", ["c"]),
        ("heat,pump", ["c", "a"]),
        ('"heat pump', ["c", "a"]),
        ("cafe ZURICH", ["d"]),
        ("cafe\u0301", ["d"]),
        ("тёплый", ["d"]),
        ("養蜂", ["d"]),
        ("हिन्दी", ["d"]),
        ("unheard", []),
        ("", []),
        ('""', []),
        ("… !? _", []),
        ("honey AND NOT bees", ["a", "b"]),
    ],
)
def test_queries(small, query, found):
    assert find(small, query) == found


def test_a_hit_shows_title_and_the_words_in_the_text():
    words = " ".join(f"word{i}" for i in range(500))
    search = IndexSearch(web_of(Page("http://a.test/", "Long", main=f"{words} nectar {words}")))
    (hit,) = run_async(search.find("nectar"))
    assert hit.title == "Long"
    assert " nectar " in hit.text
    assert hit.text.startswith("…")
    assert len(hit.text.split()) <= 32


def test_a_limit_and_equal_pages_by_address():
    pages = [Page(f"http://{name}.test/", main="the same words") for name in "dbcae"]
    search = IndexSearch(web_of(*pages))
    assert find(search, "words") == ["a", "b", "c", "d", "e"]
    assert find(search, "words", limit=2) == ["a", "b"]


def test_an_empty_web():
    assert find(IndexSearch(web_of()), "bees") == []


SYNTAX = st.sampled_from(['"', "'", "*", "(", ")", "^", ":", "{", "}", "-", "+", "AND", "OR", "NOT", "NEAR(", "text:",
                          " ", "honey", "\x00", "\ud800", "rank", ";--", "“"])  # fmt: skip
ANYTHING = st.text(st.characters(exclude_categories=()))


@given(ANYTHING | st.lists(SYNTAX).map("".join), st.integers(-1, 20))
def test_no_query_ever_raises(small, query, limit):
    assert len(find(small, query, limit)) <= max(0, limit)


@given(st.lists(st.tuples(ANYTHING, ANYTHING), max_size=3))
def test_any_text_can_be_indexed(texts):
    pages = [Page(f"http://{i}.test/", title, text) for i, (title, text) in enumerate(texts)]
    search = IndexSearch(web_of(*pages, Page("http://a.test/", "honey")))
    assert "a" in find(search, "honey")
    search.close()


@settings(max_examples=20)
@given(st.integers(0, 100_000))
def test_a_query_of_any_length(small, length):
    assert find(small, "honey " + " ".join(map(str, range(1000, 1000 + length)))) == ["b", "a"]


@pytest.fixture
def directory(tmp_path):
    return stored(tmp_path / "web", *PAGES)


def search(directory, query="honey"):
    index = IndexSearch(open_web(directory))
    try:
        return find(index, query)
    finally:
        index.close()


def test_the_index_of_a_directory_is_kept_in_it(directory):
    assert search(directory) == ["b", "a"]
    made = (directory / "search.db").stat()
    assert search(directory) == ["b", "a"]
    assert (directory / "search.db").stat().st_ino == made.st_ino
    assert [path.name for path in directory.glob("search*")] == ["search.db"]


def test_the_index_is_made_anew_when_pages_came(directory):
    search(directory)
    index = (directory / "search.db").read_bytes()
    shutil.rmtree(directory)
    stored(directory, *PAGES, Page("http://new.test/", main="honey"))
    (directory / "search.db").write_bytes(index)
    assert "new" in search(directory)
    kept = IndexSearch(open_web(directory))
    assert "new" in find(kept, "honey")


def test_pages_that_are_not_yet_in_the_main_file_count(tmp_path):
    with Loopback({"/": answer(b"<p>honey <a href='/new'>new</a>"), "/new": answer(b"<p>honey too")}) as server:
        crawl = Crawl(
            [f"{server.origin}/"], "keyword:honey", directory=tmp_path / "crawl", delay=0, allow_private=True
        )
        found = run_async(searched_after_every_visit(crawl))
    assert found == [1, 2]


async def searched_after_every_visit(crawl):
    found = []
    async for _ in crawl:
        crawl.store.commit()
        index = IndexSearch(open_web(crawl.directory))
        found.append(len(await index.find("honey", 10)))
        index.close()
    return found


@pytest.mark.parametrize("damage", [b"", b"not a database", b"SQLite format 3\x00" + b"\x00" * 5000])
def test_a_damaged_index_is_made_anew(directory, damage):
    (directory / "search.db").write_bytes(damage)
    assert search(directory) == ["b", "a"]
    assert search(directory) == ["b", "a"]
    with sqlite3.connect(directory / "search.db") as database:
        assert database.execute("SELECT count(*) FROM pages").fetchone() == (5,)
    database.close()


def test_an_index_that_breaks_inside_is_told(directory):
    search(directory)
    with sqlite3.connect(directory / "search.db") as database:
        database.execute("DROP TABLE pages_data")
    database.close()
    with pytest.raises(SearchFailed, match=r"index: the index cannot be used .*; delete .*search\.db"):
        search(directory)


def test_a_directory_that_takes_no_index_is_searched_all_the_same(directory):
    (directory / "search.db").mkdir()
    assert search(directory) == ["b", "a"]
    assert not list(directory.glob("search.db.*"))


def test_a_directory_that_cannot_be_written_to(directory):
    directory.chmod(0o555)
    try:
        if os.access(directory, os.W_OK):
            pytest.skip("the superuser may write anywhere")
        assert search(directory) == ["b", "a"]
    finally:
        directory.chmod(0o755)
    assert not list(directory.glob("search*"))


def test_a_web_made_in_python_has_no_directory(directory, monkeypatch):
    monkeypatch.chdir(directory)
    web = web_of(*PAGES)
    web.source = ""
    assert find(IndexSearch(web), "honey") == ["b", "a"]
    assert not (directory / "search.db").exists()


def test_many_pages_are_indexed_quickly():
    text = " ".join(" ".join(page.main for page in PAGES) for _ in range(50))
    pages = [Page(f"http://a.test/{i}", f"Page {i}", main=text) for i in range(1000)]
    started = time.perf_counter()
    assert len(run_async(IndexSearch(web_of(*pages)).find("honey"))) == 10
    assert time.perf_counter() - started < 5
