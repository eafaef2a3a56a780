"""Link topics."""

import asyncio

import pytest

from honeyguide.base import BadInput, Link, Page
from honeyguide.topic import function, keyword, links, parse, url

PAGE = Page(
    "http://a.example/",
    links=(Link("http://b.example/wiki/Sun", "Solar power", "learn about today"), Link("http://c.example/")),
    parents=(Page("http://d.example/hub"),),
)


@pytest.mark.parametrize(
    ("expression", "relevant", "parents"),
    [
        ("links:wiki", True, True),
        ("links:hub", True, True),
        ("links:to:wiki", True, False),
        ("links:from:wiki", False, True),
        ("links:to:hub", False, False),
        ("links:from:*/hub", True, True),
        ('links:to:"*/wiki/*"', True, False),
        ("links:to:(keyword:solar & url:wiki)", True, False),
        ("links:to:(keyword:about)", True, False),
        ("links:to:(~url:wiki & keyword:solar)", False, False),
        ('links:"to:wiki"', False, True),
    ],
)
def test_neighbours(expression, relevant, parents):
    topic = parse(expression)
    assert topic.relevant(topic.score(PAGE)) is relevant
    assert asyncio.run(topic.judge([PAGE, Page("http://e.example/")])) == [topic.score(PAGE), 0.0]
    assert topic.needs_parents is parents


def test_a_weak_inner_match_counts_by_the_inner_threshold():
    inner = keyword("solar", threshold=0.75)
    one = Page("http://a.example/", links=(Link("http://b.example/", context="solar"),))
    two = Page("http://a.example/", links=(Link("http://b.example/", context="solar solar"),))
    topic = links(to=inner)
    assert not topic.relevant(topic.score(one)) and topic.relevant(topic.score(two))


def test_in_python():
    assert links("wiki") == parse("links:wiki")
    assert links(to=url("wiki")) == parse("links:to:wiki")
    assert links(to="a", source="b") == parse("links:to:a | links:from:b")
    with pytest.raises(BadInput):
        links()


def test_slow_neighbours_are_asked_in_one_go():
    asked = []

    async def judge(pages):
        asked.append(len(pages))
        return ["wiki" in page.url for page in pages]

    topic = links(function(judge, batch=10))
    assert topic.slow
    assert asyncio.run(topic.judge([PAGE, Page("http://e.example/")])) == [1.0, 0.0]
    assert asked == [3]


def test_explanation_names_the_neighbour():
    assert links("wiki").explain(PAGE) == "links to http://b.example/wiki/Sun"
    assert links("hub").explain(PAGE) == "linked from http://d.example/hub"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("links:from:keyword:solar", "links:from:(keyword:solar)"), ("links:url:wiki", "links:(url:wiki)")],
)
def test_a_topic_without_its_parentheses_is_not_taken_for_an_address(written, meant):
    with pytest.raises(BadInput) as error:
        parse(written)
    assert f"in parentheses: {meant}\n" in str(error.value)
    parse("links:to:http://b.example/wiki/Sun")
