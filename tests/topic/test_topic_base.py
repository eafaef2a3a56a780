"""What every topic promises, whatever its kind."""

import subprocess
import sys
from dataclasses import dataclass

import pytest

import honeyguide.topic as topics
from honeyguide.base import BadInput, Page
from honeyguide.topic import Argument, Topic, as_topic, keyword, kind, kinds, parse, url


def test_package_import_is_light():
    code = "import sys, honeyguide.topic; print({'numpy', 'sklearn', 'Stemmer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_all_names_are_there():
    assert all(hasattr(topics, name) for name in topics.__all__)


def test_every_kind_has_help_and_a_readable_example():
    built_in = {"keyword", "url", "regex", "language", "similar", "weights", "classifier"}
    assert {k.name for k in kinds()} >= built_in | {"links", "label", "function"}
    assert all(k.help and k.example.startswith(f"{k.name}:") for k in kinds() if k.name != "long")


def test_a_users_kind_enters_by_the_same_door():
    @kind("long", "pages with many characters", "long:100")
    @dataclass(frozen=True)
    class Long(Topic):
        length: int
        threshold: float = 0.5

        def score(self, page):
            return min(1.0, 0.5 * len(page.text) / self.length)

        @classmethod
        def parse_argument(cls, text, load):
            return cls(int(text))

        def argument(self):
            return str(self.length)

    topic = parse("long:100@0.7 & keyword:a")
    assert str(topic) == "long:100@0.7 & keyword:a"
    assert parse("long:100").score(Page("http://a.example/", text="x" * 150)) == 0.75


def test_kind_names_are_words():
    with pytest.raises(BadInput, match="lower-case"):
        kind("no good")


def test_threshold_decides_at_exactly_its_value():
    topic = keyword("a", threshold=0.75)
    assert topic.relevant(0.75) and not topic.relevant(0.7499999)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_thresholds_outside_the_scale_are_refused(wrong):
    with pytest.raises(BadInput, match="between 0 and 1"):
        keyword("a").at(wrong)
    with pytest.raises(BadInput, match="between 0 and 1"):
        url("a", threshold=wrong)


def test_combinations_take_no_threshold():
    with pytest.raises(BadInput, match="combination"):
        (keyword("a") & keyword("b")).at(0.4)


def test_as_topic():
    made = keyword("a")
    assert as_topic(made) is made
    assert as_topic("keyword:a") == made
    assert as_topic(lambda page: True).score(Page("http://a.example/")) == 1.0
    with pytest.raises(BadInput, match="int"):
        as_topic(7)


def test_only_topics_combine():
    with pytest.raises(TypeError):
        keyword("a") & "b"


def test_argument_is_a_string_that_remembers_its_quotes():
    assert Argument("a(b)").call() == ("a", ["b"])
    assert Argument("a(b)", quoted=True).call() is None
