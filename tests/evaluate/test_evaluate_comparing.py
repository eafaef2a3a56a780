"""Whole comparisons in Python: fair, repeatable, and honest about what was left out."""

import dataclasses
import json

import pytest

from honeyguide import BadInput, Crawl, Page, Strategy, register, strategies
from honeyguide.evaluate import Collection, Comparison, Design, compare, read_collection, told
from honeyguide.strategy import _registry
from small_webs import page, topical_web

SMALL = Design(seeds=2, seed_sets=2, pages="60")
TOPIC = ["label:bees"]


@pytest.fixture(scope="module")
def web():
    return Collection.of(topical_web().pages(), "ring")


@pytest.fixture(scope="module")
def made(web):
    return compare(web, ["random", "host-odds", "breadth-first"], TOPIC, SMALL)


@pytest.fixture
def picky():
    @register
    class Picky(Strategy):
        """Refuses topics that know no words."""

        name = "picky"

        def begin(self, graph, topic, seed):
            super().begin(graph, topic, seed)
            if not topic.words():
                raise BadInput("picky needs a topic that knows words, such as keyword:bees")

        def score(self, ids):
            return ids.astype("float32")

    yield Picky.name
    del _registry[Picky.name]


@pytest.fixture
def curious():
    @register
    class Curious(Strategy):
        """Searches before it begins."""

        name = "curious"

        async def prepare(self, help):
            pages = await help.reference_pages("bees", 3)
            if len(pages) != 3:
                raise BadInput("curious found no pages about bees")

        def score(self, ids):
            return ids.astype("float32")

    yield Curious.name
    del _registry[Curious.name]


def without_seconds(comparison):
    results = tuple(dataclasses.replace(result, seconds=0.0) for result in comparison.results)
    return dataclasses.replace(comparison, results=results)


def test_every_strategy_gets_every_case(made):
    cases = {(r.strategy, r.start, r.seed_set) for r in made.results}
    assert len(cases) == len(made.results) == 3 * 2 * 2
    assert all(r.fetched == made.budget == 60 for r in made.results)
    assert all(len(r.found) == len(made.points) for r in made.results)
    assert all(r.found[-1] == r.relevant <= r.reachable for r in made.results)


@pytest.mark.parametrize("strategy", strategies())
def test_a_measured_crawl_is_the_crawl_itself(strategy):
    made = compare(topical_web().pages(), [strategy], ["keyword:bees"], dataclasses.replace(SMALL, seed_sets=1))
    for start, result in zip(made.starts, made.results, strict=True):
        crawl = Crawl(start.seeds, "keyword:bees", strategy, web=topical_web(), pages=60).run()
        assert (crawl.fetched, crawl.relevant) == (result.fetched, result.relevant)


def test_jobs_come_topic_by_topic(web):
    made = compare(web, ["breadth-first"], ["label:bees", "keyword:trains"], SMALL)
    topics = [result.topic for result in made.results]
    assert topics == sorted(topics, key=["label:bees", "keyword:trains"].index)


def test_learning_beats_chance_and_the_best_comes_first(made):
    rows = made.rows("near")
    assert rows[0].strategy == "host-odds"
    assert made.yardstick == "breadth-first"
    yardstick = next(row for row in rows if row.strategy == "breadth-first")
    assert yardstick.difference is None
    assert rows[0].difference.mean == pytest.approx(rows[0].nauc.mean - yardstick.nauc.mean)


def test_the_same_is_found_in_one_process_and_in_two(web, made):
    again = compare(web, ["random", "host-odds", "breadth-first"], TOPIC, SMALL, jobs=2)
    assert without_seconds(again) == without_seconds(made)


def test_progress_is_told_from_nothing_to_all(web):
    told_so_far = []
    compare(web, ["random"], TOPIC, SMALL, progress=lambda done, total: told_so_far.append((done, total)))
    assert told_so_far == [(done, 4) for done in range(5)]


def test_a_comparison_survives_json(made):
    assert Comparison.from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_json_holds_the_tables_as_well(made):
    rows = made.to_dict()["rows"]
    assert [row["strategy"] for row in rows["near"]] == [row.strategy for row in made.rows("near")]


def test_the_table_says_what_was_compared(made):
    text = told(made)
    assert "ring: 240 pages. Topics: 1; seed sets for each: 2; seeds in each: 2;" in text
    assert "fetch: 60 (25.0% of the web)" in text
    assert "label:bees (40.0%)" in text
    assert text.count("| host-odds |") == 2
    assert "Far seeds nearer than 3 links to a relevant page, for want of others: label:bees (" in text


def test_a_strategy_that_refuses_a_topic_is_left_out_and_said_once(web, picky):
    made = compare(web, [picky, "random"], ["label:bees", "keyword:bees"], SMALL)
    assert {result.topic for result in made.results if result.strategy == picky} == {"keyword:bees"}
    assert [note for note in made.notes if picky in note] == [
        "picky could not be used with 1 of the topics: picky needs a topic that knows words, such as keyword:bees"
    ]
    only_refusals = compare(web, [picky], TOPIC, SMALL)
    assert only_refusals.rows("near") == []
    assert "No crawl could be made." in told(only_refusals)


