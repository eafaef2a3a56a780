"""Searches with a password, and through a proxy: what is sent, and what is kept of it."""

import json

import pytest
from ddgs.base import BaseSearchEngine
from ddgs.engines import ENGINES

import honeyguide as hg
from honeyguide.running import run_async
from honeyguide.search import DdgsSearch, Hit, SearchFailed, SearxngSearch, create_search
from honeyguide.settings import Settings, without_password
from loopback import Loopback, answer
from proxies import HttpProxy, SocksProxy

SECRET = "s3cr3t-honey"
KINDS = [HttpProxy, SocksProxy]
BEES = answer(b"<title>Bees</title><p>bees</p><a href=/two>on</a>")


def results(*urls):
    body = {"results": [{"url": url} for url in urls], "unresponsive_engines": []}
    return answer(json.dumps(body).encode(), type="application/json")


def guarded(found):
    """A SearXNG instance that wants a password: its answers to each of two ways of asking."""

    async def handler(request, writer):
        allowed = request.headers.get("authorization", "").startswith("Basic ")
        writer.write(found if allowed else answer(b"who are you?", "401 Unauthorized"))

    return handler


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("searxng:https://me:pw@h.example/", "searxng:https://h.example/"),
        ("searxng:https://me@h.example", "searxng:https://h.example"),
        ("searxng:https:me:p@w@h.example/a@b", "searxng:https:h.example/a@b"),
        ("SEARXNG:\thttp:\\\\me:pw@h.example", "SEARXNG:\thttp:\\\\h.example"),
        ("searxng:http://me:a b@h + searxng:http://u:v@i/ + ddgs", "searxng:http://h + searxng:http://i/ + ddgs"),
        ("searxng:https://h.example + index:my@web", "searxng:https://h.example + index:my@web"),
        ("index:a@b:c", "index:a@b:c"),
        ("", ""),
    ],
)
def test_the_password_of_an_instance_is_left_out_of_what_is_written_down(given, kept):
    assert without_password(given) == kept
    assert Settings(search=given).to_dict().get("search", "") == kept


def test_a_crawl_keeps_no_password_and_says_that_it_must_be_given_again(tmp_path):
    with Loopback({"/": BEES, "/two": BEES}) as site:
        found = guarded(results(site.origin + "/"))
        with Loopback({"/search?q=bees&format=json&pageno=1": found}) as engine:
            given = {"seed_query": ["bees"], "delay": 0, "allow_private": True, "workers": 0}
            instance = f"searxng:http://me:{SECRET}@127.0.0.1:{engine.port}/"
            directory = tmp_path / "crawl"
            hg.Crawl([], "keyword:bees", search=instance, directory=directory, **given).run()
            kept = b"".join(path.read_bytes() for path in directory.iterdir())
            search = hg.Crawl([], "keyword:bees", search=_kept_search(directory), **given)
            with pytest.raises(SearchFailed) as caught:
                run_async(search.asking.search.find("bees"))
    assert SECRET.encode() not in kept
    assert _kept_search(directory) == f"searxng:http://127.0.0.1:{engine.port}/"
    assert "status 401; name it as searxng:https://NAME:PASSWORD@HOST/; a crawl does not keep them" in str(
        caught.value
    )


def _kept_search(directory):
    from honeyguide.store import read_settings

    return read_settings(directory).search


def test_an_address_that_is_none_is_told_without_its_password():
    with pytest.raises(hg.BadInput) as caught:
        SearxngSearch(f"ftp://me:{SECRET}@h.example")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_an_instance_elsewhere_is_asked_through_the_proxy(kind):
    known = kind(engine_test="127.0.0.1", user="u", password="p")
    with Loopback({"/search?q=bees&format=json&pageno=1": results("http://a.test/")}) as engine, known as proxy:
        address = proxy.address.replace("socks5:", "socks5h:")
        search = create_search(f"searxng:http://engine.test:{engine.port}/", proxy=address)
        assert run_async(search.find("bees", 1)) == [Hit("http://a.test/")]
        assert proxy.asked == [f"engine.test:{engine.port}"]


def test_a_crawl_hands_its_proxy_to_its_search():
    with Loopback({"/search?q=bees&format=json&pageno=1": results("http://a.test/")}) as engine, HttpProxy() as proxy:
        instance = f"searxng:http://engine.test:{engine.port}/"
        crawl = hg.Crawl(["http://a.test/"], "keyword:bees", search=instance, proxy=proxy.address)
        with pytest.raises(SearchFailed):  # the proxy knows of no such host
            run_async(crawl.asking.search.find("bees", 1))
        assert proxy.asked == [f"engine.test:{engine.port}"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_instance_on_this_machine_is_asked_directly(host):
    with Loopback({"/search?q=bees&format=json&pageno=1": results("http://a.test/")}) as engine, HttpProxy() as proxy:
        search = create_search(f"searxng:http://{host}:{engine.port}/", proxy=proxy.address)
        assert run_async(search.find("bees", 1)) == [Hit("http://a.test/")]
        assert proxy.asked == []


def test_a_proxy_that_is_down_is_told():
    with HttpProxy() as proxy:
        pass
    search = create_search("searxng:http://engine.test/", proxy=f"http://me:{SECRET}@127.0.0.1:{proxy.port}")
    with pytest.raises(SearchFailed, match=r"engine\.test was not asked: the proxy 127\.0\.0\.1:\d+") as caught:
        run_async(search.find("bees"))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_public_engines_are_asked_through_the_proxy(kind, monkeypatch):
    with Loopback({"/": results()}) as server, kind() as proxy:

        class Engine(BaseSearchEngine):
            name = provider = "near"
            category = "text"
            search_url, search_method = server.origin + "/", "GET"

            def build_payload(self, *args, **kwargs):
                return {}

            def extract_results(self, html_text):
                return []

        monkeypatch.setitem(ENGINES["text"], "near", Engine)
        with pytest.raises(SearchFailed, match="nothing came"):
            run_async(DdgsSearch(["near"], proxy.address).find("bees", 1))
        assert proxy.asked == [f"127.0.0.1:{server.port}"]
