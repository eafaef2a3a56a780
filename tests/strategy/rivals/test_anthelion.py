"""Anthelion by hand: the votes of naive Bayes, the values of hosts, and the lot."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.rivals.anthelion import SCALE, Votes, url_tokens
from small_webs import page, topical_web, web_of

A, B, C = "http://a.test", "http://b.test", "http://c.test"


def crawled(strategy, *pages, seeds=None, count=None):
    crawl = hg.Crawl(seeds or [pages[0].url], "label:yes", strategy, web=web_of(*pages), pages=count or len(pages))
    crawl.run()
    return crawl


def rank_of(crawl, url):
    return float(crawl.strategy.rank(np.array([crawl.graph.table.find(url)]))[0])


def test_votes_are_products_of_laplace_shares():
    # One good example with feature 0, two bad ones: with feature 1, and with none. A feature never seen in a class
    # has one value there, else two:
    #   good: P(0 there) 2/3, not 1/3; P(1 there) 1/2, not 2/2
    #   bad:  P(0 there) 1/3, not 3/3; P(1 there) 2/4, not 2/4
    # with 0: 1/3 · 2/3 · 1 - 2/3 · 1/3 · 1/2 = 1/9
    # with 1: 1/3 · 1/3 · 1/2 - 2/3 · 1 · 1/2 = -5/18
    # with none: 1/3 · 1/3 · 1 - 2/3 · 1 · 1/2 = -2/9
    votes = Votes(2)
    votes.train([0], True)
    assert votes.predictions([[0]]).tolist() == [0]
    votes.train([1], False)
    votes.train([], False)
    votes.ready()
    assert votes.predictions([[0], [1], []]) == pytest.approx([1 / 9, -5 / 18, -2 / 9])


def test_tokens_are_words_of_three_letters_and_numbers():
    assert url_tokens("/Bees/12/1234/x9y/of?hive=bees#top") == {"bees", "[NUMBER]", "hive", "top"}


def tokens_web():
    """Each page links to one of its kind; the seed links to all, before anything is known of them."""
    links = [f"{A}/{kind}/{name}" for name in "stuv" for kind in ("bees", "cars")]
    pages = [page(link, f"{link}/next", label="yes" if "bees" in link else "") for link in links]
    return [page(f"{A}/", *links), *pages]


def test_it_learns_which_tokens_lead_to_relevant_pages():
    crawl = crawled("anthelion:batch=0,random_share=0", *tokens_web())
    assert rank_of(crawl, f"{A}/bees/v/next") > 0 > rank_of(crawl, f"{A}/cars/v/next")


@pytest.mark.parametrize(
    ("value", "weights"),
    [
        ("best-score", [1, 1]),
        ("success-rate-best-score", [3 / 2, 1 / 2]),
        ("success-rate", [3 / 2, 1 / 2]),
        ("absolute-good", [3, 1]),
        ("absolute-good-best-score", [2, 1e-6]),
        ("negative-absolute-bad", [1 / 2, 1 / 2]),
    ],
)
def test_the_value_of_a_host(value, weights):
    # a.test gave two relevant pages and one other, b.test one other.
    labels = {f"{A}/0": "yes", f"{A}/1": "yes", f"{A}/2": "", f"{B}/0": ""}
    pages = [page(url, f"{A}/x", f"{B}/x", label=label) for url, label in labels.items()]
    crawl = crawled(f"anthelion:{value},random_share=0", *pages, seeds=list(labels))
    assert crawl.strategy.weight(np.arange(2)) == pytest.approx(weights)


@pytest.mark.parametrize("value", ["thompson", "thompson-best-score"])
def test_thompson_samples_follow_the_counts_of_a_host(value):
    pages = [page(f"http://h{i}.test/{k}", label="yes" if i < 20 else "") for i in range(40) for k in range(5)]
    crawl = crawled(f"anthelion:{value},random_share=0", *pages, seeds=[p.url for p in pages])
    samples = crawl.strategy.weight(np.arange(40))
    assert samples[:20].mean() == pytest.approx(6 / 7, abs=0.1)  # the mean of Beta(6, 1)
    assert samples[20:].mean() == pytest.approx(1 / 7, abs=0.1)
    assert len(set(samples.tolist())) == 40


def test_a_host_goes_before_predictions_where_its_value_is_its_own():
    labels = {f"{A}/0": "yes", f"{A}/1": "", f"{B}/0": ""}
    pages = [page(url, f"{A}/x", f"{A}/y", f"{B}/z", label=label) for url, label in labels.items()]
    crawl = crawled("anthelion:success-rate,random_share=0", *pages, seeds=list(labels))
    ids = [crawl.graph.table.find(url) for url in (f"{A}/x", f"{A}/y", f"{B}/z")]
    crawl.strategy.prediction[ids] = (-0.5, 1e-30, 0.9)
    x, y, z = (rank_of(crawl, url) for url in (f"{A}/x", f"{A}/y", f"{B}/z"))
    assert y > x > z
    crawl.strategy.value = "best-score"
    assert rank_of(crawl, f"{B}/z") == pytest.approx(0.9 * SCALE, rel=1e-6)


def test_with_lambda_one_every_host_gets_its_turn():
    far = [page(f"{host}/{i}") for host in (B, C) for i in range(3)]
    pages = [page(f"{A}/", *(p.url for p in far), *(f"{A}/{i}" for i in range(30)))]
    pages += [*far, *(page(f"{A}/{i}") for i in range(30))]
    crawl = crawled("anthelion:random_share=1", *pages, count=10)
    hosts = crawl.graph.host[crawl.graph.visited()]
    assert len(set(hosts.tolist())) == 3
    assert np.count_nonzero(hosts) >= 3  # at random among 36 URLs, one or two would be expected
    picked = crawl.strategy.lottery.drawn
    assert crawl.strategy.explain(picked)[-1] == "its host was drawn at random: it is the next one"
    assert crawl.frontier.pop(0.0)[0] == picked


def test_what_was_learned_is_saved_and_loaded():
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", "anthelion", web=topical_web(), pages=40)
    crawl.run()
    fresh = create("anthelion")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = crawl.graph.queued()
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()
    assert fresh.votes.predictions([[1], [2, 3]]).tolist() == crawl.strategy.votes.predictions([[1], [2, 3]]).tolist()
    assert fresh.waiting == crawl.strategy.waiting
