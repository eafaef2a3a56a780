"""Means over topics, their intervals, and who won."""

import math
import random

import pytest

from honeyguide.evaluate.averages import by_topic, estimate, row, rows_beside
from honeyguide.evaluate.comparison import Result


def result(topic, seed_set, nauc, relevant=1, fetched=2, seconds=0.0, strategy="x"):
    return Result(
        strategy, topic, "near", seed_set, 4, fetched, relevant, 1, nauc, (0, relevant), seconds,
        links=10 * fetched, crawled=fetched,
    )  # fmt: skip


def test_topics_count_the_same_however_many_seed_sets_they_have():
    assert by_topic({("a", 0, 0): 1.0, ("a", 1, 0): 0.0, ("b", 0, 0): 1.0}) == [0.5, 1.0]


def test_the_interval_of_equal_topics_is_a_point():
    found = estimate([0.25] * 8)
    assert (found.mean, found.low, found.high) == (0.25, 0.25, 0.25)


def test_the_interval_of_two_topics_spans_both():
    found = estimate([0.0, 1.0])  # a quarter of the resamples is all of one topic
    assert (found.mean, found.low, found.high) == (0.5, 0.0, 1.0)


def test_the_interval_of_many_topics_is_as_wide_as_theory_says():
    found = estimate([0.0, 1.0] * 200)
    error = 1.96 * 0.5 / 400**0.5
    assert found.low == pytest.approx(0.5 - error, abs=0.01)
    assert found.high == pytest.approx(0.5 + error, abs=0.01)


def test_intervals_that_hold_together_are_as_wide_as_theory_says():
    values = [0.0, 1.0] * 200
    alone, together = estimate(values), estimate(values, 20)
    assert together.mean == alone.mean
    spread = math.sqrt(0.25 / 400)
    assert together.high - 0.5 == pytest.approx(3.023 * spread, rel=0.06)  # the normal quantile of 0.05 / 20 / 2
    assert alone.high - 0.5 == pytest.approx(1.96 * spread, rel=0.06)


def test_differences_are_corrected_for_how_many_there_are():
    chance = random.Random(1)
    found = {name: [result(f"t{n}", 0, chance.random()) for n in range(20)] for name in ("base", "x", "y", "z")}
    rows = {each.strategy: each for each in rows_beside(found, "base")}
    assert rows["base"].difference is None
    alone = row("x", found["x"], found["base"]).difference
    assert rows["x"].difference == row("x", found["x"], found["base"], together=3).difference
    assert rows["x"].difference.low < alone.low < alone.high < rows["x"].difference.high


def test_the_interval_is_always_the_same():
    values = [0.1, 0.5, 0.7, 0.2]
    assert estimate(values) == estimate(values)


def test_wins_ties_and_losses_are_counted_by_topic():
    own = [result("a", 0, 0.9), result("a", 1, 0.1), result("b", 0, 0.2), result("c", 0, 0.0), result("d", 0, 0.4)]
    other = [result("a", 0, 0.3), result("a", 1, 0.3), result("b", 0, 0.2), result("c", 0, 0.5)]
    found = row("x", own, other)
    assert (found.wins, found.ties, found.losses) == (1, 1, 1)
    assert found.difference.mean == pytest.approx((0.2 + 0 - 0.5) / 3)
    assert found.nauc.mean == pytest.approx((0.5 + 0.2 + 0.0 + 0.4) / 4)
    assert found.topics == 4


def test_the_figures_of_a_row():
    found = row("x", [result("a", 0, 0.5, 1, 4, 0.1), result("b", 0, 0.5, 3, 4, 0.3)], [])
    assert found.harvest.mean == 0.5
    assert found.recall == 0.5
    assert found.hosts == 1
    assert found.milliseconds == pytest.approx(50)
    assert found.microseconds == pytest.approx(5000)
    assert found.difference is None


def test_a_crawl_without_pages_divides_by_nothing():
    nothing = Result("x", "a", "near", 0, 0, 0, 0, 0, 0.0, ())
    assert (nothing.harvest, nothing.recall) == (0, 0)
