"""The live web, against a real server on this machine."""

import asyncio
import contextlib
import email.utils
import gzip
import importlib.metadata
import io
import itertools
import socket
from datetime import UTC, datetime, timedelta

import brotli
import pytest
import zstandard

import honeyguide as hg
from honeyguide.base import Excluded, FetchError, NotNow, Page, Visit
from honeyguide.graph import DONE, Graph
from honeyguide.settings import Settings
from honeyguide.store import Store
from honeyguide.store.warc import responses
from honeyguide.urls import normalize
from honeyguide.web import LiveWeb
from honeyguide.web.manners import AWAY_PAUSE
from loopback import Loopback, answer, get, hang_up, never, reset, settings

PAGE = answer(b"<title>Bees</title><p>A hive.<a href='/two'>on</a>", type="text/html; charset=utf-8")
NO_RULES = answer(b"", "404 None", Connection="close")  # the page gets a connection of its own
FORBIDDEN = answer(b"User-agent: *\nDisallow: /closed\n", type="text/plain")


def archived(reply):
    (stored,) = responses(io.BytesIO(reply.record))
    return stored


# -- answers ------------------------------------------------------------------------------------------------------


def test_a_page():
    with Loopback({"/a?b=1": PAGE}) as server:
        reply = get(server.origin + "/a?b=1")
        assert [request.path for request in server.requests] == ["/robots.txt", "/a?b=1"]
    assert (reply.status, reply.error, reply.redirect, reply.size) == (200, "", "", 50)
    assert (reply.page.url, reply.page.title) == (server.origin + "/a?b=1", "Bees")
    assert [link.url for link in reply.page.links] == [server.origin + "/two"]
    stored = archived(reply)
    assert (stored.url, stored.status) == (server.origin + "/a?b=1", 200)
    assert stored.body == PAGE.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone", "500 Oh no", "503 Later", "429 Slowly"])
def test_an_error_with_a_status_is_an_answer(status):
    with Loopback({"/a": answer(b"sorry", status)}) as server:
        reply = get(server.origin + "/a", retries=0)
        assert server.hits("/a") == 1
    assert (reply.page, reply.error, reply.status) == (None, f"http_{status[:3]}", int(status[:3]))
    assert archived(reply).body == b"sorry"


@pytest.mark.parametrize(
    ("location", "target"),
    [("/b#top", "{origin}/b"), ("http://else.example/x", "http://else.example/x"), ("?c", "{origin}/a?c")],
)
def test_a_redirect_is_not_followed(location, target):
    with Loopback({"/a": answer(b"", "302 Found", Location=location), "/b": PAGE}) as server:
        reply = get(server.origin + "/a")
        assert (server.hits("/a"), server.hits("/b")) == (1, 0)
    assert (reply.redirect, reply.status, reply.page) == (target.format(origin=server.origin), 302, None)
    assert archived(reply).headers["location"] == location


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "javascript:alert(1)", "ftp://bees.example/", "about:blank"]
)
def test_a_redirect_to_another_scheme_is_an_error(location):
    with Loopback({"/a": answer(b"", "302 Found", Location=location)}) as server:
        reply = get(server.origin + "/a")
    assert (reply.redirect, reply.page, reply.status) == ("", None, 302)
    assert (reply.error, reply.detail) == ("bad_scheme", location)


def test_of_a_long_address_in_another_scheme_only_the_beginning_is_told():
    with Loopback({"/a": answer(b"", "302 Found", Location="data:," + "x" * 1000)}) as server:
        assert len(get(server.origin + "/a").detail) == 200


@pytest.mark.parametrize("location", ["http://[::1", "", "http://\xff\xfe/", "http://", "/" + "x" * 3000])
def test_a_redirect_to_nowhere_is_an_error(location):
    with Loopback({"/a": answer(b"", "302 Found", Location=location)}) as server:
        reply = get(server.origin + "/a")
    assert (reply.redirect, reply.error) == ("", "http_302")


def test_a_redirect_without_a_location():
    with Loopback({"/a": answer(b"", "301 Moved")}) as server:
        assert get(server.origin + "/a").error == "http_301"


