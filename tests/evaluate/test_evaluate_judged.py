"""Topics whose verdicts are looked up: the same topic otherwise."""

import copy

import pytest

from honeyguide import BadInput, Page, as_topic, function
from honeyguide.running import run_async
from honeyguide.topic.judged import Judged, judge_all
from small_webs import page

BEES, TRAINS = page("http://a.test/1", text="bees and honey"), page("http://a.test/2", text="trains")


def judged(*topics, pages=(BEES, TRAINS)):
    return run_async(judge_all([as_topic(topic) for topic in topics], pages))


def test_verdicts_are_looked_up_by_url():
    found = judged("keyword:bees")[0]
    assert found.scores == {BEES.url: 0.5, TRAINS.url: 0.0}
    assert found.score(Page(BEES.url, text="something else")) == 0.5


def test_unknown_pages_are_judged():
    assert judged("keyword:bees")[0].score(page("http://b.test/", text="bees bees")) == 0.75


def test_all_else_is_the_topics_own():
    topic = as_topic('keyword:any(bees, "honey bees")@0.7')
    found = judged(topic)[0]
    assert found.words() == topic.words()
    assert str(found) == str(topic)
    assert (found.kind, found.threshold, found.phrases) == (topic.kind, 0.7, topic.phrases)
    assert found.explain(BEES) == topic.explain(BEES)
    assert found.impossible() == ""
    assert found.excludes(~topic)
    assert found.argument() == topic.argument()


def test_it_can_be_copied():
    found = copy.copy(judged("keyword:bees")[0])
    assert isinstance(found, Judged)
    assert found.phrases == ("bees",)


def test_the_topics_of_several_are_judged_together():
    both = judged("keyword:bees", "keyword:trains")
    assert [found.scores[TRAINS.url] for found in both] == [0.0, 0.5]


def test_pages_are_seen_with_their_parents_where_a_topic_asks():
    hub = page("http://a.test/hub", "http://a.test/1", text="hub")
    found = judged("links:from:(keyword:hub)", pages=(BEES, TRAINS, hub))[0]
    assert found.relevant(found.scores[BEES.url])
    assert not found.relevant(found.scores[TRAINS.url])


def test_slow_topics_are_asked_in_batches_and_only_once():
    asked = []

    def ask(pages):
        asked.append(len(pages))
        return ["bees" in p.text for p in pages]

    found = judged(function(ask, batch=2), "keyword:bees")[0]
    assert asked == [2]
    assert not found.slow
    assert (found.score(BEES), found.score(TRAINS)) == (1, 0)


def test_a_budget_that_does_not_suffice_is_told():
    with pytest.raises(BadInput, match=r"budget of .* was spent before all 2 pages were judged"):
        judged(function(lambda p: True, budget=1))
