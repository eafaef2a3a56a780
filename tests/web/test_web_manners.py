"""How often a server may be asked."""

import asyncio
import email.utils
import math
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honeyguide as hg
from honeyguide.base import NotNow
from honeyguide.web import LiveWeb
from honeyguide.web.manners import AWAY_PAUSE, AWAY_TRIES, LONGEST_GAP, LONGEST_PAUSE, Manners, retry_after
from loopback import Loopback, answer, settings

PAGE = answer(b"<title>Bees</title><p>A hive.")


def manners(delay=1.0, ip_delay=0.0, clock=(0.0,)):
    return Manners(delay, ip_delay, lambda: clock[-1])


# -- away ---------------------------------------------------------------------------------------------------------


def test_a_host_that_is_away_is_tried_less_and_less_and_then_no_more():
    clock = [0.0]
    kept = manners(clock=clock)
    assert kept.away("a.test") is None  # it never answered: a dead link is one
    kept.answered("a.test", 200)
    pauses = []
    for _ in range(AWAY_TRIES + 1):
        until = kept.away("a.test")
        assert kept.away("a.test") == until  # a request that was under way beside it
        pauses.append(until - clock[-1])
        clock.append(until)
    assert pauses == [*(AWAY_PAUSE * 2**n for n in range(AWAY_TRIES)), math.inf]


def test_one_that_answers_again_has_all_its_tries():
    clock = [0.0]
    kept = manners(clock=clock)
    kept.answered("a.test", 200)
    clock.append(kept.away("a.test"))
    kept.answered("a.test", 503)
    assert kept.away("a.test") == clock[-1] + AWAY_PAUSE


# -- by host ------------------------------------------------------------------------------------------------------


def test_a_host_that_is_busy_is_asked_half_as_often():
    kept = manners(1.0)
    gaps = []
    for status in (200, 503, 429, 200, 404, 500):
        kept.answered("a.test", status)
        gaps.append(round(kept.gap("a.test"), 4))
    assert gaps == [1.0, 2.0, 4.0, 3.6, 3.24, 2.916]
    assert kept.gap("b.test") == 1.0


def test_however_busy_a_host_is_the_gap_has_an_end_and_comes_back():
    kept = manners(1.0)
    for _ in range(100):
        kept.answered("a.test", 503)
    assert kept.gap("a.test") == LONGEST_GAP
    for _ in range(200):
        kept.answered("a.test", 200)
        assert 1.0 <= kept.gap("a.test") <= LONGEST_GAP
    assert kept.gap("a.test") == 1.0


@pytest.mark.parametrize(("delay", "asked", "gap"), [(1, 7, 7), (9, 7, 9), (100, 7, 100)])
def test_a_busy_host_never_gets_less_than_was_wanted(delay, asked, gap):
    kept = manners(delay)
    kept.crawl_delay("a.test", asked)
    assert kept.gap("a.test") == gap
    for _ in range(20):
        kept.answered("a.test", 503)
    assert kept.gap("a.test") == max(gap, LONGEST_GAP)


def test_a_delay_of_zero_lifts_every_gap():
    kept = manners(0.0, ip_delay=5.0)
    kept.crawl_delay("a.test", 10)
    kept.answered("a.test", 503)
    kept.asked("192.0.2.1")
    assert kept.gap("a.test") == 0
    assert not kept.counts_addresses


def test_the_gap_follows_what_a_server_answers():
    busy = answer(b"", "429 Slowly")
    with Loopback({"/a": [busy, answer(b"", "503 Later"), PAGE]}) as server:

        async def run():
            gaps = []
            async with LiveWeb(settings(delay=0.05, ip_delay=0, retries=0)) as web:
                with pytest.raises(NotNow, match="robots_read"):
                    await web.get(server.origin + "/a")
                for _ in range(3):
                    await web.get(server.origin + "/a")
                    gaps.append(web.gap(f"127.0.0.1:{server.port}"))
            return gaps

        assert asyncio.run(run()) == pytest.approx([0.1, 0.2, 0.18])


# -- by address ---------------------------------------------------------------------------------------------------


def test_an_address_rests():
    clock = [10.0]
    kept = manners(ip_delay=0.5, clock=clock)
    kept.asked("192.0.2.1")
    assert kept.counts_addresses
    assert kept.address_rests_until("192.0.2.1") == 10.5
    assert kept.address_rests_until("192.0.2.2") <= 10
    clock.append(11.0)
    kept.asked("192.0.2.1")
    assert kept.address_rests_until("192.0.2.1") == 11.5


def test_addresses_that_have_rested_are_forgotten():
    clock = [0.0]
    kept = manners(ip_delay=0.5, clock=clock)
    for number in range(10_001):
        kept.asked(f"old {number}")
    clock.append(100.0)
    kept.asked("192.0.2.1")
    kept.asked("192.0.2.2")
    assert len(kept._address_free) == 2
    assert kept.address_rests_until("192.0.2.1") == 100.5


