"""Searches of the default strategy: when, for what, and what their finds are worth."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput, Visit
from honeyguide.running import run_async
from honeyguide.strategy.honeyguide.searches import PATIENCE, Searches
from honeyguide.strategy.honeyguide.words import Words
from honeyguide.topic import as_topic
from small_webs import FunctionWeb, page, web_of

TOPIC = as_topic('keyword:"heat pump" & keyword:subsidy')


def words(*pages):
    known = Words()
    for text, good in pages:
        known.count_page(known.numbers(text.split()), good)
    known.weigh()
    return known


def fetched(searches, number, good):
    for n in range(number):
        searches.note(Visit(n, 1000 + n, "http://a.test/", np.zeros(0, np.int32), relevant=n < good))


def test_the_topic_is_asked_for_first_and_then_what_was_learned_where_links_bring_little():
    searches, known = Searches(3, TOPIC), words(*[("boiler", True)] * 9, *[("river", False)] * 20)
    (first,) = searches.due(known)
    assert sorted(first.split(" ", 2)) == sorted(['"heat', 'pump"', "subsidy"])
    fetched(searches, PATIENCE, PATIENCE)
    assert searches.due(known) == ()  # links bring enough
    fetched(searches, 4 * PATIENCE, 0)
    assert searches.due(known) == (f"{first} boiler",)
    fetched(searches, PATIENCE, 0)
    assert searches.due(known) == ()  # no other word goes with what is relevant


def test_there_are_no_more_searches_than_allowed_and_none_without_words():
    known = words(*[("boiler", True)] * 9, *[("river", False)] * 20)
    assert Searches(0, TOPIC).due(known) == ()
    searches = Searches(1, TOPIC)
    assert searches.due(known)
    assert searches.due(known, idle=True) == ()
    assert Searches(5, as_topic("label:heat")).due(words()) == ()
    assert Searches(5, as_topic("label:heat")).due(known) == ("boiler",)


def test_what_searches_find_is_worth_what_their_finds_were():
    searches = Searches(5, TOPIC)
    (query,) = searches.due(words())
    searches.answer(query, np.array([4, 7, 9]))
    assert searches.chances(np.array([4, 5])).tolist() == [0.5, 0]
    searches.note(Visit(0, 4, "http://a.test/", np.zeros(0, np.int32), relevant=True))
    searches.note(Visit(1, 7, "http://a.test/", np.zeros(0, np.int32), relevant=True))
    assert searches.chances(np.array([9, 5])).tolist() == [0.75, 0]
    assert searches.told(9) == [f"found by a search for {query}; 2 of 2 such pages were relevant"]
    assert searches.told(5) == []


def test_a_part_of_the_web_that_no_link_leads_to_is_found():
    far = [page(f"http://far.test/{n}", text=f"a heat pump and a subsidy, number {n}") for n in range(20)]
    near = [page(f"http://near.test/{n}", f"http://near.test/{n + 1}", text="nothing") for n in range(30)]
    web = web_of(*far, *near, page("http://near.test/30", text="the end"))

    def relevant(strategy):
        async def run():
            crawl = hg.Crawl(["http://near.test/0"], TOPIC, strategy, web=web, pages=50)
            return sum([visit.relevant async for visit in crawl])

        return run_async(run())

    assert relevant("honeyguide") == 0
    assert relevant("honeyguide:searches=3") == 20


def test_without_anything_to_search_with_it_says_so():
    crawl = hg.Crawl(["http://a.test/"], TOPIC, "honeyguide:searches=3", web=FunctionWeb(lambda url: page(url)))
    with pytest.raises(BadInput, match="add --search"):
        run_async(crawl.run())
