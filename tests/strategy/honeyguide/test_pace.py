"""How much care pages get: everything at first, and never nothing."""

from hypothesis import given
from hypothesis import strategies as st

from honeyguide.strategy.honeyguide import pace


def test_a_young_crawl_takes_every_page_as_an_example_and_an_older_one_one_of_three():
    assert [pace.stands_for(number) for number in (0, 1, 2, 299)] == [1, 1, 1, 1]
    assert [pace.stands_for(number) for number in range(300, 306)] == [3, 0, 0, 3, 0, 0]


@given(st.integers(300, 10**6), st.integers(1, 10**4))
def test_what_is_taken_stands_for_about_as_many_as_there_were(first, count):
    for taken in (pace.stands_for, pace.reads_for):
        assert abs(sum(map(taken, range(first, first + count))) - count) <= pace.READ_OF_GROWN


@given(st.integers(1, 10**7))
def test_nothing_waits_for_ever(visits):
    assert 1 <= pace.patience(visits) <= 40
    assert pace.time_to_fit(visits + 120, visits)
    assert pace.time_to_rank_all(visits + visits // 9 + 1, visits)


def test_a_grown_crawl_learns_from_more_pages_together():
    assert [pace.patience(visits) for visits in (0, 100, 999, 1000, 10**6)] == [1, 7, 20, 40, 40]


def test_chance_has_no_say_at_first_and_all_of_it_in_the_end():
    shares = [pace.share_of_chance(visits) for visits in (0, 50, 100, 150, 10**6)]
    assert shares == [0, 0, 0.5, 1, 1]
