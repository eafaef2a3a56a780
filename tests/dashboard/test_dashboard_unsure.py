"""Which pages it asks about: the least sure, and of both verdicts where it is equally sure of all."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.dashboard import unsure
from small_webs import topical_web


def ended(directory, topic="label:bees", pages=150):
    """A crawl that has ended."""
    crawl = hg.Crawl(["http://h0.test/1"], topic, web=topical_web(), directory=directory, pages=pages)
    crawl.run()
    return crawl


@pytest.mark.parametrize("topic", ["label:bees", "label:bees@0.9", "~label:bees", "~url:h1 & ~url:h3 & ~url:h5"])
def test_where_a_topic_is_equally_sure_of_all_pages_it_asks_about_both_verdicts_in_turn(topic, tmp_path):
    crawl = ended(tmp_path / "crawl", topic)
    graph = crawl.graph
    asked = list(unsure.least_sure(crawl, ()))[:8]
    assert [bool(graph.relevant[id_]) for id_ in asked] == [True, False] * 4
    assert asked == list(unsure.least_sure(crawl, ()))[:8]
    marked = {graph.url(id_) for id_ in asked if graph.relevant[id_]}
    others = list(unsure.least_sure(crawl, marked))[:8]
    assert not marked & set(map(graph.url, others))
    assert sum(bool(graph.relevant[id_]) for id_ in others) == 4


def test_where_it_is_not_equally_sure_the_least_sure_come_first(tmp_path):
    crawl = ended(tmp_path / "crawl")
    visited = crawl.graph.visited()
    relevance = np.random.default_rng(1).permutation(len(visited)) / len(visited)
    crawl.graph.relevance[visited], crawl.graph.relevant[visited] = relevance, relevance >= 0.5
    asked = list(unsure.least_sure(crawl, ()))
    doubts = np.round(np.abs(crawl.graph.relevance[asked] - 0.5), 5)
    assert len(asked) > 8
    assert doubts.tolist() == sorted(doubts.tolist())
    assert doubts[0] == 0
