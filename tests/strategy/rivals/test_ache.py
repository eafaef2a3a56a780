"""ACHE by hand: the machine, the scores, what it learns, hard focus and levels."""

import math

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.rivals.linear_svm import fitted_scaling, fitted_svm
from small_webs import page, web_of

A, B = "http://a.test", "http://b.test"
WAYS = ("hive", "catalog", "index")


def crawled(strategy, *pages, count=None):
    crawl = hg.Crawl([pages[0].url], "label:yes", strategy, web=web_of(*pages), pages=count or len(pages))
    crawl.run()
    return crawl


def score_of(crawl, url):
    return float(crawl.strategy.rank(np.array([crawl.graph.table.find(url)]))[0])


def order(crawl):
    return [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]


def test_the_least_of_a_squared_hinge():
    # ½w² + ½b² + (1 - w - b)² + (1 + b)² is least where w = 2(1 - w - b) and b = w - 2(1 + b): w 10/11, b -4/11.
    weights = fitted_svm(np.array([[1.0], [0.0]]), np.array([True, False]), 1.0)
    assert weights == pytest.approx([10 / 11, -4 / 11], abs=1e-5)


def test_platt_scaling_of_two_examples():
    # The chances wanted are 2/3 and 1/3, at margins 1 and -1: sigmoid(ln 2 · margin).
    slope, shift = fitted_scaling(np.array([1.0, -1.0]), np.array([True, False]))
    assert (slope, shift) == pytest.approx((math.log(2), 0), abs=1e-6)


def hives(**seed):
    """A seed that links to four pages, two of them called "hive", which are relevant; each links to two more."""
    links = tuple(Link(f"{A}/{i}", anchor) for i, anchor in enumerate(("hive", "train", "hives", "rail")))
    more = (Link(f"{B}/1", "more hives"), Link(f"{B}/2", "boats"))
    pages = [Page(url=f"{A}/{i}", label="" if i % 2 else "yes", links=more) for i in range(4)]
    return [Page(url=f"{A}/", links=links, **seed), *pages]


def test_scores_after_training():
    # Two links with the stem "hive" and two without a word that is met twice. The wanted chances are 3/4 and 1/4, and
    # two kinds of links can have them exactly. So the likeliest class has 75 in either case, after 200 or 100.
    crawl = crawled("ache:limit=5,hard_focus=0", *hives())
    assert [crawl.strategy.words.names[i] for i in crawl.strategy.telling.tolist()] == ["anchor hive"]
    assert score_of(crawl, f"{B}/1") == pytest.approx(275, abs=1e-3)
    assert score_of(crawl, f"{B}/2") == pytest.approx(175, abs=1e-3)
    told = crawl.strategy.explain(crawl.graph.table.find(f"{B}/1"))
    assert "chances of the classes, the best first: 0.75, 0.25" in told


def test_before_training_the_page_counts():
    crawl = crawled("ache:hard_focus=0", *hives(label="yes"), count=1)
    scores = [score_of(crawl, f"{A}/{i}") for i in range(4)]
    assert all(100 <= score <= 199 for score in scores)  # the page's relevance is 1: a random number is added
    assert len(set(scores)) > 1


def test_hard_focus_leaves_links_on_irrelevant_pages_for_the_end():
    pages = [
        page(f"{A}/", f"{A}/good", f"{A}/bad", label="yes"),
        page(f"{A}/good", f"{A}/good1", label="yes"),
        page(f"{A}/bad", f"{A}/bad1"),
        page(f"{A}/good1", f"{A}/good2", label="yes"),
        page(f"{A}/good2", label="yes"),
        page(f"{A}/bad1"),
    ]
    crawl = crawled("ache", *pages)
    assert len(order(crawl)) == 6
    assert order(crawl)[-1] == f"{A}/bad1"
    early = crawled("ache", *pages[::2], count=2)  # without the good pages
    assert early.strategy.explain(early.graph.table.find(f"{A}/bad1"))[1] == "waits: found on irrelevant pages only"


def anchored_web(count=200):
    kinds = ["bee hive" if i % 4 == 0 else "fast train" for i in range(count)]
    links = tuple(Link(f"{A}/{i}", kind) for i, kind in enumerate(kinds))
    pages = [page(link.url, label="yes" if "hive" in kind else "") for link, kind in zip(links, kinds, strict=True)]
    return [Page(url=f"{A}/", label="yes", links=links), *pages]


def test_it_learns_which_anchors_lead_to_relevant_pages():
    crawl = crawled("ache:limit=10", *anchored_web(), count=100)
    relevant = crawl.graph.relevant[crawl.graph.visited()]
    trained = int(np.flatnonzero(np.cumsum(relevant) == 10)[0]) + 1
    assert relevant[1:trained].mean() < 0.6
    assert relevant[trained : trained + 30].all()


def test_three_levels_prefer_links_that_lead_towards_relevant_pages():
    pages = [Page(url=f"{A}/", links=tuple(Link(f"{A}/far{i}", "index") for i in range(6)))]
    for i in range(6):
        pages.append(Page(url=f"{A}/far{i}", links=(Link(f"{A}/near{i}", "catalog"),)))
        pages.append(Page(url=f"{A}/near{i}", links=(Link(f"{A}/bees{i}", "hive"),)))
        pages.append(Page(url=f"{A}/bees{i}", label="yes", links=tuple(Link(f"{B}/{w}", w) for w in WAYS)))
    crawl = crawled("ache:levels,hard_focus=0,limit=19", *pages)
    hive, catalog, index = (score_of(crawl, f"{B}/{word}") for word in WAYS)
    assert hive > 200 > catalog > 100 > index > 0


def test_what_was_learned_is_saved_and_loaded():
    crawl = crawled("ache:limit=10", *anchored_web(), count=60)
    assert len(crawl.strategy.weights)
    fresh = create("ache:limit=10")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = crawl.graph.queued()
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()
    assert fresh.explain(int(ids[0])) == crawl.strategy.explain(int(ids[0]))
    assert (fresh.pages, fresh.released) == (crawl.strategy.pages, crawl.strategy.released)
    link = Link(f"{A}/new", "bee hives")
    assert fresh.words.add(link, link.url) == crawl.strategy.words.add(link, link.url)
    assert fresh.words.rows.items.tolist() == crawl.strategy.words.rows.items.tolist()
