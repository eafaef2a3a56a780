"""Knobs, their bounds, and errors."""

import math
from dataclasses import dataclass, fields

import pytest

from honeyguide.base import BadInput, Excluded, FetchError, HoneyguideError, NotNow, Page, Visit, check_bounds, knob


@dataclass
class Hive:
    frames: int = knob(10, "how many frames", 1, 20)
    warmth: float = knob(35.0, "in degrees", low=0)
    damp: float | None = knob(None, "of the air", high=1)
    name: str = knob("", "what it is called", 0, 9)
    bees: list[str] = knob(["queen"], "who lives there", unit="bee")


def test_defaults_are_within_bounds():
    check_bounds(Hive())


@pytest.mark.parametrize("frames", [1, 20])
def test_bounds_belong_to_what_is_allowed(frames):
    check_bounds(Hive(frames=frames))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"frames": 0}, "frames = 0 is out of bounds: 1 to 20"),
        ({"frames": 21}, "frames = 21 is out of bounds: 1 to 20"),
        ({"warmth": -0.5}, "warmth = -0.5 is out of bounds: 0 to …"),
        ({"damp": 1.5}, "damp = 1.5 is out of bounds: … to 1"),
        ({"warmth": math.nan}, "warmth = nan is out of bounds: 0 to …"),
        ({"damp": math.nan}, "damp = nan is out of bounds: … to 1"),
    ],
)
def test_a_knob_out_of_bounds_is_refused_by_name(values, said):
    with pytest.raises(BadInput) as refused:
        check_bounds(Hive(**values))
    assert str(refused.value) == said


def test_a_list_is_not_shared_between_two_settings():
    one, other = Hive(), Hive()
    one.bees.append("drone")
    assert other.bees == ["queen"]


def test_a_knob_carries_what_it_was_declared_with():
    described = {field.name: field.metadata for field in fields(Hive)}
    assert described["frames"] == {"help": "how many frames", "low": 1, "high": 20}
    assert described["bees"]["unit"] == "bee"


def test_fetch_errors_say_reason_and_detail():
    error = NotNow("resting", 12.5, "until noon")
    assert (str(error), error.reason, error.detail, error.until) == (
        "resting: until noon",
        "resting",
        "until noon",
        12.5,
    )
    assert str(Excluded("robots")) == "robots"


@pytest.mark.parametrize("kind", [BadInput, FetchError, Excluded, NotNow])
def test_every_error_is_one_of_ours(kind):
    assert issubclass(kind, HoneyguideError)


def test_a_visit_is_ok_when_a_page_came_back():
    assert Visit(0, 0, "http://h.example/", (), page=Page("http://h.example/")).ok
    assert not Visit(0, 0, "http://h.example/", (), error="http_404").ok
