"""Similarity topics."""

import math

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.topic import parse, similar


def page(text, **more):
    return Page("http://a.example/", text=text, **more)


def test_worked_cosines():
    topic = similar("solar panel")
    assert topic.score(page("The solar panels")) == pytest.approx(1)
    assert topic.score(page("solar wind")) == pytest.approx(0.5)
    assert topic.score(page("wind")) == 0
    log = 1 + math.log(3)
    assert topic.score(page("solar solar solar wind")) == pytest.approx(log / math.sqrt(2 * (log**2 + 1)))


def test_centroid_of_several_examples():
    topic = similar(["solar", page("wind")])
    assert topic.score(page("solar")) == pytest.approx(1 / math.sqrt(2))
    assert topic.score(page("solar wind")) == pytest.approx(1)
    assert topic.threshold == 0.3


def test_menus_do_not_count_where_the_main_part_is_known():
    topic = similar("solar")
    assert topic.score(page("home about login solar", main="solar")) == pytest.approx(1)


def test_words_are_words_and_not_stems():
    topic = similar("batteries batteries battery storage")
    assert topic.words() == {"batteries": 1.0, "storage": pytest.approx(1 / (1 + math.log(3)))}


def test_sources_are_loaded():
    def load(source):
        return [page({"a.txt": "solar", "b c.txt": "wind"}[source])]

    topic = parse('similar:(a.txt, "b c.txt")@0.6', load)
    assert topic == parse(str(topic), load)
    assert topic.threshold == 0.6 and topic.examples == 2
    assert topic.score(page("wind solar")) == pytest.approx(1)


@pytest.mark.parametrize("nothing", [[], "", ["the of and"]])
def test_examples_without_words_are_refused(nothing):
    with pytest.raises(BadInput, match="no words"):
        similar(nothing)


def test_explanation_names_the_shared_words():
    assert similar("panels wind").explain(page("panel")) == "0.71 like the examples, mostly in panels"