NAMES = ["bees.test", "wasps.test", "ants.test"]
PINNED = [f"{name}=127.0.0.1" for name in NAMES]


def test_names_of_one_address_take_turns():
    with Loopback({"/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings(delay=0.01, ip_delay=0.5, resolve=PINNED)) as web:
                before = web.now()
                with pytest.raises(NotNow, match="robots_read"):
                    await web.get(f"http://bees.test:{server.port}/a")
                with pytest.raises(NotNow) as later:
                    await web.get(f"http://wasps.test:{server.port}/a")
                assert (later.value.reason, server.paths) == ("address_rests", ["/robots.txt"])
                assert later.value.until - before >= 0.5
                await web.wait(later.value.until)
                with pytest.raises(NotNow, match="robots_read"):
                    await web.get(f"http://wasps.test:{server.port}/a")

        asyncio.run(run())
        assert [request.headers["host"].partition(":")[0] for request in server.requests] == NAMES[:2]


def test_other_addresses_do_not_wait():
    with Loopback({"/a": PAGE}) as one, Loopback({"/a": PAGE}, host="127.0.0.2") as other:

        async def run():
            async with LiveWeb(settings(delay=0.01, ip_delay=1000)) as web:
                for server in (one, other):
                    with pytest.raises(NotNow, match="robots_read"):
                        await web.get(server.origin + "/a")

        asyncio.run(run())


def test_without_a_delay_nor_do_addresses_rest():
    with Loopback({"/a": PAGE}) as server:

        async def run():
            async with LiveWeb(settings(delay=0, ip_delay=1000, resolve=PINNED)) as web:
                return [await web.get(f"http://{name}:{server.port}/a") for name in NAMES]

        assert all(reply.page for reply in asyncio.run(run()))


def test_a_crawl_over_names_of_one_address():
    with Loopback({"/a": PAGE, "/b": PAGE}) as server:
        seeds = [f"http://{name}:{server.port}/{path}" for name in NAMES for path in "ab"]
        given = {"delay": 0.01, "ip_delay": 0.1, "resolve": PINNED, "allow_private": True}
        summary = hg.Crawl(seeds, "keyword:hive", **given).run()
        assert len(server.requests) == 9
        assert server.requests[-1].time - server.requests[0].time >= 0.7  # eight gaps, less the time to connect
    assert (summary.done, summary.flags, summary.stopped) == (6, {"copy": 5}, "nothing_left")
    assert summary.balanced


# -- Retry-After --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0), ("120", 120), (" 120 ", 120), ("1.5", 1.5), ("1e9", LONGEST_PAUSE), ("-1", 0), ("-inf", 0)],
)
def test_seconds(value, seconds):
    assert retry_after(value) == seconds


@pytest.mark.parametrize(
    "value", ["", " ", "abc", "nan", "10 minutes", "Wed, 99 Oct 2015 07:28:00 GMT", "Wed", "\0", "٣ x"]
)
def test_what_says_nothing_sensible(value):
    assert retry_after(value) is None


FORMS = [
    lambda date: email.utils.format_datetime(date, usegmt=True),
    lambda date: date.strftime("%A, %d-%b-%y %H:%M:%S GMT"),  # RFC 850
    lambda date: date.strftime("%a %b %d %H:%M:%S %Y"),  # asctime: always meant as GMT
    lambda date: email.utils.format_datetime(date.astimezone(tz=None)),
]


@pytest.fixture(params=["UTC", "America/New_York", "Asia/Kolkata"])
def zone(request, monkeypatch):
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("form", FORMS)
def test_dates(form, zone):
    assert retry_after(form(datetime.now(UTC) + timedelta(hours=1))) == pytest.approx(3600, abs=30)
    assert retry_after(form(datetime.now(UTC) - timedelta(hours=1))) == 0
    assert retry_after(form(datetime.now(UTC) + timedelta(days=40))) == LONGEST_PAUSE


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,6} \d\d:\d\d:\d\d ([+-]\d{1,6}|GMT)?"))
def test_any_text_is_a_sensible_pause_or_none(value):
    seconds = retry_after(value)
    assert seconds is None or 0 <= seconds <= LONGEST_PAUSE


def test_a_host_asked_beside_its_turn_rests_a_gap_more_for_each():
    clock = [100.0]
    manners = Manners(2.0, 0.0, lambda: clock[0])
    assert manners.host_rests_until("a") == 0
    manners.asked_beside("a")
    assert manners.host_rests_until("a") == 104
    manners.asked_beside("a")
    assert manners.host_rests_until("a") == 106
    assert manners.host_rests_until("b") == 0
    clock[0] = 200
    manners.asked_beside("a")
    assert manners.host_rests_until("a") == 204


def test_without_a_gap_nobody_rests():
    manners = Manners(0.0, 0.0, lambda: 100.0)
    manners.asked_beside("a")
    assert manners.host_rests_until("a") == 0
