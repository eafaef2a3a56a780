"""Paths: layers, votes, what is cut, and that it goes on as it would have."""

import functools
import random
import sqlite3

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import Link, Page, Reply
from honeyguide.running import run_async
from honeyguide.store import state
from honeyguide.strategy import create
from honeyguide.strategy.path_classifier import Plane
from honeyguide.strategy.path_learner import PathLearner
from small_webs import FunctionWeb, page, topical_web, web_of

A = "http://a.test"
TOPIC = "keyword:all(bees, hive)"
SEEDS = ["http://h0.test/1", "http://h1.test/0"]


async def all_of(crawl):
    return [visit async for visit in crawl]


def crawled(seeds, topic, strategy, web, pages, **settings):
    crawl = hg.Crawl(seeds, topic, strategy, web=web, pages=pages, **settings)
    return crawl, run_async(all_of(crawl))


def layers_of(crawl, visits):
    return crawl.strategy.book.layers_of(np.arange(len(visits))).tolist()


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "strategy", "told"),
    [
        ("label:bees", "paths", r"needs keywords, and label:bees has none; try keyword:all\(bees, hive\)"),
        (TOPIC, "paths:classifier=knn", "choose one of nb, cart, svm"),
        (TOPIC, "paths:vote=2", "vote = 2.0 is out of bounds"),
        (TOPIC, "paths:offline=1,train_from=4,train_to=2", "train_from=4 comes after train_to=2"),
    ],
)
def test_what_cannot_be_done_is_said(topic, strategy, told):
    with pytest.raises(hg.BadInput, match=told):
        hg.Crawl(SEEDS, topic, strategy, web=topical_web())


# -- layers -------------------------------------------------------------------------------------------------------


def test_layers_have_at_most_their_breadth_and_only_links_of_earlier_ones():
    crawl, visits = crawled(SEEDS, TOPIC, "paths:breadth=7", topical_web(), 80)
    layer = dict(zip((v.id for v in visits), layers_of(crawl, visits), strict=True))
    sizes = np.bincount(list(layer.values()))
    assert sizes[0] == len(SEEDS)
    assert sizes[1:].max() == 7
    parents = {}
    for v in visits:
        for target in v.targets.tolist():
            parents.setdefault(target, []).append(layer[v.id])
    assert all(min(parents[id_]) < layer[id_] for id_ in layer if layer[id_])


@pytest.mark.parametrize(("pages", "breadth"), [(80, 10), (250, 10), (1000, 40), (1001, 41)])
def test_the_breadth_is_a_25th_of_the_budget(pages, breadth):
    crawl = hg.Crawl(SEEDS, TOPIC, "paths", web=topical_web(), pages=pages)
    assert crawl.strategy.width == breadth


def test_a_crawl_may_be_bound_to_some_layers():
    crawl, visits = crawled(SEEDS, TOPIC, "paths:breadth=5,layers=3", topical_web(), 80)
    assert crawl.stopped == "layers"
    assert layers_of(crawl, visits) == [0] * 2 + [1] * 5 + [2] * 5 + [3] * 5


def test_before_there_is_a_model_links_from_valuable_pages_and_near_keywords_come_first():
    pages = [
        page(f"{A}/bees", f"{A}/b1", f"{A}/b2", text=f"bees {'word ' * 40} b1 {'word ' * 9}", anchor="b1"),
        page(f"{A}/dull", f"{A}/b2", f"{A}/d", text="trains", anchor="trains"),
    ]
    crawl, _ = crawled([p.url for p in pages], "keyword:bees", "paths:cap=100", web_of(*pages), 2)
    scores = {name: float(crawl.strategy.score(ids_of(crawl, name))[0]) for name in ("b1", "b2", "d")}
    # Both links of the valuable page count 1 for it; b1 stands 41 words from the keyword, and b2, whose anchor is not
    # found again, between there and the end of 51 words: at 46. A draw adds less than a hundredth.
    assert scores["b1"] == pytest.approx(1 + 1 - 0.41, abs=0.01)
    assert scores["b2"] == pytest.approx(1 + 1 - 0.46, abs=0.01)
    assert 0 <= scores["d"] < 0.01


