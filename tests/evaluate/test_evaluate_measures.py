"""The figures of one crawl, against numbers worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.evaluate.measures import CURVE_POINTS, curve_points, found_by, nauc

crawls = st.lists(st.booleans(), min_size=1, max_size=60)


def test_nauc_of_a_tiny_curve():
    found = found_by([True, False, True, True, False], 5, 3)
    assert found.tolist() == [1, 1, 2, 3, 3]
    assert nauc(found, 3) == pytest.approx((1 / 1 + 1 / 2 + 2 / 3 + 3 / 3 + 3 / 3) / 5)


def test_a_crawl_that_ends_early_keeps_its_last_value():
    assert found_by([True], 4, 2).tolist() == [1, 1, 1, 1]
    assert nauc(found_by([True], 4, 2), 2) == pytest.approx((1 + 1 / 2 + 1 / 2 + 1 / 2) / 4)


def test_a_perfect_crawl_has_one_and_a_barren_one_nothing():
    assert nauc(found_by([True, True, False], 3, 2), 2) == 1
    assert nauc(found_by([False, False], 3, 2), 2) == 0


def test_nothing_to_find_is_nothing_found():
    assert nauc(found_by([False], 3, 0), 0) == 0


def test_never_more_is_found_than_can_be_reached():
    assert found_by([True, True, True], 3, 2).tolist() == [1, 2, 2]


@given(crawls, st.integers(1, 80), st.integers(1, 80))
def test_nauc_lies_between_nothing_and_one(relevant, budget, reachable):
    assert 0 <= nauc(found_by(relevant, budget, reachable), reachable) <= 1 + 1e-12


@given(crawls, st.data(), st.integers(1, 80))
def test_one_relevant_page_more_never_lowers_it(relevant, data, reachable):
    better = list(relevant)
    better[data.draw(st.integers(0, len(relevant) - 1))] = True
    before, after = (found_by(crawl, len(relevant), reachable) for crawl in (relevant, better))
    assert (after >= before).all()
    assert nauc(after, reachable) >= nauc(before, reachable)


@given(crawls, st.integers(1, 80))
def test_the_same_pages_earlier_are_never_worse(relevant, reachable):
    ordered = sorted(relevant, reverse=True)
    worse, better = (nauc(found_by(crawl, len(relevant), reachable), reachable) for crawl in (relevant, ordered))
    assert better >= worse - 1e-12


@given(st.integers(1, 5000))
def test_a_curve_has_about_a_hundred_points_and_ends_with_the_last_page(budget):
    points = curve_points(budget)
    assert points[0] == 1
    assert points[-1] == budget
    assert len(points) <= CURVE_POINTS
    assert (np.diff(points) > 0).all()
