"""What speaks for a URL: every number of a small crawl, worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import honeyguide as hg
from honeyguide.base import Link, Page, Reply, Visit
from honeyguide.graph import Graph
from honeyguide.running import run_async
from honeyguide.strategy.base import NOTHING
from honeyguide.strategy.honeyguide.evidence import Evidence
from honeyguide.strategy.honeyguide.family import HOPS
from honeyguide.strategy.honeyguide.priors import KINDS
from honeyguide.strategy.honeyguide.texts import LONGEST_TEXT
from honeyguide.topic import as_topic
from honeyguide.web import Archive
from small_webs import FunctionWeb, page, topical_web, web_of

A, B = "http://a.test", "http://b.test"


def crawled(web, seeds, pages, topic="label:yes", strategy="honeyguide"):
    async def run():
        crawl = hg.Crawl(seeds, topic, strategy, web=web, pages=pages)
        return [visit async for visit in crawl], crawl

    return run_async(run())


def evidence(crawl, url):
    row = crawl.strategy.evidence.of(np.array([crawl.graph.table.find(url)]))[0]
    return dict(zip(KINDS, row.tolist(), strict=True))


@pytest.fixture(scope="module")
def small():
    """Three seeds are fetched, no more: a relevant and an irrelevant list of links, and a relevant page."""
    web = web_of(
        page(f"{A}/list/one", f"{A}/x/good", f"{A}/x/open", f"{B}/other", label="yes", text="bees"),
        page(f"{A}/list/two", f"{A}/x/open", f"{B}/other", label="no", text="roads"),
        page(f"{A}/x/good", label="yes", text="bees hive"),
        page(f"{A}/x/open", label="yes"),
        page(f"{B}/other", label="no"),
    )
    return crawled(web, [f"{A}/list/one", f"{A}/list/two", f"{A}/x/good"], 3)[1]


def test_parents_are_counted(small):
    found = evidence(small, f"{A}/x/open")
    assert found["good_parents"] == pytest.approx(math.log(2))
    assert found["share"] == 0.5
    assert found["parents"] == pytest.approx(math.log(3))
    assert found["best_parent"] == pytest.approx(math.log1p(-math.log2(1e-6)))  # for a score of 1
    assert found["grandparents"] == 0
    assert found["hops"] == pytest.approx((1 + 0) / 2)  # one parent is relevant, the other is as far as can be told


def test_the_best_parent_counts_by_how_often_its_score_has_halved_the_distance_to_one():
    web = web_of(
        page(f"{A}/often", f"{A}/open", text="bees " * 7),
        page(f"{A}/once", f"{A}/open", text="a bees"),
        page(f"{A}/open"),
    )
    crawl = crawled(web, [f"{A}/often", f"{A}/once"], 2, topic="keyword:bees")[1]
    assert evidence(crawl, f"{A}/open")["best_parent"] == pytest.approx(math.log(1 + 7), rel=1e-4)


def test_shares_are_told_against_what_is_expected(small):
    base = (2 + 0.5) / (3 + 5)  # two relevant of three fetched pages
    found = evidence(small, f"{A}/x/open")
    kept = 29 / 30  # of what the host brought lately; its first and last page were relevant, the one between was not
    lately = math.log((1 + kept**2 + 3 * base) / (1 + kept + kept**2 + 3) / base)
    assert found["host"] == pytest.approx(min(lately, math.log((2 + 3 * base) / (3 + 3) / base)))
    assert found["folder"] == pytest.approx(math.log((1 + 3 * base) / (1 + 3) / base))
    good_hub, hub_of_nothing = math.log((1 + 2 * base) / (1 + 2) / base), 0.0
    assert found["hub"] == pytest.approx((good_hub + hub_of_nothing) / 2)
    assert found["best_hub"] == pytest.approx(good_hub)
    elsewhere = evidence(small, f"{B}/other")
    assert elsewhere["host"] == elsewhere["folder"] == pytest.approx(0)


def test_links_beside_a_relevant_one_are_told_by_their_distance(small):
    base = 2.5 / 8
    assert evidence(small, f"{A}/x/open")["near"] == pytest.approx(math.log((1 + base) / (1 + 1) / base))
    assert evidence(small, f"{B}/other")["near"] == pytest.approx(math.log((0.5 + base) / (0.5 + 1) / base))


def test_links_that_stay_on_their_host_are_told(small):
    assert evidence(small, f"{A}/x/open")["same_host"] == 1
    assert evidence(small, f"{B}/other")["same_host"] == 0


def test_keywords_are_looked_for_in_anchor_and_address():
    web = Archive(
        {
            f"{A}/": Page(
                f"{A}/",
                links=(Link(f"{A}/1", "All about heat pumps"), Link(f"{A}/heat", "more"), Link(f"{A}/2", "more")),
            )
        }
    )
    _, crawl = crawled(web, [f"{A}/"], 1, topic="keyword:all(heat, pumps)")
    assert [evidence(crawl, f"{A}/{name}")["keywords"] for name in ("1", "heat", "2")] == [1, 0.5, 0]


def test_words_of_anchors_are_told_by_the_pages_they_stand_on():
    pages = [
        page(f"{A}/{n}", label="yes" if n < 4 else "no", text="bees hive" if n < 4 else "roads") for n in range(8)
    ]
    last = Page(f"{A}/last", links=(Link(f"{A}/p", "our bees"), Link(f"{A}/q", "our roads"), Link(f"{A}/r", "our")))
    _, crawl = crawled(web_of(*pages, last), [*(f"{A}/{n}" for n in range(8)), f"{A}/last"], 9)
    crawl.strategy.evidence.texts.value_all()
    found = [evidence(crawl, f"{A}/{name}") for name in "pqr"]
    assert found[0]["anchor"] > 0.5
    assert found[1]["anchor"] < -0.5
    assert found[2]["anchor"] == 0
    assert all(each["best_anchor"] == each["anchor"] for each in found)


def test_of_long_anchors_no_more_is_kept_than_counts():
    links = [Link(f"{A}/{n}", "queen " * 1000 + str(n)) for n in range(3)]
    web = Archive({f"{A}/": Page(f"{A}/", links=tuple(links), label="no")})
    texts = crawled(web, [f"{A}/"], 1)[1].strategy.evidence.texts
    assert texts.anchor_number.texts == ["", ("queen " * 1000)[:LONGEST_TEXT]]
    assert set(texts.anchor_number) == set(texts.anchor_number.texts)
    assert texts.anchor_of[:3].tolist() == [1, 1, 1]


def test_a_redirect_stands_where_the_links_to_it_stand():
    replies = {
        f"{A}/": Reply(page(f"{A}/", f"{A}/good", f"{A}/moved", label="yes")),
        f"{A}/good": Reply(page(f"{A}/good", label="yes")),
        f"{A}/moved": Reply(redirect=f"{A}/new"),
        f"{A}/new": Reply(page(f"{A}/new", label="yes")),
    }
    _, crawl = crawled(FunctionWeb(replies.__getitem__), [f"{A}/", f"{A}/good", f"{A}/moved"], 3)
    new = evidence(crawl, f"{A}/new")
    assert new["share"] == 1
    assert new["near"] > 0
    assert new["hops"] == 1


def test_the_verdict_on_a_page_is_no_evidence_for_it():
    """The example that is kept of a visit shows its host as it was before."""
    web = web_of(
        page(f"{A}/", f"{B}/1", label="no"),
        page(f"{B}/1", label="yes"),
    )
    _, crawl = crawled(web, [f"{A}/"], 5)
    kept = crawl.strategy.model.save()["examples"]
    assert kept.shape == (1, len(KINDS) + 1)
    assert kept[0, 1 + KINDS.index("host")] == 0


def learned(visits, at_once):
    """What is known after the visits of a topical web, taken in as many at a time as is said."""
    graph = Graph()
    known = Evidence(graph, as_topic("keyword:all(bees, hive)"), 30)
    for n, visit in enumerate(visits, 1):
        graph.intern([visit.url, *(link.url for link in visit.page.links)], 1)
        graph.record(visit.id, visit.targets, visit.relevance, visit.relevant)
        known.note(visit)
        if n % at_once == 0 or n == len(visits):
            known.make_room()
            known.take_in()
    return known.save()


@given(st.integers(2, 40))
@settings(max_examples=8, deadline=None)
def test_visits_that_are_taken_in_together_count_as_if_one_by_one(at_once):
    visits = crawled(topical_web(), ["http://h0.test/1"], 80, topic="keyword:all(bees, hive)")[0]
    together, single = learned(visits, at_once), learned(visits, 1)
    together["pages"], single["pages"] = together["pages"][:, :HOPS], single["pages"][:, :HOPS]  # counts of children
    assert together.keys() == single.keys()
    for name, found in together.items():
        if isinstance(found, np.ndarray):
            assert found == pytest.approx(single[name], rel=1e-5), name
        else:
            assert found == single[name], name


def test_a_redirect_that_is_taken_in_later_stands_there_all_the_same():
    graph = Graph()
    known = Evidence(graph, as_topic("label:yes"), 30)
    start, good, moved, last, new = graph.intern([f"{A}/{n}" for n in ("start", "good", "moved", "last", "new")])
    visits = [(start, [good, moved, last]), (good, []), (moved, [new]), (last, [start])]
    for number, (id_, out) in enumerate(visits):
        targets, redirects = np.array(out, np.int32), id_ == moved
        graph.record_redirect(id_, new) if redirects else graph.record(id_, targets, 1.0, id_ == good)
        error = "redirect" if redirects else ""
        known.note(Visit(number, id_, graph.url(id_), targets, error=error))
        if id_ == good:
            known.make_room()
            known.take_in()
    known.make_room()
    known.take_in()
    of_redirect, of_last = known.family.links.rows[[3, 4]].tolist()
    assert of_redirect == [1, 1]  # as of the link to it, beside which the good page was found
    assert of_last == [0, 0]


def test_a_page_that_has_become_a_redirect_is_no_trouble_to_what_it_led_to():
    """Asked for again before the pages it led to were taken in."""
    graph = Graph()
    known = Evidence(graph, as_topic("label:yes"), 30)
    a, b, c = graph.intern([f"{A}/list", f"{A}/bees", f"{A}/moved"]).tolist()
    for number, (id_, targets) in enumerate([(a, np.array([b], np.int32)), (b, NOTHING)]):
        graph.record(id_, targets, 1.0, True)
        known.note(Visit(number, id_, graph.url(id_), targets, relevant=True))
    graph.record_redirect(a, c)
    known.note(Visit(2, a, graph.url(a), np.array([c], np.int32), error="redirect"))
    known.make_room()
    known.take_in()
    assert (known.fetched, known.good) == (2, 2)
    assert known.texts.words.cases[4] == 0  # the page that led to the second one is none any more


def led_on(web, seeds, pages):
    """How many pages have led to a relevant one, and of which folders."""
    _, crawl = crawled(web, seeds, pages)
    crawl.strategy.idle()
    texts = crawl.strategy.evidence.texts
    folders = {name: int(texts.leading.rows[n, 0]) for n, name in enumerate(texts.folder_number.texts)}
    return texts.words.cases[4], {name: count for name, count in folders.items() if count}


def test_a_page_is_credited_once_for_all_the_relevant_pages_it_leads_to():
    web = web_of(
        page(f"{A}/list/1", f"{A}/p/1", f"{A}/p/2", f"{A}/p/3", f"{A}/list/2", label="no"),
        page(f"{A}/list/2", f"{A}/p/1", f"{A}/p/4", label="no"),  # p/1 was known by then
        *(page(f"{A}/p/{n}", label="yes" if n < 4 else "no") for n in range(1, 5)),
    )
    assert led_on(web, [f"{A}/list/1"], 6) == (1, {"a.test/list": 1})


def test_behind_a_redirect_the_page_is_credited_that_links_to_it():
    pages = {
        f"{A}/list/1": Reply(page(f"{A}/list/1", f"{A}/moved/1", label="no")),
        f"{A}/moved/1": Reply(redirect=f"{A}/moved/2"),
        f"{A}/moved/2": Reply(redirect=f"{A}/p/1"),
        f"{A}/p/1": Reply(page(f"{A}/p/1", label="yes")),
    }
    assert led_on(FunctionWeb(pages.__getitem__), [f"{A}/list/1"], 9) == (1, {"a.test/list": 1})
    pages[f"{A}/p/1"] = Reply(page(f"{A}/p/1", f"{A}/moved/1", label="yes"))  # by its old address, to itself
    assert led_on(FunctionWeb(pages.__getitem__), [f"{A}/list/1"], 9) == (1, {"a.test/list": 1})


def test_what_leads_nowhere_promises_nothing():
    """Half of the leaves are relevant, and none of them has links."""
    lists = [
        page(f"{A}/list/{n}", *(f"{A}/p/{n}x{k}" for k in range(4)), f"{A}/list/{n + 1}", label="no")
        for n in range(30)
    ]
    leaves = [page(f"{A}/p/{n}x{k}", label="yes" if k < 2 else "no") for n in range(30) for k in range(4)]
    _, crawl = crawled(web_of(*lists, *leaves), [f"{A}/list/0"], 60)
    ids = np.arange(len(crawl.graph))
    promised = dict(zip(map(crawl.graph.url, ids.tolist()), crawl.strategy.evidence.promise(ids), strict=True))
    leaf = max(value for url, value in promised.items() if "/p/" in url)
    assert min(value for url, value in promised.items() if "/list/" in url) > 0.5 > 0.2 > leaf


def test_links_that_just_fill_their_array_are_no_trouble():
    """Where a URL has fewer links than are looked at, the last of the array is read and not counted."""
    ring = [page(f"{A}/{n}", f"{A}/{n + 1}", f"{A}/side/{n}") for n in range(9)]
    _, crawl = crawled(web_of(*ring), [f"{A}/0"], 9, strategy="honeyguide")
    graph, known = crawl.graph, crawl.strategy.evidence
    graph.record(int(graph.queued()[0]), np.array([0], np.int32), 1.0, True)
    graph._source = graph._source[: graph.edges]
    known.family.pages.rows = known.family.pages.rows[: graph.visits - 1]
    found = evidence(crawl, f"{A}/1")
    assert (found["parents"], found["grandparents"]) == (pytest.approx(math.log(2)), 1)