def test_a_strategy_may_search_the_web_and_that_is_said(web, curious):
    made = compare(web, [curious, "random"], TOPIC, SMALL)
    assert [result.searches for result in made.results if result.strategy == curious] == [1] * 4
    assert "curious made 1.0 searches a crawl, answered by an index of the whole web." in made.notes
    assert not any("random" in note for note in made.notes)


def test_settings_of_a_strategy_make_it_another_one(web):
    made = compare(web, ["host-odds", "host-odds:floor=0.5", "host-odds"], TOPIC, SMALL)
    assert made.strategies == ("host-odds", "host-odds:floor=0.5")
    assert made.yardstick == "host-odds"


def test_topics_that_nothing_leads_to_are_left_out_far(web):
    pages = [*web.pages, page("http://lonely.test/", text="zebra"), page("http://other.test/", text="zebra")]
    made = compare(pages, ["random"], ["keyword:zebra", "label:bees"], SMALL)
    assert "Left out, far, because no relevant page can be reached: keyword:zebra." in made.notes
    assert {r.topic for r in made.results if r.start == "far"} == {"label:bees"}


def test_few_pages_of_a_topic_are_said(web):
    pages = [*web.pages, page("http://lonely.test/", text="zebra")]
    notes = compare(pages, ["random"], ["keyword:zebra"], dataclasses.replace(SMALL, start="near")).notes
    assert "Fewer than 2 seeds, near, for want of relevant pages: keyword:zebra (1)." in notes
    assert "Fewer than 10 relevant pages can be reached, near: keyword:zebra (1)." in notes


def test_fewer_topics_than_wanted_are_said():
    pages = [Page(f"http://w.test/{i}", title="Bees" if i < 9 else "Trains", text="so") for i in range(100)]
    made = compare(pages, ["random"], design=dataclasses.replace(SMALL, start="near", topics=4))
    assert [topic.topic for topic in made.topics] == ["keyword:bees"]
    assert "Only 1 of 4 topics were found in this web." in made.notes


@pytest.mark.parametrize(
    ("design", "strategies", "message"),
    [
        ({"pages": "500"}, ["random"], "the web has 240 pages, fewer than the 500 to fetch"),
        ({"pages": "many"}, ["random"], "write a number such as 500, or a share of the web such as 5%"),
        ({"pages": "1.5"}, ["random"], "write a number such as 500"),
        ({"pages": "5", "seeds": 5}, ["random"], "5 seeds leave nothing to choose"),
        ({"pages": "0.1%"}, ["random"], "seeds leave nothing to choose"),
        ({}, ["rndom"], "no strategy 'rndom'; did you mean 'random'"),
        ({"yardstick": "best-first"}, ["random"], "the yardstick 'best-first' is not compared"),
        ({"start": "here"}, ["random"], "there is no start 'here'"),
        ({"seeds": 0}, ["random"], "seeds = 0 is out of bounds"),
        ({"random_seed": -1}, ["random"], "random_seed = -1 is out of bounds"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(web, design, strategies, message):
    with pytest.raises(BadInput, match=message):
        compare(web, strategies, TOPIC, Design(**design))


def test_a_share_of_the_web_is_counted_in_pages():
    assert Design(pages="5%").budget(8080) == 404
    assert Design(pages=" 2.5 % ").budget(1000) == 25
    assert Design(pages=30).budget(1000) == 30


def test_a_generated_web_brings_its_topics_redirects_and_dead_ends(monkeypatch):
    from honeyguide.evaluate import collection
    from honeyguide.synthetic import generate

    monkeypatch.setattr(collection, "generate", lambda seed: generate(500, 20, seed, topics=3))
    web = read_collection("synthetic:4")
    assert (web.name, len(web.topics)) == ("synthetic:4", 3)
    assert web.redirects
    assert any(reply.status == 404 for reply in web.replies.values())
    made = compare(web, ["random", "host-odds"], design=Design(seeds=2, seed_sets=1, pages="60"))
    assert len(made.topics) == 3
    assert made.rows("near")[0].strategy == "host-odds"
    fewer = compare(web, ["random"], design=Design(topics=2, seeds=2, seed_sets=1, pages="20", start="near"))
    assert len(fewer.topics) == 2


def test_a_web_that_is_not_there_is_told():
    with pytest.raises(BadInput, match=r"nowhere.jsonl does not exist; name a stored web"):
        read_collection("nowhere.jsonl")
    with pytest.raises(BadInput, match="the seed of a generated web is a whole number"):
        read_collection("synthetic:two")


def test_crawls_that_end_early_are_named():
    pages = [page("http://a.test/", "http://a.test/b", text="bees"), page("http://a.test/b", text="bees")]
    others = [page(f"http://c.test/{i}", text="") for i in range(20)]
    made = compare([*pages, *others], ["breadth-first"], ["keyword:bees"], Design(seeds=1, seed_sets=2, pages=10))
    assert any("breadth-first ended early in 2 of 2 crawls, after" in note for note in made.notes)
