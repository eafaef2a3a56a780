"""Evolved: nine scores worked out by hand and by brute force, and a web where only their sum finds the way."""

import itertools
import json
import math
import random
import sqlite3
from collections import defaultdict

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput, Reply, Visit
from honeyguide.crawl.keeping import Keeping
from honeyguide.graph import DONE, FAILED, Graph
from honeyguide.running import run_async
from honeyguide.store import Store, state
from honeyguide.strategy import create, rank_board
from honeyguide.strategy.evolved import Evolved
from honeyguide.strategy.rank_formulas import anchor_share, margin, parent, signed_distance
from honeyguide.strategy.rank_weights import TABLE_1, score_names
from honeyguide.topic import Topic
from honeyguide.topic.classifier import Classifier, sigmoid
from small_webs import FunctionWeb, page, topical_web, web_of

A = "http://a.test/"


class ByTitle(Topic):
    """A page says itself how relevant it is."""

    kind = "bytitle"

    def __init__(self, threshold=0.5):
        self.threshold = threshold

    def score(self, page):
        return float(page.title)


class Told:
    """A graph and a strategy that are told what was fetched, by the last part of the URL."""

    def __init__(self, strategy, *seeds, topic=None):
        self.graph, self.strategy = Graph(), strategy
        self.topic = topic or ByTitle()
        strategy.begin(self.graph, self.topic, 0)
        self.graph.intern([A + seed for seed in seeds])

    def fetch(self, name, links="", relevance=0.0, error="", redirect=""):
        id_ = self.id(name)
        targets = self.graph.intern([A + link for link in links or redirect], self.graph.depth[id_] + (not redirect))
        relevant = not error and self.topic.relevant(relevance)
        if redirect:
            self.graph.record_redirect(id_, int(targets[0]))
        else:
            self.graph.record(id_, targets, relevance, relevant)
        self.graph.mark(id_, FAILED if error else DONE, error)
        error = "redirect" if redirect else error
        visit = Visit(
            self.graph.visits - 1, id_, A + name, targets, score=math.inf, relevance=relevance, relevant=relevant,
            error=error,
        )  # fmt: skip
        return self.strategy.learn(visit)

    def id(self, name):
        return self.graph.table.find(A + name)

    def scores(self, name):
        found = self.strategy.scores.of(np.array([self.id(name)]), self.strategy.averages)
        return {key: float(value[0]) for key, value in zip(score_names(5), found, strict=True)}

    def rank(self, name):
        return float(self.strategy.score(np.array([self.id(name)]))[0])


def example():
    """Three pages fetched: s and a belong to the community, b does not; c, x and y are queued."""
    web = Told(Evolved(drift=0), "s")
    web.fetch("s", "abc", 1.0)
    web.fetch("a", "xyb", 0.75)
    web.fetch("b", "xs", 0.25)
    return web


