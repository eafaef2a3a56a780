"""Weighted-term topics."""

import math

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.topic import parse, weights

JAVA = Page("http://a.example/", title="Java documentation", text="java technologies")


def test_the_title_counts_double():
    topic = weights({"java": 1, "technology": 1, "python": 1})
    assert topic.counts(JAVA) == {"java": 3, "technology": 1, "python": 0}
    assert topic.score(JAVA) == pytest.approx(4 / math.sqrt(3 * 10))


def test_only_the_tables_terms_count():
    assert weights({"java": 7}).score(JAVA) == 1
    assert weights({"python": 1}).score(JAVA) == 0


def test_stems_are_optional():
    assert weights({"technology": 1}, stem=False).score(JAVA) == 0
    assert parse("weights:exact(technology=1)").score(JAVA) == 0
    assert parse("weights:technology=1").score(JAVA) == 1


def test_negative_weights_count_against():
    assert weights({"java": -1, "python": 1}).score(JAVA) == 0
    assert weights({"java": -1}).impossible()


def test_table_in_a_file(tmp_path):
    path = tmp_path / "my table.tsv"
    path.write_text("# what java is about\njava\t1\nheat pump\t0.5\n\n", encoding="utf-8")
    topic = parse(f'weights:"{path}"@0.4')
    assert topic.table == (("java", 1.0), ("heat pump", 0.5))
    assert parse(str(topic)) == topic
    assert topic.words() == {"java": 1.0, "heat pump": 0.5}


def test_table_in_line():
    topic = parse('weights:"Solar=1 heat pump=.5, wind=2e-1"')
    assert topic == weights({"solar": 1, "heat pump": 0.5, "wind": 0.2})


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"java 1\n", "line 1"), (b"java\tmuch\n", "line 1"), (b"java\tnan\n", "nan"),
     (b"\xff\xfe", "cannot be read"),
     (b"", "weighs something"), (b"!!\t1\n", "no word"), (b"java\t0\n", "weighs something")],
)  # fmt: skip
def test_bad_tables(tmp_path, content, problem):
    path = tmp_path / "table.tsv"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=problem):
        parse(f'weights:"{path}"')


def test_the_same_stem_twice_keeps_the_weightier():
    assert weights({"pump": 1, "pumps": 3}).counts(Page("http://a.example/", text="pumps")) == {"pumps": 1}