@pytest.mark.parametrize(
    ("name", "packed"), [("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstandard.compress)]
)
def test_a_packed_page_is_read_unpacked_and_kept_packed(name, packed):
    body = packed(b"<title>Bees</title>" + b"<p>honey</p>" * 500)
    with Loopback({"/a": answer(body, Content_Encoding=name)}) as server:
        reply = get(server.origin + "/a")
    assert reply.page.title == "Bees"
    assert reply.size == len(body)
    stored = archived(reply)
    assert (stored.body, stored.headers["content-encoding"]) == (body, name)


def test_encodings_on_several_header_lines():
    body = brotli.compress(gzip.compress(b"<title>Bees</title>"))
    both = answer(body).replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\nContent-Encoding: br\r\n\r\n", 1)
    with Loopback({"/a": both}) as server:
        reply = get(server.origin + "/a")
    assert reply.page.title == "Bees"
    assert archived(reply).headers["content-encoding"] == "gzip, br"


def test_robots_words_on_several_header_lines():
    both = PAGE.replace(b"\r\n\r\n", b"\r\nX-Robots-Tag: nofollow\r\nX-Robots-Tag: noarchive\r\n\r\n", 1)
    with Loopback({"/a": both}) as server:
        assert get(server.origin + "/a").page.robots == {"nofollow", "noarchive"}


def test_a_chunked_body_is_kept_whole():
    chunked = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunked += b"7\r\n<title>\r\n4\r\nBees\r\n8\r\n</title>\r\n0\r\n\r\n"
    with Loopback({"/a": chunked}) as server:
        reply = get(server.origin + "/a")
    assert reply.page.title == "Bees"
    assert archived(reply).body == b"<title>Bees</title>"


def test_a_body_that_ends_with_the_connection():
    async def until_closed(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Bees</title>")

    with Loopback({"/a": until_closed}) as server:
        assert get(server.origin + "/a").page.title == "Bees"


def test_the_record_names_the_address_and_what_was_asked():
    with Loopback({"/a": PAGE}) as server:
        record = gzip.decompress(get(server.origin + "/a", contact="me@bees.example").record)
    assert record.count(b"\r\nWARC-IP-Address: 127.0.0.1\r\n") == 3  # response, request, metadata
    request = record.partition(b"msgtype=request")[2]
    assert b"\r\nGET /a HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port in request
    assert b"(+me@bees.example)\r\n" in request


# -- what is sent -------------------------------------------------------------------------------------------------


def test_every_request_says_who_asks():
    with Loopback({"/a": PAGE}) as server:
        get(server.origin + "/a", user_agent="beebot", contact="http://bees.example/bot")
        version = importlib.metadata.version("honeyguide")
        for request in server.requests:
            assert request.headers["user-agent"] == f"beebot/{version} (+http://bees.example/bot)"
            assert request.headers["accept-encoding"] == "gzip, deflate, br, zstd"
            assert request.headers["host"] == f"127.0.0.1:{server.port}"
        assert len(server.requests) == 2


def test_without_a_contact_only_the_name_is_sent():
    with Loopback({"/a": PAGE}) as server:
        get(server.origin + "/a")
        assert server.requests[-1].headers["user-agent"] == f"honeyguide/{importlib.metadata.version('honeyguide')}"


def test_cookies_are_not_kept():
    with Loopback({"/a": answer(b"x", Set_Cookie="id=7; Path=/"), "/b": PAGE}) as server:
        get(server.origin + "/a", server.origin + "/a", server.origin + "/b")
        assert len(server.requests) == 4
        assert not any("cookie" in request.headers for request in server.requests)


def test_escapes_in_a_url_are_sent_as_they_are():
    with Loopback({"/a%2Fb?q=%C3%A9&r=a%20b": PAGE}) as server:
        assert get(server.origin + "/a%2Fb?q=%C3%A9&r=a%20b").page


# -- robots.txt ---------------------------------------------------------------------------------------------------


def test_what_robots_txt_forbids_is_not_asked_for():
    with Loopback({"/robots.txt": FORBIDDEN, "/closed": PAGE, "/open": PAGE}) as server:
        closed, opened = get(server.origin + "/closed", server.origin + "/open")
        assert (server.hits("/robots.txt"), server.hits("/closed"), server.hits("/open")) == (1, 0, 1)
    assert isinstance(closed, Excluded)
    assert closed.reason == "robots"
    assert opened.page


def test_robots_txt_is_read_for_the_name_that_is_sent():
    text = b"User-agent: beebot\nDisallow: /\n\nUser-agent: *\nDisallow:\n"
    with Loopback({"/robots.txt": answer(text, type="text/plain"), "/a": PAGE}) as server:
        assert isinstance(get(server.origin + "/a", user_agent="beebot"), Excluded)
        assert get(server.origin + "/a", user_agent="wasp").page


@pytest.mark.parametrize("status", ["404 Not Found", "401 Unauthorized", "403 Forbidden", "410 Gone"])
def test_without_robots_txt_everything_is_allowed(status):
    with Loopback({"/robots.txt": answer(b"User-agent: *\nDisallow: /", status), "/a": PAGE}) as server:
        assert get(server.origin + "/a").page


def test_pages_asked_for_at_once_share_one_robots_txt():
    with Loopback({"/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings()) as web:
                return await asyncio.gather(*(web.get(server.origin + "/a") for _ in range(5)))

        assert all(reply.page for reply in asyncio.run(run()))
        assert (server.hits("/robots.txt"), server.hits("/a")) == (1, 5)


def redirects(count, last):
    hops = {f"/r{i}": answer(b"", "301 Moved", Location=f"/r{i + 1}") for i in range(1, count)}
    return {"/robots.txt": answer(b"", "302 Found", Location="/r1"), **hops, f"/r{count}": last, "/closed": PAGE}


def test_redirects_of_robots_txt_are_followed():
    with Loopback(redirects(5, FORBIDDEN)) as server:
        assert isinstance(get(server.origin + "/closed"), Excluded)
        assert server.hits("/r5") == 1


def test_a_sixth_redirect_of_robots_txt_is_not_followed():
    with Loopback(redirects(6, FORBIDDEN)) as server:
        assert get(server.origin + "/closed").page
        assert server.hits("/r6") == 0


def test_a_robots_txt_elsewhere_holds_for_the_host_that_sent_us_there():
    with Loopback({"/else.txt": FORBIDDEN, "/closed": PAGE}, host="127.0.0.2") as other:
        moved = answer(b"", "302 Found", Location=other.origin + "/else.txt")
        with Loopback({"/robots.txt": moved, "/closed": PAGE}) as server:
            here, there = get(server.origin + "/closed", other.origin + "/closed")
    assert isinstance(here, Excluded)
    assert there.page


def test_a_packed_robots_txt():
    text = gzip.compress(b"User-agent: *\nDisallow: /closed\n")
    with Loopback({"/robots.txt": answer(text, Content_Encoding="gzip"), "/closed": PAGE}) as server:
        assert isinstance(get(server.origin + "/closed"), Excluded)


def test_a_bomb_for_a_robots_txt_is_none():
    bomb = gzip.compress(bytes(20_000_000))
    with Loopback({"/robots.txt": answer(bomb, Content_Encoding="gzip"), "/a": PAGE}) as server:
        assert isinstance(get(server.origin + "/a"), NotNow)
        assert server.hits("/a") == 0


def test_a_robots_txt_of_rubbish():
    with Loopback({"/robots.txt": answer(b"\xff\xfe\xed\xa0\x80\0" * 1000), "/a": PAGE}) as server:
        assert get(server.origin + "/a").page


# -- gaps ---------------------------------------------------------------------------------------------------------


def test_the_first_page_of_a_host_waits_behind_its_robots_txt():
    with Loopback({"/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings(delay=0.4)) as web:
                with pytest.raises(NotNow) as later:
                    await web.get(server.origin + "/a")
                assert later.value.reason == "robots_read"
                assert server.hits("/a") == 0
                await web.wait(later.value.until)
                return await web.get(server.origin + "/a")

        assert asyncio.run(run()).page
        robots, page = server.requests
        assert (robots.path, page.path) == ("/robots.txt", "/a")
        assert page.time - robots.time >= 0.2  # the first may arrive late


@pytest.mark.parametrize(
    ("delay", "asked", "gap"), [(0, "7", 0), (2, "7", 7), (9, "7", 9), (2, "1000", 60), (2, "nan", 2)]
)
def test_the_longer_of_our_delay_and_theirs(delay, asked, gap):
    text = answer(f"User-agent: *\nCrawl-delay: {asked}".encode(), type="text/plain")
    with Loopback({"/robots.txt": text, "/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings(delay=delay)) as web:
                with contextlib.suppress(NotNow):
                    await web.get(server.origin + "/a")
                return web.gap(f"127.0.0.1:{server.port}"), web.gap("never.asked.example")

        assert asyncio.run(run()) == (gap, delay)


# -- private addresses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0"]
)
def test_private_addresses_are_not_connected_to(host):
    with Loopback({"/a": PAGE}) as server:
        error = get(normalize(f"http://{host}:{server.port}/a"), allow_private=False)
        assert server.requests == []
    assert isinstance(error, Excluded)
    assert error.reason == "private_address"
    assert "--allow-private" in error.detail


def test_nor_is_a_name_that_leads_to_one():
    with Loopback({"/a": PAGE}) as server:
        url = f"http://bees.test:{server.port}/a"
        error = get(url, allow_private=False, resolve=["bees.test=127.0.0.1"])
        assert isinstance(error, Excluded)
        assert error.reason == "private_address"
        assert server.requests == []
        assert get(url, resolve=["bees.test=127.0.0.1"]).page.url == url
        assert server.requests[-1].headers["host"] == f"bees.test:{server.port}"


def test_nor_does_a_robots_txt_lead_to_one():
    with Loopback({"/secret": PAGE}) as inner:
        moved = answer(b"", "302 Found", Location=inner.origin + "/secret")
        with Loopback({"/robots.txt": moved, "/a": PAGE}, host="127.0.0.2") as server:
            error = get(server.origin + "/a", allow_private=False, allowed=["127.0.0.2"])
        assert (type(error), error.reason) == (NotNow, "robots_unavailable")
        assert f"leads to {inner.origin}/secret: private_address" in error.detail
        assert inner.requests == []


def test_one_private_address_can_be_allowed():
    with Loopback({"/a": PAGE}, host="127.0.0.2") as server:
        assert get(server.origin + "/a", allow_private=False, allowed=["127.0.0.2"]).page
        assert isinstance(get(server.origin + "/a", allow_private=False, allowed=["127.0.0.3"]), Excluded)


# -- no answers ---------------------------------------------------------------------------------------------------


def test_a_server_that_never_answers():
    with Loopback({"/a": never}) as server:
        error = get(server.origin + "/a", timeout=0.3, retries=0)
    assert (type(error), error.reason) == (FetchError, "timeout")


def test_a_body_that_never_ends():
    async def trickle(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    with Loopback({"/a": trickle}) as server:
        reply = get(server.origin + "/a", timeout=0.3, retries=0)
    assert (reply.page, reply.error, reply.status) == (None, "timeout", 200)
    assert set(archived(reply).body) == set(b"x")


def test_too_large():
    async def flood(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"x" * 65536)
            await writer.drain()

    with Loopback({"/a": answer(b"x" * 5000), "/b": answer(b"x" * 5001), "/c": flood}) as server:
        fits, over, flooded = get(*(server.origin + path for path in ("/a", "/b", "/c")), max_page_bytes=5000)
    assert fits.page
    assert (over.page, over.error, over.status, over.size) == (None, "too_large", 200, 5000)
    assert (flooded.page, flooded.error, flooded.size) == (None, "too_large", 5000)
    assert archived(flooded).body == b"x" * 5000


def test_too_large_once_unpacked():
    body = gzip.compress(bytes(20_000_000))
    with Loopback({"/a": answer(body, Content_Encoding="gzip")}) as server:
        reply = get(server.origin + "/a", max_page_bytes=1_000_000)
    assert (reply.page, reply.error, reply.status) == (None, "too_large", 200)
    assert archived(reply).body == body


def test_nobody_listens():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        error = get(f"http://127.0.0.1:{closed.getsockname()[1]}/a")
    assert (type(error), error.reason) == (NotNow, "robots_unavailable")
    assert error.detail.startswith("unreachable: ")


def test_a_host_that_answered_and_cannot_be_reached_any_more_is_waited_for():
    pages = {"/a": answer(b"<title>Bees</title>", Connection="close")}

    async def run():
        async with LiveWeb(settings(retries=0)) as web:
            with Loopback(pages) as server:
                assert (await web.get(server.origin + "/a")).page
            with pytest.raises(NotNow, match="unreachable") as error:
                await web.get(server.origin + "/a")
            with Loopback(pages, port=server.port) as back:
                return error.value.until - web.now(), (await web.get(back.origin + "/a")).page.title

    pause, title = asyncio.run(run())
    assert AWAY_PAUSE / 2 < pause <= AWAY_PAUSE
    assert title == "Bees"


@pytest.mark.parametrize("host", ["host.invalid", "a" * 63 + ".invalid"])
def test_a_name_that_does_not_exist(host):
    error = get(f"http://{host}/")
    assert (type(error), error.reason) == (FetchError, "dns")


@pytest.mark.parametrize(
    "garbage",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"\x15\x03\x01\x00\x02\x02\x46",
        b"<title>HTTP/0.9</title>\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
    ],
)
def test_what_is_no_http(garbage):
    async def send(_, writer):
        writer.write(garbage)
        await writer.drain()

    with Loopback({"/a": send}) as server:
        error = get(server.origin + "/a")
    assert (type(error), error.reason) == (FetchError, "protocol_error")


def test_a_connection_closed_without_a_word():
    with Loopback({"/robots.txt": NO_RULES, "/a": hang_up}) as server:
        error = get(server.origin + "/a", retries=0)
    assert (type(error), error.reason) == (FetchError, "disconnected")


async def half_by_length(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half")


async def half_by_chunks(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n<p>half\r\n")


@pytest.mark.parametrize("handler", [half_by_length, half_by_chunks])
def test_half_a_body_is_no_page(handler):
    with Loopback({"/a": handler}) as server:
        reply = get(server.origin + "/a", retries=0)
    assert (reply.page, reply.error, reply.status) == (None, "incomplete", 200)
    assert archived(reply).body == b"<p>half"


# -- second tries --------------------------------------------------------------------------------------------------


def tries(server, count, path="/a", **given):
    """What comes of asking for a URL so many times, without waiting; and what the web counted."""

    async def run():
        came = []
        async with LiveWeb(settings(**given)) as web:
            for _ in range(count):
                try:
                    came.append(await web.get(server.origin + path))
                except NotNow as later:
                    came.append((later.reason, later.until - web.now()))
                except FetchError as error:
                    came.append(error)
            return came, web.notes()

    return asyncio.run(run())


@pytest.fixture
def long_pauses(monkeypatch):
    """Pauses long enough to be told apart."""
    monkeypatch.setattr("honeyguide.web.live.RETRY_PAUSE", 100.0)


def about(reason, seconds):
    return (reason, pytest.approx(seconds, abs=30))


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_status_that_may_pass_is_tried_again_after_longer_and_longer_pauses(status, long_pauses):
    with Loopback({"/a": answer(b"sorry", f"{status} Sorry")}) as server:
        (first, second, last), notes = tries(server, 3)
        assert server.paths == ["/robots.txt", "/a", "/a", "/a"]
    assert first == about(f"http_{status}", 100)
    assert second == about(f"http_{status}", 200)
    assert (last.error, last.status, last.page) == (f"http_{status}", status, None)
    assert archived(last).body == b"sorry"
    assert notes == {"robots_requests": 1, "retries": 2}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 418, 451, 501, 505])
def test_a_status_that_will_not_pass_is_taken_as_it_is(status):
    with Loopback({"/a": answer(b"no", f"{status} No")}) as server:
        assert get(server.origin + "/a").error == f"http_{status}"
        assert server.hits("/a") == 1


async def half_by_time(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half")
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (half_by_length, "incomplete"),
        (half_by_chunks, "incomplete"),
        (half_by_time, "timeout"),
        (never, "timeout"),
        (hang_up, "disconnected"),
        (reset, "disconnected"),
    ],
)
def test_an_answer_that_does_not_come_or_breaks_off_is_tried_again(handler, reason, long_pauses):
    with Loopback({"/robots.txt": NO_RULES, "/a": handler}) as server:
        (first, second, last), notes = tries(server, 3, timeout=0.3)
        assert server.hits("/a") == 3
    assert (first, second) == (about(reason, 100), about(reason, 200))
    if isinstance(last, FetchError):
        assert (type(last), last.reason) == (FetchError, reason)
    else:
        assert (last.error, last.page, last.redirect) == (reason, None, "")
    assert notes["retries"] == 2


def test_a_page_that_comes_at_the_second_try(long_pauses):
    with Loopback({"/a": [answer(b"", "502 Oh"), PAGE]}) as server:
        (first, second), notes = tries(server, 2)
        assert server.hits("/a") == 2
    assert first == about("http_502", 100)
    assert second.page.title == "Bees"
    assert notes["retries"] == 1


@pytest.mark.parametrize("between", [PAGE, answer(b"", "404 Gone"), answer(b"", "302 Found", Location="/b")])
def test_tries_are_counted_from_the_last_answer(between, long_pauses):
    busy = answer(b"", "503 Later")
    with Loopback({"/a": [busy, busy, between, busy, busy, busy]}) as server:
        came, _ = tries(server, 6)
    assert [one if isinstance(one, tuple) else one.status for one in came] == [
        about("http_503", 100),
        about("http_503", 200),
        came[2].status,
        about("http_503", 100),
        about("http_503", 200),
        503,
    ]


def test_tries_are_counted_by_url(long_pauses):
    busy = answer(b"", "500 Oh no")
    with Loopback({"/a": busy, "/b": busy}) as server:
        came = get(*(server.origin + path for path in ("/a", "/b", "/a", "/b")), retries=1)
    assert [type(one).__name__ for one in came] == ["NotNow", "NotNow", "Reply", "Reply"]


@pytest.mark.parametrize("garbage", [b"SSH-2.0-OpenSSH_9.6\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"])
def test_what_is_no_http_is_not_tried_again(garbage):
    with Loopback({"/a": garbage}) as server:
        assert type(get(server.origin + "/a")) is FetchError
        assert server.hits("/a") == 1


def test_a_page_that_is_too_large_is_not_asked_for_again():
    with Loopback({"/a": answer(b"x" * 5001)}) as server:
        assert get(server.origin + "/a", max_page_bytes=5000).error == "too_large"


def in_an_hour() -> str:
    """A date, as Retry-After may give one."""
    return email.utils.format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)


@pytest.mark.parametrize(
    ("asked", "pause"),
    [
        ("3600", 3600),
        ("7.5", 100),  # ours is longer
        ("0", 100),
        ("1e9", 86_400),
        ("99999999999999999999", 86_400),
        ("inf", 86_400),
        ("nan", 100),
        ("abc", 100),
        ("", 100),
        ("-3600", 100),
        pytest.param(in_an_hour, 3600, id="in an hour"),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 100),
        ("Wed, 21 Oct 9999 07:28:00 GMT", 86_400),
        ("Wed, 99 Oct 2015 07:28:00 GMT", 100),
    ],
)
@pytest.mark.parametrize("status", ["503 Later", "429 Slowly"])
def test_the_pause_a_server_asks_for_is_kept(status, asked, pause, long_pauses):
    asked = asked() if callable(asked) else asked
    with Loopback({"/a": answer(b"", status, Retry_After=asked)}) as server:
        (first,), _ = tries(server, 1)
    assert first == about(f"http_{status[:3]}", pause)


def test_a_second_try_keeps_the_gap_of_the_host():
    with Loopback({"/a": [hang_up, answer(b"", "500 Oh no"), PAGE]}) as server:

        async def run():
            pauses = []
            async with LiveWeb(settings(delay=300, ip_delay=0)) as web:
                for _ in range(3):
                    with pytest.raises(NotNow) as later:
                        await web.get(server.origin + "/a")
                    pauses.append((later.value.reason, later.value.until - web.now()))
            return pauses

        came = asyncio.run(run())
    assert came == [about("robots_read", 300), about("disconnected", 300), about("http_500", 300)]


# -- crawls -------------------------------------------------------------------------------------------------------


def crawl(server, *paths, **given):
    seeds = [server.origin + path for path in paths]
    return hg.Crawl(seeds, "keyword:bees", **{"delay": 0, "allow_private": True, "timeout": 5, **given})


@pytest.mark.parametrize("delay", [0, 0.05])
def test_a_server_that_asks_for_a_moment_is_left_alone_for_it(delay, monkeypatch):
    monkeypatch.setattr("honeyguide.web.live.RETRY_PAUSE", 0.01)
    busy = answer(b"", "503 Later", Retry_After="1")
    with Loopback({"/a": [busy, PAGE], "/two": PAGE, "/three": PAGE}) as server:
        summary = crawl(server, "/a", "/two", "/three", delay=delay, concurrency=1).run()
        assert server.paths[:3] == ["/robots.txt", "/a", server.paths[2]]
        assert server.requests[2].time - server.requests[1].time >= 1
        assert (server.hits("/a"), server.hits("/two"), server.hits("/three")) == (2, 1, 1)
    assert (summary.fetched, summary.done, summary.relevant, summary.flags) == (3, 3, 1, {"copy": 2})
    assert (summary.notes["robots_requests"], summary.notes["retries"]) == (1, 1)
    assert summary.balanced


def test_a_page_that_never_comes_is_one_failure(monkeypatch, tmp_path):
    monkeypatch.setattr("honeyguide.web.live.RETRY_PAUSE", 0.01)
    with Loopback({"/a": PAGE, "/two": half_by_length}) as server:
        summary = crawl(server, "/a", directory=tmp_path / "crawl").run()
        assert server.hits("/two") == 3
    assert (summary.fetched, summary.done, summary.failed, summary.queued) == (2, 1, {"incomplete": 1}, 0)
    assert summary.balanced
    (warc,) = (tmp_path / "crawl").rglob("*.warc.gz")
    assert gzip.decompress(warc.read_bytes()).count(b"\r\nWARC-Truncated: disconnect\r\n") == 1


def test_the_gap_is_kept_through_failures(monkeypatch):
    monkeypatch.setattr("honeyguide.web.live.RETRY_PAUSE", 0.01)
    monkeypatch.setattr("honeyguide.web.doorman.PAUSE", 0.01)
    nothing, oh_no = answer(b"", "404 Gone"), answer(b"", "500 Oh no")
    with Loopback({"/robots.txt": [oh_no, nothing], "/a": [oh_no, hang_up, PAGE], "/two": PAGE}) as server:
        summary = crawl(server, "/a", delay=0.3).run()
        times = [request.time for request in server.requests]
        assert server.paths == ["/robots.txt", "/robots.txt", "/a", "/a", "/a", "/two"]
        assert all(later - earlier >= 0.15 for earlier, later in itertools.pairwise(times[:5]))  # some arrive late
    assert summary.done == 2


# -- what hostile answers leave behind ----------------------------------------------------------------------------

BYTES = b"text/\xff\xfe; charset=\xff"


@pytest.mark.parametrize(
    "hostile",
    [
        answer(b"x").replace(b"text/html", BYTES),
        answer(b"x", X_Robots_Tag="\xff").replace(b"text/html", BYTES),
        answer(b"x", Content_Encoding="\xff\xfe"),
        answer(b"x").replace(b"200 OK", b"200 \xff\xfe"),
        answer(b"x").replace(b"200 OK", b"404 \xff\xfe"),
        answer(b"x", "302 Found", Location="/\xff\xfe"),
    ],
)
def test_an_answer_with_wild_bytes_can_be_stored(hostile, tmp_path):
    with Loopback({"/a": hostile}) as server:
        reply = get(server.origin + "/a")
    if isinstance(reply, FetchError):
        assert reply.reason == "protocol_error"
        return
    graph = Graph()
    id_ = int(graph.intern([server.origin + "/a"])[0])
    targets = graph.intern([reply.redirect] if reply.redirect else [])
    visit = Visit(0, id_, server.origin + "/a", targets, page=reply.page, detail=reply.detail, error=reply.error)
    graph.mark(id_, DONE)
    with Store.create(tmp_path / "crawl", Settings()) as store:
        store.record(graph, visit, reply)
        store.commit()
        (stored,) = store.visits()
        assert store.archive.read(stored.warc, stored.offset).body == b"x"
    assert isinstance(reply.page, Page | None)
