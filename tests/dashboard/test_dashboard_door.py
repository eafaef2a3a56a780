"""Who may come in to the dashboard: nobody without its token, no page of another server, nothing by a mere GET."""

import asyncio
import re

import aiohttp
import pytest

import honeyguide as hg
from dashboards import watched
from small_webs import topical_web


def paused():
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", web=topical_web(), pages=50)
    crawl.pause()
    return crawl


def asked(method, path, headers=None, own=True, **more):
    """The answer to a request, and whether the crawl still is as it was; `own` headers come first."""

    async def run():
        crawl = paused()
        async with watched(crawl, lambda _: topical_web()) as asker:
            await asker.phase("paused")
            given = {**(asker.own if own else {}), **(headers(asker) if callable(headers) else headers or {})}
            given = {name: value for name, value in given.items() if value is not None}
            async with asker.client.request(method, asker.origin + path, headers=given, **more) as answer:
                return answer.status, answer.headers, await answer.text(), crawl.paused and not asker.visits

    return asyncio.run(run())


JSON = {"json": {}}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Basic d3Jvbmc="}, 401),
        (lambda asker: {"Authorization": asker.server.note.token}, 401),
        (lambda asker: {"Authorization": f"Bearer {asker.server.note.token}x"}, 401),
        ({"Host": "evil.example"}, 403),
        (lambda asker: {"Host": f"evil.example:{asker.server.note.port}"}, 403),
        ({"Host": "127.0.0.1:1"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Origin": None}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        (lambda asker: {"Origin": f"https://127.0.0.1:{asker.server.note.port}"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_a_request_that_is_not_the_pages_own_changes_nothing(headers, status):
    answered, sent, _, unchanged = asked("POST", "/api/resume", headers, **JSON)
    assert (answered, unchanged) == (status, True)
    assert "default-src 'none'" in sent["Content-Security-Policy"]


def test_the_pages_own_request_is_heard():
    answered, _, _, unchanged = asked("POST", "/api/resume", **JSON)
    assert (answered, unchanged) == (200, False)


@pytest.mark.parametrize("type_", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_form_could_send_is_refused(type_):
    answered, _, _, unchanged = asked("POST", "/api/resume", {"Content-Type": type_}, data=b"{}")
    assert (answered, unchanged) == (415, True)


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b"[" * 5000, b'{"a": "' + b"x" * 20_000 + b'"}'])
def test_what_is_no_small_json_object_is_refused(body):
    answered, _, _, unchanged = asked("POST", "/api/resume", {"Content-Type": "application/json"}, data=body)
    assert answered in (400, 413)
    assert unchanged


def test_a_charset_that_does_not_exist_is_refused():
    type_ = {"Content-Type": "application/json; charset=foo"}
    answered, _, text, unchanged = asked("POST", "/api/resume", type_, data=b"{}")
    assert (answered, unchanged) == (400, True)
    assert "JSON object" in text


def test_why_of_a_url_that_does_not_exist_is_told_in_a_sentence():
    answered, headers, text, _ = asked("GET", "/api/why/999999999")
    assert (answered, headers["Content-Type"].partition(";")[0]) == (409, "application/json")
    assert "no such URL is known to this crawl" in text


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_only_a_post_does_anything(method):
    answered, _, _, unchanged = asked(method, "/api/resume")
    assert (answered, unchanged) == (405, True)


@pytest.mark.parametrize("path", ["/api/events", "/api/why/0", "/metrics", "/nothing", "/..%2f..%2fetc/passwd"])
def test_nothing_of_the_crawl_is_read_without_the_token(path):
    answered, sent, text, _ = asked("GET", path, own=False)
    assert answered == 401
    assert sent["WWW-Authenticate"] == "Bearer"
    assert "test" not in text


@pytest.mark.parametrize(("path", "type_"), [("/", "html"), ("/app.js", "javascript"), ("/style.css", "css")])
def test_the_page_itself_needs_no_token_and_holds_none(path, type_):
    answered, headers, text, _ = asked("GET", path, own=False)
    assert answered == 200
    assert not re.search(r"[\w-]{43}", text.replace("--", ""))  # as long as a token; rulers aside
    assert type_ in headers["Content-Type"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    policy = headers["Content-Security-Policy"]
    for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "unsafe" not in policy


def test_the_page_has_no_script_style_or_handler_of_its_own_and_the_script_makes_no_markup():
    _, _, page, _ = asked("GET", "/", own=False)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=|https?://", page)
    _, _, script, _ = asked("GET", "/app.js", own=False)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", script)


def test_it_listens_on_this_machine_only_and_every_token_is_another():
    async def run():
        async with (
            watched(paused(), lambda _: topical_web()) as one,
            watched(paused(), lambda _: topical_web()) as two,
        ):
            assert [each.getsockname()[0] for each in one.server._listening.sockets] == ["127.0.0.1"]
            assert one.server.note.token != two.server.note.token
            assert len(one.server.note.token) >= 43  # 256 bits
            with pytest.raises(aiohttp.ClientConnectorError):
                await one.client.get(f"http://127.0.0.2:{one.server.note.port}/")

    asyncio.run(run())