# Eight links on three pages, and to six URLs. s is judged 1, a 0.5 and b -0.5.
HUB, IN = 3 / (8 / 3), 8 / 6
BY_HAND = {
    # The parents of x are a and b; theirs s and a; theirs b and s; then s, a and b again.
    "x": [HUB, 2 / IN, 1 / 2, 0 / 3 + 1 / 2, 0.5, 1, 1, 1, 1],
    # The parent of c is s; its parent b, which is judged below 0; then s and a; then b and s; then all.
    "c": [HUB, 1 / IN, 1, 1 / 3, 1, -0.5, 1, 1, 1],
    # The parent of y is a; its parent s; then b; then s and a; then b and s.
    "y": [HUB, 1 / IN, 1, 0 / 3, 0.5, 1, -0.5, 1, 1],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_all_nine_scores_by_hand(name):
    web = example()
    assert list(web.scores(name).values()) == pytest.approx(BY_HAND[name])
    rank = sum(weight * score for weight, score in zip(TABLE_1.values(), BY_HAND[name], strict=True))
    assert web.rank(name) == pytest.approx(rank, rel=1e-6)


def test_a_page_that_joins_the_community_raises_those_beside_it():
    web = Told(Evolved(drift=0), "s")
    web.fetch("s", "abcd", 1.0)
    assert web.scores("d")["comm_out"] == 0
    lesson = web.fetch("a", "", 0.9)
    assert web.scores("d")["comm_out"] == pytest.approx(1 / 4)
    assert {web.id("b"), web.id("c"), web.id("d")} <= set(lesson.ids.tolist())
    web.fetch("b", "", 0.1)
    assert web.scores("d")["comm_out"] == pytest.approx(1 / 4)
    web.fetch("c", "d", 0.6)
    assert web.scores("d") == pytest.approx(
        {"hub": 4 / (5 / 4), "authority": 2 / (5 / 5), "comm_in": 1, "comm_out": 2 / 4 + 0 / 1,
         "parent_1": 1, "parent_2": 1, "parent_3": 0, "parent_4": 0, "parent_5": 0}
    )  # fmt: skip


def test_judgments_reach_five_generations_however_late_a_link_is_found():
    web = Told(Evolved(drift=0), "1", "9")
    for name in "12345":
        web.fetch(name, str(int(name) + 1), 0.25)
    assert web.scores("6")["parent_5"] == -0.5
    web.fetch("9", "1", 1.0)
    assert web.scores("6")["parent_5"] == -0.5, "9 is six generations before 6"
    web.fetch("6", "7x", 0.25)
    web.graph.intern([A + "8"], 1)
    web.fetch("8", "2", 0.9)
    assert web.scores("x")["parent_5"] == -0.5, "8 is six generations before x: 2, 3, 4, 5 and 6 lie between"
    lesson = web.fetch("7", "3", 0.75)
    assert web.scores("x")["parent_5"] == 0.5, "7 is five generations before x: 3, 4, 5 and 6 lie between"
    assert web.id("x") in lesson.ids.tolist()


def test_averages_are_kept_until_one_has_drifted():
    web = Told(Evolved(drift=0.5), "s")
    web.fetch("s", "abc", 1.0)
    assert web.strategy.averages == pytest.approx((3, 3 / 4))
    web.fetch("a", "bx", 0.0)  # five links on two pages and to five URLs: a third more to each
    assert web.strategy.averages == pytest.approx((3, 3 / 4))
    assert web.scores("b")["authority"] == pytest.approx(2 / (3 / 4))
    lesson = web.fetch("b", "acdefghi", 0.0)  # thirteen on three pages and to eleven URLs: over half more to each
    assert web.strategy.averages == pytest.approx((13 / 3, 13 / 11))
    assert web.scores("x") == pytest.approx({**web.scores("x"), "hub": 2 / (13 / 3), "authority": 1 / (13 / 11)})
    assert web.id("x") in lesson.ids.tolist(), "nothing links to x anew, but its rank changed"
    assert web.rank("x") == pytest.approx(sum(TABLE_1[name] * score for name, score in web.scores("x").items()))


def test_of_judgments_below_zero_the_lowest_counts_and_of_mixed_ones_the_highest():
    cases = [((0.2, 0.6), 0.6), ((-0.2, -0.6), -0.6), ((-0.9, 0.1), 0.1), ((-0.9, 0.0), 0.0), ((), 0.0)]
    for judgments, expected in cases:
        highest, lowest = max(judgments, default=-math.inf), min(judgments, default=math.inf)
        assert parent(np.array([highest]), np.array([lowest])).tolist() == [expected]


def test_the_judgment_is_the_signed_distance_from_the_threshold():
    assert [signed_distance(r, 0.8) for r in (0, 0.4, 0.8, 0.9, 1)] == pytest.approx([-1, -0.5, 0, 0.5, 1])
    assert [signed_distance(r, 0) for r in (0, 0.5, 1)] == [0, 0.5, 1]
    assert [signed_distance(r, 1) for r in (0, 0.5, 1)] == [-1, -0.5, 1]
    assert signed_distance(math.nan, 0.5) == -1


@pytest.mark.parametrize("threshold", [0.5, 0.7])
def test_a_classifier_is_asked_for_its_margin(threshold):
    model = Classifier({"bees": (1.0, 2.0)}, -0.5, scale=3.0, threshold=threshold)
    border = math.log(threshold / (1 - threshold)) / 3
    for pages_margin in (-4.0, -0.1, 0.0, 2.5):
        assert margin(sigmoid(3 * pages_margin), threshold, 3) == pytest.approx(pages_margin - border, abs=1e-6)
    web = Told(Evolved(drift=0), "s", topic=model)
    web.fetch("s", "a", sigmoid(3 * 1.5))
    assert web.scores("a")["parent_1"] == pytest.approx(1.5 - border)
    assert margin(1.0, 0.5, 1) < math.inf
    assert margin(1.0, 0.0, 1) == 1


# -- redirects ------------------------------------------------------------------------------------------------


def test_a_redirect_hands_everything_over():
    web = example()
    before = web.scores("x")
    lesson = web.fetch("x", redirect="z")
    after = web.scores("z")
    assert web.id("z") in lesson.ids.tolist()
    assert after == pytest.approx({**before, "authority": 2 / (8 / 7)})
    web.fetch("c", "x", 0.75)  # a link to the old address is one to the new
    assert web.scores("z") == pytest.approx(
        {"hub": 3 / (9 / 4), "authority": 3 / (9 / 7), "comm_in": 2 / 3, "comm_out": 0 / 3 + 1 / 2 + 0 / 1,
         "parent_1": 0.5, "parent_2": 1, "parent_3": 1, "parent_4": 1, "parent_5": 1}
    )  # fmt: skip


def test_a_redirect_into_the_community_counts_for_the_pages_that_link_there():
    web = Told(Evolved(drift=0), "s")
    web.fetch("s", "abc", 0.0)
    web.fetch("a", "", 1.0)
    assert web.scores("c")["comm_out"] == pytest.approx(1 / 3)
    web.fetch("b", redirect="a")
    assert web.scores("c")["comm_out"] == pytest.approx(2 / 3)


def test_what_a_seed_redirects_to_belongs_to_the_community():
    web = Told(Evolved(drift=0), "s", "t")
    web.fetch("s", "abc", 0.0)
    web.fetch("a", "b", 0.0)
    assert web.scores("b")["comm_out"] == 0
    assert web.scores("b")["comm_in"] == 1 / 2
    web.fetch("t", redirect="a")
    assert web.scores("b")["comm_out"] == pytest.approx(1 / 3 + 0 / 1)
    assert web.scores("b")["comm_in"] == 1


def test_redirects_in_a_circle_lead_nowhere():
    web = Told(Evolved(drift=0), "s", *map(str, range(1, 10)))
    web.fetch("s", "123", 1.0)
    for name in range(9, 1, -1):
        web.fetch(str(name), redirect=str(name - 1))
    assert web.strategy.scores.parents[web.id("1")] == 3
    web.fetch("1", redirect="9")
    assert web.strategy.scores.lineage.parents(web.id("9")) == []


def test_a_thousand_addresses_of_one_page_are_followed():
    web = Told(Evolved(), "s", *(f"r{n}" for n in range(2000)))
    web.graph.intern([A + "z"], 1)
    for n in range(2000):
        id_, target = web.id(f"r{n}"), web.id(f"r{n - 1}" if n else "z")
        web.graph.record_redirect(id_, target)
        web.strategy.learn(Visit(n, id_, "", np.array([target]), score=math.inf, error="redirect"))
    lineage = web.strategy.scores.lineage
    assert lineage.leads_to(np.array([web.id("r1999")])).tolist() == [web.id("z")]
    assert lineage.parents(web.id("z")) == []


# -- brute force ----------------------------------------------------------------------------------------------


class BruteForce:
    """All scores from the log of visits, each by its definition and from the beginning."""

    def __init__(self, visits, seeds, known):
        self.known = known
        self.moved = {v.id: int(v.targets[0]) for v in visits if v.error == "redirect"}
        pages = [v for v in visits if not v.error]
        self.links = {v.id: [self.end(t) for t in sorted(set(v.targets.tolist()) - {v.id})] for v in pages}
        self.community = {self.end(s) for s in seeds} | {v.id for v in pages if v.relevant}
        self.judged = {v.id: 2 * v.relevance - 1 for v in pages}  # for a threshold of a half
        self.parents = defaultdict(list)
        for source, targets in self.links.items():
            for target in targets:
                self.parents[target].append(source)

    def end(self, id_):
        while id_ in self.moved:
            id_ = self.moved[id_]
        return id_

    def scores(self, u):
        parents, count = self.parents[u], sum(map(len, self.links.values()))
        hub = max((len(self.links[p]) for p in parents), default=0) / (count / len(self.links)) if count else 0
        authority = len(parents) / (count / self.known) if count else 0
        comm_in = sum(p in self.community for p in parents) / len(parents) if parents else 0
        shares = [sum(t in self.community for t in self.links[p]) / len(self.links[p]) for p in parents]
        generation, judgments = set(parents), []
        for _ in range(5):
            judgments.append(self.judgment([self.judged[p] for p in generation]))
            generation = {p for child in generation for p in self.parents[child]}
        return [hub, authority, comm_in, sum(shares), *judgments]

    def judgment(self, found):
        if all(j < 0 for j in found) or all(j >= 0 for j in found):
            return max(found, key=abs, default=0)
        return max(found)


def random_web(seed, size=24):
    """Pages with links at random, some of them twice or to themselves; redirects, and pages that are gone."""
    rng = random.Random(seed)
    kinds = rng.choices(["page", "moved", "gone"], [8, 2, 1], k=size)
    kinds[0] = "page"

    def answer(url):
        n = int(url.rpartition("/")[2])
        own = random.Random(f"{seed} {n}")
        if kinds[n] == "gone":
            return Reply(error="http_404", status=404)
        if kinds[n] == "moved":
            return Reply(redirect=f"{A}{own.randrange(size)}", status=301)
        links = [f"{A}{own.randrange(size)}" for _ in range(own.choice([0, 2, 4, 7]))]
        found = page(url, *links)
        return Reply(hg.Page(url, title=str(own.choice([0.0, 0.2, 0.5, 0.7, 1.0])), links=found.links))

    return FunctionWeb(answer), [f"{A}{n}" for n in (0, *rng.sample(range(1, size), 3))]


@pytest.mark.parametrize("seed", range(20))
def test_ranks_equal_brute_force_after_every_page(seed):
    web, seeds = random_web(seed)
    weights = random.Random(seed).choices(range(1, 9), k=9)
    given = {name: weight / sum(weights) for name, weight in zip(score_names(5), weights, strict=True)}
    crawl = hg.Crawl(seeds, ByTitle(), Evolved(drift=0, given=given), web=web, pages=24)

    async def compare():
        visits = []
        async for visit in crawl:
            visits.append(visit)
            seed_ids = [crawl.graph.table.find(s) for s in crawl.settings.seed]
            truth = BruteForce(visits, seed_ids, len(crawl.graph))
            for id_ in crawl.graph.queued().tolist():
                expected = sum(w * s for w, s in zip(given.values(), truth.scores(id_), strict=True))
                assert crawl.strategy.score(np.array([id_]))[0] == pytest.approx(expected, rel=1e-5, abs=1e-6)
        return visits

    visits = run_async(compare())
    assert len(visits) > 4


def test_the_random_webs_have_all_there_is():
    outcomes = defaultdict(int)
    for seed in range(20):
        web, seeds = random_web(seed)
        crawl = hg.Crawl(seeds, ByTitle(), Evolved(), web=web, pages=24)
        summary = crawl.run()
        outcomes["redirects"] += summary.redirects
        outcomes["gone"] += summary.failed.get("http_404", 0)
        outcomes["relevant"] += summary.relevant
        outcomes["done"] += summary.done
    assert outcomes["redirects"] > 20
    assert outcomes["gone"] > 10
    assert outcomes["done"] - outcomes["relevant"] > 50


# -- the board ------------------------------------------------------------------------------------------------


def visits_of(strategy, web=None, pages=150, **settings):
    seeds = settings.pop("seeds", ["http://h0.test/1", "http://h1.test/0"])
    crawl = hg.Crawl(seeds, "keyword:all(bees, hive)", strategy, web=web or topical_web(), pages=pages, **settings)

    async def run():
        return [(visit.url, visit.score) async for visit in crawl]

    return run_async(run()), crawl


def small_board(monkeypatch, best=3):
    monkeypatch.setattr(rank_board, "BEST", best)
    monkeypatch.setattr(rank_board, "SHARE", 1e-9)
    monkeypatch.setattr(rank_board, "SPREAD", 2)


@pytest.mark.parametrize("seed", range(6))
def test_ranks_made_known_late_change_no_choice(monkeypatch, seed):
    rng = random.Random(seed)
    pages = [
        page(
            f"{A}{n}", *(f"{A}{rng.randrange(300)}" for _ in range(8)), text="bees hive " * rng.randrange(3) + "rails"
        )
        for n in range(300)
    ]
    eager, _ = visits_of(Evolved(), web_of(*pages), 250, seeds=[A + "0"])
    small_board(monkeypatch)
    late, crawl = visits_of(Evolved(), web_of(*pages), 250, seeds=[A + "0"])
    assert late == eager
    assert crawl.strategy.board.floor > -math.inf
    ids = crawl.graph.queued()
    assert (crawl.strategy.score(ids) != crawl.strategy._ranks(ids)).any(), "some ranks are out of date"


HUBS = {"hub": 0.5, "authority": 0.2, "comm_out": 0.1, "parent_1": 0.2}


@pytest.mark.parametrize(
    "given", [{}, HUBS, {"hub": 0.3, "comm_in": 0.4, "host": 0.3}], ids=["table 1", "hubs", "hosts"]
)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_reaches_the_floor_is_known_after_every_visit(monkeypatch, seed, given):
    small_board(monkeypatch, best=20)
    rng = random.Random(seed)
    sizes = [rng.choice((1, 3, 20)) for _ in range(600)]  # averages fall as well as rise
    pages = [
        page(f"http://h{n % 7}.test/{n}", *(f"http://h{k % 7}.test/{k}" for k in rng.sample(range(900), size)),
             text="bees hive " * rng.randrange(3) + "rails")
        for n, size in enumerate(sizes)
    ]  # fmt: skip
    strategy = Evolved(given=given)
    crawl = hg.Crawl(["http://h0.test/0"], "keyword:all(bees, hive)", strategy, web=web_of(*pages), pages=500)
    lifted, floors = [], []
    lift = rank_board.RankBoard.lift
    monkeypatch.setattr(rank_board.RankBoard, "lift", lambda *args: lifted.append(args[1] > 0) or lift(*args))

    async def run():
        async for _ in crawl:
            ids, board = crawl.graph.queued(), strategy.board
            ranks, known = strategy._ranks(ids), strategy.score(ids)
            floors.append(board.floor)
            reaching = np.maximum(ranks, known) >= board.floor
            assert (ranks[reaching] == known[reaching]).all()
            assert given.get("host") or (ranks <= board._ceilings[ids] + rank_board.ROUNDING).all()
            assert [strategy._rank_of_one(id_) for id_ in ids[:20].tolist()] == ranks[:20].tolist()

    run_async(run())
    assert any(lifted)
    assert any(map(math.isfinite, floors))


def test_the_rank_of_a_url_does_not_depend_on_what_it_is_ranked_with():
    _, crawl = visits_of("evolved", pages=90)
    ids = crawl.graph.queued()
    alone = [float(crawl.strategy._ranks(np.array([id_]))[0]) for id_ in ids.tolist()]
    assert crawl.strategy._ranks(ids).tolist() == alone


def test_what_cannot_be_had_does_not_hold_up_the_board(monkeypatch):
    small_board(monkeypatch)
    pages = [
        page(f"{A}{n}", *(f"{A}{(7 * n + k) % 400}" for k in range(10)), text="bees hive") for n in range(0, 400, 3)
    ]
    found, crawl = visits_of(Evolved(), web_of(*pages), 400, seeds=[A + "0"])
    assert len(found) > 50
    assert sum(crawl.summary().excluded.values()) > 50
    assert crawl.strategy.board._times > 1


# -- crawls ---------------------------------------------------------------------------------------------------


def lists_and_candidates(count=60, seed=5):
    """Two directories that mix good candidates with bad ones, and lists of ten of one kind; all seeds are irrelevant.

    Every candidate is linked from both directories and from one list, and all lists are alike in relevance and number
    of links. So only the company that a candidate keeps on its list tells which kind it is.
    """
    rng = random.Random(seed)
    candidates = [f"{A}{n}" for n in range(2 * count)]
    good = set(rng.sample(candidates, count))
    kinds = [[c for c in candidates if c in good], [c for c in candidates if c not in good]]
    for kind in kinds:
        rng.shuffle(kind)
    lists = [kind[i : i + 10] for kind in kinds for i in range(0, count, 10)]
    rng.shuffle(lists)
    seeds = [page(f"http://s{i}.test/", *links) for i, links in enumerate([candidates, candidates, *lists])]
    pages = [page(c, label="yes" if c in good else "no") for c in candidates]
    return web_of(*seeds, *pages), [s.url for s in seeds]


def test_only_the_community_tells_the_good_links_of_a_page_from_the_bad():
    found = defaultdict(int)
    for seed in range(3):
        web, seeds = lists_and_candidates(seed=seed)
        for name in ("evolved", "best-first", "breadth-first", "random"):
            found[name] += hg.Crawl(seeds, "label:yes", name, web=web, pages=len(seeds) + 60).run().relevant
    assert found["evolved"] > 0.75 * 180, found
    for other in ("best-first", "breadth-first", "random"):
        assert found[other] < 0.55 * 180, found


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_best_first_weights_order_like_best_first(threshold):
    # Without negative judgments the best parent counts; with one parent each, there is nothing to choose from.
    rng = random.Random(3)
    fresh = itertools.count(1)
    pages = []
    for n in range(80):
        links = [rng.randrange(80) for _ in range(4)] if threshold == 0 else list(itertools.islice(fresh, 3))
        found = page(f"{A}{n}", *(f"{A}{k}" for k in links))
        pages.append(hg.Page(found.url, title=str(rng.random()), links=found.links))
    orders = []
    for strategy in ("best-first", "evolved:best-first"):
        crawl = hg.Crawl([A + "0"], ByTitle(threshold), strategy, web=web_of(*pages), pages=70)
        crawl.run()
        orders.append(crawl.graph.visited().tolist())
    assert orders[0] == orders[1]
    assert len(orders[0]) == 70


def test_best_first_weights_differ_where_all_parents_are_below_the_threshold():
    web = Told(create("evolved:best-first,drift=0"), "s")
    web.fetch("s", "ab", 0.4)
    web.graph.intern([A + "t"], 1)
    web.fetch("t", "a", 0.1)
    assert web.rank("a") == pytest.approx(-0.8), "the lowest of -0.2 and -0.8"
    assert web.rank("b") == pytest.approx(-0.2)


# -- going on -------------------------------------------------------------------------------------------------

PAGES = 160


@pytest.fixture(params=[True, False], ids=["small board", "large board"])
def straight(request, monkeypatch):
    if request.param:
        small_board(monkeypatch)
    return visits_of("evolved", pages=PAGES)[0]


def test_a_crawl_stopped_halfway_goes_on_as_if_it_had_not(straight, tmp_path):
    first, _ = visits_of("evolved", pages=PAGES // 2, directory=tmp_path)
    second, _ = visits_of("evolved", pages=PAGES, directory=tmp_path)
    assert first + second == straight


def test_a_crawl_whose_saved_state_is_old_goes_on_all_the_same(straight, tmp_path, monkeypatch):
    first, _ = visits_of("evolved", pages=PAGES // 4, directory=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Keeping, "snapshot", lambda self: None)
        second, _ = visits_of("evolved", pages=PAGES // 2, directory=tmp_path)
    third, crawl = visits_of("evolved", pages=PAGES, directory=tmp_path)
    assert first + second + third == straight
    assert crawl.strategy.scores.pages == PAGES


def test_a_crawl_whose_saved_state_is_lost_goes_on_all_the_same(straight, tmp_path):
    first, _ = visits_of("evolved", pages=PAGES // 2, directory=tmp_path)
    with sqlite3.connect(tmp_path / "crawl.db") as database:
        assert database.execute("DELETE FROM knowledge").rowcount == 1
    database.close()
    second, _ = visits_of("evolved", pages=PAGES, directory=tmp_path)
    assert first + second == straight


@pytest.mark.parametrize("seed", range(6))
def test_redirects_survive_a_stop(seed, tmp_path):
    def crawl(pages, directory=None):
        web, seeds = random_web(seed)
        crawl = hg.Crawl(seeds, ByTitle(), "evolved", web=web, pages=pages, directory=directory)

        async def run():
            return [(visit.url, visit.score, visit.error) async for visit in crawl]

        return run_async(run())

    whole = crawl(24)
    assert crawl(len(whole) // 2, tmp_path) + crawl(24, tmp_path) == whole


def test_state_is_saved_and_loaded_whole(monkeypatch):
    small_board(monkeypatch)
    _, crawl = visits_of("evolved", pages=90)
    kept = state.load(state.dump(crawl.strategy.save()))
    fresh = create("evolved")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(kept)
    again = fresh.save()
    assert again.keys() == kept.keys()
    assert all(np.array_equal(again[name], kept[name]) for name in kept)
    ids = crawl.graph.queued()
    assert fresh.score(ids).tolist() == crawl.strategy.score(ids).tolist()


def test_a_crawl_keeps_the_weights_it_began_with(tmp_path):
    path, directory = tmp_path / "w.toml", tmp_path / "crawl"
    text = "[weights]\nhub = 0\nauthority = 0\ncomm_in = {}\ncomm_out = {}\nparent_1 = 0\n"
    path.write_text(text.format(0, 1))
    straight, _ = visits_of(f"evolved:{path}", pages=60)
    first, _ = visits_of(f"evolved:{path}", pages=30, directory=directory)
    path.write_text(text.format(1, 0))
    second, crawl = visits_of(f"evolved:{path}", pages=60, directory=directory)
    assert first + second == straight
    assert crawl.strategy.figures()["weights"] == "comm_out 1"


@pytest.mark.parametrize("suffix", [".toml", ".json", ""])
def test_a_crawl_goes_on_when_its_file_of_weights_is_gone(tmp_path, suffix):
    path, directory = tmp_path / f"w{suffix}", tmp_path / "bees, honey"
    straight_weights = {"hub": 0, "authority": 0, "comm_in": 0, "comm_out": 1, "parent_1": 0}
    lines = "".join(f"{name} = {weight}\n" for name, weight in straight_weights.items())
    path.write_text(json.dumps({"weights": straight_weights}) if suffix == ".json" else f"[weights]\n{lines}")
    straight, _ = visits_of(f"evolved:{path}", pages=60)
    first, _ = visits_of(f"evolved:{path}", pages=30, directory=directory)
    path.unlink()
    moved = directory.rename(tmp_path / "moved, too")
    with Store.open(moved) as store:  # nor does it depend on what was learned
        store.database.execute("DELETE FROM knowledge")
        store.commit()
    second, crawl = visits_of(f"evolved:{path}", pages=60, directory=moved)
    assert first + second == straight
    assert crawl.strategy.figures()["weights"] == "comm_out 1"
    with pytest.raises(BadInput, match="cannot be read"):
        visits_of(f"evolved:{path}", pages=1, directory=tmp_path / "another")


def test_a_word_for_weights_is_no_file_to_keep(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "best-first").write_text("[weights]\n")
    visits_of("evolved:best-first", pages=3, directory=tmp_path / "crawl")
    assert not list((tmp_path / "crawl").glob("strategy-*"))


# -- words ----------------------------------------------------------------------------------------------------


def test_a_rank_is_explained_by_its_scores():
    web = example()
    lines = web.strategy.explain(web.id("x"))
    assert (
        lines[0] == "hub 1.125 × 0.02583 = 0.02906: its parent with most links has 3, a fetched page 2.7 on average"
    )
    assert lines[1] == "authority 1.5 × 0.02585 = 0.03878: 2 links lead to it, 1.33 to a URL on average"
    assert lines[2] == "comm_in 0.5 × 0.1964 = 0.09819: 1 of 2 parents belong to the community"
    assert lines[3] == "comm_out 0.5 × 0.3127 = 0.1563: into the community lead 1 of 2 links of http://a.test/b"
    assert lines[4] == "parent_1 0.5 × 0.2506 = 0.1253: http://a.test/a is judged 0.500"
    assert lines[5] == "parent_2 1 × 0.09302 = 0.09302: http://a.test/s is judged 1.000"
    assert lines[9:] == [f"together {web.rank('x'):.4g}"]
    assert "parent_2 -0.5 × 0.09302 = -0.04651: http://a.test/b is judged -0.500" in web.strategy.explain(web.id("c"))
    assert len(web.strategy.explain(web.id("a"))) in (10, 11)


def test_what_nothing_is_known_of_is_explained():
    web = Told(Evolved(), "s")
    lines = web.strategy.explain(web.id("s"))
    assert lines[3].endswith("no parent links into the community")
    assert lines[4].endswith("no page of that generation is known")
    assert lines[-1] == "together 0"


def test_a_rank_that_is_out_of_date_says_so(monkeypatch):
    small_board(monkeypatch)
    _, crawl = visits_of("evolved", pages=90)
    ids = crawl.graph.queued()
    late = ids[crawl.strategy.score(ids) != crawl.strategy._ranks(ids)]
    assert crawl.strategy.explain(int(late[0]))[-1].startswith("the crawl goes by ")


def test_the_report_names_the_weights():
    _, crawl = visits_of("evolved", pages=30)
    figures = crawl.summary().learned
    assert figures["weights"].startswith("comm_out 0.313, parent_1 0.251, comm_in 0.196, parent_2 0.093")
    assert figures["community"].endswith(" pages, seeds included")


def test_nothing_is_learned_that_could_serve_another_crawl():
    strategy = create("evolved")
    assert strategy.knowledge() == {}
    with pytest.raises(BadInput, match="leave --learn-from out"):
        strategy.adopt({})


# -- anchor and host ------------------------------------------------------------------------------------------


def test_the_anchor_with_most_keywords_counts():
    assert anchor_share(["bees", "heat pump"], "All about bees") == 0.5
    assert anchor_share(["bees", "heat pump"], "a heat pump for bees") == 1
    assert anchor_share(["bees"], "") == anchor_share([], "bees") == 0
    anchors = {"1": "bees", "2": "nothing", "3": "the bees in their hive", "4": ""}
    links = tuple(hg.Link(A + name, anchor) for name, anchor in anchors.items())
    web = web_of(hg.Page(A, links=(*links, hg.Link(A + "4", "hive"))), *(hg.Page(A + name) for name in anchors))
    crawl = hg.Crawl([A], "keyword:all(bees, hive)", "evolved:anchor=1", web=web)
    crawl.run()
    fetched = [crawl.graph.url(i).removeprefix(A) for i in crawl.graph.visited().tolist()]
    assert fetched == ["", "3", "1", "4", "2"]
    assert any("2 of 2 keywords" in line for line in crawl.strategy.explain(crawl.graph.table.find(A + "3")))


def test_the_share_of_a_host_is_told_anew_when_it_has_drifted():
    web = Told(Evolved(given={"host": 1.0}, drift=0.05), "s", "t")  # a quarter, then
    web.fetch("s", "abc", 1.0)
    assert web.rank("a") == pytest.approx(1 / 2)  # 1 of 1, smoothed
    web.fetch("t", "d", 1.0)
    assert web.rank("a") == pytest.approx(1 / 2), "2 / 3 is not far enough from a half"
    web.fetch("a", "", 1.0)
    assert web.rank("b") == pytest.approx(1 / 2), "neither is 3 / 4"
    lesson = web.fetch("b", "", 1.0)
    assert web.rank("c") == pytest.approx(4 / 5)
    assert {web.id("c"), web.id("d")} <= set(lesson.ids.tolist())
    assert any("4 pages of a.test were relevant, 0 were not" in line for line in web.strategy.explain(web.id("c")))
