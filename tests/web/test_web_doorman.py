"""robots.txt: asked before every page; unreadable means not now."""

import asyncio
import email.utils
import itertools
import math
import socket
from datetime import UTC, datetime, timedelta

import pytest

import honeyguide as hg
from honeyguide.base import Excluded, FetchError, NotNow
from honeyguide.settings import Settings
from honeyguide.web import LiveWeb
from honeyguide.web.doorman import FRESH, Doorman
from honeyguide.web.guard import Guard
from honeyguide.web.http import Http
from loopback import Loopback, answer, get, hang_up, never, reset, settings

PAGE = answer(b"<title>Bees</title><p>A hive.<a href='/two'>on</a>")
CLOSED = answer(b"User-agent: *\nDisallow: /closed\n", type="text/plain")
OPEN = answer(b"", "404 Not Found")
OH_NO = answer(b"", "500 Oh no")


@pytest.fixture
def short_pauses(monkeypatch):
    monkeypatch.setattr("honeyguide.web.doorman.PAUSE", 0.02)


async def cut_short(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nUser-agent: *\nDis")


async def stuck(_, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\nUser-agent: *\nDis")
    await asyncio.Event().wait()


def asked(server, times, path="/a", **given):
    """Ask for a page until it comes, waiting as told but not for ever; errors, and the web's troubles."""

    async def run():
        errors = []
        async with LiveWeb(settings(**given)) as web:
            for _ in range(times):
                with pytest.raises(FetchError) as error:
                    await web.get(server.origin + path)
                errors.append(error.value)
                if error.value.until < math.inf:
                    await web.wait(error.value.until)
            return errors, web.troubles()

    return asyncio.run(run())


# -- what cannot be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("robots", "why"),
    [
        (OH_NO, "status 500"),
        (answer(b"", "502 Oh no"), "status 502"),
        (answer(b"User-agent: *\nDisallow:", "503 Later"), "status 503"),
        (answer(b"", "599 Oh no"), "status 599"),
        (answer(b"", "429 Slowly"), "status 429"),
        (cut_short, "the answer broke off"),
        (stuck, "the answer broke off"),
        (never, "timeout"),
        (hang_up, "disconnected"),
        (reset, "disconnected"),
        (b"rubbish\r\n\r\n", "protocol_error"),
        (answer(b"", "302 Found", Location="http://host.invalid/robots.txt"), "it leads to http://host.invalid/"),
    ],
)
def test_while_robots_txt_cannot_be_read_no_page_is_asked_for(robots, why, short_pauses):
    with Loopback({"/robots.txt": robots, "/a": PAGE}) as server:
        errors, troubles = asked(server, 5, timeout=0.3)
        assert server.paths == ["/robots.txt"] * 3  # after three tries the origin is left alone
    assert [(type(error), error.reason) for error in errors] == [(NotNow, "robots_unavailable")] * 5
    assert errors[0].until < errors[1].until < math.inf
    assert [error.until for error in errors[2:]] == [math.inf] * 3
    assert all(error.detail.startswith(why) for error in errors)
    assert troubles == {server.origin: errors[-1].detail}


def test_nor_is_robots_txt_asked_for_again_at_once():
    with Loopback({"/robots.txt": OH_NO, "/a": PAGE, "/b": PAGE}) as server:
        first, second = get(server.origin + "/a", server.origin + "/b")
        assert (first.reason, second.reason) == ("robots_unavailable", "robots_unavailable")
        assert first.until == second.until
        assert len(server.requests) == 1


def test_nor_by_several_at_once():
    with Loopback({"/robots.txt": OH_NO, "/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings()) as web:
                return await asyncio.gather(
                    *(web.get(server.origin + "/a") for _ in range(5)), return_exceptions=True
                )

        assert {type(error) for error in asyncio.run(run())} == {NotNow}
        assert len(server.requests) == 1


def test_a_robots_txt_that_comes_back(short_pauses):
    with Loopback({"/robots.txt": [OH_NO, OH_NO, CLOSED], "/closed": PAGE, "/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings()) as web:
                for _ in range(2):
                    with pytest.raises(NotNow) as later:
                        await web.get(server.origin + "/closed")
                    await web.wait(later.value.until)
                with pytest.raises(Excluded):
                    await web.get(server.origin + "/closed")
                assert (await web.get(server.origin + "/a")).page
                return web.notes(), web.troubles()

        assert asyncio.run(run()) == ({"robots_requests": 3, "retries": 0}, {})
        assert server.paths == ["/robots.txt"] * 3 + ["/a"]


def in_an_hour() -> str:
    """A date, as Retry-After may give one."""
    return email.utils.format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)


@pytest.mark.parametrize(
    ("wanted", "pause"),
    [
        ("3600", 3600),
        pytest.param(in_an_hour, 3600, id="in an hour"),
        ("1e9", 86_400),
        ("0", 100),
        ("-5", 100),
        ("abc", 100),
        ("", 100),
    ],
)
def test_the_pause_a_server_asks_for_is_kept(wanted, pause, monkeypatch):
    monkeypatch.setattr("honeyguide.web.doorman.PAUSE", 100.0)
    wanted = wanted() if callable(wanted) else wanted
    with Loopback({"/robots.txt": answer(b"", "503 Later", Retry_After=wanted)}) as server:

        async def run():
            async with LiveWeb(settings()) as web:
                with pytest.raises(NotNow) as later:
                    await web.get(server.origin + "/a")
                return later.value.until - web.now()

        assert asyncio.run(run()) == pytest.approx(pause, abs=30)


def test_the_second_try_keeps_the_gap_too(short_pauses):
    with Loopback({"/robots.txt": OH_NO}) as server:

        async def run():
            async with LiveWeb(settings(delay=300)) as web:
                with pytest.raises(NotNow) as later:
                    await web.get(server.origin + "/a")
                return later.value.until - web.now()

        assert asyncio.run(run()) == pytest.approx(300, abs=30)


def test_a_name_that_does_not_exist_is_no_trouble_of_robots_txt():
    async def run():
        async with LiveWeb(settings()) as web:
            for _ in range(4):
                with pytest.raises(FetchError) as error:
                    await web.get("http://host.invalid/a")
                assert (type(error.value), error.value.reason) == (FetchError, "dns")
            return web.troubles()

    assert asyncio.run(run()) == {}


@pytest.mark.parametrize("status", ["400 Bad", "404 Not Found", "401 No", "403 No", "410 Gone", "418 Tea", "451 No"])
def test_where_there_is_none_all_is_allowed(status):
    with Loopback({"/robots.txt": answer(b"User-agent: *\nDisallow: /", status), "/a": PAGE}) as server:
        assert get(server.origin + "/a").page


@pytest.mark.parametrize("location", ["http://[::1", "ftp://bees.example/", ""])
def test_a_robots_txt_that_leads_nowhere_is_none(location):
    with Loopback({"/robots.txt": answer(b"", "302 Found", Location=location), "/a": PAGE}) as server:
        assert get(server.origin + "/a").page


def test_of_a_robots_txt_without_end_the_beginning_counts():
    async def flood(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /closed\n")
        while True:
            writer.write(b"# and so on\n" * 1000)
            await writer.drain()

    with Loopback({"/robots.txt": flood, "/closed": PAGE, "/a": PAGE}) as server:
        closed, opened = get(server.origin + "/closed", server.origin + "/a")
    assert isinstance(closed, Excluded)
    assert opened.page


# -- whose it is, and for how long --------------------------------------------------------------------------------


def test_every_port_has_its_own():
    with Loopback({"/robots.txt": CLOSED, "/closed": PAGE}) as one, Loopback({"/closed": PAGE}) as other:
        here, there = get(one.origin + "/closed", other.origin + "/closed")
        assert (one.hits("/robots.txt"), other.hits("/robots.txt")) == (1, 1)
    assert isinstance(here, Excluded)
    assert there.page


def test_every_name_has_its_own():
    with Loopback({"/a": PAGE}) as server:
        pinned = ["bees.test=127.0.0.1", "wasps.test=127.0.0.1"]
        urls = [f"http://{name}.test:{server.port}/a" for name in ("bees", "wasps", "bees", "wasps")]
        assert all(reply.page for reply in get(*urls, resolve=pinned))
        assert (server.hits("/robots.txt"), server.hits("/a")) == (2, 4)


def test_every_scheme_has_its_own():
    with Loopback({"/a": PAGE}) as server:
        plain, secure = get(server.origin + "/a", f"https://127.0.0.1:{server.port}/a", timeout=1)
    assert plain.page
    assert (type(secure), secure.reason) == (NotNow, "robots_unavailable")  # nobody speaks TLS there


def at_times(server, *times):
    """What the doorman says at some times: whether he read just now and allows a path, or his error."""

    async def run():
        clock = [0.0]
        said = []
        async with Http({}, 5, Guard(True), {}) as http:
            doorman = Doorman(http, Settings(), lambda: clock[-1], lambda _: 0.0)
            for time in times:
                clock.append(time)
                try:
                    rules, just_now = await doorman.rules(server.origin + "/closed")
                    said.append((just_now, rules.allow(server.origin + "/closed")))
                except NotNow as error:
                    said.append(error.until)
        return said

    return asyncio.run(run())


def test_it_is_read_once_a_day():
    with Loopback({"/robots.txt": [CLOSED, OPEN]}) as server:
        said = at_times(server, 0, 1, FRESH - 1, FRESH, FRESH + 1, 2 * FRESH - 1, 2 * FRESH)
        assert server.hits("/robots.txt") == 3
    assert said == [(True, False), *[(False, False)] * 2, (True, True), *[(False, True)] * 2, (True, True)]


def test_an_old_one_is_not_gone_by_while_the_new_one_cannot_be_read():
    with Loopback({"/robots.txt": [OPEN, OH_NO, OH_NO, CLOSED]}) as server:
        said = at_times(server, 0, FRESH, FRESH + 1, FRESH + 2, FRESH + 5, FRESH + 6, FRESH + 7)
    assert said == [(True, True), FRESH + 2, FRESH + 2, FRESH + 6, FRESH + 6, (True, False), (False, False)]


def test_one_that_could_be_read_in_between_starts_the_count_anew():
    with Loopback({"/robots.txt": [OH_NO, OH_NO, CLOSED, OH_NO, OH_NO, OH_NO]}) as server:
        said = at_times(server, 0, 2, 6, 6 + FRESH, 8 + FRESH, 12 + FRESH, 10 * FRESH)
        assert server.hits("/robots.txt") == 6
    assert said == [2, 6, (True, False), 8 + FRESH, 12 + FRESH, math.inf, math.inf]


def test_it_is_read_again_before_the_next_page(monkeypatch):
    monkeypatch.setattr("honeyguide.web.doorman.FRESH", 0.0)
    with Loopback({"/robots.txt": [OPEN, CLOSED], "/closed": PAGE}) as server:
        before, after = get(server.origin + "/closed", server.origin + "/closed")
        assert server.paths == ["/robots.txt", "/closed", "/robots.txt"]
    assert before.page
    assert isinstance(after, Excluded)


# -- crawls -------------------------------------------------------------------------------------------------------


def crawl(server, *paths, **given):
    seeds = [server.origin + path for path in paths]
    return hg.Crawl(seeds, "keyword:hive", **{"delay": 0, "allow_private": True, "timeout": 5, **given})


def test_a_crawl_goes_on_when_robots_txt_can_be_read(short_pauses):
    later = answer(b"", "503 Later")
    with Loopback({"/robots.txt": [later, later, CLOSED], "/a": PAGE, "/closed": PAGE}) as server:
        summary = crawl(server, "/a", "/closed").run()
        assert server.paths == ["/robots.txt"] * 3 + ["/a", "/two"]
    assert (summary.fetched, summary.done, summary.failed) == (2, 1, {"http_404": 1})
    assert (summary.excluded, summary.queued, summary.stopped) == ({"robots": 1}, 0, "nothing_left")
    assert (summary.notes["robots_requests"], summary.notes["retries"]) == (3, 0)
    assert summary.balanced


@pytest.mark.parametrize("delay", [0, 0.01])
def test_a_crawl_ends_when_robots_txt_cannot_be_read(delay, short_pauses, tmp_path):
    with Loopback({"/robots.txt": answer(b"", "503 Later"), "/a": PAGE, "/b": PAGE}) as server:
        once = crawl(server, "/a", "/b", delay=delay, directory=tmp_path / "crawl")
        summary = once.run()
        assert server.paths == ["/robots.txt"] * 3
        assert once.web.troubles() == {server.origin: "status 503"}
        assert (summary.fetched, summary.queued, summary.stopped) == (0, 2, "nothing_may_be_fetched")
        assert summary.balanced
        server.pages["/robots.txt"] = OPEN  # another day
        again = crawl(server, "/a", "/b", delay=delay, directory=tmp_path / "crawl").run()
        assert (server.hits("/a"), server.hits("/b")) == (1, 1)
    assert (again.done, again.queued, again.stopped) == (2, 0, "nothing_left")


def test_other_hosts_do_not_wait_for_one_that_is_left_alone(short_pauses):
    with Loopback({"/robots.txt": OH_NO, "/a": PAGE}) as shut, Loopback({"/a": PAGE, "/two": PAGE}) as server:
        seeds = [shut.origin + "/a", server.origin + "/a"]
        summary = hg.Crawl(seeds, "keyword:hive", delay=0, allow_private=True).run()
        assert shut.hits("/a") == 0
    assert (summary.done, summary.queued, summary.stopped) == (2, 1, "nothing_may_be_fetched")
    assert summary.balanced


def test_after_a_robots_txt_that_forbids_the_next_page_waits_its_turn():
    with Loopback({"/robots.txt": CLOSED, "/closed": PAGE, "/a": PAGE, "/two": PAGE}) as server:
        summary = crawl(server, "/closed", "/a", delay=0.4, concurrency=1).run()
        assert server.paths == ["/robots.txt", "/a", "/two"]
        assert server.requests[1].time - server.requests[0].time >= 0.2  # the first may arrive late
    assert summary.excluded == {"robots": 1}


def test_a_robots_txt_that_leads_to_where_we_may_not_go_is_not_asked_for_every_page(short_pauses):
    moved = answer(b"", "302 Found", Location="http://10.0.0.1/robots.txt")
    with Loopback({"/robots.txt": moved}) as server:
        paths = [f"/{number}" for number in range(20)]
        given = settings(allow_private=False, seed=[server.origin + path for path in paths])
        web = LiveWeb(given, ["127.0.0.1"])
        summary = hg.Crawl(given.seed, "keyword:hive", web=web).run()
        assert server.paths == ["/robots.txt"] * 3
    assert (summary.fetched, summary.queued, summary.stopped) == (0, 20, "nothing_may_be_fetched")


def test_nobody_listens(short_pauses):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        once = hg.Crawl([url], "keyword:hive", delay=0, allow_private=True)
        summary = once.run()
    assert (summary.fetched, summary.queued, summary.stopped) == (0, 1, "nothing_may_be_fetched")
    assert once.web.troubles()[url[:-1]].startswith("unreachable: ")


def test_redirects_of_robots_txt_keep_the_gap(tmp_path):
    pages = {f"/r{n}": answer(b"", "302 Found", Location=f"/r{n + 1}") for n in range(3)}
    pages |= {"/robots.txt": answer(b"", "302 Found", Location="/r0"), "/r3": CLOSED, "/a": PAGE, "/two": PAGE}
    with Loopback(pages) as server:
        hg.Crawl([server.origin + "/a"], "keyword:hive", delay=0.2, ip_delay=0, allow_private=True).run()
    times = [request.time for request in server.requests]
    assert server.paths[:6] == ["/robots.txt", "/r0", "/r1", "/r2", "/r3", "/a"]
    assert min(later - sooner for sooner, later in itertools.pairwise(times)) > 0.19
