"""A SearXNG instance: its documented JSON, and all the ways in which it may not answer."""

import gzip
import json
import socket

import pytest

from honeyguide.base import BadInput
from honeyguide.running import run_async
from honeyguide.search import Hit, SearchFailed, SearxngSearch
from loopback import Loopback, answer, hang_up, never, reset

QUERY = "/search?q=wild+bees&format=json&pageno={}"


def result(url, **fields):
    """A result with the fields an instance sends."""
    return {"url": url, "title": "", "content": "", "engine": "mojeek", "template": "default.html",
            "engines": ["mojeek"], "positions": [1], "score": 1.0, "category": "general", **fields}  # fmt: skip


def page(*results, silent=(), **headers):
    body = {"query": "wild bees", "number_of_results": 0, "results": results, "answers": [], "corrections": [],
            "infoboxes": [], "suggestions": [], "unresponsive_engines": silent}  # fmt: skip
    return answer(json.dumps(body).encode(), type="application/json", **headers)


def ask(*pages, limit=10, timeout=5.0, base=""):
    """The hits of an instance that answers with these pages, and the paths it was asked for."""
    table = {base + QUERY.format(number): handler for number, handler in enumerate(pages, 1)}
    with Loopback(table) as server:
        search = SearxngSearch(f"{server.origin}{base}/", timeout)
        return run_async(search.find("wild bees", limit)), server


def failure(*pages, **given):
    with pytest.raises(SearchFailed) as caught:
        ask(*pages, **given)
    text = str(caught.value)
    assert text.startswith("searxng: http://127.0.0.1:")
    assert "\n" not in text
    return text


def test_hits_have_address_title_and_text():
    hits, server = ask(page(result("http://A.test", title="Bees", content="wild ones"), result("http://b.test/")))
    assert hits == [Hit("http://a.test/", "Bees", "wild ones"), Hit("http://b.test/")]
    assert server.requests[0].headers["user-agent"].startswith("honeyguide/")


def test_pages_are_asked_for_until_there_are_enough_hits():
    pages = [page(*(result(f"http://a.test/{n}{i}") for i in range(4))) for n in range(5)]
    hits, server = ask(*pages, limit=10)
    assert len(hits) == 10
    assert server.paths == [QUERY.format(n) for n in (1, 2, 3)]


def test_an_empty_page_is_the_last_one():
    hits, server = ask(page(result("http://a.test/")), page(), page(result("http://b.test/")))
    assert len(hits) == 1
    assert len(server.paths) == 2


def test_a_page_that_brings_nothing_new_is_the_last_one():
    again = page(result("http://a.test/"), result("http://A.test/#top"))
    hits, server = ask(again, again, again)
    assert len(hits) == 1
    assert len(server.paths) == 2


def test_a_later_page_that_fails_keeps_what_came_before():
    hits, _ = ask(page(result("http://a.test/")), answer(status="500 Oops"))
    assert len(hits) == 1


def test_an_instance_in_a_folder_and_compressed():
    packed = gzip.compress(page(result("http://a.test/")).partition(b"\r\n\r\n")[2])
    hits, _ = ask(answer(packed, Content_Encoding="gzip"), limit=1, base="/searx")
    assert hits == [Hit("http://a.test/")]


def test_the_address_of_the_result_page_will_do():
    with Loopback({QUERY.format(1): page(result("http://a.test/"))}) as server:
        hits = run_async(SearxngSearch(f"{server.origin}/search?q=x").find("wild bees", 1))
    assert hits == [Hit("http://a.test/")]


def test_a_name_and_password_are_sent_but_not_told():
    with Loopback({}) as server:
        search = SearxngSearch(f"http://me:secret@127.0.0.1:{server.port}/")
        with pytest.raises(SearchFailed) as caught:
            run_async(search.find("wild bees"))
    assert server.requests[0].headers["authorization"].startswith("Basic ")
    assert "secret" not in str(caught.value)


def test_results_that_are_no_pages_are_left_out():
    odd = [result(None), result(7), {"title": "no address"}, "text", None, result("http://a.test/", title=None)]
    hits, _ = ask(page(*odd), limit=1)
    assert hits == [Hit("http://a.test/")]


def test_too_many_requests_are_tried_once_more():
    busy = answer(status="429 Too Many Requests", Retry_After="0")
    hits, server = ask([busy, page(result("http://a.test/"))], limit=1)
    assert len(hits) == 1
    assert len(server.paths) == 2
    assert "status 429 (too many requests; it asks to wait 0 s); ask again later" in failure([busy, busy])


def test_a_long_wait_is_not_waited_for():
    text = failure([answer(status="429 Too Many Requests", Retry_After="3600"), page(result("http://a.test/"))])
    assert "it asks to wait 3600 s" in text


def test_an_instance_that_does_not_give_out_json():
    text = failure(answer(b"<h1>Forbidden</h1>", "403 Forbidden"))
    assert "status 403 (it does not give out JSON); add `json` to `search: formats:`" in text


async def cut_short(_, writer):
    """Send less than was announced."""
    writer.write(answer(b"{}").replace(b"Content-Length: 2", b"Content-Length: 9"))
    await writer.drain()


@pytest.mark.parametrize(
    ("handler", "told"),
    [
        (answer(status="404 Not Found"), "status 404; check the address"),
        (answer(status="500 Oops"), "status 500; look into the log"),
        (answer(status="301 Moved", Location="https://b.test/"), "redirects to https://b.test/; name that address"),
        (answer(b"<html>"), "something else than SearXNG's JSON; check that the address"),
        (answer(b"\xff\xfe"), "something else"),
        (answer(b"[" * 100_000), "something else"),
        (answer(b"[]"), "something else"),
        (answer(b"{}"), "something else"),
        (answer(b'{"results": {"url": 1}}'), "something else"),
        (answer(b"{}", Content_Encoding="made-up"), "cannot be read"),
        (answer(b" " * 5_000_001), "more than 5,000,000 bytes"),
        (cut_short, "half an answer"),
        (hang_up, "cannot be reached"),
        (reset, "cannot be reached"),
        (b"nonsense\r\n\r\n", "cannot be reached"),
    ],
)
def test_every_failure_is_one_sentence(handler, told):
    assert told in failure(handler)


def test_an_instance_that_stays_silent():
    assert "did not answer within 0.2 s; try again later" in failure(never, timeout=0.2)


def test_an_instance_that_is_not_there():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        search = SearxngSearch(f"http://127.0.0.1:{bound.getsockname()[1]}")
        with pytest.raises(SearchFailed, match=r"cannot be reached \(unreachable: .*check the address"):
            run_async(search.find("bees"))


def test_engines_that_fail_behind_an_instance_are_named():
    silent = [["google", "Suspended: too many requests"], ["brave", "timeout"], "odd", []]
    text = failure(page(silent=silent))
    assert "its engines failed: google (Suspended: too many requests), brave (timeout); ask again later" in text


@pytest.mark.parametrize("silent", [[], None, {"a": 1}, [["mojeek"]]])
def test_nothing_found_is_an_answer(silent):
    hits, _ = ask(page(silent=silent))
    assert hits == []


def test_engines_that_fail_beside_others_do_not_matter():
    hits, _ = ask(page(result("http://a.test/"), silent=[["google", "timeout"]]), limit=1)
    assert len(hits) == 1


@pytest.mark.parametrize("address", ["", "localhost:8080", "ftp://a.test/", "http://"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(BadInput, match="write it as searxng:http://localhost:8080/"):
        SearxngSearch(address)
