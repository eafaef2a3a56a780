"""What a page in a browser gets, and what it does not: without a browser, against a server on this machine."""

import asyncio

import pytest

from honeyguide.base import FetchError
from honeyguide.web.exchange import Exchange
from honeyguide.web.guard import Guard
from honeyguide.web.http import Http
from honeyguide.web.supplies import NO_STYLE, Shelf, Supplies, Supply, Wanted
from loopback import Loopback, answer, settings

SHELL = Exchange("http://page.test/a", 200, {"content-type": "text/html", "set-cookie": "a=1"}, b"<p>shell")


def supplied(server, *wanted, shelf=None, **limits):
    """What comes of wanting things one after the other, and the supplies."""

    async def run():
        async with Http({}, 5, Guard(allow_private=True), {}) as http:

            async def ask(url, page, limit, headers):
                assert page == SHELL.url
                return await http.get(url, limit, headers)

            supplies = Supplies(SHELL, ask, shelf or Shelf(), settings(**limits))
            came = []
            for each in wanted:
                try:
                    came.append(await supplies.get(each))
                except FetchError as error:
                    came.append(error.reason)
            return came, supplies

    return asyncio.run(run())


def test_the_page_itself_is_there_once_and_no_other_takes_its_place():
    page = Wanted("document", SHELL.url, whole_page=True)
    elsewhere = Wanted("document", "http://page.test/b#c", whole_page=True)
    with Loopback({}) as server:
        came, supplies = supplied(server, page, page, elsewhere)
        assert server.requests == []
    assert came == [Supply(200, {"content-type": "text/html"}, b"<p>shell"), "another_page", "another_page"]
    assert supplies.leads_to == "http://page.test/b"


@pytest.mark.parametrize("kind", ["image", "media", "font", "document", "eventsource", "ping", "manifest", "other"])
def test_what_is_not_read_is_not_fetched(kind):
    with Loopback({"/x": answer(b"x")}) as server:
        came, supplies = supplied(server, Wanted(kind, server.origin + "/x"), Wanted("stylesheet", server.origin))
        assert server.requests == []
    assert came == ["not_needed", NO_STYLE]
    assert (supplies.requests, supplies.refused) == (0, 0)


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (Wanted("fetch", "{origin}/x", method="POST"), "method"),
        (Wanted("fetch", "file:///etc/hostname"), "bad_url"),
        (Wanted("script", "data:text/javascript,1"), "bad_url"),
        (Wanted("fetch", "{origin}/to-a-file"), "bad_url"),
        (Wanted("fetch", "{origin}/round"), "redirect_chain"),
        (Wanted("fetch", "{origin}/long"), "incomplete"),
    ],
)
def test_what_is_refused_is_counted(wanted, reason):
    pages = {
        "/to-a-file": answer(b"", "302 Found", Location="file:///etc/hostname"),
        "/round": answer(b"", "302 Found", Location="/round"),
        "/long": answer(bytes(2000)),
    }
    with Loopback(pages) as server:
        asked = Wanted(wanted.kind, wanted.url.format(origin=server.origin), wanted.method)
        came, supplies = supplied(server, asked, max_page_bytes=1000)
    assert (came, supplies.refused) == ([reason], 1)


def test_redirects_are_followed_and_counted():
    pages = {"/a": answer(b"", "302 Found", Location="/b"), "/b": answer(b"there", type="text/plain")}
    with Loopback(pages) as server:
        came, supplies = supplied(server, Wanted("fetch", server.origin + "/a"))
    assert came == [Supply(200, {"content-type": "text/plain"}, b"there")]
    assert (supplies.requests, supplies.received) == (2, 5)


def test_other_origins_hear_which_page_asks():
    with Loopback({"/a": answer(b"1", Access_Control_Allow_Origin="*", Set_Cookie="a=1")}) as server:
        came, _ = supplied(server, Wanted("fetch", server.origin + "/a", accept="application/json"))
        (request,) = server.requests
    assert (request.headers["origin"], request.headers["accept"]) == ("http://page.test", "application/json")
    assert came[0].headers == {"content-type": "text/html", "access-control-allow-origin": "*"}


@pytest.mark.parametrize(("limits", "fetched"), [({"render_requests": 2}, 2), ({"render_bytes": 12}, 2)])
def test_a_page_gets_no_more_than_it_may(limits, fetched):
    with Loopback({f"/{i}": answer(b"12345678"[: 8 - 4 * i]) for i in range(2)}) as server:
        wanted = [Wanted("fetch", f"{server.origin}/{i}") for i in range(3)]
        came, supplies = supplied(server, *wanted, **limits)
        assert len(server.requests) == fetched
    assert (came[2], supplies.requests) == ("render_limit", fetched)


def test_only_scripts_are_kept():
    shelf = Shelf()
    with Loopback({"/a": answer(b"1")}) as server:
        for _ in range(2):
            supplied(server, Wanted("fetch", server.origin + "/a"), shelf=shelf)
        assert server.hits("/a") == 2
        for _ in range(2):
            supplied(server, Wanted("script", server.origin + "/a"), shelf=shelf)
        assert server.hits("/a") == 3
        supplied(server, Wanted("script", server.origin + "/missing"), shelf=shelf)
        supplied(server, Wanted("script", server.origin + "/missing"), shelf=shelf)
        assert server.hits("/missing") == 2


def test_the_shelf_forgets_what_was_not_asked_for_the_longest():
    shelf, supply = Shelf(10), Supply(200, {}, b"1234")
    shelf.put(("a", ""), supply)
    shelf.put(("b", ""), supply)
    assert shelf.get(("a", "")) is supply
    shelf.put(("c", ""), supply)
    assert [shelf.get((name, "")) is supply for name in "abc"] == [True, False, True]
    shelf.put(("large", ""), Supply(200, {}, bytes(11)))
    assert [shelf.get((name, "")) is None for name in ("a", "c", "large")] == [True, True, True]
