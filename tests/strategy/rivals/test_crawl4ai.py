"""Crawl4ai's best-first: keywords in the URL, then depth."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.store import state
from honeyguide.strategy import create
from small_webs import page, web_of

A = "http://a.test"
TOPIC = "keyword:any(bees, honey, wax)"


def crawled(*pages, count=None, strategy="crawl4ai", topic=TOPIC):
    crawl = hg.Crawl([pages[0].url], topic, strategy, web=web_of(*pages), pages=count or len(pages))
    crawl.run()
    return crawl


def score_of(crawl, url):
    return float(crawl.strategy.rank(np.array([crawl.graph.table.find(url)]))[0])


def test_the_share_of_keywords_in_the_url_counts():
    # Three keywords. Two of them in the first URL: 0.7 · 2/3; one, in capitals and encoded, in the second: 0.7 · 1/3;
    # none in the third. All are one link from the seed, which takes 0.000001 away.
    links = [f"{A}/bees/honey-jar", f"{A}/%42EES", f"{A}/trains"]
    crawl = crawled(page(f"{A}/", *links), count=1)
    for link, matches in zip(links, (2, 1, 0), strict=True):
        assert score_of(crawl, link) == pytest.approx(0.7 * matches / 3 - 1e-6, abs=1e-7)
    told = crawl.strategy.explain(crawl.graph.table.find(links[0]))
    assert told[0] == "2 of 3 keywords stand in the URL: bees, honey (weight 0.7)"


def test_keywords_go_before_depth_and_depth_before_the_rest():
    pages = [
        page(f"{A}/", f"{A}/1", f"{A}/2"),
        page(f"{A}/1", f"{A}/11", f"{A}/far/honey"),
        page(f"{A}/2"),
        page(f"{A}/11"),
        page(f"{A}/far/honey"),
    ]
    crawl = crawled(*pages)
    order = [crawl.graph.url(i)[len(A) :] for i in crawl.graph.visited().tolist()]
    assert order == ["/", "/1", "/far/honey", "/2", "/11"]


def test_without_keywords_it_is_breadth_first():
    pages = [page(f"{A}/", f"{A}/1", f"{A}/2"), page(f"{A}/1", f"{A}/11"), page(f"{A}/2"), page(f"{A}/11")]
    crawl = crawled(*pages, topic="label:yes")
    assert [crawl.graph.url(i)[len(A) :] for i in crawl.graph.visited().tolist()] == ["/", "/1", "/2", "/11"]


def test_the_summary_names_the_keywords_or_that_there_are_none():
    assert crawled(page(f"{A}/")).summary().learned["keywords"] == "bees, honey, wax"
    assert "breadth-first" in crawled(page(f"{A}/"), topic="label:x").summary().learned["keywords"]


def test_nothing_need_be_saved():
    crawl = crawled(page(f"{A}/", f"{A}/bees", f"{A}/wax"), count=1)
    fresh = create("crawl4ai")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = crawl.graph.queued()
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()
