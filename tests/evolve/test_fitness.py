"""What a crawl is worth."""

import numpy as np
import pytest

from honeyguide.base import BadInput
from honeyguide.evolve.fitness import FITNESS, Course, measure_named
from honeyguide.evolve.question import MEASURES

COURSE = Course(np.array([True, False, True, True]), np.array([0, 0, 0, 1]), budget=8, reachable=4)


@pytest.mark.parametrize(
    ("name", "worth"),
    [
        ("harvest", 3 / 8),
        ("recall", 3 / 4),
        ("nauc", np.mean([1 / 1, 1 / 2, 2 / 3, 3 / 4, 3 / 4, 3 / 4, 3 / 4, 3 / 4])),
        ("exploration", (1 + 1 / np.sqrt(2) + 1) / 8),
    ],
)
def test_by_hand(name, worth):
    assert FITNESS[name](COURSE) == pytest.approx(worth)


@pytest.mark.parametrize("name", sorted(FITNESS))
def test_a_crawl_that_found_nothing_is_worth_nothing(name):
    assert FITNESS[name](Course(np.zeros(3, bool), np.zeros(3, int), 5, 2)) == 0
    assert FITNESS[name](Course(np.zeros(0, bool), np.zeros(0, int), 5, 0)) == 0


def test_the_command_line_knows_them_all():
    assert tuple(FITNESS) == MEASURES


def late(course):
    """What the second half of a crawl brought."""
    return course.relevant[len(course.relevant) // 2 :].sum()


def fails(course):
    raise KeyError("nothing")


def test_any_function_can_be_the_measure():
    assert measure_named(f"{__name__}:late") is late
    assert measure_named("nauc") is FITNESS["nauc"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"{__name__}:fails", "fails on a crawl of two pages: KeyError"),
        ("math:nothing", "cannot be imported"),
        ("builtins:id", "worth a number"),
    ],
)
def test_functions_that_do_not_measure_are_told(name, said, monkeypatch):
    monkeypatch.setattr("builtins.id", lambda course: -1.0)
    with pytest.raises(BadInput, match=said):
        measure_named(name)
