"""Going on with crawls: after a clean stop, after kill -9, with another topic, and not with another crawl."""

import asyncio
import sqlite3
import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import honeyguide as hg
from honeyguide.base import Reply
from honeyguide.crawl.rejudging import rejudge
from honeyguide.store import Store, state
from honeyguide.strategy import Lesson, Strategy, strategies
from killing import run_until_killed
from loopback import Loopback, answer
from small_webs import FunctionWeb, page, topical_web, web_of

SEEDS = ["http://h0.test/1", "http://h1.test/0"]
TESTS = str(Path(__file__).parent.parent)
TOPIC = "keyword:all(bees, hive)"


def order(crawl):
    return [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]


def crawl_to(pages, strategy, directory=None, web=None, **settings):
    crawl = hg.Crawl(SEEDS, TOPIC, strategy, web=web or topical_web(), pages=pages, directory=directory, **settings)
    return crawl, crawl.run()


@pytest.mark.parametrize("delay", [0.0, 2.0])
@pytest.mark.parametrize("strategy", sorted(strategies()))
def test_a_stopped_crawl_goes_on_as_if_it_had_not_stopped(strategy, delay, tmp_path):
    whole, summary = crawl_to(120, strategy, web=topical_web_with(delay))
    for pages in (1, 2, 50, 51, 120):
        parts, resumed = crawl_to(pages, strategy, tmp_path / "crawl", topical_web_with(delay))
    assert order(parts) == order(whole)
    assert (resumed.relevant, resumed.queued, resumed.discovered) == (
        summary.relevant,
        summary.queued,
        summary.discovered,
    )
    assert resumed.balanced


def topical_web_with(delay):
    web = topical_web()
    web.delay = delay
    return web


def test_what_another_version_learned_is_learned_anew_and_said(tmp_path):
    whole, _ = crawl_to(120, "shark-search")
    crawl_to(60, "shark-search", tmp_path / "crawl")
    with sqlite3.connect(tmp_path / "crawl" / "crawl.db") as database:
        database.execute("UPDATE knowledge SET version = 99, state = ?", (state.dump({"of": "no use"}),))
    database.close()
    parts, summary = crawl_to(120, "shark-search", tmp_path / "crawl")
    assert order(parts) == order(whole)
    assert "what shark-search had learned is in version 99, not 1: it learned anew from the log" in summary.remarks


@pytest.mark.parametrize("strategy", ["shark-search", "host-odds"])
def test_what_was_learned_after_the_last_snapshot_is_learned_again(strategy, tmp_path):
    whole, _ = crawl_to(120, strategy)
    crawl_to(60, strategy, tmp_path / "crawl")
    with sqlite3.connect(tmp_path / "crawl" / "crawl.db") as database:
        database.execute("DELETE FROM knowledge")
    database.close()
    parts, _ = crawl_to(120, strategy, tmp_path / "crawl")
    assert order(parts) == order(whole)


def test_another_strategy_takes_over_and_learns_from_what_is_stored(tmp_path):
    crawl_to(60, "host-odds", tmp_path / "crawl")
    crawl, summary = crawl_to(120, "shark-search", tmp_path / "crawl")
    assert summary.fetched == 120
    assert crawl.strategy.inherited.any()


def test_the_store_holds_what_the_crawl_knows(tmp_path):
    crawl, summary = crawl_to(80, "host-odds", tmp_path / "crawl")
    with Store.open(tmp_path / "crawl") as store:
        assert [v.url for v in store.visits()] == order(crawl)
        assert sum(v.relevant for v in store.visits()) == summary.relevant
        books = store.books()
        assert books["queued"] == summary.queued
        assert books["done"] == summary.done
        assert sum(books.values()) == summary.discovered
        edge = store.database.execute("SELECT target, anchor FROM edges WHERE source = 0").fetchall()
        assert [t for t, _ in edge] == next(iter(store.visits())).targets.tolist()
        assert {a for _, a in edge} == {"about bees"}


@pytest.mark.parametrize(
    ("change", "said"),
    [({"topic": "label:other"}, "its topic is"), ({"seeds": ["http://h3.test/1"]}, "its seed is")],
)
def test_a_directory_of_another_crawl_is_refused_and_left_alone(change, said, tmp_path):
    crawl_to(20, "host-odds", tmp_path / "crawl")
    asked = {"seeds": SEEDS, "topic": TOPIC, **change}
    with pytest.raises(hg.BadInput, match=said):
        hg.Crawl(**asked, web=topical_web(), directory=tmp_path / "crawl").run()
    assert crawl_to(40, "host-odds", tmp_path / "crawl")[1].fetched == 40


def test_a_new_topic_judges_what_is_stored_anew(tmp_path):
    crawl_to(60, "host-odds", tmp_path / "crawl")
    topic = hg.keyword("trains")
    judged = asyncio.run(rejudge(tmp_path / "crawl", topical_web(), topic))
    assert judged == 60
    resumed = hg.Crawl(SEEDS, topic, web=topical_web(), pages=60, directory=tmp_path / "crawl")
    summary = resumed.run()
    expected = sum("trains" in p.text for p in topical_web().pages() if p.url in set(order(resumed)))
    assert summary.relevant == expected > 0
    with Store.open(tmp_path / "crawl") as store:
        assert store.settings.topic == "keyword:trains"


def test_a_new_topic_that_looks_at_parents_gets_them(tmp_path):
    web = web_of(page("http://a.test/", "http://a.test/1"), page("http://a.test/1"))
    hg.Crawl(["http://a.test/"], "label:x", web=web, directory=tmp_path / "crawl").run()
    asyncio.run(rejudge(tmp_path / "crawl", web, hg.links(source=hg.url("a"))))
    with Store.open(tmp_path / "crawl") as store:
        assert [v.relevant for v in store.visits()] == [0, 1]


