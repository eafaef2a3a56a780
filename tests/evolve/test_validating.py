"""Verdicts on what was evolved: crawls on one topic are alike, so that topics count, and a few tell nothing."""

from types import SimpleNamespace

import pytest

from honeyguide.evolve.validating import told, validated


class Tried:
    """Trials whose outcomes are known: the individual's number is added to every crawl of the yardstick, 0."""

    def __init__(self, topics, gains):
        self.cases = [SimpleNamespace(topic=topic) for topic in topics]
        self._gains = gains

    def try_all(self, individuals, processes):
        for individual in individuals:
            yield [0.5 + individual * gain for gain in self._gains]


def verdict(topics, gains):
    reference, (found,) = validated(Tried(topics, gains), {"best 1": 1}, 0, processes=1)
    return found, told("yardstick", reference, [found])[1]


def test_each_topic_counts_once():
    found, line = verdict("aaaabc", [0.1, 0.1, 0.1, 0.1, 0.2, 0.3])
    assert found.tries == 3
    assert found.difference.mean == pytest.approx(0.2)  # not 0.15, the mean of all crawls
    assert found.is_better
    assert line.endswith(": better")


def test_topics_that_disagree_show_in_the_interval_however_many_crawls_there_are():
    found, line = verdict("a" * 50 + "b" * 50 + "c", [0.1] * 50 + [-0.1] * 50 + [0.1])
    assert found.difference.low < 0 < found.difference.high
    assert line.endswith(": no clear difference")


def test_seed_sets_of_one_topic_count_one_by_one():
    found, _ = verdict("aaa", [0.1, 0.2, 0.3])
    assert (found.tries, found.is_better) == (3, True)


@pytest.mark.parametrize(("topics", "gains"), [("a", [0.1]), ("aab", [0.1, 0.1, 0.1])])
def test_one_or_two_tell_nothing(topics, gains):
    found, line = verdict(topics, gains)
    assert not found.is_better
    assert "too few to tell" in line
