"""Tunnel: the paper's numbers, hand-made graphs, and webs that only tunnelling can cross."""

import asyncio
import math
import random
import sqlite3

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput, FetchError, Link, Page, Reply, Visit
from honeyguide.crawl.keeping import Keeping
from honeyguide.graph import Graph
from honeyguide.search import Search
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.base import HELD_BACK
from honeyguide.strategy.link_book import HELD, MOVED, QUEUE, packed, unpacked
from honeyguide.topic import as_topic
from small_webs import FunctionWeb, topical_web

TOPIC = "keyword:all(bees, hive)"
ON, OFF = "bees in the hive", "trains on rails"


class Walk:
    """A strategy that is shown pages one by one; its table is bee 1, hive 0.5."""

    def __init__(self, strategy="tunnel", **table):
        self.graph = Graph()
        self.strategy = create(strategy)
        self.strategy.begin(self.graph, as_topic(TOPIC), 0)
        self.strategy.table.take(table or {"bee": 1.0, "hive": 0.5})
        self.book = self.strategy.book

    def id(self, name):
        return int(self.graph.intern([url(name)], 9)[0])

    def seed(self, name):
        return int(self.graph.intern([url(name)], 0)[0])

    def read(self, name, text="", links=(), score=1.0, title="", **visit):
        """Visit a page with links, each a name or a pair of name and anchor."""
        pairs = [(link, "") if isinstance(link, str) else link for link in links]
        page = Page(url(name), title, text, links=tuple(Link(url(to), anchor) for to, anchor in pairs))
        targets = np.array([self.id(to) for to, _ in pairs], np.int32)
        return self.show(Visit(self.graph.visits, self.id(name), url(name), targets, page, score=score, **visit))

    def show(self, visit):
        if visit.error == "redirect":
            self.graph.record_redirect(visit.id, int(visit.targets[0]))
        else:
            self.graph.record(visit.id, visit.targets, visit.relevance, visit.relevant)
        return self.strategy.learn(visit)

    def redirect(self, name, to):
        self.show(Visit(self.graph.visits, self.id(name), url(name), np.array([self.id(to)]), error="redirect"))

    def fail(self, name, page=None):
        nothing = np.zeros(0, np.int32)
        self.show(Visit(self.graph.visits, self.id(name), url(name), nothing, page, error="soft_404"))

    def levels(self, names):
        return [self.book.level(self.id(name)) for name in names]

    def score(self, name):
        return float(self.strategy.score(np.array([self.id(name)]))[0])

    def held(self, name):
        return self.book.place[self.id(name)] == HELD and self.score(name) == HELD_BACK


def url(name):
    return f"http://x.test/{name}"


# -- the paper's numbers ------------------------------------------------------------------------------------------


def test_table_2_of_the_paper():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, "abcde", score=math.inf)
    assert walk.levels("abcde") == [0, 0, 0, 0, 0]
    for name, score in {"c": 5, "e": 4, "b": 3, "a": 2, "d": 1}.items():
        walk.book.anchor[walk.id(name)] = score
    walk.read("c", ON, "fg")
    walk.read("e", ON, "h")
    assert walk.levels("abd") == [0, 0, 0]
    assert [walk.book.place[walk.id(name)] for name in "fgh"] == [QUEUE] * 3
    walk.read("b", OFF)
    assert walk.levels("bad") == [1, 1, 1]
    assert (walk.score("a"), walk.score("d")) == (2.0, 1.0)
    assert [walk.book.place[walk.id(name)] for name in "fgh"] == [QUEUE] * 3


def test_only_siblings_that_score_no_more_are_pushed_down():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, "abcd", score=math.inf)
    walk.book.anchor[[walk.id(name) for name in "abcd"]] = [3, 2, 2, 1]
    walk.read("b", OFF)
    assert walk.levels("abcd") == [0, 1, 1, 1]


