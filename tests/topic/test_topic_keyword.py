"""Keyword topics."""

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.topic import keyword, parse


def page(text, title=""):
    return Page("http://a.example/", title=title, text=text)


@pytest.mark.parametrize(
    ("text", "score"),
    [("no such thing", 0), ("Solar!", 0.5), ("solar and SOLAR", 0.75), ("solar solar solar", 0.875)],
)
def test_score_grows_with_occurrences(text, score):
    assert keyword("solar").score(page(text)) == score


def test_score_never_leaves_the_scale():
    assert keyword("solar").score(page("solar " * 100_000)) == 1


def test_title_counts_too_but_phrases_do_not_straddle():
    assert keyword("heat pump").score(page("pump", title="heat")) == 0
    assert keyword("pump").score(page("pump", title="pump")) == 0.75


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("heat pump", "Heat-pumps? A heat\n pump."),
        ("Tesla", "tesla's"),
        ("STRASSE", "Straße"),
        ("énergie", "l’E\u0301nergie"),
        ("太阳能", "新的太阳能电池"),
    ],
)
def test_whole_words_in_any_dress(word, text):
    assert keyword(word).score(page(text)) == 0.5


@pytest.mark.parametrize("text", ["solarium", "insolar", "heat the pump", "heat pumps"])
def test_parts_of_words_do_not_match(text):
    assert keyword("solar", "heat pump").score(page(text)) == 0


def test_stemming_is_on_request():
    assert keyword("heat pump", stem=True).score(page("two heated pumps and heat pumping")) == 0.75


def test_all_wants_every_phrase():
    topic = keyword("solar", "wind", "heat pump", "tide", mode="all")
    assert topic.score(page("solar wind wind")) == 0.25
    assert topic.score(page("solar wind heat pump tide tide")) == 0.5
    assert topic.score(page("solar wind heat pump tide " * 2)) == 0.75
    assert topic.score(page("nothing")) == 0


def test_forms_in_expressions():
    assert parse('keyword:any(solar, "heat pump")') == keyword("solar", "heat pump")
    assert parse("keyword:all(solar,wind)") == keyword("solar", "wind", mode="all")
    assert parse("keyword:stem(solar)") == keyword("solar", stem=True)
    assert parse("keyword:stem(all(a, b))") == keyword("a", "b", mode="all", stem=True)
    assert str(keyword("Heat  Pump", stem=True)) == 'keyword:stem("heat pump")'
    with pytest.raises(BadInput, match="not in some"):
        parse("keyword:some(a, b)")


def test_a_keyword_without_words_is_impossible():
    assert "no word in it" in keyword("?!").impossible()
    assert keyword("?!", "solar", mode="all").impossible()
    assert keyword("?!").score(page("?! what?!")) == 0
    with pytest.raises(BadInput, match="at least one word"):
        keyword()


def test_words_leave_out_stop_words_of_phrases():
    assert keyword("power of wind").words() == {"power": 0.5, "wind": 0.5, "power of wind": 1.0}


def test_explanation():
    topic = keyword("solar", "heat pump")
    assert (
        topic.explain(page("heat pump, heat pump", title="Solar"))
        == "'solar' once in the title, 'heat pump' 2 times in the text"
    )
    assert topic.explain(page("")) == "no 'solar' or 'heat pump'"
