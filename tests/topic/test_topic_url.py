"""URL topics."""

import fnmatch
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.base import BadInput, Page
from honeyguide.topic import parse, url
from honeyguide.topic.url import glob_matches


def matches(topic, address):
    return topic.relevant(topic.score(Page(address)))


@pytest.mark.parametrize(
    ("pattern", "address", "expected"),
    [
        ("shop", "https://a.example/Shop/1", True),
        ("shop", "https://a.example/shopping", False),
        ("heat-pump", "https://a.example/heat_pump.html", True),
        ("heat-pump", "https://a.example/pump/heat", False),
        ("a.example", "https://www.a.example/", True),
        ("*/wiki/*", "https://a.example/Wiki/Sun", True),
        ("*/wiki/*", "https://a.example/wiki", False),
        ("https://?.example/", "https://b.example/", True),
        ("https://?.example/", "https://bb.example/", False),
        ("substring=ki/s", "https://a.example/wiki/Sun", True),
        ("substring=ki/s", "https://a.example/wiki/moon", False),
    ],
)
def test_three_ways_to_match(pattern, address, expected):
    assert matches(url(pattern), address) is expected


@given(st.text("ab*?", max_size=8), st.text("ab\n", max_size=8))
def test_globs_agree_with_fnmatch(pattern, text):
    assert glob_matches(pattern, text) == bool(re.match(fnmatch.translate(pattern), text))


def test_nothing_is_tried_twice():
    assert not glob_matches("*a" * 40 + "*b", "a" * 2_000)


def test_expressions_and_forms():
    assert parse("url:shop") == url("shop", how="token")
    assert parse("url:*/wiki/*").how == "glob"
    assert parse('url:"substring=/a/b"') == url("/a/b", how="substring")
    assert str(url("exactly", how="glob")) == 'url:"glob=exactly"'


def test_words_and_the_impossible():
    assert url("heat-pump").words() == {"heat": 1.0, "pump": 1.0}
    assert url("*pump*").words() == {}
    assert url("---").impossible()
    with pytest.raises(BadInput):
        url("")