def test_a_link_score_is_the_sum_of_its_four_parts():
    walk = Walk("tunnel:limit=0.5")
    length = math.sqrt(1 + 0.25)
    walk.read("one", "bees hive", [("hive/1", "a bee")], score=math.inf)
    walk.read("two", "hive", [("hive/1", "more")])  # 0.5 / length = 0.447: not relevant
    walk.read("three", OFF, [("hive/1", "bees and a hive")])
    anchor = 1.5 / (length * math.sqrt(2))  # the best of the three
    parents = 1.5 / (length * math.sqrt(2)) + 0.5 / length + 0
    assert walk.score("hive/1") == pytest.approx(0.5 / length + anchor + 1 + parents)
    assert walk.book.relevant_links[walk.id("hive/1")] == 1


def test_two_links_of_one_page_count_once_and_the_better_anchor_counts():
    walk = Walk("tunnel:limit=0.5", bee=1.0)
    walk.read("one", "bees", [("to", "more"), ("to", "bees"), ("to", "more"), ("one", "bees")], score=math.inf)
    assert walk.score("to") == pytest.approx(1 + 1 + 1)
    assert walk.score("one") == 0.0


# -- the relevancy limit ------------------------------------------------------------------------------------------


def test_the_limit_is_half_of_the_average_link_score_of_the_seeds():
    walk = Walk(bee=1.0)
    for name in ("bees", "two"):
        walk.seed(name)
    assert walk.strategy.relevancy_limit == 0.0
    walk.read("bees", "bees", score=math.inf)  # URL 1 and page 1: half of 2
    assert walk.strategy.relevancy_limit == pytest.approx(1.0)
    walk.read("two", OFF, score=math.inf)  # neither: half of (2 + 0) / 2
    assert walk.strategy.relevancy_limit == pytest.approx(0.5)
    walk.read("three", "bees")  # no seed
    assert (walk.strategy.seeds, walk.strategy.relevancy_limit) == (2, pytest.approx(0.5))


def test_a_seed_that_moved_is_read_at_its_new_address():
    walk = Walk(bee=1.0)
    walk.seed("old")
    walk.seed("new")  # a redirect leaves the depth as it was
    walk.redirect("old", "new")
    walk.read("new", "bees", score=math.inf)
    assert (walk.strategy.seeds, walk.strategy.relevancy_limit) == (1, pytest.approx(0.5))


def test_seeds_that_bring_no_page_of_their_own_do_not_count():
    walk = Walk(bee=1.0)
    for name in ("dead", "copy"):
        walk.seed(name)
    walk.fail("dead")
    walk.read("copy", "bees", score=math.inf, flag="copy", copy_of=0)
    assert (walk.strategy.seeds, walk.strategy.relevancy_limit) == (0, 0.0)


def test_before_a_seed_was_read_any_term_makes_a_page_relevant():
    walk = Walk()
    walk.read("one", "bees", "a")
    walk.read("two", OFF, "b")
    assert walk.levels("ab") == [-1, 0]


def test_a_limit_that_is_told_holds():
    walk = Walk("tunnel:limit=0.3")
    walk.seed("bees")
    walk.read("bees", "bees", score=math.inf)
    assert walk.strategy.relevancy_limit == 0.3


# -- levels -------------------------------------------------------------------------------------------------------


def test_a_level_more_for_every_irrelevant_page_in_a_row():
    walk = Walk("tunnel:limit=0.3")
    for name, link in ("pa", "ab", "bc", "cd"):
        walk.read(name, OFF, link)
    assert walk.levels("pabc") == [-1, 1, 2, 3]  # each a level more since it proved irrelevant
    assert walk.held("d")


def test_links_are_followed_up_to_the_highest_level_and_held_back_beyond():
    walk = Walk("tunnel:limit=0.3,max_level=1")
    walk.read("p", OFF, "a")
    assert walk.levels("a") == [0]
    walk.read("a", OFF, "b")
    assert walk.levels("b") == [1]
    walk.read("b", OFF, "c")
    assert walk.held("c")


def test_a_relevant_page_ends_the_tunnel():
    walk = Walk("tunnel:limit=0.3,max_level=1")
    walk.read("p", OFF, "a")
    walk.read("a", OFF, "b")
    walk.read("b", ON, "c")
    walk.read("c", OFF, "d")
    assert walk.levels("cd") == [-1, 0]
    assert (walk.strategy.tunnelled, walk.strategy.reached) == (2, 1)


