"""What every web has in common, and the clock of simulated ones."""

import asyncio

import pytest

from honeyguide.base import Page, Reply
from honeyguide.web import SimulatedWeb, Web


class OnePage(SimulatedWeb):
    async def get(self, url):
        return Reply(Page(url))


def test_a_web_must_say_what_it_answers():
    with pytest.raises(TypeError, match="abstract"):
        Web()
    with pytest.raises(TypeError, match="get"):
        SimulatedWeb()


def test_the_simulated_clock_jumps_and_never_goes_back():
    async def run():
        web = OnePage()
        times = [web.now()]
        for until in (5.0, 3.0, 7.5):
            await web.wait(until)
            times.append(web.now())
        return times

    assert asyncio.run(run()) == [0.0, 5.0, 5.0, 7.5]


def test_every_host_rests_as_long():
    assert OnePage().gap("a.example") == 0.0
    assert OnePage(delay=2.5).gap("a.example") == 2.5


def test_get_work_and_notes():
    async def run():
        async with OnePage() as web:
            return await web.get("http://a.example/"), await web.work(divmod, 17, 5), web.notes()

    reply, quotient, notes = asyncio.run(run())
    assert reply.page.url == "http://a.example/"
    assert quotient == (3, 2)
    assert notes == {}
    assert (OnePage.live, OnePage.concurrency) == (False, 1)