def ids_of(crawl, *names):
    return np.array([crawl.graph.table.find(f"{A}/{name}") for name in names])


# -- what only paths can see --------------------------------------------------------------------------------------


@functools.cache
def pages_with_near_links(hubs, links, near, noise, far_ones):
    """Every page with links has the keyword once and is as relevant as any other; only the links that stand near the
    keyword lead to more such pages, the others to pages of nothing. Where the keyword stands is drawn for each page.
    """
    rng, size = random.Random(1), 240
    pages, duds = [], 0
    for hub in range(hubs):
        words = [f"word{rng.randrange(500)}" for _ in range(size)]
        bees = rng.randrange(size)
        words[bees] = "bees"
        by_distance = sorted((i for i in range(size) if i != bees), key=lambda i: abs(i - bees))
        close, far = rng.sample(by_distance[:8], near), rng.sample(by_distance[100:], links - near)
        places = {}
        for i in (*close, *far):
            if (i in close) != far_ones and rng.random() >= noise:
                places[i] = f"{A}/{rng.randrange(hubs)}"
            else:
                places[i], duds = f"{A}/dud{duds}", duds + 1
        for number, i in enumerate(sorted(places)):
            words[i] = f"link{number}"
        found = tuple(Link(places[i], f"link{n}", position=n) for n, i in enumerate(sorted(places)))
        pages.append(Page(f"{A}/{hub}", text=" ".join(words), links=found))
    return *pages, *(page(f"{A}/dud{n}", text="trains run on rails") for n in range(duds))


def web_of_near_links(hubs=150, links=12, near=3, noise=0.0, far_ones=False):
    return web_of(*pages_with_near_links(hubs, links, near, noise, far_ones))


HUBS = [f"{A}/{i}" for i in range(3)]


def harvest(strategy):
    _, visits = crawled(HUBS, "keyword:bees", strategy, web_of_near_links(), 120)
    return sum(v.relevant for v in visits[20:]) / len(visits[20:])


def test_only_words_between_link_and_keyword_tell_where_to_go():
    others = {
        name: harvest(name) for name in ("breadth-first", "best-first", "random", "host-odds", "relevant-parents")
    }
    assert max(others.values()) < 0.5
    assert harvest("paths") > 0.9


@pytest.mark.parametrize("settings", ["classifier=nb", "classifier=cart", "classifier=svm", "features=medial"])
@pytest.mark.parametrize("far_ones", [False, True])
def test_it_is_learned_which_distance_is_good(settings, far_ones):
    # Nothing but examples tells that here, on the second web, links far from the keyword are the good ones.
    web = web_of_near_links(links=10, near=3 if not far_ones else 7, far_ones=far_ones)
    strategy = f"paths:offline=1,train_from=1,train_to=2,breadth=40,{settings}"
    crawl, visits = crawled([f"{A}/{i}" for i in range(8)], "keyword:bees", strategy, web, 160)
    layers, relevant = np.array(layers_of(crawl, visits)), np.array([v.relevant for v in visits])
    assert relevant[(layers > 0) & (layers < 3)].mean() < 0.5
    assert relevant[layers >= 3].mean() > 0.8


# -- votes and cutting --------------------------------------------------------------------------------------------


GOOD_WITHIN_50_WORDS = Plane(np.array([0, 0, 0, 0, -1.0]), np.array([50.0]))  # the last of the poor features