def test_without_levels_nothing_is_tunnelled():
    walk = Walk("tunnel:limit=0.3,max_level=-1")
    walk.read("p", OFF, "a", score=math.inf)
    assert walk.held("a")
    walk.read("q", ON, "a")
    assert walk.score("a") > 1
    assert walk.strategy.tunnelled == 0


def test_the_better_place_wins():
    walk = Walk("tunnel:limit=0.3,max_level=1")
    walk.read("p", OFF, "ax")
    walk.read("a", OFF, "bx")
    assert walk.levels("bx") == [1, 1]  # x was pushed down with a
    walk.read("b", OFF, "yz")
    assert walk.held("x")
    assert walk.held("y")
    walk.read("q", OFF, "xy")
    assert walk.levels("xy") == [0, 0]
    walk.read("r", ON, "yz")
    walk.read("s", OFF, "yz")
    assert walk.levels("xyz") == [0, -1, -1]


def test_pushed_beyond_the_highest_level_is_held_back_and_said():
    walk = Walk("tunnel:limit=0.3,max_level=0")
    walk.read("p", OFF, "abc")
    lesson = walk.read("a", OFF)
    assert sorted(lesson.ids.tolist()) == [walk.id("b"), walk.id("c")]
    assert walk.held("b")
    assert len(walk.read("q", OFF, "b").ids) == 0
    assert walk.levels("b") == [0]


def test_links_of_other_pages_are_not_pushed_down():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, "ab")
    walk.read("q", OFF, "bc")
    walk.read("r", OFF, "d")
    walk.read("b", OFF)
    assert walk.levels("acd") == [1, 1, 0]  # two pages put b in the table


def test_a_seed_starts_anew_whoever_links_to_it():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, "as")
    walk.read("s", OFF, "b", score=math.inf)
    assert walk.levels("ab") == [0, 0]


def test_a_fetched_page_is_not_entered_again():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, "a")
    walk.read("a", OFF)
    before = walk.score("a")
    walk.read("q", ON, "a")
    assert (walk.levels("a"), walk.score("a")) == ([1], before)


def test_what_fails_says_nothing_of_its_siblings():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, "abc")
    walk.fail("a")
    walk.fail("b", Page(url("b"), text=ON, links=(Link(url("c")),)))
    assert walk.levels("abc") == [0, 0, 0]


def test_what_is_held_back_while_it_is_under_way_stays_so():
    walk = Walk("tunnel:limit=0.3,max_level=0")
    walk.read("p", OFF, "ab")
    walk.read("a", OFF)
    assert walk.held("b")
    walk.read("b", OFF, "c")
    assert walk.held("b")
    assert walk.held("c")


def test_a_copy_is_irrelevant_whatever_it_says():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", ON, "a", flag="copy")
    assert walk.levels("a") == [0]
    assert walk.score("a") == 0.0


# -- redirects ----------------------------------------------------------------------------------------------------


def test_the_new_address_stands_where_the_old_one_stood():
    walk = Walk("tunnel:limit=0.3", bee=1.0)
    walk.read("p", "bees", [("old", "bees")])
    walk.redirect("old", "bees")
    assert walk.score("bees") == pytest.approx(1 + 1 + 1 + 1)
    assert walk.book.place[walk.id("old")] == MOVED
    assert walk.levels(["bees"]) == [-1]


def test_siblings_are_known_across_redirects():
    walk = Walk("tunnel:limit=0.3")
    walk.read("p", OFF, ["old", "b", "c"])
    walk.redirect("old", "older")
    walk.redirect("older", "new")
    walk.read("new", OFF)
    assert walk.levels(["new", "b", "c"]) == [1, 1, 1]


def test_a_redirect_to_a_fetched_page_changes_nothing():
    walk = Walk("tunnel:limit=0.3", bee=1.0)
    walk.read("a", "bees")
    walk.read("p", "bees", [("old", "bees")])
    walk.redirect("old", "a")
    assert walk.score("a") == 0.0


