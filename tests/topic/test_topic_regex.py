"""Regex topics."""

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.topic import parse, regex


def test_title_and_text_in_either_case():
    page = Page("http://a.example/", title="Colour", text="a color, many colors")
    assert parse('regex:"colou?r"').score(page) == 0.875
    assert regex(r"\bcolors\b").score(page) == 0.5
    assert regex("(?-i:color)s?").explain(page) == "/(?-i:color)s?/ matches 2 times, first 'color'"
    assert regex("paint").score(page) == 0


@pytest.mark.parametrize(
    ("pattern", "problem"), [("a(b", "character 2"), ("[z-a]", "character 2"), ("*", "character 1")]
)
def test_a_wrong_pattern_is_answered_with_its_place(pattern, problem):
    with pytest.raises(BadInput, match=problem):
        regex(pattern)


@pytest.mark.parametrize("pattern", ["(" * 5_000 + ")" * 5_000, "a{99999999999999999999}"])
def test_patterns_beyond_the_engine_are_bad_input(pattern):
    with pytest.raises(BadInput):
        regex(pattern)
