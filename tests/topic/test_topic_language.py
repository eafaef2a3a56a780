"""Language topics."""

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.topic import language, parse


@pytest.mark.parametrize("name", ["en", "eng", "English", "ENGLISH", "en-GB", "en_US"])
def test_one_language_many_names(name):
    assert language(name).code == "en"


def test_pages():
    assert language("yue").score(Page("http://a.example/", language="yue")) == 1
    assert language("zh").score(Page("http://a.example/", language="zh")) == 1
    assert language("de").score(Page("http://a.example/", language="en")) == 0
    assert language("de").score(Page("http://a.example/")) == 0


def test_names_of_several_words():
    assert str(parse('language:"Haitian Creole"')) == "language:ht"


@pytest.mark.parametrize(
    ("wrong", "near"), [("germn", "German"), ("xx", "did you mean"), ("q" * 9_999, "code such as")]
)
def test_an_unknown_language_is_answered_with_the_nearest(wrong, near):
    with pytest.raises(BadInput, match=near):
        language(wrong)


def test_every_two_letter_code_has_a_three_letter_one():
    from honeyguide.languages import codes

    two = {code for code, _ in codes().values() if len(code) == 2}
    three = {given for given, (code, _) in codes().items() if len(given) == 3 and len(code) == 2}
    assert len(two) >= 180 and len(three) >= len(two)