# -- growing ------------------------------------------------------------------------------------------------------


def test_a_page_beyond_doubt_teaches_its_most_frequent_term():
    walk = Walk("tunnel:limit=0.3")
    walk.read("one", "bees hive wax wax wax", score=math.inf)
    relevance = 1.5 / math.sqrt(1.25 * 2)  # 0.949
    assert walk.strategy.table.weights == {"bee": 1.0, "hive": 0.5, "wax": pytest.approx(relevance)}
    assert walk.strategy.grown == ["wax"]


def test_a_page_in_doubt_teaches_nothing():
    walk = Walk("tunnel:limit=0.3")
    walk.read("one", "hive wax wax wax")
    walk.read("two", "bees hive wax wax wax", flag="copy")
    assert walk.strategy.table.weights == {"bee": 1.0, "hive": 0.5}


def test_links_are_scored_by_the_table_as_it_is():
    walk = Walk("tunnel:limit=0.3", bee=1.0)
    walk.read("p", OFF, [("a", "wax"), ("wax", "")])
    assert (walk.score("a"), walk.score("wax")) == (0.0, 0.0)
    walk.read("q", "bees wax wax", [("b", "wax"), ("wax", ""), ("wax/2", "")])
    assert walk.score("b") == pytest.approx(1 / math.sqrt(2) + 2)
    assert walk.score("wax") == pytest.approx(2)  # a URL is scored once
    assert walk.score("wax/2") == pytest.approx(1 / math.sqrt(2) + 2)


@pytest.mark.parametrize(("hive", "grows"), [(0.5, False), (0.4, True)])  # cosines of 0.894 and 0.928
def test_a_page_teaches_when_it_is_nine_tenths_relevant(hive, grows):
    walk = Walk("tunnel:limit=0.3", bee=1.0, hive=hive)
    walk.read("p", "bees wax wax wax")
    assert ("wax" in walk.strategy.table.weights) == grows


def test_the_topics_own_words_do_not_grow():
    class Nothing(Search):
        name = "nothing"

        async def _find(self, query, limit):
            return []

    crawl = hg.Crawl(
        [url("1")],
        "keyword:bees",
        "tunnel",
        web=FunctionWeb(lambda u: Reply(Page(u, text="bees wax wax"))),
        search=Nothing(),
    )
    summary = crawl.run()
    assert crawl.strategy.table.weights == {"bee": 1.0}
    assert "the topic's own words" in summary.learned["terms"]


# -- only tunnelling succeeds -------------------------------------------------------------------------------------


def junk(name, count):
    return [(f"{name}/junk{n}", "see more") for n in range(count)]


def hidden_web():
    """A page about bees; behind one, and behind two, pages that are not, there are more of them."""
    links = {
        "start": [*((f"side{n}", "read on") for n in range(4)), ("club", "bees club"), ("shop", "the hive shop")],
        "club": [*junk("club", 100), *((f"near{n}", "bees") for n in range(6))],
        "shop": [*junk("shop", 100), ("catalogue", "bees catalogue")],
        "catalogue": [*junk("catalogue", 100), *((f"far{n}", "a hive") for n in range(6))],
        **{f"side{n}": junk(f"side{n}", 100) for n in range(4)},
    }
    on = {"start", *(f"near{n}" for n in range(6)), *(f"far{n}" for n in range(6))}

    def answer(address):
        name = address.removeprefix(url(""))
        text = ON if name in on else f"trains to {name}"
        return Reply(
            Page(address, text=text, links=tuple(Link(url(to), anchor) for to, anchor in links.get(name, ())))
        )

    return FunctionWeb(answer)


@pytest.fixture
def about_bees(tmp_path):
    path = tmp_path / "bees.txt"
    path.write_text("Bees live in a hive. Bees make honey; a hive holds many bees.")
    return path


