"""robots.txt that is large, broken, somewhere else, or gone; and one that changes."""

import contextlib
import socket

import pytest

from honeyguide.web.doorman import FRESH
from hostile import (
    NameServer,
    crawl_beside,
    crawled,
    gzip_bomb,
    leaping,
    linking,
    moved,
    page,
    robots,
    sends,
    slow_body,
)
from loopback import Loopback, answer, hang_up, never, reset

CLOSED = robots("User-agent: *\nDisallow: /closed\n")
DAY = 24 * 3600


def several(kinds):
    """A server for each robots.txt, each with an open and a closed page."""
    stack = contextlib.ExitStack()
    pages = {"/closed": page("Closed"), "/open": page("Open")}
    return stack, [stack.enter_context(Loopback({**pages, "/robots.txt": kind})) for kind in kinds]


def ends_beside(kinds, directory, **given):
    """What came of the closed and the open page under each robots.txt, and the servers."""
    stack, servers = several(kinds)
    with stack:
        hostile = linking(*(server.origin + path for server in servers for path in ("/closed", "/open")))
        came = crawl_beside({"/links": hostile}, directory, **given)
    found = [(came.end(server.origin + "/closed"), came.end(server.origin + "/open")) for server in servers]
    return found, servers, came


# -- size ---------------------------------------------------------------------------------------------------------


def padded(*rules):
    """A robots.txt with rules at some offsets."""
    text = "User-agent: *\n"
    for offset, rule in rules:
        text += "#" * (offset - len(text) - 1) + "\n" + rule
    return answer(text.encode(), type="text/plain")


def test_b1_of_ten_megabytes_the_first_half_million_bytes_count(tmp_path):
    many = "# a line\n" * 40_000
    early = robots(f"User-agent: *\n{many}Disallow: /closed\n{many * 30}")
    late = padded((400_000, "Disallow: /closed\n"), (600_000, "Disallow: /late\n"), (10_000_000, "\n"))
    found, servers, _ = ends_beside([early, late], tmp_path / "crawl")
    assert found == [("robots", "done")] * 2
    assert [server.hits("/closed") for server in servers] == [0, 0]


def test_b1_a_rule_cut_in_two_is_no_rule(tmp_path):
    cut = [padded((20, "Disallow: /closed\n"), (512_000 - len("Allow: /"), "Allow: /closed-no-more\n" + "#" * 1000))]
    everything = padded((20, "Disallow: /\n"), (512_000 - len("Allow: /"), "Allow: /open\n" + "#" * 1000))
    found, _, _ = ends_beside([*cut, everything], tmp_path / "crawl")
    assert found == [("robots", "done"), ("robots", "robots")]


# -- not to be had ------------------------------------------------------------------------------------------------

