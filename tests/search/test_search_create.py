"""Search engines by their names."""

import json

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.running import run_async
from honeyguide.search import DdgsSearch, Hit, IndexSearch, MetaSearch, SearxngSearch, create_search
from honeyguide.settings import Settings
from honeyguide.web import Archive, LiveWeb

WEB = Archive({"http://a.test/": Page("http://a.test/", "Bees", main="honey")})


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ddgs", DdgsSearch),
        (" ddgs: mojeek, wikipedia ", DdgsSearch),
        ("searxng:http://localhost:8080/a+b", SearxngSearch),
        ("index", IndexSearch),
        ("ddgs + searxng:http://localhost:8080/ + index", MetaSearch),
    ],
)
def test_names(text, kind):
    assert type(create_search(text, WEB)) is kind


def test_several_are_kept_in_their_order():
    search = create_search("index  +  ddgs", WEB)
    assert [type(engine) for engine in search.engines] == [IndexSearch, DdgsSearch]
    assert search.name == "index + ddgs"


def test_the_stored_web_of_a_crawl_is_searched():
    assert run_async(create_search("index", WEB).find("bees")) == [Hit("http://a.test/", "Bees", "honey")]


def test_a_named_stored_web_is_searched(tmp_path):
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"url": "http://a.test/", "title": "Bees", "text": "honey"}))
    assert run_async(create_search(f"index:{path}").find("bees")) == [Hit("http://a.test/", "Bees", "honey")]


@pytest.mark.parametrize("web", [None, LiveWeb(Settings())])
def test_a_live_web_has_no_index(web):
    with pytest.raises(BadInput, match=r"`index` searches the stored web .* name one as index:DIR, or .* ddgs"):
        create_search("index", web)


@pytest.mark.parametrize("text", ["", "google", "ddgs+index", "ddgs + ", "Index", "index + foo:bar"])
def test_an_unknown_name_is_refused_with_those_that_work(text):
    with pytest.raises(BadInput, match=r"there is no search engine '.*'; there are: ddgs, .* searxng:URL, index"):
        create_search(text, WEB)


def test_a_directory_that_is_no_stored_web(tmp_path):
    with pytest.raises(BadInput, match="is not a stored web"):
        create_search(f"index:{tmp_path}")
    with pytest.raises(BadInput, match="does not exist"):
        create_search(f"index:{tmp_path}/none")