def found(strategy, pages=25, **settings):
    web = hidden_web()
    hg.Crawl([url("start")], TOPIC, strategy, web=web, pages=pages, **settings).run()
    names = [address.removeprefix(url("")) for address in web.asked]
    return [sum(name.startswith(kind) for name in names) for kind in ("near", "far")]


def test_only_a_tunnel_leads_to_pages_behind_irrelevant_ones(about_bees):
    assert found(f"tunnel:pages={about_bees}") == [6, 6]
    assert found(f"tunnel:pages={about_bees},max_level=0") == [6, 0]
    assert found(f"tunnel:pages={about_bees},max_level=-1") == [0, 0]
    for other in ("breadth-first", "best-first"):
        assert found(other) == [0, 0]
    assert all(sum(found("random", random_seed=seed)) <= 2 for seed in range(5))


def test_more_pages_do_not_help_a_crawl_that_tunnels_less(about_bees):
    assert found(f"tunnel:pages={about_bees},max_level=0", pages=1000) == [6, 0]
    assert found(f"tunnel:pages={about_bees},max_level=-1", pages=1000) == [0, 0]


# -- going on -----------------------------------------------------------------------------------------------------


def rough_web(size=3000):
    """Pages with some of the topic's words, redirects, dead ends and nofollow; at random, always alike."""

    def answer(address):
        number = int(address.rpartition("/")[2])
        rng = random.Random(number)
        if number % 17 == 3:
            return Reply(redirect=url(f"bees/{(number * 7 + 1) % size}"), status=301)
        if number % 19 == 5:
            raise FetchError("timeout")
        if rng.random() < 0.16:
            words = ["bees bees bees hive hive honey", *[f"wax{number % 5}"] * 7]
        else:
            words = rng.choices(["honey", "trains", "rails", "time", f"wax{number % 5}"], k=rng.choice([1, 9]))
        links = [(rng.randrange(size), rng.choice(["", "bees", "a hive", "trains", "wax1 wax2"])) for _ in range(8)]
        robots = frozenset({"nofollow"} if number % 23 == 7 else ())
        spots = ("bees", "rails", "x")
        return Reply(
            Page(
                address,
                text=" ".join(words),
                robots=robots,
                links=tuple(
                    Link(url(f"{spots[to % 3]}/{to}"), anchor, position=n) for n, (to, anchor) in enumerate(links)
                ),
            )
        )

    return FunctionWeb(answer)


def rough_crawl(strategy, pages, directory=None, **settings):
    seeds = [url(f"{spot}/{n}") for spot in ("bees", "x", "rails") for n in (2, 9, 10, 60)]
    web = rough_web()

    async def run():
        crawl = hg.Crawl(seeds, TOPIC, strategy, web=web, pages=pages, directory=directory, **settings)
        return [(visit.url, visit.score) async for visit in crawl], crawl

    return asyncio.run(run())


@pytest.mark.parametrize("knobs", ["", ",max_level=1,limit=0.6", ",max_level=3"])
@pytest.mark.parametrize("cut", ["clean", "old", "lost"])
def test_a_crawl_that_went_on_makes_the_same_choices(tmp_path, about_bees, monkeypatch, knobs, cut):
    strategy = f"tunnel:pages={about_bees}{knobs}"
    whole, through = rough_crawl(strategy, 200, max_known=1000)
    if cut == "old":
        monkeypatch.setattr("honeyguide.crawl.keeping.SNAPSHOT_EVERY", 30)
        monkeypatch.setattr("honeyguide.crawl.keeping.COMMIT_EVERY", 0)
        monkeypatch.setattr(Keeping, "snapshot", snapshots_before(Keeping.snapshot, 75))
    first, _ = rough_crawl(strategy, 100, tmp_path / "crawl", max_known=1000)
    if cut == "lost":
        with sqlite3.connect(tmp_path / "crawl" / "crawl.db") as books:
            books.execute("DELETE FROM knowledge")
        books.close()
    then, resumed = rough_crawl(strategy, 200, tmp_path / "crawl", max_known=1000)
    assert len(first) < len(whole)
    assert first + then == whole
    assert through.strategy.grown
    assert through.strategy.reached
    assert through.strategy.knowledge() == resumed.strategy.knowledge()
    assert through.strategy.figures() == resumed.strategy.figures()
    for name, column in through.strategy.book.save().items():
        assert column.tolist() == resumed.strategy.book.save()[name].tolist()