def voted(vote, *names, breadth=2):
    """Whether URLs are listed: x has a link near the keyword and one far from it, y a near and z a far one."""
    far = "word " * 80
    pages = [
        page(f"{A}/1", f"{A}/x", f"{A}/y", text=f"bees here here {far}", anchor="here"),
        page(f"{A}/2", f"{A}/x", f"{A}/z", text=f"bees {far} here here", anchor="here"),
    ]
    crawl, _ = crawled(
        [p.url for p in pages], "keyword:bees", f"paths:vote={vote},breadth={breadth}", web_of(*pages), 2
    )
    crawl.strategy.learner.model = GOOD_WITHIN_50_WORDS
    crawl.strategy.learner.forget_votes()
    crawl.strategy._list()
    return crawl, np.isfinite(crawl.strategy.score(ids_of(crawl, *names))).tolist()


@pytest.mark.parametrize(
    ("vote", "listed"), [(0.95, [False, True, False]), (0.5, [True, True, False]), (0, [True] * 3)]
)
def test_a_url_is_listed_when_enough_links_to_it_are_good(vote, listed):
    crawl, found = voted(vote, "x", "y", "z")
    assert found == listed
    votes, ids = crawl.strategy.learner.votes(), ids_of(crawl, "x", "y", "z")
    assert votes.share[ids].tolist() == [0.5, 1, 0]
    assert votes.links[ids].tolist() == [2, 1, 1]
    # Chances of 50 less the distance: x has links at 1 and 81 words, y at 2, z at 82.
    chances = [sum(1 / (1 + np.exp(d - 50)) for d in near) for near in ([1, 81], [2], [82])]
    assert votes.order[ids] == pytest.approx(chances, rel=1e-5)


def test_where_too_little_passes_the_best_that_is_cut_makes_up_for_it():
    # A layer of 6 has 3 pages at least: y passes, and x and z, which do not, make up for it.
    assert voted(0.95, "x", "y", "z", breadth=6)[1] == [True, True, True]
    assert voted(0.95, "x", "y", "z", breadth=4)[1] == [True, True, False]


@pytest.mark.parametrize(
    "strategy", ["paths:fill=0,breadth=40", "paths:offline=1,train_from=1,train_to=2,breadth=40"]
)
def test_what_is_cut_may_stay_cut(strategy):
    crawl, _ = crawled(HUBS, "keyword:bees", strategy, web_of_near_links(), 1000)
    assert crawl.strategy.filled == 0
    assert crawl.strategy.cut > 0
    assert crawl.stopped == "nothing_left"
    crawl, _ = crawled(HUBS, "keyword:bees", "paths:fill=1,breadth=40", web_of_near_links(), 1000)
    assert crawl.strategy.filled > 0


def test_offline_the_model_is_tried_on_later_layers():
    strategy = "paths:offline=1,train_from=1,train_to=3,breadth=60"
    crawl, visits = crawled(HUBS, "keyword:bees", strategy, web_of_near_links(noise=0.3), 600)
    learner, layers = crawl.strategy.learner, np.array(layers_of(crawl, visits))
    closed = learner.examples(range(4, crawl.strategy.book.layer))
    said = learner.margins(closed.links) > 0
    right, wrong, missed = learner.tested
    assert (right, wrong) == ((said & closed.good).sum(), (said & ~closed.good).sum())
    assert right > 20
    assert missed == (~said & closed.good).sum()
    assert set(layers[closed.visits]) == set(range(4, crawl.strategy.book.layer))
    told = crawl.summary().learned
    assert told["model"] == "was made from layers 1 to 3"
    assert told["F1"].endswith("on links of later layers that were fetched")


def test_offline_it_goes_on_to_gather_examples_until_there_are_enough():
    strategy = "paths:offline=1,train_from=1,train_to=1,breadth=10"
    crawl, _ = crawled(HUBS, "keyword:bees", strategy, web_of_near_links(), 30)
    assert crawl.strategy.learner.model is None
    assert crawl.summary().learned["model"] == "is to be made from layers 1 to 2"
    crawl, _ = crawled(HUBS, "keyword:bees", strategy, web_of_near_links(), 400)
    assert crawl.strategy.learner.model is not None
    last = int(crawl.summary().learned["model"].split()[-1])
    assert 1 < last < crawl.strategy.book.layer


