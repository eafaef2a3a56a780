"""The parts of a topic: what stays whatever is learned, what a page must be about, and a part in another's place."""

import pytest

from honeyguide.topic import parse
from honeyguide.topic.parts import conditions, content, leaves, with_leaves


def written(topic):
    return None if topic is None else str(topic)


@pytest.mark.parametrize(
    ("topic", "about", "rules"),
    [
        ("keyword:bees", "keyword:bees", None),
        ("keyword:bees & ~url:shop", "keyword:bees", "~url:shop"),
        ("language:en & regex:bees & keyword:hive", "regex:bees & keyword:hive", "language:en"),
        ("keyword:bees & ~keyword:contest & links:to:wiki", "keyword:bees", "~keyword:contest & links:to:wiki"),
        ("url:wiki & ~url:talk", None, "url:wiki & ~url:talk"),
        ("keyword:bees & (url:wiki | language:de)", "keyword:bees", "url:wiki | language:de"),
        ("keyword:bees | url:wiki", "keyword:bees | url:wiki", None),
        (
            "keyword:bees & ~url:shop | keyword:wasps & ~url:shop",
            "keyword:bees & ~url:shop | keyword:wasps & ~url:shop",
            "~url:shop",
        ),
        (
            "(keyword:a & ~url:x | keyword:b & ~url:y) & language:en",
            "keyword:a & ~url:x | keyword:b & ~url:y",
            "(~url:x | ~url:y) & language:en",
        ),
    ],
)
def test_a_topic_is_what_a_page_is_about_and_conditions(topic, about, rules):
    found = parse(topic)
    assert (written(content(found)), written(conditions(found))) == (about, rules)


def test_a_part_is_put_in_the_place_of_another_and_the_rest_stays():
    topic = parse("(keyword:a | keyword:b) & ~keyword:a & language:en")
    assert [str(leaf) for leaf in leaves(topic)] == ["keyword:a", "keyword:b", "~keyword:a", "language:en"]
    changed = with_leaves(topic, lambda leaf: parse("regex:c") if leaf == parse("keyword:a") else leaf)
    assert str(changed) == "(regex:c | keyword:b) & ~keyword:a & language:en"
