"""Settings: bounds, tables and defaults."""

import pytest

from honeyguide.base import BadInput
from honeyguide.settings import Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pages", 0),
        ("random_seed", -1),
        ("depth", -1),
        ("per_host", 0),
        ("max_time", -0.5),
        ("max_bytes", -1),
        ("max_queue", 99),
        ("delay", -0.1),
        ("delay", 3601),
        ("concurrency", 0),
        ("concurrency", 1001),
        ("timeout", 0),
        ("timeout", 4000),
        ("max_page_bytes", 999),
    ],
)
def test_out_of_bounds_is_refused_by_name(name, value):
    with pytest.raises(BadInput, match=f"{name} = {value} is out of bounds"):
        Settings(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"), [("pages", 1), ("delay", 0), ("delay", 3600), ("depth", 0), ("depth", None)]
)
def test_the_bounds_themselves_are_fine(name, value):
    assert getattr(Settings(**{name: value}), name) == value


def test_defaults_are_left_out_of_the_table():
    assert Settings(topic="keyword:bee").to_dict() == {
        "topic": "keyword:bee",
        "seed": [],
        "strategy": "honeyguide",
        "pages": 1000,
        "random_seed": 0,
    }


def test_table_and_back():
    settings = Settings(
        topic="keyword:bee",
        seed=["http://a.example/"],
        strategy="random",
        pages=7,
        random_seed=3,
        allow=["a.example"],
        deny=["*.pdf"],
        same_site=True,
        depth=2,
        per_host=5,
        max_time=1.5,
        max_bytes=10,
        max_queue=100,
        delay=0.0,
        concurrency=2,
        timeout=3.0,
        max_page_bytes=1000,
        allow_private=True,
        resolve=["a.example=127.0.0.1"],
        web="old",
        user_agent="bot",
        contact="me@a.example",
    )
    assert Settings.from_dict(settings.to_dict()) == settings
    assert len(settings.to_dict()) == 22


def test_an_unknown_key_is_refused_by_name():
    with pytest.raises(BadInput, match="does not know: colour, speed"):
        Settings.from_dict({"topic": "keyword:bee", "speed": 3, "colour": "red"})


def test_a_table_is_held_to_the_bounds():
    with pytest.raises(BadInput, match="pages"):
        Settings.from_dict({"pages": 0})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pages", "many"),
        ("pages", 1.5),
        ("pages", True),
        ("delay", "1"),
        ("depth", "deep"),
        ("seed", "http://a.example/"),
        ("seed", [1]),
        ("topic", 3),
        ("allow_private", 1),
        ("allow_private", "no"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_name(name, value):
    with pytest.raises(BadInput, match=name):
        Settings.from_dict({name: value})


def test_a_whole_number_will_do_where_a_fraction_may_stand():
    assert Settings.from_dict({"delay": 2, "max_time": 60}).delay == 2


def test_lists_are_not_shared():
    Settings().seed.append("http://a.example/")
    assert Settings().seed == []


@pytest.mark.parametrize("name", ["allow", "deny", "header"])
def test_an_empty_rule_stands_for_none(name):
    assert getattr(Settings(**{name: ["", " "]}), name) == []