def test_the_crawl_goes_on_until_all_is_fetched():
    crawl, visits = crawled([f"{A}/0"], "keyword:bees", "paths", web_of_near_links(hubs=40), 1000)
    reached, _ = crawled([f"{A}/0"], "keyword:bees", "breadth-first", web_of_near_links(hubs=40), 1000)
    assert crawl.stopped == "nothing_left"
    assert crawl.summary().queued == 0
    assert len(visits) == reached.fetched > 300


def without_most(web, share=20):
    """The same web, with only one of so many of the pages that lead nowhere."""
    return web_of(*(p for p in web.pages() if "dud" not in p.url or int(p.url.rpartition("dud")[2]) % share == 0))


def test_what_cannot_be_fetched_does_not_stop_it():
    web = without_most(web_of_near_links())
    crawl, _ = crawled([f"{A}/0"], "keyword:bees", "paths:breadth=10", web, 1000)
    reached, _ = crawled([f"{A}/0"], "keyword:bees", "breadth-first", web, 1000)
    assert crawl.fetched == reached.fetched > 100
    assert crawl.summary().excluded == reached.summary().excluded


def test_a_seed_that_cannot_be_fetched_does_not_keep_the_others_waiting():
    crawl, visits = crawled([f"{A}/gone", *HUBS], "keyword:bees", "paths", web_of_near_links(), 40)
    assert crawl.fetched == 40
    assert layers_of(crawl, visits)[:4] == [0, 0, 0, 1]


def test_a_redirect_is_followed_in_its_layer_and_keeps_what_led_to_it():
    def answer(url):
        match url.rpartition("/")[2]:
            case "seed":
                return Reply(page(url, f"{A}/old", f"{A}/other", text="bees old other", anchor="old"))
            case "old":
                return Reply(redirect=f"{A}/new", status=301)
            case "other":
                return Reply(page(url, f"{A}/old", f"{A}/last"))
        return Reply(page(url, text="bees"))

    crawl, visits = crawled([f"{A}/seed"], "keyword:bees", "paths", FunctionWeb(answer), 50)
    where = dict(zip((v.url.rpartition("/")[2] for v in visits), layers_of(crawl, visits), strict=True))
    assert where == {"seed": 0, "old": 1, "other": 1, "new": 1, "last": 2}
    examples = crawl.strategy.learner.examples()
    led_to = crawl.strategy.book.target[examples.links].tolist()
    expected = {"new": True, "other": False, "last": True}
    assert {
        crawl.graph.url(i).rpartition("/")[2]: g for i, g in zip(led_to, examples.good.tolist(), strict=True)
    } == expected


# -- learning -----------------------------------------------------------------------------------------------------


def test_the_model_is_made_anew_when_enough_is_new():
    fits = []

    class Counted(PathLearner):
        def learn(self):
            before = self.learned
            super().learn()
            fits.append((before, self.learned))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("honeyguide.strategy.paths.PathLearner", Counted)
        crawl, _ = crawled(HUBS, "keyword:bees", "paths:breadth=400", web_of_near_links(), 400)
    within = [now - before for before, now in fits if now - before >= max(50, 0.2 * before)]
    assert len(within) >= 4
    assert fits[-1][1] == crawl.strategy.learner.learned


def test_offline_it_learns_once_and_cuts_from_then_on():
    fits = []

    class Counted(PathLearner):
        def learn(self):
            super().learn()
            fits.append((self.book.layer, self.model))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("honeyguide.strategy.paths.PathLearner", Counted)
        strategy = "paths:offline=1,train_from=2,train_to=4,breadth=60"
        crawl, visits = crawled(HUBS, "keyword:bees", strategy, web_of_near_links(), 400)
    assert [layer for layer, _ in fits] == [5]
    assert crawl.strategy.learner.model is fits[0][1] is not None
    layers = np.array(layers_of(crawl, visits))
    relevant = np.array([v.relevant for v in visits])
    assert {v.score for v, layer in zip(visits, layers, strict=True) if 0 < layer < 5} == {0}
    assert relevant[layers >= 5].mean() > 1.5 * relevant[(layers > 0) & (layers < 5)].mean()
    examples = crawl.strategy.learner.examples()
    assert set(layers[examples.visits]) == {2, 3, 4}