def snapshots_before(snapshot, visits):
    def some(keeping):
        if keeping._guide.graph.visits < visits:
            snapshot(keeping)

    return some


def test_what_was_learned_survives_being_kept(about_bees):
    _, crawl = rough_crawl(f"tunnel:pages={about_bees},max_level=0,limit=0.6", 150)
    assert crawl.summary().held_back > 0
    fresh = create("tunnel:max_level=0,limit=0.6")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(state.load(state.dump(crawl.strategy.save())))
    ids = np.arange(len(crawl.graph))
    assert fresh.score(ids).tolist() == crawl.strategy.score(ids).tolist()
    assert fresh.relevancy_limit == crawl.strategy.relevancy_limit
    assert fresh.figures() == crawl.strategy.figures()
    assert [fresh.explain(id) for id in ids.tolist()] == [crawl.strategy.explain(id) for id in ids.tolist()]


def test_a_page_read_again_may_have_links_that_its_visit_had_not():
    now, then = Walk("tunnel:limit=0.3", bee=1.0), Walk("tunnel:limit=0.3", bee=1.0)
    now.read("p", OFF, [("a", "bees"), ("c", "bees")])
    page = Page(url("p"), text=OFF, links=(Link(url("a"), "bees"), Link(url("b"), "bees"), Link(url("c"), "bees")))
    targets = np.array([then.id("a"), then.id("c")], np.int32)
    then.show(Visit(0, then.id("p"), url("p"), targets, page, score=1.0))
    assert [now.score(name) for name in "ac"] == [then.score(name) for name in "ac"] == [1.0, 1.0]


def test_a_page_that_nobody_judged_is_read_all_the_same():
    walk = Walk("tunnel:limit=0.3")
    page = Page(url("p"), text="bees hive wax wax wax", links=(Link(url("a"), "bees"),))
    walk.show(Visit(0, walk.id("p"), url("p"), np.zeros(0, np.int32), page, error="unjudged"))
    assert walk.strategy.grown == ["wax"]


# -- learning from another crawl ----------------------------------------------------------------------------------


def test_a_second_crawl_starts_from_the_table_of_the_first(tmp_path, about_bees):
    rough_crawl(f"tunnel:pages={about_bees}", 100, tmp_path / "first")
    first, crawl = rough_crawl("tunnel", 50, learn_from=str(tmp_path / "first"))
    assert crawl.strategy.origin == "another crawl"
    assert set(crawl.strategy.table.weights) >= {"bee", "hive", "honei"}
    about_trains = about_bees.with_name("trains.txt")
    about_trains.write_text("trains on rails, in time")
    other, both = rough_crawl(f"tunnel:pages={about_trains}", 50, learn_from=str(tmp_path / "first"))
    assert {"bee", "train"} <= set(both.strategy.table.weights)
    assert both.strategy.origin == "another crawl and 1 reference page"
    assert [visit[0] for visit in first] != [visit[0] for visit in other]


def test_of_two_tables_the_larger_weights_are_kept():
    walk = Walk(bee=0.2, hive=0.5)
    walk.strategy.adopt({"terms": ["bee", "hive"], "weights": [1, 0.25]})
    assert walk.strategy.table.weights == {"bee": 1.0, "hive": 0.5}


@pytest.mark.parametrize(
    "knowledge",
    [
        {},
        {"terms": [], "weights": []},
        {"terms": ["bee"], "weights": []},
        {"terms": ["bee"], "weights": [math.nan]},
        {"terms": ["bee"], "weights": [-1.0]},
        {"terms": ["bee"], "weights": ["1"]},
        {"terms": [1], "weights": [1.0]},
        {"terms": "bee", "weights": [1.0, 1.0, 1.0]},
    ],
)
def test_what_is_no_table_is_refused(knowledge):
    with pytest.raises(BadInput, match="no table of weighted terms; leave --learn-from out"):
        Walk().strategy.adopt(knowledge)


