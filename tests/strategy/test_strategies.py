"""The numbers each strategy gives, worked out by hand on small webs."""

import subprocess
import sys

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page
from honeyguide.strategy import _BUILT_IN, create, strategies
from small_webs import page, web_of

A, B = "http://a.test", "http://b.test"


def crawled(strategy, *pages, topic="label:yes", count=None, seeds=None):
    web = web_of(*pages)
    crawl = hg.Crawl(seeds or [pages[0].url], topic, strategy, web=web, pages=count or len(pages))
    crawl.run()
    return crawl


def score_of(crawl, url):
    return float(crawl.strategy.rank(np.array([crawl.graph.table.find(url)]))[0])


def test_a_strategy_is_known_by_the_name_of_its_class():
    assert {name: kind.name for name, kind in strategies().items() if name in _BUILT_IN} == {n: n for n in _BUILT_IN}


def test_a_crawl_loads_no_strategy_but_its_own():
    script = (
        "import sys, honeyguide as hg; hg.Crawl(['http://a.test/'], 'keyword:bee', 'best-first');"
        "print(*sorted(name for name in sys.modules if name.startswith('honeyguide.strategy.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "honeyguide.strategy.best_first" in loaded
    assert "genetic" not in loaded
    assert "rivals" not in loaded


def test_breadth_first_goes_by_distance_then_by_discovery():
    pages = [
        page(f"{A}/", f"{A}/1", f"{A}/2"),
        page(f"{A}/1", f"{A}/11", f"{A}/12"),
        page(f"{A}/2", f"{A}/21"),
        *(page(f"{A}/{n}") for n in ("11", "12", "21")),
    ]
    crawl = crawled("breadth-first", *pages)
    assert [crawl.graph.url(i)[len(A) :] for i in crawl.graph.visited().tolist()] == [
        "/", "/1", "/2", "/11", "/12", "/21",
    ]  # fmt: skip


def test_best_first_takes_the_best_parent():
    pages = [
        page(f"{A}/0", f"{A}/x", f"{A}/y", text="bee"),
        page(f"{A}/1", f"{A}/y", text="bee bee bee bee bee bee"),
    ]
    crawl = crawled("best-first", *pages, topic="keyword:bee", seeds=[p.url for p in pages])
    low, high = (crawl.topic.score(p) for p in pages)
    assert low < high
    assert score_of(crawl, f"{A}/x") == pytest.approx(low)
    assert score_of(crawl, f"{A}/y") == pytest.approx(high)


def test_relevant_parents_is_a_share():
    pages = [page(f"{A}/{i}", f"{B}/x", label="yes" if i < 2 else "no") for i in range(3)]
    crawl = crawled("relevant-parents", *pages, seeds=[p.url for p in pages])
    assert score_of(crawl, f"{B}/x") == pytest.approx(2 / 3)
    assert crawl.strategy.explain(crawl.graph.table.find(f"{B}/x")) == ["2 of 3 fetched parents relevant"]


def test_host_odds_multiplies_share_and_odds():
    # Two relevant and one irrelevant page fetched from a.test: odds (2+1)/(1+1); x has one of two parents relevant.
    pages = [
        page(f"{A}/0", f"{A}/x", label="yes"),
        page(f"{A}/1", f"{A}/x", f"{B}/y", label="no"),
        page(f"{A}/2", f"{B}/y", label="yes"),
    ]
    crawl = crawled("host-odds", *pages, seeds=[p.url for p in pages])
    assert score_of(crawl, f"{A}/x") == pytest.approx((1 / 2 + 0.001) * 3 / 2, rel=1e-6)
    assert score_of(crawl, f"{B}/y") == pytest.approx((1 / 2 + 0.001) * 1 / 1, rel=1e-6)
    assert "host a.test: 2 of 3 fetched pages relevant" in crawl.strategy.explain(crawl.graph.table.find(f"{A}/x"))


def test_a_failure_counts_against_its_host():
    pages = [page(f"{A}/0", f"{B}/gone", f"{B}/x", label="yes"), page(f"{B}/x")]

    class Web(hg.Archive):
        def _reply(self, url):
            return hg.Reply(error="http_404", status=404) if url.endswith("gone") else super()._reply(url)

    crawl = hg.Crawl([f"{A}/0"], "label:yes", "host-odds", web=Web({p.url: p for p in pages}), pages=2)
    crawl.run()
    assert score_of(crawl, f"{B}/x") == pytest.approx(1.001 / 2, rel=1e-6)


def test_a_redirect_hands_on_what_was_known_of_the_old_address():
    pages = {f"{A}/0": page(f"{A}/0", f"{A}/old", label="yes")}

    class Web(hg.Archive):
        def _reply(self, url):
            return hg.Reply(redirect=f"{B}/new", status=301) if url.endswith("old") else super()._reply(url)

    crawl = hg.Crawl([f"{A}/0"], "label:yes", "relevant-parents", web=Web(pages), pages=2)
    crawl.run()
    assert score_of(crawl, f"{B}/new") == 1.0
    assert crawl.graph.depth[crawl.graph.table.find(f"{B}/new")] == 1


def test_shark_search_inherits_with_decay_and_reads_anchors():
    links = (
        Link(f"{A}/anchor", "honey"),
        Link(f"{A}/context", "here", context="jars of honey", position=1),
        Link(f"{A}/none", "there", context="trains", position=2),
    )
    seed = Page(url=f"{A}/", text="no bees here", links=links)
    crawl = crawled("shark-search", seed, topic="keyword:honey", count=1)
    # Nothing is inherited from an irrelevant seed; an anchor that names the topic counts fully, words around it less.
    assert score_of(crawl, f"{A}/anchor") == pytest.approx(0.5 * (0.8 * 1 + 0.2 * 1))
    assert score_of(crawl, f"{A}/context") == pytest.approx(0.5 * (0.2 * 1 / np.sqrt(2)), rel=1e-6)
    assert score_of(crawl, f"{A}/none") == 0.0


def test_shark_search_passes_relevance_through_an_irrelevant_page():
    pages = [
        page(f"{A}/0", f"{A}/1", label="yes"),
        page(f"{A}/1", f"{A}/2"),
        page(f"{A}/2", f"{A}/3"),
    ]
    crawl = crawled("shark-search", *pages)
    assert score_of(crawl, f"{A}/1") == pytest.approx(0.5 * 0.5)
    assert score_of(crawl, f"{A}/2") == pytest.approx(0.5 * 0.25)
    assert score_of(crawl, f"{A}/3") == pytest.approx(0.5 * 0.125)


def test_random_scores_are_spread_evenly_and_differ_by_seed():
    first, second = (create("random") for _ in range(2))
    crawl = crawled("random", page(f"{A}/"))
    first.begin(crawl.graph, crawl.topic, 1)
    second.begin(crawl.graph, crawl.topic, 2)
    ids = np.arange(100_000)
    scores = first.score(ids)
    assert scores.min() >= 0
    assert scores.max() < 1
    assert np.histogram(scores, 10)[0] == pytest.approx(10_000, rel=0.05)
    assert abs(np.corrcoef(scores, second.score(ids))[0, 1]) < 0.02


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("host-ods", "did you mean 'host-odds'"),
        ("nonsense", "Known: ache"),
        ("host-odds:roof=2", "it has: floor"),
        ("host-odds:floor=two", "a number is needed"),
        ("host-odds:floor=7", "out of bounds"),
        ("no.such.module:Class", "cannot be imported"),
        ("honeyguide.base:Page", "is not a Strategy"),
    ],
)
def test_a_wrong_name_is_answered_with_a_way_out(text, said):
    with pytest.raises(hg.BadInput, match=said.replace("(", r"\(")):
        create(text)


def test_knobs_are_set_by_name():
    assert create("host-odds:floor=0.25").floor == 0.25