half = answer(b"User-agent: *\nDisallow: /clo").replace(b"Content-Length: ", b"Content-Length: 1")
SHUT = {
    "500": answer(b"", "500 Oh no"),
    "503": answer(b"User-agent: *\nAllow: /", "503 Later"),
    "timeout": never,
    "slow": slow_body,
    "reset": reset,
    "hung up": hang_up,
    "no HTTP": sends(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    "429": answer(b"", "429 Slowly"),
    "cut short": sends(half),
    "bomb": answer(gzip_bomb(100), Content_Encoding="gzip"),
}


@pytest.mark.parametrize("kind", ["500", "503", "timeout", "slow", "reset", "hung up", "no HTTP"])
def test_b2_a_host_whose_robots_txt_cannot_be_had_is_left_alone(kind, tmp_path):
    timeout = 0.3 if kind in ("timeout", "slow") else 10  # a busy machine may take long to answer
    found, (server,), came = ends_beside([SHUT[kind]], tmp_path / "crawl", timeout=timeout)
    assert found == [("queued", "queued")]
    assert server.paths == ["/robots.txt"] * 3
    assert came.crawl.web.troubles().keys() == {server.origin}
    assert came.summary.stopped == "nothing_may_be_fetched"


def test_b2_what_was_left_alone_is_fetched_another_day(tmp_path):
    with Loopback({"/robots.txt": SHUT["500"], "/closed": page(), "/open": page()}) as server:
        seeds = [server.origin + "/closed", server.origin + "/open"]
        assert crawled(server, seeds, tmp_path / "crawl").summary.queued == 2
        server.pages["/robots.txt"] = CLOSED
        came = crawled(server, seeds, tmp_path / "crawl")
    assert came.ends("/closed", "/open") == {"/closed": "robots", "/open": "done"}


def test_b2_a_name_server_that_fails_shuts_the_host(tmp_path):
    names = NameServer({"bees.test": socket.gaierror(socket.EAI_AGAIN, "try again")})
    with names.instead():
        came = crawl_beside({"/links": linking("http://bees.test/a")}, tmp_path / "crawl")
    assert came.end("http://bees.test/a") == "queued"
    assert names.asked.count("bees.test") == 3


def test_b3_where_there_is_none_all_is_allowed(tmp_path):
    statuses = ["404 Not Found", "401 No", "403 No", "410 Gone", "400 Bad", "451 No"]
    found, servers, _ = ends_beside([answer(b"User-agent: *\nDisallow: /", s) for s in statuses], tmp_path / "crawl")
    assert found == [("done", "done")] * len(statuses)
    assert [server.hits("/robots.txt") for server in servers] == [1] * len(statuses)


def test_b3_a_server_that_is_asked_too_often_for_it_is_left_alone(tmp_path):
    found, (server,), _ = ends_beside([SHUT["429"]], tmp_path / "crawl")
    assert found == [("queued", "queued")]
    assert server.paths == ["/robots.txt"] * 3


# -- somewhere else -----------------------------------------------------------------------------------------------


def hops(count, last):
    pages = {f"/r{i}": moved(f"/r{i + 1}", "301 Moved") for i in range(1, count)}
    return {**pages, f"/r{count}": last, "/closed": page(), "/open": page()}


@pytest.mark.parametrize(("count", "end"), [(1, "robots"), (5, "robots"), (6, "done"), (50, "done")])
def test_b4_five_redirects_are_followed(count, end, tmp_path):
    with Loopback({"/robots.txt": moved("/r1"), **hops(count, CLOSED)}) as server:
        came = crawled(server, [server.origin + "/closed", server.origin + "/open"], tmp_path / "crawl")
        assert sum(path.startswith("/r") for path in server.paths) <= 6
    assert came.ends("/closed", "/open") == {"/closed": end, "/open": "done"}


def test_b4_a_loop_is_none(tmp_path):
    found, (server,), _ = ends_beside([moved("/robots.txt")], tmp_path / "crawl")
    assert found == [("done", "done")]
    assert server.hits("/robots.txt") <= 6


def test_b4_rules_from_elsewhere_hold_for_who_sent_us_there(tmp_path):
    with Loopback({"/else.txt": CLOSED, "/closed": page()}, host="127.0.0.2") as other:
        found, _, came = ends_beside([moved(other.origin + "/else.txt")], tmp_path / "crawl")
        assert found == [("robots", "done")]
        there = crawled(other, [other.origin + "/closed"], tmp_path / "other")
    assert there.end("/closed") == "done"
    assert other.origin + "/else.txt" not in came.books.urls


# -- old and new --------------------------------------------------------------------------------------------------


def leaps_when_served(web, data, seconds=FRESH + 3600):
    """A page during which a day goes by."""

    async def handler(request, writer):
        web.leap(seconds)
        writer.write(data.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        await writer.drain()

    return handler


def test_b5_after_a_day_it_is_read_again_before_the_next_page(tmp_path):
    web = leaping(concurrency=1)
    came = crawl_beside({"/day": leaps_when_served(web, page())}, tmp_path / "crawl", web=web)
    at = came.server.paths.index("/day")
    assert came.server.paths[at:] == ["/day", "/robots.txt", "/fine"]
    assert came.hits("/robots.txt") == 2


def test_b5_within_a_day_it_is_not(tmp_path):
    web = leaping(concurrency=1)
    pages = {"/day": leaps_when_served(web, page(), DAY - 3600)}
    assert crawl_beside(pages, tmp_path / "crawl", web=web).hits("/robots.txt") == 1


def test_b6_half_a_robots_txt_is_not_taken_for_a_whole_one(tmp_path):
    found, servers, _ = ends_beside([SHUT["cut short"], SHUT["bomb"]], tmp_path / "crawl")
    assert found == [("queued", "queued")] * 2
    assert [set(server.paths) for server in servers] == [{"/robots.txt"}] * 2


ODD = {
    "html": (page("Not found", "<p>User-agent: none"), "done"),
    "bom": (answer(b"\xef\xbb\xbfUser-agent: *\nDisallow: /closed\n"), "robots"),
    "cr": (answer(b"User-agent: *\rDisallow: /closed\r"), "robots"),
    "crlf": (answer(b"User-agent: *\r\nDisallow: /closed\r\n"), "robots"),
    "utf-16": (answer("User-agent: *\nDisallow: /closed\n".encode("utf-16")), ("done", "robots")),
    "latin": (answer(b"# caf\xe9\nUser-agent: *\nDisallow: /closed\n"), "robots"),
    "noise": (answer(bytes(range(256)) * 2000), "done"),
    "nul": (answer(b"User-agent: *\nDis\0allow: /closed\n\0\0"), ("done", "robots")),
    "long line": (answer(b"User-agent: *\nDisallow: /" + b"x" * 400_000 + b"\nDisallow: /closed\n"), "robots"),
    "stars": (robots("User-agent: *\nDisallow: /" + "*a" * 200 + "*b$\nDisallow: /closed\n"), "robots"),
    "agents": (robots("User-agent: x\n" * 20_000 + "User-agent: *\nDisallow: /closed\n"), "robots"),
    "escapes": (robots("User-agent: *\nDisallow: /%63losed\n"), ("done", "robots")),
}


def test_b7_odd_ones_are_read_as_far_as_they_can_be(tmp_path):
    found, _, _ = ends_beside([handler for handler, _ in ODD.values()], tmp_path / "crawl")
    closed = dict(zip(ODD, (one for one, _ in found), strict=True))
    assert [opened for _, opened in found] == ["done"] * len(ODD)
    assert {name: end for name, end in closed.items() if end not in ODD[name][1]} == {}


def test_b7_a_bomb_of_stars_and_a_long_path(tmp_path):
    stars = robots("User-agent: *\nDisallow: /" + "*a" * 200 + "*b$\n" + "Allow: /" + "a*" * 300 + "c\n")
    came = crawl_beside({"/robots.txt": stars, "/" + "a" * 2000: page()}, tmp_path / "crawl")
    assert came.end("/" + "a" * 2000) == "done"


def test_b8_what_is_queued_is_checked_again_when_its_turn_comes(tmp_path):
    web = leaping(concurrency=1)
    rules = [robots("User-agent: *\nDisallow:\n"), robots("User-agent: *\nDisallow: /later\n")]
    pages = {"/robots.txt": rules, "/day": leaps_when_served(web, page()), "/later": page()}
    came = crawl_beside(pages, tmp_path / "crawl", web=web)
    assert (came.end("/later"), came.hits("/later"), came.hits("/robots.txt")) == ("robots", 0, 2)
