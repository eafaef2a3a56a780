"""What hosts and folders brought: ever and lately, worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.strategy.honeyguide.places import Places


def told(places, place):
    return [(float(good[0]), float(seen[0])) for good, seen in places.told(np.array([place]))]


def test_what_a_place_brought_lately_fades_with_every_fetch_there():
    places = Places(memory=4)  # three quarters are left after a fetch
    for good in (True, False, False):
        places.count(np.array([7]), np.array([good]))
    ever, lately = told(places, 7)
    assert ever == (1, 3)
    assert lately == pytest.approx((0.75**2, 1 + 0.75 + 0.75**2))
    assert told(places, 3) == [(0, 0), (0, 0)]


def test_fetches_elsewhere_change_nothing():
    places = Places(memory=4)
    places.count(np.array([1, 2, 2]), np.array([True, False, False]))
    before = told(places, 1)
    places.count(np.full(50, 2), np.zeros(50, bool))
    assert told(places, 1) == before == [(1, 1), (1, 1)]


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=60), st.integers(2, 50))
def test_many_at_once_count_as_one_by_one(fetches, memory):
    which, good = (np.array(column) for column in zip(*fetches, strict=True))
    together, single = Places(memory), Places(memory)
    together.count(which, good)
    for place, hit in fetches:
        single.count(np.array([place]), np.array([hit]))
    assert together.rows[:5] == pytest.approx(single.rows[:5], rel=1e-5)


def test_what_is_saved_is_what_it_was():
    places, other = Places(10), Places(10)
    places.count(np.array([0, 1, 1]), np.array([True, True, False]))
    other.load(places.save(2))
    assert (other.rows[:2] == places.rows[:2]).all()
    assert len(other.rows) >= 2
