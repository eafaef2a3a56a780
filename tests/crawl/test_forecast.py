"""Forecasts: what is expected of the next fetches, and crawls that end by it."""

import random

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.crawl.forecast import HORIZON, by_host, forecast
from honeyguide.running import run_async
from small_webs import page, web_of

A = "http://a.test"


def drawn(rate, count, seed=0):
    return np.random.default_rng(seed).random(count) < rate


def test_a_steady_harvest_goes_on():
    ahead = forecast(drawn(0.3, 2000))
    assert ahead.fetches == HORIZON
    assert 230 < ahead.expected < 330
    assert ahead.low < 300 < ahead.high
    assert ahead.rate == pytest.approx(ahead.expected / 1000)
    assert str(ahead).endswith("of the next 1,000")


def test_a_falling_harvest_goes_on_falling_and_a_rising_one_rising():
    steady = forecast(np.r_[drawn(0.3, 1000, 1), drawn(0.3, 1000, 2)])
    falling = forecast(np.r_[drawn(0.6, 1000, 1), drawn(0.3, 1000, 2)])
    rising = forecast(np.r_[drawn(0.05, 1000, 1), drawn(0.3, 1000, 2)])
    assert falling.expected < steady.expected < rising.expected


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
    assert told[-1].expected > 300
    assert summary.to_dict()["forecast"]["fetches"] == 1000


def test_intervals_hold_about_four_times_in_five_where_harvests_drift():
    """Harvests that wander as those of crawls do; the benchmark checks real ones."""
    held = []
    for seed in range(120):
        chance = random.Random(seed)
        level, rates = chance.uniform(0.05, 0.6), []
        for _ in range(12):
            level = min(0.9, max(0.01, level * chance.uniform(0.75, 1.2)))
            rates += [level] * 250
        relevant = np.random.default_rng(seed).random(3000) < np.array(rates)
        ahead, came = forecast(relevant[:2000]), int(relevant[2000:].sum())
        held.append(ahead.low <= came <= ahead.high)
    assert 0.65 < np.mean(held) < 0.97
