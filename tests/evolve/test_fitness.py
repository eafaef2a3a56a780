"""What a crawl is worth."""

import numpy as np
import pytest

from honeyguide.evolve.fitness import FITNESS, Course
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