def test_limits_that_are_lifted_or_tightened_hold_for_what_was_found_before(tmp_path):
    chain = web_of(*(page(f"http://a.test/{i}", f"http://a.test/{i + 1}", f"http://b.test/{i}") for i in range(9)))

    def fetched(**limits):
        crawl = hg.Crawl(
            ["http://a.test/0"], "label:x", "breadth-first", web=chain, directory=tmp_path / "c", **limits
        )
        summary = crawl.run()
        assert summary.balanced
        return summary

    assert fetched(depth=2).excluded == {"not_in_archive": 2, "too_deep": 2}
    assert fetched(depth=4, per_host=4).fetched == 4
    assert fetched(depth=4).fetched == 5
    assert fetched(deny=["/5"], pages=100).fetched == 5
    assert fetched(pages=100).fetched == 9


def test_pages_past_the_budget_of_a_judge_are_judged_when_the_crawl_goes_on(tmp_path):
    def crawl(pages):
        topic = hg.function(is_about_bees, budget=10)
        made = hg.Crawl(["http://h0.test/1"], topic, web=topical_web(), pages=pages, directory=tmp_path / "c")
        return made.run()

    first = crawl(30)
    assert (first.stopped, first.unjudged, first.fetched) == ("judge_budget_spent", 1, 11)
    again = crawl(15)
    assert (again.unjudged, again.fetched) == (0, 15)


def is_about_bees(page):
    return "bees" in page.text


SIMULATE = """
import sys
sys.path.insert(0, {tests!r})
from small_webs import topical_web
import honeyguide as hg
from honeyguide.crawl import keeping
keeping.COMMIT_EVERY = 0.02
web = topical_web(hosts=12, size=120)
hg.Crawl(["http://h0.test/1"], "label:bees", {strategy!r}, web=web, pages=1200, directory={directory!r}).run()
"""


@pytest.mark.parametrize("strategy", ["host-odds", "shark-search", "honeyguide"])
def test_a_killed_simulation_resumes_to_the_same_choices(strategy, tmp_path):
    web = topical_web(hosts=12, size=120)
    whole = hg.Crawl(["http://h0.test/1"], "label:bees", strategy, web=web, pages=1200)
    whole.run()
    directory = tmp_path / "crawl"
    script = SIMULATE.format(tests=TESTS, strategy=strategy, directory=str(directory))
    kills = sum(run_until_killed([sys.executable, "-c", script], directory, least) for least in (100, 400, 800))
    assert kills >= 2
    web = topical_web(hosts=12, size=120)
    resumed = hg.Crawl(["http://h0.test/1"], "label:bees", strategy, web=web, pages=1200, directory=directory)
    assert resumed.run().balanced
    assert order(resumed) == order(whole)


class Paired(Strategy):
    """Insists that every link of a page has its id."""

    name = "test-paired"
    needs_pages = True

    def learn(self, visit):
        links = visit.page.links if visit.page else ()
        assert [link.url for link in links] == [self.graph.url(i) for i in visit.targets.tolist()]
        return Lesson()

    def score(self, ids):
        return -ids.astype(np.float32)

    def explain(self, id):
        return ["in order"]


def test_links_and_their_ids_go_together_also_in_a_replay(tmp_path):
    """Some links are cut by --max-known, some not followed, and the pages of soft 404s lead nowhere."""
    many = [f"http://a.test/{n}" for n in range(2000)]
    pages = [replace(page("http://a.test/", *many[:700]), robots=frozenset()), page("http://a.test/1", *many)]
    pages += [replace(page("http://a.test/2", *many), robots=frozenset(["nofollow"]))]
    pages += [page(f"http://a.test/{n}", many[5]) for n in range(3, 9)]

    def crawl(count):
        def answer(url):
            found = next((p for p in pages if p.url == url), None) or page(url, many[4])
            digest = b"same" if url > "http://a.test/5" else url.encode()
            return Reply(found, digest=digest)

        limits = {"max_known": 1000, "soft_404_after": 2, "trap_after": 0, "pages": count}
        web = FunctionWeb(answer)
        return hg.Crawl(
            ["http://a.test/"], "label:x", Paired(), web=web, directory=tmp_path / "crawl", **limits
        ).run()

    crawl(20)
    with Store.open(tmp_path / "crawl") as store:
        store.database.execute("DELETE FROM knowledge")
        store.commit()
    assert crawl(30).failed["soft_404"]


def test_the_time_that_a_run_takes_is_kept_as_it_goes_along(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.crawl.keeping.COMMIT_EVERY", 0.01)
    crawl = hg.Crawl(["http://h0.test/1"], "keyword:bees", web=topical_web(), directory=tmp_path / "crawl", pages=90)

    async def run():
        kept = []
        async for _ in crawl:
            await asyncio.sleep(0.005)
            with Store.open(tmp_path / "crawl", write=False) as store:  # as a killed process would leave it
                kept.append(store.runs()[0])
        return kept

    kept = asyncio.run(run())
    assert kept == sorted(kept)
    assert kept[30] > 0.05


def test_what_robots_txt_forbade_to_another_agent_is_asked_for_again(tmp_path):
    robots = answer(b"User-agent: honeyguide\nDisallow: /a\n", type="text/plain")
    with Loopback({"/robots.txt": robots, "/a": answer(b"<p>bees")}) as server:
        given = {"directory": tmp_path / "crawl", "delay": 0, "allow_private": True, "workers": 0}
        assert hg.Crawl([server.origin + "/a"], "keyword:bees", **given).run().excluded == {"robots": 1}
        summary = hg.Crawl([server.origin + "/a"], "keyword:bees", user_agent="wasp", **given).run()
    assert (summary.fetched, summary.excluded) == (1, {})