# -- words --------------------------------------------------------------------------------------------------------


def test_a_score_is_explained_by_its_parts():
    walk = Walk("tunnel:limit=0.3", bee=1.0)
    walk.read("one", "bees", [("bees", "many bees")], score=math.inf)
    walk.read("two", OFF, ["bees", "b"])
    assert walk.strategy.explain(walk.id("bees")) == [
        "LinkScore 4.000",
        "URL 1.000 (bee), anchor 1.000 (bee)",
        "1 link from relevant pages; its parents' relevance adds 1.000"
        " (http://x.test/one 1.000, http://x.test/two 0.000)",
        "in the queue; relevancy limit 0.300",
    ]
    assert walk.strategy.explain(walk.id("b"))[-1] == "in the irrelevant table, level 0 of 2; relevancy limit 0.300"


def test_of_many_parents_the_most_relevant_are_named():
    walk = Walk("tunnel:limit=0.3")
    for name, text in {"a": OFF, "b": "bees", "c": ON, "d": OFF}.items():
        walk.read(name, text, ["to"])
    assert (
        "(http://x.test/c 0.949, http://x.test/b 0.894, http://x.test/a 0.000, …)"
        in walk.strategy.explain(walk.id("to"))[2]
    )


def test_places_are_told_apart():
    walk = Walk("tunnel:limit=0.3,max_level=-1", bee=1.0)
    walk.read("one", OFF, ["a"])
    walk.redirect("old", "new")
    walk.id("nowhere")
    told = [walk.strategy.explain(walk.id(name))[-1] for name in ("one", "a", "old", "nowhere")]
    for line, words in zip(told, ("relevance of the page 0.000", "held back", "redirected", "no page"), strict=True):
        assert words in line


def test_the_report_says_what_was_learned():
    walk = Walk("tunnel:max_level=1")
    walk.seed("one")
    walk.read("one", "bees hive wax wax wax", "a", score=math.inf)
    walk.read("a", OFF, "b")
    walk.read("b", ON, "c")
    walk.strategy.origin = "2 reference pages"
    assert walk.strategy.figures() == {
        "terms": "bee 1.00, wax 0.95, hive 0.50; 3 in all, from 2 reference pages",
        "terms learned": "wax",
        "relevancy limit": "0.474, half of the average LinkScore of 1 seed",
        "tunnelled": "1 page read from the irrelevant table, 1 relevant",
    }


def test_small_numbers_are_packed():
    assert unpacked(packed([0, 7, 65534])) == [0, 7, 65534]
    assert unpacked(packed([1, 2, 3, 4, 5])) == [1, 2, 3, 4]
    assert unpacked(packed([70000, 1])) == [1]
    assert unpacked(packed([])) == []


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "topic", "match"),
    [
        ("tunnel", TOPIC, "--search ddgs, searxng:URL or index:DIR"),
        ("tunnel", "label:bees", "--search ddgs"),
        ("tunnel:pages=nowhere.txt", TOPIC, "reference pages of tunnel cannot be read: nowhere.txt is no file"),
    ],
)
def test_without_pages_to_take_terms_from_it_says_what_to_do(strategy, topic, match):
    with pytest.raises(BadInput, match=match):
        hg.Crawl([url("1")], topic, strategy, web=rough_web()).run()


def test_a_topic_without_words_needs_pages(about_bees):
    with pytest.raises(BadInput, match="label:bees names no words"):
        hg.Crawl(["http://h0.test/1"], "label:bees", "tunnel", web=topical_web()).run()
    summary = hg.Crawl(
        ["http://h0.test/1"], "label:bees", f"tunnel:pages={about_bees}", web=topical_web(), pages=50
    ).run()
    assert summary.relevant > 25


@pytest.mark.parametrize("knob", ["limit=2", "max_level=-2", "max_level=300", "terms=0", "results=0"])
def test_knobs_have_bounds(knob):
    with pytest.raises(BadInput, match="out of bounds"):
        create(f"tunnel:{knob}")
