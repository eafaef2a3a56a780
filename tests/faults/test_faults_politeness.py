"""Servers that ask for patience, in ways that make sense and in others."""

import email.utils
import itertools
from datetime import UTC, datetime, timedelta

import pytest

from hostile import crawl_beside, crawled, leaping, linking, page, robots
from loopback import Loopback, answer

DAY = 24 * 3600


def in_an_hour():
    return email.utils.format_datetime(datetime.now(UTC) + timedelta(hours=1, seconds=10), usegmt=True)


def gaps(server):
    """Seconds between requests, on the clock of the web that sent them."""
    return [later.time - earlier.time for earlier, later in itertools.pairwise(server.requests)]


DELAY = 5  # seconds
SLACK = 2  # seconds between sending a request and its arrival, on a busy machine
GIVEN = {"delay": DELAY, "ip_delay": 0, "retries": 2, "max_wait": 2 * DAY}


def after_busy(asked, status, directory):
    """The pause a host was left in after it asked for one."""
    web = leaping(**GIVEN)
    asked = asked() if callable(asked) else asked
    busy = [answer(b"", status, Retry_After=asked), page()]
    came = crawl_beside({"/busy": busy}, directory, web=web, **GIVEN)
    assert (came.end("/busy"), came.hits("/busy")) == ("done", 2)
    return gaps(came.server)[came.server.paths.index("/busy")]


ASKED = [
    ("30", 30),
    pytest.param(in_an_hour, 3600, id="in an hour"),
    ("1000000000", DAY),
    ("abc", DELAY),
    ("-5", DELAY),
    ("Wed, 21 Oct 2015 07:28:00 GMT", DELAY),
]


@pytest.mark.parametrize(("asked", "pause"), ASKED)
def test_p1_the_pause_a_server_asks_for_is_kept_by_all_its_pages(asked, pause, tmp_path):
    kept = after_busy(asked, "429 Too Many Requests", tmp_path / "crawl")
    assert pause - SLACK <= kept <= 2 * pause + SLACK  # a busy host is asked half as often


@pytest.mark.parametrize(("asked", "pause"), ASKED)
def test_p2_so_is_one_with_a_503(asked, pause, tmp_path):
    kept = after_busy(asked, "503 Service Unavailable", tmp_path / "crawl")
    assert pause - SLACK <= kept <= 2 * pause + SLACK


def test_p1_other_hosts_do_not_wait(tmp_path):
    web = leaping(**GIVEN)
    busy = [answer(b"", "429 Slowly", Retry_After="3600"), page()]
    with (
        Loopback({"/": linking("/a"), "/a": page()}, clock=web.now, host="127.0.0.2") as other,
        Loopback({"/": busy}, clock=web.now) as server,
    ):
        crawled(server, [server.origin + "/", other.origin + "/"], tmp_path / "crawl", web, **GIVEN)
        assert other.requests[-1].time < server.requests[-1].time - 3000


def test_p1_a_server_that_never_has_time_is_given_up(tmp_path):
    busy = answer(b"", "429 Slowly", Retry_After="60")
    came = crawl_beside({"/busy": busy}, tmp_path / "crawl", web=leaping(**GIVEN), **GIVEN)
    assert (came.end("/busy"), came.hits("/busy")) == ("http_429", 3)
    assert sum(gap >= 60 - SLACK for gap in gaps(came.server)) >= 2


def test_p1_its_last_word_counts_for_the_other_pages_though_this_one_is_given_up(tmp_path):
    given = {**GIVEN, "delay": 0.1, "retries": 0}
    pages = {"/": linking("/busy", "/a"), "/busy": answer(b"", "429 Slowly", Retry_After="600"), "/a": page()}
    web = leaping(**given)
    with Loopback(pages, clock=web.now) as server:
        came = crawled(server, [server.origin + "/"], tmp_path / "crawl", web, concurrency=1, **given)
    assert (came.end("/busy"), came.hits("/busy"), came.end("/a")) == ("http_429", 1, "done")
    assert gaps(server)[server.paths.index("/busy")] >= 600 - SLACK


@pytest.mark.parametrize(
    ("asked", "gap"), [("10", 10), ("0.5", 5), ("7.5", 7.5), ("1000000000", 60), ("NaN", 5), ("inf", 5), ("-3", 5)]
)
def test_p3_a_crawl_delay_is_kept_up_to_a_minute(asked, gap, tmp_path):
    pages = {"/robots.txt": robots(f"User-agent: *\nCrawl-delay: {asked}\n"), "/a": page()}
    came = crawl_beside(pages, tmp_path / "crawl", web=leaping(**GIVEN), **GIVEN)
    assert gap - SLACK <= min(gaps(came.server)) <= gap + 4 * SLACK


def test_p4_many_names_of_one_address_take_turns(tmp_path):
    names = [f"host{number}.test" for number in range(40)]
    given = {"delay": 0.01, "ip_delay": 60, "resolve": [f"{name}=127.0.0.1" for name in names]}
    web = leaping(**given)
    with Loopback({"/": page()}, clock=web.now) as server:
        came = crawled(server, [f"http://{name}:{server.port}/" for name in names], tmp_path / "crawl", web, **given)
    assert (came.summary.done, len(server.requests)) == (40, 80)
    assert min(gaps(server)) >= 60 - SLACK
