"""And, or, not."""

import asyncio
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.base import Page
from honeyguide.topic import And, BudgetSpent, Or, Topic, function, keyword, label, language, links, parse
from honeyguide.topic.combine import calibrated

PAGE = Page("http://a.example/", text="solar")
UNIT = st.floats(0, 1, allow_subnormal=True)


@dataclass(frozen=True)
class Fixed(Topic):
    value: float
    threshold: float = 0.5

    def score(self, page):
        return self.value


FIXED = st.builds(Fixed, UNIT, UNIT)


def is_relevant(topic):
    return topic.relevant(topic.score(PAGE))


def test_threshold_lies_at_a_half():
    topic = Fixed(0.0, 0.2)
    assert [calibrated(topic, s) for s in (0.0, 0.1, 0.2, 0.6, 1.0)] == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_and_is_the_least_or_the_most_of_calibrated_scores():
    low, high = Fixed(0.1, 0.2), Fixed(0.9, 0.8)
    assert (low & high).score(PAGE) == 0.25
    assert (low | high).score(PAGE) == pytest.approx(0.75)
    assert (~low).score(PAGE) == 0.75


@given(FIXED)
def test_not_is_the_exact_complement(topic):
    assert is_relevant(~topic) == (not is_relevant(topic))
    assert is_relevant(~(~topic & ~topic)) == is_relevant(topic)


@given(FIXED, FIXED)
def test_de_morgan(a, b):
    assert is_relevant(~(a & b)) == is_relevant(~a | ~b)
    assert is_relevant(~(a | b)) == is_relevant(~a & ~b)
    assert is_relevant(a & b) == (is_relevant(a) and is_relevant(b))
    assert is_relevant(a | b) == (is_relevant(a) or is_relevant(b))


@given(UNIT, UNIT, UNIT)
def test_calibration_keeps_order_and_stays_on_the_scale(threshold, one, other):
    topic = Fixed(0.0, threshold)
    low, high = sorted((one, other))
    assert 0 <= calibrated(topic, low) <= calibrated(topic, high) <= 1


def test_combinations_flatten_and_double_negation_vanishes():
    a, b, c = keyword("a"), keyword("b"), keyword("c")
    assert (a & b) & c == a & (b & c) == And((a, b, c))
    assert a | (b | c) == Or((a, b, c))
    assert ~~a == a
    assert str((a | b) & ~(b & c)) == "(keyword:a | keyword:b) & ~(keyword:b & keyword:c)"


def test_words_are_the_union_and_not_adds_none():
    topic = (keyword("solar") | keyword("heat pump")) & ~keyword("toys")
    assert topic.words() == {"solar": 1.0, "heat": 0.5, "pump": 0.5, "heat pump": 1.0}


@pytest.mark.parametrize(
    "expression",
    [
        "keyword:a & ~keyword:a",
        "keyword:a & keyword:b & ~keyword:a",
        "(keyword:a | keyword:b) & ~(keyword:a | keyword:b)",
        "~(keyword:a | ~keyword:a)",
        "~keyword:a@0",
        "language:en & language:de",
        "label:science & label:arts",
        'keyword:"!!!" | language:en & language:de',
        'keyword:a & links:to:(keyword:"?")',
    ],
)
def test_what_can_never_match(expression):
    assert parse(expression).impossible()


@pytest.mark.parametrize(
    "expression",
    [
        "keyword:a & ~keyword:b",
        "keyword:a | ~keyword:a",
        "language:en & language:en",
        "language:en | language:de",
        "label:science & label:science.biology",
        'keyword:"!!!" | keyword:a',
        '~keyword:"!!!"',
    ],
)
def test_what_can_match(expression):
    assert parse(expression).impossible() == ""


def test_slow_and_parents_are_passed_up():
    slow = function(lambda pages: [1] * len(pages), batch=2)
    assert (keyword("a") & ~(slow | keyword("b"))).slow
    assert not (keyword("a") & ~keyword("b")).slow
    assert (keyword("a") & ~links("x")).needs_parents
    assert not (keyword("a") & links(to="x")).needs_parents


def test_slow_operands_are_asked_only_where_it_matters():
    asked = []

    def judge(pages):
        asked.append([page.text for page in pages])
        return [page.text.endswith("yes") for page in pages]

    pages = [Page(f"http://a.example/{t}", text=t) for t in ("solar yes", "solar no", "wind yes", "wind no")]
    both = function(judge, batch=9) & keyword("solar")
    assert [both.relevant(s) for s in asyncio.run(both.judge(pages))] == [True, False, False, False]
    assert asked.pop() == ["solar yes", "solar no"]
    either = function(judge, batch=9) | keyword("solar")
    assert [either.relevant(s) for s in asyncio.run(either.judge(pages))] == [True, True, True, False]
    assert asked.pop() == ["wind yes", "wind no"]
    assert [both.relevant(both.score(page)) for page in pages] == [True, False, False, False]


def test_spent_budget_still_gives_what_is_decided():
    topic = ~(keyword("solar") & function(lambda page: page.url.endswith("1"), budget=1))
    texts = ("wind", "solar", "solar", "wind")
    pages = [Page(f"http://a.example/{i}", text=t) for i, t in enumerate(texts)]
    with pytest.raises(BudgetSpent) as spent:
        asyncio.run(topic.judge(pages))
    assert [s if s is None else topic.relevant(s) for s in spent.value.scores] == [True, False, None, True]


@given(st.lists(FIXED, min_size=2, max_size=4), st.booleans())
def test_judging_together_is_judging_one_by_one(operands, conjunction):
    topic = (And if conjunction else Or)(tuple(operands))
    assert asyncio.run(topic.judge([PAGE, PAGE])) == [topic.score(PAGE)] * 2


def test_explanations_name_what_matched():
    page = Page("http://a.example/", text="solar solar wind", language="en", label="energy")
    assert (keyword("solar") & language("en")).explain(page) == "'solar' 2 times in the text; written in English"
    assert (keyword("tide") | keyword("wind")).explain(page) == "'wind' once in the text"
    assert (~label("arts")).explain(page) == "not: labelled 'energy'"