def test_what_one_crawl_learned_serves_another(tmp_path):
    web = web_of_near_links(noise=0.4)
    crawled(HUBS, "keyword:bees", "paths", web, 150, directory=tmp_path / "first")
    seeds = [f"{A}/{i}" for i in range(100, 103)]
    _, alone = crawled(seeds, "keyword:bees", "paths:breadth=30", web, 40)
    crawl, helped = crawled(seeds, "keyword:bees", "paths:breadth=30", web, 40, learn_from=str(tmp_path / "first"))
    assert [v.url for v in helped] != [v.url for v in alone]
    assert alone[3].score != helped[3].score
    assert crawl.strategy.cut > 0
    with pytest.raises(hg.BadInput, match="that crawl learned with features=poor, this one has features=rich"):
        crawled(seeds, "keyword:bees", "paths:features=rich", web, 40, learn_from=str(tmp_path / "first"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, "has no examples"),
        ({"criterion": "harvest0"}, "criterion=harvest0"),
        ({"cap": 7}, "cap=7"),
        ({"examples": np.zeros((2, 2))}, "cannot be read"),
        ({"examples": np.full((6, 2), np.nan)}, "cannot be read"),
    ],
)
def test_what_is_no_use_is_refused(change, told):
    crawl, _ = crawled(SEEDS, TOPIC, "paths", topical_web(), 60)
    knowledge = crawl.strategy.knowledge()
    assert knowledge["examples"].shape[0] == 6
    fresh = hg.Crawl(SEEDS, TOPIC, "paths", web=topical_web()).strategy
    fresh.adopt(knowledge)
    with pytest.raises(hg.BadInput, match=told):
        fresh.adopt(knowledge | change if change else {})


# -- going on -----------------------------------------------------------------------------------------------------


def course(visits):
    return [(v.url, v.score) for v in visits]


RESUMED = ["paths:breadth=8", "paths:breadth=8,classifier=cart", "paths:breadth=8,criterion=harvest0,features=rich"]


@pytest.mark.parametrize("strategy", RESUMED)
@pytest.mark.parametrize("forgetful", [False, True])
def test_a_crawl_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path, strategy, forgetful):
    web = without_most(web_of_near_links(noise=0.4), 3)
    _, straight = crawled(HUBS, "keyword:bees", strategy, web, 160)
    _, first = crawled(HUBS, "keyword:bees", strategy, web, 83, directory=tmp_path)
    if forgetful:
        with sqlite3.connect(tmp_path / "crawl.db") as books:
            books.execute("DELETE FROM knowledge")
    _, second = crawled(HUBS, "keyword:bees", strategy, web, 160, directory=tmp_path)
    assert course(first + second) == course(straight)


def test_a_crawl_that_was_killed_goes_on_from_what_was_kept(tmp_path, monkeypatch):
    monkeypatch.setattr("honeyguide.crawl.keeping.SNAPSHOT_EVERY", 9)
    monkeypatch.setattr("honeyguide.crawl.keeping.COMMIT_EVERY", -1)
    web = without_most(web_of_near_links(noise=0.4), 3)
    _, straight = crawled(HUBS, "keyword:bees", "paths:breadth=8", web, 160)

    async def killed(after):
        visits = []
        crawl = hg.Crawl(HUBS, "keyword:bees", "paths:breadth=8", web=web, pages=160, directory=tmp_path)
        async for visit in crawl:
            visits.append(visit)
            if len(visits) == after:
                break
        return visits

    first = run_async(killed(95))
    with sqlite3.connect(tmp_path / "crawl.db") as books:
        kept = books.execute("SELECT visits FROM knowledge").fetchone()[0]
        stored = books.execute("SELECT count(*) FROM visits").fetchone()[0]
        assert books.execute("SELECT count(*) FROM events WHERE kind = 'idle'").fetchone()[0] > 0
    assert 0 < kept < stored
    _, second = crawled(HUBS, "keyword:bees", "paths:breadth=8", web, 160, directory=tmp_path)
    assert course(first[:stored] + second) == course(straight)


