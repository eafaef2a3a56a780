"""Forecasts: what is expected of the next fetches, and crawls that end by it."""

import math

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.crawl.forecast import HORIZON, WEIGHTS, by_host, forecast
from honeyguide.running import run_async
from small_webs import page, web_of

A = "http://a.test"


def drawn(rate, count, seed=0):
    return np.random.default_rng(seed).random(count) < rate


def test_a_forecast_is_what_its_weights_say():
    """Half of the last 250 were relevant, and two fifths of the last 1,000."""
    relevant = np.zeros(1500, bool)
    relevant[500:1250:3], relevant[1250::2], relevant[500:525] = True, True, True
    assert (relevant[-250:].sum(), relevant[-1000:].sum()) == (125, 391)
    ahead = forecast(relevant)
    for quantile, told in zip((0.1, 0.5, 0.9), (ahead.low, ahead.expected, ahead.high), strict=True):
        bias, lately, longer = WEIGHTS[quantile]
        assert told == pytest.approx(min(1000, math.exp(bias) * 501**lately * 392**longer - 1))
    assert ahead.fetches == HORIZON
    assert ahead.rate == pytest.approx(ahead.expected / 1000)
    assert str(ahead).endswith("of the next 1,000")


def test_the_latest_fetches_count_most():
    steady, falling, rising = (
        forecast(np.r_[drawn(early, 1000, 1), drawn(0.3, 250, 2)]) for early in (0.3, 0.6, 0.05)
    )
    assert forecast(drawn(0.3, 1000)).low < 300 < forecast(drawn(0.3, 1000)).high
    late = forecast(np.r_[drawn(0.3, 750, 1), drawn(0.05, 250, 2)])
    assert late.expected < min(each.expected for each in (steady, falling, rising))


def test_few_fetches_scatter_more():
    many, few = forecast(drawn(0.3, 1000)), forecast(drawn(0.3, 1000), fetches=20)
    assert few.expected == pytest.approx(many.expected / 50)
    assert few.low < many.low / 50
    assert few.high > many.high / 50


@pytest.mark.parametrize("relevant", [np.zeros(500, bool), np.ones(500, bool), drawn(0.5, 120)])
def test_it_stays_within_what_is_possible(relevant):
    ahead = forecast(relevant)
    assert 0 <= ahead.low <= ahead.expected <= ahead.high <= 1000


def test_a_few_fetches_tell_nothing():
    assert forecast(np.ones(99, bool)) is None
    assert forecast(np.ones(0, bool)) is None


def test_hosts_have_their_own():
    hosts = ["good.test", "bad.test"] * 600
    relevant = np.array([host == "good.test" for host in hosts])
    found = by_host([*hosts, "new.test"], np.r_[relevant, True])
    assert list(found) == ["good.test", "bad.test"]
    assert found["good.test"].expected > 10 * found["bad.test"].expected
    assert found["good.test"].fetches == 500


def ring(relevant_until, size=1500):
    """Pages in a row, each linking to the next; those after some number are irrelevant."""
    pages = [
        page(f"{A}/{n}", f"{A}/{n + 1}", label="yes" if n < relevant_until and n % 2 else "no") for n in range(size)
    ]
    return web_of(*pages)


def test_a_crawl_ends_when_too_little_is_to_be_expected():
    crawl = hg.Crawl([f"{A}/0"], "label:yes", "breadth-first", web=ring(200), pages=1500, until_yield=0.05)
    summary = crawl.run()
    assert summary.stopped == "until_yield"
    assert 300 < summary.fetched < 480
    assert summary.forecast.rate < 0.05


def test_a_crawl_that_still_finds_goes_on():
    crawl = hg.Crawl([f"{A}/0"], "label:yes", "breadth-first", web=ring(1500), pages=1200, until_yield=0.05)
    assert crawl.run().stopped == "pages"


def test_what_is_expected_is_told_while_it_runs_and_kept_in_the_summary(tmp_path):
    async def run():
        crawl = hg.Crawl([f"{A}/0"], "label:yes", "breadth-first", web=ring(1500), pages=300)
        told = [crawl.forecast() async for _ in crawl]
        return told, crawl.summary()

    told, summary = run_async(run())
    assert told[50] is None
    assert told[-1].expected > 200
    assert summary.to_dict()["forecast"]["fetches"] == 1000


def test_where_nothing_is_left_nothing_is_expected(tmp_path):
    given = {"web": ring(900, 400), "directory": tmp_path / "crawl", "pages": 9000}
    summary = hg.Crawl([f"{A}/0"], "label:yes", "breadth-first", **given).run()
    assert (summary.stopped, summary.queued, summary.forecast) == ("nothing_left", 0, None)
    assert "If it went on" not in hg.write_report(tmp_path / "crawl").read_text()
