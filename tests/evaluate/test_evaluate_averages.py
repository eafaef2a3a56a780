"""Means over topics, their intervals, and who won."""

import pytest

from honeyguide.evaluate.averages import by_topic, estimate, row
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