@pytest.mark.parametrize("classifier", ["nb", "cart", "svm"])
def test_all_that_is_learned_is_saved(classifier):
    crawl, _ = crawled(HUBS, "keyword:bees", f"paths:classifier={classifier}", web_of_near_links(noise=0.4), 130)
    assert crawl.strategy.learner.model
    kept = state.load(state.dump(crawl.strategy.save()))
    fresh = create(f"paths:classifier={classifier}")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(kept)
    everything = np.arange(len(crawl.graph))
    assert fresh.score(everything).tolist() == crawl.strategy.score(everything).tolist()
    for mine, theirs in zip(fresh.learner.votes(), crawl.strategy.learner.votes(), strict=True):
        assert mine.tolist() == theirs.tolist()
    again = fresh.save()
    assert all(np.array_equal(value, again[name]) for name, value in crawl.strategy.save().items())


# -- saying why ---------------------------------------------------------------------------------------------------


def test_a_score_is_explained_by_its_paths():
    crawl, _ = voted(0.95, "x")
    (x,) = ids_of(crawl, "x").tolist()
    assert crawl.strategy.explain(x) == [
        "held back from layer 1",
        "1 of 2 links to it good, 95% needed: cut; chances 1.000 in all",
        f"{A}/1: count 1 ← 0 ← 0, valuable 1, distance 1 → +49.00, good",
        f"{A}/2: count 1 ← 0 ← 0, valuable 1, distance 81 → -31.00, not good",
    ]
    crawl.strategy.value[x], crawl.strategy.was_cut[x] = 1.0, True
    assert crawl.strategy.explain(x)[0] == "listed for layer 1, though cut: too few others pass to fill it"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("", None),
        ("offline=1,train_from=2", None),
        ("train_from=2,train_to=4", "train_from and train_to, offline=0"),
        ("offline=1,fill=0.2", "fill, offline=1"),
    ],
)
def test_settings_that_make_no_difference_are_told(given, told):
    crawl, _ = crawled(HUBS, "keyword:bees", f"paths:{given}" if given else "paths", web_of_near_links(), 10)
    assert crawl.strategy.figures().get("not heeded") == told


def test_seeds_pages_and_new_links_are_explained():
    crawl, visits = crawled(HUBS, "keyword:bees", "paths", web_of_near_links(), 60)
    assert crawl.strategy.explain(visits[0].id) == ["fetched in layer 0", "no link from an earlier layer leads to it"]
    last = crawl.strategy.explain(visits[-1].id)
    assert last[0].startswith("fetched in layer ")
    assert " ← " in last[2]
    newest = [i for i in visits[-1].targets.tolist() if not crawl.strategy.book.links_to(i)]
    if newest:
        assert "a candidate for the next one" in crawl.strategy.explain(newest[0])[0]


def test_the_report_is_told_what_was_learned():
    crawl, _ = crawled(HUBS, "keyword:bees", "paths", web_of_near_links(noise=0.4), 130)
    told = crawl.summary().learned
    assert told["layers"].endswith("of 10 pages at most")
    features = {"count1", "count2", "count3", "valuable1", "distance1"}
    assert set(told) == {"layers", "cut", "fetched though cut", "examples", "F1", *features}
    assert 0.5 < float(told["F1"].partition(" ")[0]) < 1
    good, others = told["distance1"].replace(" on others", "").split(" on good links, ")
    assert float(good) < float(others)
