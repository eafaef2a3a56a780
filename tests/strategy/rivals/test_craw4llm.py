"""Craw4LLM by hand: the first page a URL is found on decides."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.store import state
from honeyguide.strategy import create
from small_webs import FunctionWeb, page, web_of

A, B = "http://a.test", "http://b.test"


def crawled(*pages, seeds=None, count=None):
    crawl = hg.Crawl(
        seeds or [pages[0].url], "keyword:bee", "craw4llm", web=web_of(*pages), pages=count or len(pages)
    )
    crawl.run()
    return crawl


def score_of(crawl, url):
    return float(crawl.strategy.rank(np.array([crawl.graph.table.find(url)]))[0])


def test_the_first_page_a_url_is_found_on_decides():
    # x is met on the weaker page first and keeps its score, though a better page links to it later; best-first
    # would take the better one.
    weak, strong = "bee", "bee bee bee bee bee bee"
    pages = [page(f"{A}/0", f"{A}/x", text=weak), page(f"{A}/1", f"{A}/x", f"{A}/y", text=strong)]
    crawl = crawled(*pages, seeds=[p.url for p in pages])
    low, high = (crawl.topic.score(p) for p in pages)
    assert 0 < low < high
    assert score_of(crawl, f"{A}/x") == pytest.approx(low)
    assert score_of(crawl, f"{A}/y") == pytest.approx(high)
    told = crawl.strategy.explain(crawl.graph.table.find(f"{A}/x"))
    assert told == [f"found on {A}/0, with score {low:.3f} handed on"]


def test_it_follows_quality_first():
    pages = [
        page(f"{A}/", f"{A}/plain", f"{A}/good"),
        page(f"{A}/plain", f"{A}/plain1", text="trains"),
        page(f"{A}/good", f"{A}/good1", text="bee bee bee"),
        page(f"{A}/plain1", text="trains"),
        page(f"{A}/good1", text="bee bee bee"),
    ]
    crawl = crawled(*pages)
    order = [crawl.graph.url(i)[len(A) :] for i in crawl.graph.visited().tolist()]
    assert order == ["/", "/plain", "/good", "/good1", "/plain1"]


def test_a_redirect_hands_the_score_on():
    def answer(url):
        if url.endswith("old"):
            return hg.Reply(redirect=f"{B}/new", status=301)
        return hg.Reply(page(url, f"{A}/old", text="bee bee"))

    crawl = hg.Crawl([f"{A}/"], "keyword:bee", "craw4llm", web=FunctionWeb(answer), pages=2)
    crawl.run()
    assert score_of(crawl, f"{B}/new") == pytest.approx(crawl.topic.score(page(f"{A}/", text="bee bee")))


def test_what_was_learned_is_saved_and_loaded():
    crawl = crawled(page(f"{A}/0", f"{A}/x", f"{A}/y", text="bee"), count=1)
    fresh = create("craw4llm")
    fresh.begin(crawl.graph, crawl.topic, 0)
    ids = crawl.graph.queued()
    assert fresh.score(ids).tolist() == [0, 0]
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    assert fresh.score(ids).tolist() == crawl.strategy.score(ids).tolist()
    assert fresh.explain(int(ids[0])) == crawl.strategy.explain(int(ids[0]))
