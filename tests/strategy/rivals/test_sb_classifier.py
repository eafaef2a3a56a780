"""SB-CLASSIFIER: arms of like places, played by a sleeping bandit, and a classifier of URLs."""

import math

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.rivals.tag_paths import TagPaths, place_of
from honeyguide.strategy.rivals.url_classifier import UrlClassifier
from small_webs import web_of

A = "http://a.test"
MENU, LIST = "html/body/nav/ul/li/a", "html/body/main/article/h2/a"


def linking(url, *links, label=""):
    return Page(url=url, label=label, links=tuple(Link(f"{A}/{u}", path=path) for u, path in links))


def crawled(*pages, count=None, strategy="sb-classifier:batch=1000"):
    crawl = hg.Crawl([pages[0].url], "label:yes", strategy, web=web_of(*pages), pages=count or len(pages))
    crawl.run()
    return crawl


def order(crawl):
    return [crawl.graph.url(i)[len(A) + 1 :] for i in crawl.graph.visited().tolist()]


def test_paths_with_most_n_grams_in_common_share_an_arm():
    # With n = 2, body/ul/li/a has five pairs with the two ends. body/ol/li/a shares three of them: cosine 3/5.
    # body/ul/li/a/a shares 5 of its 6 pairs (only a/a is new): cosine 5 / √(5 · 6) = 0.91.
    paths = TagPaths(n=2, threshold=0.75)
    assert paths.assign("body/ul/li/a") == 0
    assert paths.assign("body/ol/li/a") == 1
    assert paths.assign("body/ul/li/a/a") == 0
    _, likeness = paths._nearest(*paths.vector("body/ul/li/a"))
    # Arm 0 holds 1/5 + 1/6 of its five pairs and 1/6 of a/a: cosine 5 · 11/30 / √(5 · (5 · (11/30)² + 1/36)).
    assert likeness == pytest.approx(5 * 11 / 30 / math.sqrt(5 * (5 * (11 / 30) ** 2 + 1 / 36)), rel=1e-6)


def test_a_link_without_a_tag_path_goes_by_the_shape_of_its_url():
    assert place_of(Link(f"{A}/news/2024/flood-17.html?id=4")) == "a.test/news/0/.html/?id"
    assert place_of(Link(f"{A}/x", path=MENU)) == MENU


def test_the_classifier_takes_a_step_for_each_url():
    # "ab" is one pair. Before, the margin is 0 and the chance ½; the rate is 1/(0.0001 · 1000) = 10, so that the pair
    # and the intercept are moved by 10 · (1 - ½) = 5 each. The margin of "ab" is 10 then.
    classifier = UrlClassifier()
    assert not classifier.says_target(["ab"]).any()
    classifier.learn(["ab"], [True])
    assert classifier.weights[-1] == pytest.approx(5.0)
    assert classifier.weights.sum() == pytest.approx(10.0)
    # The second: margin 10, chance 0.99995; the rate is 1/(0.0001 · 1001) = 9.99, and the weight shrinks by 0.000999.
    classifier.learn(["ab"], [False])
    chance, rate = 1 / (1 + math.exp(-10)), 1 / (1e-4 * 1001)
    assert classifier.weights[-1] == pytest.approx(5 - rate * chance)
    assert classifier.weights[:-1].sum() == pytest.approx(5 * (1 - rate * 1e-4) - rate * chance)


def test_an_arm_is_worth_its_mean_and_a_bonus():
    # One link of each arm is played after the seed, t = 3. One is no target: mean 0; one is: mean 1. Each arm was
    # played once, so the bonus is 2√2 · √(ln 3 / 1).
    pages = [
        linking(f"{A}/", ("m1", MENU), ("m2", MENU), ("l1", LIST), ("l2", LIST)),
        *(linking(f"{A}/{n}", label="yes" if n[0] == "l" else "") for n in ("m1", "m2", "l1", "l2")),
    ]
    crawl = crawled(*pages, count=3)
    strategy = crawl.strategy
    bonus = 2 * math.sqrt(2) * math.sqrt(math.log(3))
    left = {crawl.graph.url(i)[len(A) + 1 :][0]: i for i in crawl.graph.queued().tolist()}
    scores = {kind: float(strategy.score(np.array([id_]))[0]) for kind, id_ in left.items()}
    assert scores == pytest.approx({"m": bonus, "l": 1 + bonus}, rel=1e-5)


def test_the_better_arm_is_played_more():
    names = [f"{kind}{n}" for n in range(40) for kind in ("m", "l")]
    seed = linking(f"{A}/", *((name, MENU if name[0] == "m" else LIST) for name in names))
    pages = [linking(f"{A}/{name}", label="yes" if name[0] == "l" else "") for name in names]
    fetched = order(crawled(seed, *pages, count=41, strategy="sb-classifier:batch=1000,alpha=0.5"))
    assert sum(name.startswith("l") for name in fetched) > 28


def test_a_link_that_looks_like_a_target_goes_first():
    names = [f"{kind}-{n}" for n in range(8) for kind in ("train", "bee")]
    pages = {name: linking(f"{A}/{name}", label="yes" if name.startswith("bee") else "") for name in names}
    more = linking(f"{A}/more", *((name, MENU) for name in names[10:]))
    seeds = [f"{A}/{name}" for name in names[:10]] + [more.url]
    web = web_of(*pages.values(), more)
    crawl = hg.Crawl(seeds, "label:yes", "sb-classifier:batch=5", web=web, pages=14)
    crawl.run()  # ten pages were learned from when the links of the eleventh are read
    assert order(crawl)[11:] == ["bee-5", "bee-6", "bee-7"]


def test_what_was_learned_is_saved_and_loaded():
    names = [f"{kind}{n}" for n in range(9) for kind in ("m", "l")]
    seed = linking(f"{A}/", *((name, MENU if name[0] == "m" else LIST) for name in names))
    pages = [linking(f"{A}/{name}", label="yes" if name[0] == "l" else "") for name in names]
    crawl = crawled(seed, *pages, count=12, strategy="sb-classifier")
    fresh = create("sb-classifier")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = np.arange(len(crawl.graph))
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()
    assert fresh.paths.arm_of == crawl.strategy.paths.arm_of
    assert fresh.classifier.weights.tolist() == crawl.strategy.classifier.weights.tolist()
