"""The library ddgs, asked through its own interface: its engines are replaced, nothing of ours is."""

import inspect
import sys

import ddgs.ddgs
import pytest
from ddgs.base import BaseSearchEngine
from ddgs.engines import ENGINES
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException
from ddgs.results import TextResult

from honeyguide.base import BadInput
from honeyguide.running import run_async
from honeyguide.search import DdgsSearch, Hit, SearchFailed


def engine_of(key, results):
    """An engine of the library that needs no network; a result that is an error is raised."""

    class Engine(BaseSearchEngine):
        name = provider = key
        category = "text"
        search_url, search_method = "http://engine.invalid/", "GET"

        def build_payload(self, *args, **kwargs):
            return {}

        def search(self, query, **_):
            if isinstance(results, Exception):
                raise results
            return results and [TextResult(query, href, "text") for href in results]

    return Engine


@pytest.fixture
def engines(monkeypatch):
    """Adds engines to those the library knows."""

    def add(**given):
        for key, results in given.items():
            monkeypatch.setitem(ENGINES["text"], key, engine_of(key, results))
        return DdgsSearch(given)

    return add


def find(search, limit=10):
    return run_async(search.find("bees", limit))


def test_what_we_call_is_there():
    inspect.signature(ddgs.ddgs.DDGS).bind(timeout=10)
    inspect.signature(ddgs.ddgs.DDGS.text).bind(None, "bees", max_results=10, backend="auto")
    named = inspect.signature(ddgs.ddgs.DDGS._search_sync).parameters  # where `text` hands its arguments on to
    assert {"max_results", "backend"} <= set(named)


def test_the_engines_that_are_named_are_asked(engines):
    search = engines(one=["http://A.test"], two=["http://b.test/#x"])
    assert set(find(search)) == {Hit("http://a.test/", "bees", "text"), Hit("http://b.test/", "bees", "text")}


def test_no_more_than_asked_for(engines):
    assert len(find(engines(one=[f"http://a.test/{i}" for i in range(20)]), limit=5)) == 5


def test_without_names_the_library_chooses(monkeypatch):
    monkeypatch.setattr(
        "ddgs.ddgs.DDGS.text", lambda _, query, max_results, backend: [{"href": "http://a.test/", "title": backend}]
    )
    assert find(DdgsSearch()) == [Hit("http://a.test/", "auto")]


def test_an_engine_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(BadInput, match=r"ddgs has no engine 'altavista'; it has: .*mojeek.*wikipedia"):
        DdgsSearch(["mojeek", "altavista"])


@pytest.mark.parametrize(
    ("results", "told"),
    [
        (RatelimitException("202"), r"ddgs: its engines refuse so many requests \(rate limit\); wait some minutes"),
        (TimeoutException("operation timed out"), r"ddgs: its engines did not answer within 10 s; wait"),
        (DDGSException("ConnectError: no route"), r"its engines failed \(DDGSException: ConnectError: no route\)"),
        (ValueError("a page nobody can read"), r"its engines failed \(DDGSException: a page nobody can read\)"),
        (None, r"ddgs: nothing came: no page has these words, or .*rate limit\); try other words, wait"),
        ([], r"ddgs: nothing came"),
    ],
)
def test_failures_of_engines(engines, results, told):
    with pytest.raises(SearchFailed, match=told):
        find(engines(one=results))


def test_an_engine_that_fails_beside_others_does_not_matter(engines):
    assert len(find(engines(one=RatelimitException("202"), two=["http://a.test/"]))) == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RatelimitException("429"), "rate limit"),
        (TimeoutException("late"), "did not answer within"),
        (KeyError("href"), "its engines failed .KeyError"),
    ],
)
def test_failures_of_the_library(monkeypatch, error, told):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("ddgs.ddgs.DDGS.text", fail)
    with pytest.raises(SearchFailed, match=told):
        find(DdgsSearch())


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ddgs.engines", None)
    with pytest.raises(BadInput, match=r"pip install 'honeyguide\[search\]'"):
        DdgsSearch()
