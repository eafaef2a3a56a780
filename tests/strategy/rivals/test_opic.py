"""OPIC: cash is handed on along links."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.store import state
from honeyguide.strategy import create
from small_webs import page, web_of

A, B = "http://a.test", "http://b.test"


def crawled(*pages, count=None, seeds=None, strategy="opic", kind=None):
    web = web_of(*pages) if kind is None else kind({p.url: p for p in pages})
    crawl = hg.Crawl(seeds or [pages[0].url], "label:yes", strategy, web=web, pages=count or len(pages))
    crawl.run()
    return crawl


def score_of(crawl, url):
    return float(crawl.strategy.rank(np.array([crawl.graph.table.find(url)]))[0])


def test_cash_is_split_among_the_links():
    # The seed has 1 and four links: 1/4 each. Then /1 is fetched and hands 1/4 on: 1/8 to /x, 1/8 to /2, which has
    # 1/4 + 1/8 by now. What the seed handed on, 1, is its history.
    pages = [page(f"{A}/", *(f"{A}/{n}" for n in (1, 2, 3, 4))), page(f"{A}/1", f"{A}/x", f"{A}/2")]
    crawl = crawled(*pages, count=2)
    assert score_of(crawl, f"{A}/x") == pytest.approx(1 / 8)
    assert score_of(crawl, f"{A}/2") == pytest.approx(3 / 8)
    assert score_of(crawl, f"{A}/3") == pytest.approx(1 / 4)
    assert crawl.strategy.history[:2].tolist() == [1.0, 0.25]
    assert crawl.strategy.importance().sum() == pytest.approx(1.0)


def test_links_to_other_hosts_may_get_less():
    # 1 is split in two; the half that leaves the host is worth a tenth: 0.5 · 0.1.
    crawl = crawled(page(f"{A}/", f"{A}/in", f"{B}/out"), count=1, strategy="opic:external=0.1")
    assert score_of(crawl, f"{A}/in") == pytest.approx(0.5)
    assert score_of(crawl, f"{B}/out") == pytest.approx(0.05)


def test_what_many_pages_link_to_is_fetched_first():
    hubs = [page(f"{A}/{n}", f"{A}/own-{n}", f"{B}/famous") for n in range(3)]
    crawl = crawled(*hubs, page(f"{B}/famous"), seeds=[p.url for p in hubs])
    assert crawl.graph.url(int(crawl.graph.visited()[-1])) == f"{B}/famous"


def test_a_redirect_hands_on_all_it_has_and_is_no_seed():
    class Web(hg.Archive):
        def _reply(self, url):
            return hg.Reply(redirect=f"{B}/new", status=301) if url.endswith("old") else super()._reply(url)

    crawl = crawled(page(f"{B}/new", f"{B}/x", f"{B}/y"), seeds=[f"{A}/old"], count=2, kind=Web)
    # The seed's 1 goes to the new address, which splits it in two.
    assert score_of(crawl, f"{B}/x") == pytest.approx(0.5)
    assert crawl.strategy.cash.sum() == pytest.approx(1.0)


def test_cash_is_saved_and_loaded():
    crawl = crawled(page(f"{A}/", f"{A}/1", f"{A}/2"), page(f"{A}/1", f"{A}/3"), count=2)
    fresh = create("opic")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = np.arange(len(crawl.graph))
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()
    assert fresh.history[ids].tolist() == crawl.strategy.history[ids].tolist()
