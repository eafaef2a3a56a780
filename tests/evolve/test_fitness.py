"""What a crawl is worth."""

import math

import numpy as np
import pytest

from honeyguide.base import BadInput
from honeyguide.evolve.fitness import FITNESS, Course, Measure
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
    assert Measure(f"{__name__}:late")(COURSE) == late(COURSE)
    assert Measure("nauc")(COURSE) == FITNESS["nauc"](COURSE)


def test_a_function_that_was_changed_is_told_from_what_it_was(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    stamps = []
    for n, body in enumerate(("1.0", "2.0", "1.0")):
        (tmp_path / f"changing{n}.py").write_text(f"def worth(course):\n    return {body}\n")
        stamps.append(Measure(f"changing{n}:worth").stamp())
    assert stamps[0] == stamps[2] != stamps[1]
    assert Measure("nauc").stamp() == ""
    assert Measure("builtins:len").stamp() == "builtins:len"


def infinite(course):
    return math.inf


def text(course):
    return "1.0"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (f"{__name__}:fails", "fails: KeyError"),
        (f"{__name__}:infinite", "worth a number from 0 up, and not inf"),
        (f"{__name__}:text", "worth a number from 0 up, and not '1.0'"),
        ("math:nothing", "cannot be imported"),
    ],
)
def test_functions_that_do_not_measure_are_told(name, said):
    with pytest.raises(BadInput, match=said):
        Measure(name)(COURSE)
