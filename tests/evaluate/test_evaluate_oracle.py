"""The oracle: it knows where all links lead, and nobody finds more with as many fetches."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput
from honeyguide.evaluate import Collection, Design, compare
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.oracle import Oracle
from honeyguide.evaluate.relevance import judge
from honeyguide.running import run_async
from small_webs import page

A = "http://a.test"


def crawled(pages, seeds, budget=10):
    web = Collection.of(pages)
    (found,) = judge(["label:yes"], web.pages)
    strategy = Oracle(network=Network(web), relevant=found.ids)
    crawl = hg.Crawl(seeds, found.topic, strategy, web=web.web(), pages=budget)

    async def run():
        return [visit.url.rpartition("/")[2] async for visit in crawl]

    return run_async(run()), crawl


def test_relevant_pages_come_first_then_what_leads_to_most_of_them():
    pages = [
        page(f"{A}/start", *(f"{A}/{name}" for name in ("dull", "one", "two", "good")), label="no"),
        page(f"{A}/dull", label="no"),
        page(f"{A}/one", f"{A}/x", label="no"),
        page(f"{A}/two", f"{A}/y", f"{A}/z", label="no"),
        page(f"{A}/good", label="yes"),
        *(page(f"{A}/{name}", label="yes") for name in "xyz"),
    ]
    assert crawled(pages, [f"{A}/start"])[0] == ["start", "good", "two", "y", "z", "one", "x", "dull"]


def test_a_page_is_worth_only_what_was_not_fetched_yet():
    pages = [
        page(f"{A}/start", f"{A}/first", f"{A}/again", f"{A}/other", label="no"),
        page(f"{A}/first", f"{A}/x", f"{A}/y", label="no"),
        page(f"{A}/again", f"{A}/x", f"{A}/y", label="no"),
        page(f"{A}/other", f"{A}/z", label="no"),
        *(page(f"{A}/{name}", label="yes") for name in "xyz"),
    ]
    assert crawled(pages, [f"{A}/start"])[0] == ["start", "first", "x", "y", "other", "z", "again"]


def test_it_takes_the_shortest_way_to_what_is_far():
    chain = [page(f"{A}/{n}", f"{A}/{n + 1}", f"{A}/dull{n}", label="no") for n in range(4)]
    dull = [page(f"{A}/dull{n}", label="no") for n in range(4)]
    visited, crawl = crawled([*chain, *dull, page(f"{A}/4", label="yes")], [f"{A}/0"], 5)
    assert visited == ["0", "1", "2", "3", "4"]
    assert crawl.strategy.explain(crawl.graph.table.find(f"{A}/4")) == [
        "it is known to be relevant, with links to 0 relevant pages that were not fetched"
    ]
    assert "not hold it" in crawl.strategy.explain(int(crawl.graph.intern(["http://else.test/"])[0]))[0]


def test_in_a_comparison_nobody_does_better():
    rng = np.random.default_rng(3)
    pages = [
        page(
            f"{A}/{n}",
            *(f"{A}/{k}" for k in rng.integers(0, 300, 6)),
            label="yes" if n % 12 == 0 else "no",
            text=f"word{n % 30}",
        )
        for n in range(300)
    ]
    design = Design(seed_sets=2, seeds=2, pages=60, start="near")
    made = compare(Collection.of(pages), ["oracle", "honeyguide", "random"], ["label:yes"], design)
    found = {row.strategy: row.nauc.mean for row in made.rows("near")}
    assert found["oracle"] > max(found["honeyguide"], found["random"])
    assert found["oracle"] > 0.6


def test_it_is_no_strategy_for_a_crawl():
    with pytest.raises(BadInput, match="no strategy 'oracle'"):
        hg.Crawl([f"{A}/"], "label:yes", "oracle")
