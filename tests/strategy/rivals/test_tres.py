"""TRES: a tree parts the frontier, a Q-network chooses among the representatives of its leaves."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.rivals.link_samples import quantized
from honeyguide.strategy.rivals.q_network import QNetwork
from honeyguide.strategy.rivals.representatives import NOBODY
from honeyguide.strategy.rivals.split_tree import LEAF, SplitTree, best_split
from small_webs import page, topical_web, web_of

A, B = "http://a.test", "http://b.test"
SEEDS = ["http://h0.test/1", "http://h1.test/0"]
TOPIC = "keyword:all(bees, hive)"


def order(crawl):
    return [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]


def test_the_best_split_takes_most_of_the_variance_away():
    # Rewards 0 0 1 1 0 have the variance 0.4 · 0.6 = 0.24. Parted by the second feature: 0 on the left, on the right
    # three with the mean 2/3 and the variance 2/9, so 0.24 - 3/5 · 2/9 is taken away. The first tells nothing.
    rows = np.array([[5, 0], [5, 0], [5, 1], [5, 1], [5, 1]], np.float32)
    gain, feature, value = best_split(rows, np.array([0.0, 0, 1, 1, 0]))
    assert (feature, value) == (1, 0.0)
    assert gain == pytest.approx(0.24 - 3 / 5 * 2 / 9)


def test_a_leaf_is_split_once_it_has_enough_examples():
    tree = SplitTree(features=2, max_depth=18, min_split=5)
    rows = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [0, 1]], np.float32)
    assert [tree.add(row, reward) for row, reward in zip(rows, (0, 0, 1, 1, 0), strict=True)] == [LEAF] * 4 + [0]
    assert tree.leaves_of(rows).tolist() == [1, 1, 2, 2, 2]
    fresh = SplitTree(2, 18, 5)
    fresh.load(state.load(state.dump(tree.save())))
    more = [([0, 1], 0), ([1, 1], 1), ([1, 1], 1), ([0, 0.5], 1), ([0, 0], 1)]
    for row, reward in more:
        assert tree.add(np.float32(row), reward) == fresh.add(np.float32(row), reward)
    assert tree.leaves == fresh.leaves == 4


def test_the_network_goes_down_the_gradient():
    # One rectifier: 1 · 2 + 0 = 2, then 2 · 3 + 1 = 7; 6 is wanted. The error's slope is 2 (7 - 6) = 2, so 2 · 2 = 4
    # for the last weight, 2 for its offset, 2 · 3 = 6 for the first weight and for its offset.
    network = QNetwork((1, 1), rate=0.001, seed=0)
    network.layers = [np.array([[2.0]]), np.zeros(1), np.array([[3.0]]), np.ones(1)]
    rows, wanted = np.array([[1.0]]), np.array([6.0])
    assert network.values(rows).tolist() == [7.0]
    assert [float(g.ravel()[0]) for g in network.gradients(rows, wanted)] == [6.0, 6.0, 4.0, 2.0]
    network.fit(rows, wanted)  # Adam's first step is the rate, whatever the slope
    assert [float(layer.ravel()[0]) for layer in network.layers] == pytest.approx([1.999, -0.001, 2.999, 0.999])


def test_what_a_fetch_was_worth_is_its_reward_and_the_best_link_beyond():
    # Q takes the second of two links for the best; the late network gives that one the value 3: 1 + 0.99 · 3.
    crawl = hg.Crawl([f"{A}/"], "label:yes", "tres", web=web_of(page(f"{A}/")), pages=1)
    crawl.run()
    strategy = crawl.strategy
    links = np.zeros((2, 9), np.float32)
    links[:, 0] = 1, 2
    strategy.memory = [(0, links)]
    for network, slope in ((strategy.network, 1.0), (strategy.late, 1.5)):
        for layer in network.layers:
            layer[...] = 0
        network.layers[0][0, 0] = network.layers[2][0, 0] = 1
        network.layers[4][0, 0] = slope
    rows, wanted = strategy._lesson()
    assert strategy.tree.rewards[0] == 1.0
    assert wanted.tolist() == pytest.approx([1 + 0.99 * 3])
    assert rows[0].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0]


def test_a_link_is_known_by_nine_numbers():
    links = (Link(f"{A}/hive", "of bees and trains"), Link(f"{B}/x", "there", position=1))
    pages = [
        Page(url=f"{A}/", text="bees", links=links),
        Page(url=f"{A}/hive", text="trains", links=(Link(f"{A}/y", "honey bees in a hive"),)),
    ]
    topic = "keyword:any(bees, hive, honey bees)"
    crawl = hg.Crawl([f"{A}/"], topic, "tres", web=web_of(*pages, page(f"{B}/x")), pages=3)
    crawl.run()
    samples = {crawl.graph.url(i): crawl.strategy.samples[i].tolist() for i in range(len(crawl.graph))}
    # Found on the relevant seed: all that went before was relevant. One of the two words of the first anchor is a
    # keyword. The host of the second is not known.
    assert samples[f"{A}/hive"] == pytest.approx([1, 1, 1, 1, 1, 0, 1, 0, 0.5])
    assert samples[f"{B}/x"] == pytest.approx([1, 1, 1, 0, 0, 0, 0.5, 1, 0])
    # The father of the third is irrelevant, the last relevant page two links away, half of the path relevant, and
    # half of the host; all three words of its anchor are the topic's.
    assert samples[f"{A}/y"] == pytest.approx([0, 0.5, 0.5, 0, 1, 1, 0.5, 0, 1])


def test_numbers_are_rounded_down_to_tenths():
    assert quantized(np.array([0, 0.05, 0.3, 0.29, 1 / 3, 1])).tolist() == pytest.approx([0, 1e-5, 0.3, 0.2, 0.3, 1])


def test_anchors_with_keywords_are_learned_to_be_good():
    names = [f"{kind}{n}" for n in range(150) for kind in ("good", "bad")]
    links = [Link(f"{A}/{name}", "about bees" if name[0] == "g" else "about trains") for name in names]
    hubs = [Page(url=f"{A}/hub{h}", text="bees", links=tuple(links[h::3])) for h in range(3)]
    leaves = [page(f"{A}/{n}", f"{A}/{n}/next", text="bees" if n[0] == "g" else "trains") for n in names]
    crawl = hg.Crawl([h.url for h in hubs], "keyword:bees", "tres:start=20", web=web_of(*hubs, *leaves), pages=123)
    crawl.run()
    fetched = [url for url in order(crawl) if "/good" in url or "/bad" in url]
    late = [url for url in fetched[40:] if "next" not in url]
    assert crawl.strategy.tree.leaves > 1
    assert sum("/good" in url for url in late) > 0.9 * len(late) > 30


def test_every_leaf_with_open_urls_has_a_representative():
    crawl = hg.Crawl(SEEDS, TOPIC, "tres:start=20", web=topical_web(), pages=100)
    crawl.run()
    leaves, graph = crawl.strategy.leaves, crawl.graph
    for leaf in range(len(leaves)):
        assert (leaves.all[leaf] != NOBODY) == bool(leaves.members(leaf))
    ids = leaves.all[leaves.all != NOBODY]
    assert (graph.visit_of[ids] == 0).all()
    assert (crawl.strategy.score(ids) > -1e6).all()


def test_what_was_learned_is_saved_and_loaded():
    crawl = hg.Crawl(SEEDS, TOPIC, "tres:start=20", web=topical_web(), pages=70)
    crawl.run()
    fresh = create("tres:start=20")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = np.arange(len(crawl.graph))
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()
    assert fresh.network.save().tolist() == crawl.strategy.network.save().tolist()
    assert [rows.tolist() for _, rows in fresh.memory] == [rows.tolist() for _, rows in crawl.strategy.memory]


def test_a_trained_crawl_goes_on_as_if_it_had_not_stopped(tmp_path):
    def crawl_to(pages, directory=None):
        crawl = hg.Crawl(SEEDS, TOPIC, "tres:start=20", web=topical_web(), pages=pages, directory=directory)
        crawl.run()
        return crawl

    whole = crawl_to(120)
    for pages in (30, 61, 120):
        parts = crawl_to(pages, tmp_path / "crawl")
    assert order(parts) == order(whole)


@pytest.mark.parametrize("pages", [25, 60, 101])
def test_the_frontier_knows_every_score(pages):
    crawl = hg.Crawl(SEEDS, TOPIC, "tres:start=20", web=topical_web(), pages=pages)
    crawl.run()
    expected = dict(zip(crawl.graph.queued().tolist(), crawl.strategy.rank(crawl.graph.queued()), strict=True))
    popped = {}
    while (entry := crawl.frontier.pop(0.0)) is not None:
        popped[entry[0]] = entry[1]
    assert popped == pytest.approx(expected)
