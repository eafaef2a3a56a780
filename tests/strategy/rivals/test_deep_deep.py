"""Deep-deep by hand: a gradient step, the wanted value, what it learns, and how it chooses."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.rivals.deep_deep import Linear
from honeyguide.strategy.rivals.link_letters import LinkTable, n_grams
from small_webs import page, topical_web, web_of

A = "http://a.test"


def crawled(strategy, *pages, count=None):
    crawl = hg.Crawl([pages[0].url], "label:yes", strategy, web=web_of(*pages), pages=count or len(pages))
    crawl.run()
    return crawl


def test_n_grams_are_distinct_and_stay_within_their_text():
    columns, counts = n_grams(["abcd", "", "aaaaaa", "ab"], (3, 4, 5))
    assert counts.tolist() == [3, 0, 3, 0]  # abc bcd abcd; aaa aaaa aaaaa
    again, _ = n_grams(["abcd"], (3, 4, 5))
    assert again.tolist() == columns[:3].tolist()


def test_letters_of_either_kind_have_length_one():
    table = LinkTable()
    table.add(["abcd", ""], ["http://a.test/", "http://b.test/"], np.array([True, False]))
    columns, values = table.example(0)
    weights = np.zeros(2**21 + 1, np.float32)
    weights[columns] = 2.0
    assert values[:3] @ values[:3] == pytest.approx(1)
    assert values[3:-1] @ values[3:-1] == pytest.approx(1)
    assert values[-1] == 1
    assert table.values(np.array([0]), weights)[0] == pytest.approx(2 * values.sum(), rel=1e-5)
    assert len(table.example(1)[0]) == 21  # the other host: 11 and 10 n-grams of fourteen letters


def test_two_gradient_steps_with_the_penalty():
    # First: step 0.1 · (1 - 0) = 0.1, weights 0.06 and 0.08, each less a penalty of 10⁻⁵; intercept 0.01 · 0.1.
    # Second: predicted 0.6 · 0.05999 + 0.8 · 0.07999 + 0.001 = 0.100986, so the step is -0.0100986; 2 · 10⁻⁵ is due
    # by now, of which 10⁻⁵ was paid.
    columns, values = np.array([3, 7], np.int32), np.array([0.6, 0.8], np.float32)
    function = Linear()
    function.fit([(columns, values)] * 2, np.array([1.0, 0.0]))
    assert function.weights[columns] == pytest.approx([0.05392084, 0.07190112], abs=1e-7)
    assert function.intercept == pytest.approx(0.000899014, abs=1e-8)


def test_the_wanted_value_is_reward_and_discounted_best_link():
    # The only example is x with reward 1. Its link has the initial value 0.05, so 1 + 0.4 · 0.05 = 1.02 is wanted.
    # One step of 0.102 along features of length √3 gives 3 · 0.102, and 0.00102 of intercept; the penalty is tiny.
    first = Page(url=f"{A}/", links=(Link(f"{A}/x", "some bees"),))
    crawl = crawled("deep-deep", first, page(f"{A}/x", f"{A}/y", label="yes"))
    strategy = crawl.strategy
    row = strategy.row[crawl.graph.table.find(f"{A}/x")]
    assert strategy.online.values(strategy.table, np.array([row]))[0] == pytest.approx(0.30702, abs=1e-3)
    assert strategy.steps == 1
    assert not strategy.target.fitted


def anchored_web(count=60):
    """A page at the start links to all; those that a link calls "hive" are relevant."""
    kinds = ["hive" if i % 3 == 0 else "train" for i in range(count)]
    links = tuple(Link(f"http://h{i % 4}.test/{i}", f"{kind} number {i}") for i, kind in enumerate(kinds))
    pages = [page(link.url, label="yes" if kind == "hive" else "") for link, kind in zip(links, kinds, strict=True)]
    return [Page(url=f"{A}/", links=links), *pages]


def test_it_learns_which_anchors_pay():
    crawl = crawled("deep-deep:switch=5,epsilon=0", *anchored_web(), count=41)
    relevant = crawl.graph.relevant[crawl.graph.visited()]
    assert relevant[1:].sum() == 20  # all there are
    assert relevant[1:21].mean() > 0.5  # at random, a third
    assert relevant[-10:].mean() < 0.5


def test_with_epsilon_one_it_is_a_lottery_and_says_so():
    crawl = crawled("deep-deep:epsilon=1", *anchored_web(), count=30)
    drawn = crawl.strategy.lottery.drawn
    assert crawl.strategy.explain(drawn)[-1] == "drawn as the next one"
    assert crawl.frontier.pop(0.0)[0] == drawn
    visited = crawl.graph.visited()[1:]
    assert visited.tolist() != sorted(visited.tolist())


def test_a_full_memory_replaces_examples():
    crawl = crawled("deep-deep:memory=5,replayed=3", *anchored_web(), count=30)
    assert len(crawl.strategy.remembered) == 5
    assert crawl.strategy.steps == 29


def test_what_was_learned_is_saved_and_loaded():
    crawl = hg.Crawl(["http://h0.test/1"], "label:bees", "deep-deep:switch=10", web=topical_web(), pages=45)
    crawl.run()
    fresh = create("deep-deep:switch=10")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids, old = crawl.graph.queued(), crawl.strategy
    assert fresh.rank(ids).tolist() == old.rank(ids).tolist()
    assert fresh.explain(int(ids[0])) == old.explain(int(ids[0]))
    for strategy in (fresh, old):
        strategy._replay(strategy.remembered[:10])
    rows = np.arange(len(old.table))
    assert fresh.online.values(fresh.table, rows).tolist() == old.online.values(old.table, rows).tolist()
