"""The crawl as a genetic algorithm: selection, crossover, mutation, and what they need to be resumed."""

import asyncio
import json
import math
import random
import sqlite3
from contextlib import closing

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput, Excluded, FetchError, Reply, Visit
from honeyguide.crawl import keeping
from honeyguide.graph import Graph
from honeyguide.search import Hit, IndexSearch, Search
from honeyguide.store import Store, state
from honeyguide.strategy import create
from honeyguide.strategy.crossover import best
from honeyguide.strategy.genetic_account import filtering_rate
from honeyguide.strategy.mutation import Queries, as_query, in_turn, mutated
from honeyguide.strategy.population import drawn
from small_webs import FunctionWeb, page, web_of

TOPIC = "keyword:any(lava, ash)"
SEEDS = [f"http://s.test/{name}" for name in "abc"]
X, Y, C, D, E = (f"http://t.test/{name}" for name in "xycde")


class Found(Search):
    """Finds the URLs it was made with, and remembers what it was asked."""

    name = "found"

    def __init__(self, *urls):
        self.urls = urls
        self.asked = []

    async def _find(self, query, limit):
        self.asked.append(query)
        return [Hit(url) for url in self.urls]


def small_web(*others):
    """Three seeds, of which the first is most like the lexicon and the third not at all."""
    return web_of(
        page(SEEDS[0], X, Y, C, text="lava and ash"),
        page(SEEDS[1], X, D, text="lava"),
        page(SEEDS[2], E, text="trains"),
        *(page(url, text="nothing") for url in (X, Y, C, D, E)),
        *others,
    )


@pytest.fixture
def lexicon(tmp_path):
    """A page with lava twice, ash once, and links to x, y and z."""
    links = [{"url": url, "anchor": ""} for url in (X, Y, "http://t.test/z")]
    path = tmp_path / "lexicon.jsonl"
    path.write_text(json.dumps({"url": "http://l.test/", "title": "", "text": "lava lava ash", "links": links}))
    return path


def visits_of(crawl):
    async def run():
        return [visit async for visit in crawl]

    return asyncio.run(run())


def by_url(visits):
    return {visit.url: visit for visit in visits}


def by_hand():
    """The fitness of the seeds: three pages, lava on two of them and ash on one."""
    lava, ash = math.log(3 / 2), math.log(3 / 1)
    lexicon, first, second = (2 * lava, 1 * ash), (1 * lava, 1 * ash), (1 * lava, 0)
    words = []
    for other in (first, second):
        shared = lexicon[0] * other[0] + lexicon[1] * other[1]
        squares = lexicon[0] ** 2 + lexicon[1] ** 2 + other[0] ** 2 + other[1] ** 2
        words.append(shared / (squares - shared))
    # Of x, y, z and x, y, c two links are shared, of x, y, z and x, d one.
    return 0.5 * 2 / 4 + 0.5 * words[0], 0.5 * 1 / 4 + 0.5 * words[1]


# -- selection ------------------------------------------------------------------------------------------------


def test_of_equally_fit_pages_about_63_percent_survive():
    members = list(range(5390))
    survivors = drawn(members, [0.2] * len(members), len(members), random.Random(1))
    assert len(survivors) / len(members) == pytest.approx(1 - 1 / math.e, abs=0.01)
    assert survivors == sorted(survivors)


def test_the_filtering_rate_is_told_as_in_the_paper():
    assert filtering_rate(3396, 5390) == "3,396 kept of 5,390 visited = 63 %"
    assert filtering_rate(0, 0) == "0 kept of 0 visited = 0 %"


def test_the_fitter_a_page_the_more_often_it_survives():
    wins = [drawn([1, 2, 3], [0.75, 0.25, 0.0], 1, random.Random(n))[0] for n in range(4000)]
    assert wins.count(1) / len(wins) == pytest.approx(0.75, abs=0.03)
    assert 3 not in wins


def test_where_no_page_is_fit_all_are_drawn_alike():
    wins = [drawn([1, 2], [0.0, 0.0], 1, random.Random(n))[0] for n in range(2000)]
    assert wins.count(1) / len(wins) == pytest.approx(0.5, abs=0.05)
    assert drawn([], [], 5, random.Random(0)) == []


# -- crossover ------------------------------------------------------------------------------------------------


def test_links_score_the_fitness_of_the_kept_pages_that_hold_them(lexicon):
    crawl = hg.Crawl(SEEDS, TOPIC, f"genetic:mutation=0,lexicon={lexicon}", web=small_web(), pages=50)
    visits = visits_of(crawl)
    first, second = by_hand()
    assert (first, second) == (pytest.approx(0.7016, abs=1e-4), pytest.approx(0.2217, abs=1e-4))
    assert [v.url for v in visits] == [*SEEDS, X, Y, C, D]
    assert [v.score for v in visits[3:]] == pytest.approx([first + second, first, first, second], rel=1e-5)
    assert crawl.summary().queued == 1  # the link of the page that was not kept


def test_pages_kept_in_earlier_generations_still_count(lexicon):
    web = web_of(page(SEEDS[0], X, Y, text="lava"), page(X, Y), page(Y))
    strategy = f"genetic:mutation=0,population=1,lexicon={lexicon}"
    visits = by_url(visits_of(hg.Crawl(SEEDS[:1], TOPIC, strategy, web=web, pages=50)))
    first, second = 0.5 * 2 / 3, 0.5 * 1 / 3  # links alone: lava stands on the one page there is, and tells nothing
    assert visits[X].score == pytest.approx(first)
    assert visits[Y].score == pytest.approx(first + second)


def test_the_best_come_first_and_among_equals_the_first():
    assert best(np.array([1, 3, 2, 3, 1], np.float32), 4).tolist() == [1, 3, 2, 0]
    assert best(np.array([1, 3], np.float32), 9).tolist() == [1, 0]
    assert best(np.array([1, 3], np.float32), 0).tolist() == []


# -- mutation -------------------------------------------------------------------------------------------------


def test_what_a_search_finds_joins_the_queue_with_the_mean_score(lexicon):
    engine = Found("http://m.test/1", X, "http://m.test/2", SEEDS[0])
    web = small_web(page("http://m.test/1"), page("http://m.test/2"))
    crawl = hg.Crawl(
        SEEDS, TOPIC, f"genetic:queries=1,lexicon={lexicon}", web=web, search=engine, pages=50, random_seed=3
    )
    visits = visits_of(crawl)
    first, second = by_hand()
    mean = (first + second + first + first + second) / 4
    assert {v.url for v in visits[3:9]} == {X, Y, C, D, "http://m.test/1", "http://m.test/2"}
    found = [v for v in visits if "m.test" in v.url]
    assert [v.score for v in found] == pytest.approx([mean, mean], rel=1e-5)
    assert crawl.strategy.figures()["mutation"].startswith(f"{len(engine.asked)} searches found 3 URLs")


@pytest.mark.parametrize(("crossover", "linked", "searched"), [(0.5, 2, 2), (0.8, 3, 1), (1, 4, 0), (0, 0, 4)])
def test_crossover_is_the_share_of_the_queue_from_links(lexicon, crossover, linked, searched):
    engine = Found(*(f"http://m.test/{n}" for n in range(9)))
    strategy = f"genetic:population=4,crossover={crossover},lexicon={lexicon}"
    crawl = hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), search=engine, pages=3)
    visits_of(crawl)
    queued = [crawl.graph.url(int(i)) for i in np.flatnonzero(crawl.strategy.queue.joined)]
    assert (sum("t.test" in url for url in queued), sum("m.test" in url for url in queued)) == (linked, searched)


@pytest.mark.parametrize("found", [0, 2])
def test_one_side_fills_up_for_the_other(lexicon, found):
    engine = Found(*(f"http://m.test/{n}" for n in range(found)))
    strategy = f"genetic:population=6,crossover=0.5,lexicon={lexicon}"
    crawl = hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), search=engine, pages=3)
    visits_of(crawl)
    assert np.count_nonzero(crawl.strategy.queue.joined) == 4 + found  # there are no more than four links


def test_without_mutation_nothing_is_searched_for(lexicon):
    engine = Found("http://m.test/1")
    hg.Crawl(SEEDS, TOPIC, f"genetic:mutation=0,lexicon={lexicon}", web=small_web(), search=engine, pages=50).run()
    assert engine.asked == []


def test_terms_of_a_query_are_exchanged_at_the_rate_of_mutation():
    pool = [f"w{n}" for n in range(100)]
    chance = random.Random(5)
    assert mutated(["w1", "w2", "w3"], pool, 3, 0.0, chance) == ["w1", "w2", "w3"]
    assert not set(mutated(["w1", "w2", "w3"], pool, 3, 1.0, chance)) & {"w1", "w2", "w3"}
    changed = sum(mutated(["w1"], pool, 1, 0.3, chance) != ["w1"] for _ in range(3000)) / 3000
    assert changed == pytest.approx(0.3, abs=0.03)
    drawn_anew = mutated([], pool, 3, 0.5, chance)
    assert len(set(drawn_anew)) == 3
    assert mutated([], ["w1"], 3, 0.5, chance) == mutated(["w1"], ["w1"], 3, 1.0, chance) == ["w1"]


def test_no_drawn_query_is_asked_twice():
    asking = Queries(number=2, words=2, rate=0.5, seed=0)
    rounds = [asking.following(["hot spot", "lava", "ash"]) for _ in range(9)]
    asked = [query for new in rounds for query in new]
    assert sorted(asked) == ['"hot spot" lava', 'ash "hot spot"', "ash lava"]
    assert asking.following([]) == ()
    assert as_query(["lava", "ash", "hot spot"]) == 'ash "hot spot" lava'


def test_every_query_holds_a_word_of_the_topic_where_it_has_any():
    asking = Queries(number=2, words=3, rate=0.9, seed=0, own=["lava", "ash"])
    asked = [query for _ in range(50) for query in asking.following([f"w{n}" for n in range(30)])]
    assert len(asked) == 100
    assert all({"lava", "ash"} & set(query.split()) for query in asked)
    assert {query.count("w") for query in asked} == {2}


def test_given_queries_are_asked_in_turn(tmp_path, lexicon):
    (tmp_path / "queries.txt").write_text("lava flow\n\n  ash cloud \nmagma\n")
    engine = Found()
    strategy = f"genetic:queries_file={tmp_path / 'queries.txt'},lexicon={lexicon}"
    hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), search=engine, pages=50).run()
    assert engine.asked[:5] == ["lava flow", "ash cloud", "magma", "lava flow", "ash cloud"]


def test_answers_are_merged_in_turn():
    assert in_turn([[1, 2, 3], [2, 4], []]) == [1, 2, 4, 3]
    assert in_turn([]) == []


# -- the idea -------------------------------------------------------------------------------------------------


def two_communities(size=12):
    """Pages about bees that link to each other and to trains, and as many that nothing links to from there."""
    pages = []
    for side in ("here", "there"):
        for n in range(size):
            near = [f"http://{side}.test/{(n + k) % size}" for k in (1, 2)]
            pages.append(
                page(f"http://{side}.test/{n}", *near, f"http://{side}-trains.test/{n}", text=f"bees hive honey {n}")
            )
            pages.append(page(f"http://{side}-trains.test/{n}", *near, text="trains on rails"))
    return web_of(*pages)


@pytest.mark.parametrize(
    ("strategy", "relevant"),
    [("breadth-first", 12), ("best-first", 12), ("random", 12), ("genetic:mutation=0", 12), ("genetic", 24)],
)
def test_only_mutation_leaves_a_closed_community(strategy, relevant):
    summary = hg.Crawl(["http://here.test/0"], "keyword:bees", strategy, web=two_communities(), pages=100).run()
    assert summary.relevant == relevant


# -- what can happen to a generation --------------------------------------------------------------------------


def test_a_redirect_hands_on_its_place_and_errors_have_theirs(lexicon):
    def answer(url):
        match url:
            case "http://s.test/a":
                return Reply(page(url, X, Y, C, D, text="lava ash"))
            case "http://t.test/x":
                return Reply(redirect="http://t.test/moved", status=301)
            case "http://t.test/y":
                return Reply(error="http_404", status=404)
            case "http://t.test/c":
                raise FetchError("timeout")
            case "http://t.test/d":
                raise Excluded("robots")
        return Reply(page(url, E, text="lava"))

    crawl = hg.Crawl(SEEDS[:1], TOPIC, f"genetic:mutation=0,lexicon={lexicon}", web=FunctionWeb(answer), pages=50)
    visits = visits_of(crawl)
    assert [v.url for v in visits] == [SEEDS[0], X, Y, C, "http://t.test/moved", E]
    assert visits[4].score == visits[1].score
    assert crawl.strategy.pages.generation[:6].tolist() == [0, 1, 1, 1, 1, 2]
    assert crawl.summary().stopped == "nothing_left"


def test_the_next_best_are_offered_where_the_queue_cannot_be_fetched():
    denied = [f"http://no.test/{n}" for n in range(700)]
    web = web_of(page(SEEDS[0], *denied, X, text="lava"), page(X, text="lava"))
    crawl = hg.Crawl(SEEDS[:1], TOPIC, "genetic:mutation=0,population=2", web=web, pages=50, deny=["no.test"])
    assert [v.url for v in visits_of(crawl)] == [SEEDS[0], X]


@pytest.mark.parametrize("mutation", [0, 0.5])
def test_without_a_page_of_the_seeds_there_is_still_the_search(mutation):
    web = small_web(page("http://m.test/1", text="lava"))
    crawl = hg.Crawl(
        SEEDS, TOPIC, f"genetic:mutation={mutation}", web=web, deny=["s.test"], search=Found("http://m.test/1")
    )
    assert [v.url for v in visits_of(crawl)] == (["http://m.test/1"] if mutation else [])
    assert crawl.summary().stopped == "nothing_left"


def test_a_generation_of_errors_ends_like_any_other():
    def answer(url):
        return Reply(page(url, X, Y)) if url == SEEDS[0] else Reply(error="http_500", status=500)

    crawl = hg.Crawl(SEEDS, TOPIC, "genetic:mutation=0", web=FunctionWeb(answer))
    assert [v.url for v in visits_of(crawl)] == [*SEEDS, X, Y]
    assert crawl.strategy.figures()["selection"] == "1 kept of 1 visited = 100 %"


def test_a_late_visit_belongs_to_the_generation_it_comes_in():
    graph, strategy = Graph(), create("genetic:mutation=0")
    strategy.begin(graph, hg.keyword("lava"), 0)
    take_in(graph, strategy, SEEDS[0], X, Y)
    assert strategy.score(graph.intern([X, Y, E], 1)).tolist() == [0.5, 0.5, -math.inf]  # its links are the lexicon's
    take_in(graph, strategy, E)  # of no queue
    take_in(graph, strategy, X, C)
    assert strategy.queue.generation == 1
    lesson = take_in(graph, strategy, Y, D)
    assert strategy.queue.generation == 2
    assert strategy.pages.generation[:4].tolist() == [0, 1, 1, 1]
    assert sorted(graph.url(int(i)) for i in lesson.ids) == [C, D]


def take_in(graph, strategy, url, *targets):
    id_ = int(graph.intern([url], 0 if url in SEEDS else 1)[0])
    ids = graph.intern(targets, 1) if targets else np.zeros(0, np.int32)
    graph.record(id_, ids, 0.0, False)
    visit = Visit(number=graph.visits - 1, id=id_, url=url, targets=ids, page=page(url, *targets, text="lava"))
    return strategy.learn(visit)


def test_answers_that_never_come_stop_nothing():
    graph, strategy = Graph(), create("genetic")
    strategy.begin(graph, hg.keyword("lava"), 0)
    lesson = take_in(graph, strategy, SEEDS[0], X, Y)
    assert lesson.search
    assert strategy.found("another question", graph.intern([E], 1)).ids.tolist() == []
    assert sorted(graph.url(int(i)) for i in strategy.idle().ids) == [X, Y]


def test_the_seeds_are_the_lexicon_where_there_is_no_other():
    crawl = hg.Crawl(SEEDS, "label:x", "genetic:mutation=0,keywords=2", web=small_web(), pages=50)
    visits_of(crawl)
    assert crawl.strategy.pages.terms == ["lava", "ash"]
    assert crawl.strategy.pages.lexicon.links == {X, Y, C, D, E}
    assert crawl.strategy.pages.by_links[0] == pytest.approx(3 / 5)
    assert crawl.strategy.pages.counts(0).tolist() == [1, 1]


def test_the_topics_words_belong_to_a_lexicon_that_lacks_them():
    """Where seeds are off the topic, and the lexicon with them, pages with its words are fit all the same."""
    bees, trains = "http://b.test/", "http://t.test/"
    pages = {
        SEEDS[0]: page(SEEDS[0], trains, bees, text="a portal"),
        trains: page(trains, *(f"http://t.test/{n}" for n in range(20)), text="trains"),
        bees: page(bees, *(f"http://b.test/{n}" for n in range(20)), text="bees"),
    }
    web = FunctionWeb(lambda url: Reply(pages.get(url) or page(url, text=url)))
    crawl = hg.Crawl(SEEDS[:1], "keyword:bees", "genetic:mutation=0,population=20", web=web, pages=23)
    assert {v.url for v in visits_of(crawl)[3:]} == {f"http://b.test/{n}" for n in range(20)}


def test_without_a_given_one_the_search_finds_the_lexicon():
    web = small_web(page("http://m.test/1", X, text="lava lava lava"))
    crawl = hg.Crawl(SEEDS, TOPIC, "genetic:mutation=0,results=1", web=web, search=Found("http://m.test/1"), pages=1)
    visits_of(crawl)
    assert crawl.strategy.pages.lexicon.counts["lava"] == 3
    assert crawl.strategy.pages.lexicon.links == {X}


# -- the end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "reason", "fetched"),
    [
        ("generations=1", "generations", 3),
        ("repository=2", "repository_full", 3),
        ("improvement=0.1", "converged", 7),
    ],
)
def test_a_crawl_stops_when_told(lexicon, limit, reason, fetched):
    strategy = f"genetic:mutation=0,{limit},lexicon={lexicon}"
    summary = hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), pages=50).run()
    assert (summary.stopped, summary.fetched) == (reason, fetched)


@pytest.mark.parametrize(("now", "over"), [(0.9, True), (1.05, True), (1.15, False)])
def test_it_converges_where_fitness_rises_by_less_than_told(now, over):
    strategy = create("genetic:improvement=0.1")
    strategy.means = [1.0, now]
    assert strategy._converged() == over


def test_pages_that_are_named_join_what_was_learned_elsewhere(lexicon, tmp_path):
    settings = {"web": small_web(), "pages": 3}
    hg.Crawl(SEEDS, TOPIC, f"genetic:mutation=0,lexicon={lexicon}", directory=tmp_path / "old", **settings).run()
    settings["learn_from"] = str(tmp_path / "old")
    alone = hg.Crawl(SEEDS, TOPIC, "genetic:mutation=0", **settings)
    both = hg.Crawl(SEEDS, TOPIC, f"genetic:mutation=0,lexicon={lexicon}", **settings)
    for crawl in (alone, both):
        crawl.run()
    assert both.strategy.pages.lexicon.pages == 2 * alone.strategy.pages.lexicon.pages > 0
    with pytest.raises(BadInput, match="nowhere"):
        hg.Crawl(SEEDS, TOPIC, "genetic:mutation=0,lexicon=nowhere.txt", **settings).run()


def test_a_search_that_brings_nothing_new_is_tried_three_times(tmp_path):
    (tmp_path / "queries.txt").write_text("lava")
    engine, strategy = Found(*SEEDS), f"genetic:queries_file={tmp_path / 'queries.txt'}"
    summary = hg.Crawl(SEEDS, "label:x", strategy, web=small_web(), search=engine).run()
    assert (summary.stopped, summary.fetched) == ("nothing_left", 8)
    assert len(engine.asked) == 1 + 3  # for the second generation, then for the third


# -- keeping --------------------------------------------------------------------------------------------------


def crooked_web():
    """Pages with words and links as chance has it; some moved, some gone, some forbidden."""
    rng = random.Random(3)
    urls = [f"http://h{n % 5}.test/{n}" for n in range(160)]
    words = ["bees", "hive", "honey", "queen", "trains", "rails", "time", "smoke", "clover", "wax"]
    pages = {
        url: page(url, *rng.sample(urls, 6), text=" ".join(rng.choices(words, k=12)) + f" page {n}")
        for n, url in enumerate(urls)
    }

    def answer(url):
        number = int(url.rpartition("/")[2])
        if number % 11 == 7:
            return Reply(redirect=urls[number // 2], status=301)
        if number % 13 == 5:
            return Reply(error="http_404", status=404)
        if number % 7 == 3:
            raise Excluded("robots")
        return Reply(pages[url])

    web = FunctionWeb(answer)
    web.source = "crooked"
    return web, IndexSearch(web_of(*pages.values()))


def crooked(pages, directory=None, topic="keyword:all(bees, hive)", **settings):
    web, search = crooked_web()
    seeds = ["http://h0.test/0", "http://h1.test/1", "http://h2.test/7"]
    strategy = "genetic:population=8"
    return hg.Crawl(seeds, topic, strategy, web=web, search=search, pages=pages, directory=directory, **settings)


def choices(directory):
    with Store.open(directory, write=False) as store:
        rows = store.database.execute("SELECT url, score, kept FROM visits JOIN urls USING (id) ORDER BY number")
        return rows.fetchall()


@pytest.mark.parametrize("topic", ["keyword:all(bees, hive)", "label:x"])
@pytest.mark.parametrize("stops", [(50, 100), (1, 2, 3, 9, 26, 60, 61, 100)])
def test_a_stopped_crawl_makes_the_same_choices(tmp_path, topic, stops):
    crooked(100, tmp_path / "whole", topic).run()
    for pages in stops:
        crooked(pages, tmp_path / "parts", topic).run()
    assert choices(tmp_path / "parts") == choices(tmp_path / "whole")


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("cut", [4, 47])
def test_a_crawl_cut_off_makes_the_same_choices(tmp_path, monkeypatch, kept, cut):
    monkeypatch.setattr(keeping, "SNAPSHOT_EVERY", 10)
    monkeypatch.setattr(keeping, "COMMIT_EVERY", -1.0)
    crooked(100, tmp_path / "whole").run()
    asyncio.run(cut_off(crooked(100, tmp_path / "parts"), cut))
    with closing(sqlite3.connect(tmp_path / "parts" / "crawl.db")) as books:
        (saved,) = books.execute("SELECT visits FROM knowledge").fetchone()
        if not kept:
            books.execute("DELETE FROM knowledge")
            books.commit()
    assert saved < cut
    crooked(100, tmp_path / "parts").run()
    assert choices(tmp_path / "parts") == choices(tmp_path / "whole")


async def cut_off(crawl, pages):
    visits = aiter(crawl)
    for _ in range(pages):
        await anext(visits)
    await visits.aclose()


def test_it_takes_over_a_crawl_of_another_strategy(tmp_path):
    for strategy, pages in (("breadth-first", 12), ("genetic", 48)):
        crawl = hg.Crawl(
            ["http://here.test/0"],
            "keyword:bees",
            strategy,
            web=two_communities(),
            pages=pages,
            directory=tmp_path / "c",
        )
        summary = crawl.run()
    assert summary.fetched == 48
    assert summary.relevant == 24


def test_what_was_learned_is_saved_and_loaded():
    crawl = crooked(57)
    crawl.run()
    kept = state.load(state.dump(crawl.strategy.save()))
    fresh = create("genetic:population=8")
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(kept)
    everything = np.arange(len(crawl.graph))
    assert fresh.score(everything).tolist() == crawl.strategy.score(everything).tolist()
    assert fresh.figures() == crawl.strategy.figures()
    assert state.dump(fresh.save()) == state.dump(crawl.strategy.save())
    assert fresh.idle().ids.tolist() == crawl.strategy.idle().ids.tolist()


def test_pages_that_did_not_survive_are_noted(tmp_path):
    crawl = crooked(100, tmp_path / "crawl")
    crawl.run()
    kept, visited = crawl.strategy.pages.survived()
    assert 0 < kept < visited
    rows = choices(tmp_path / "crawl")
    assert sum(not row[2] for row in rows) == visited - kept


def test_another_crawl_starts_from_what_was_learned(tmp_path, lexicon):
    strategy = f"genetic:mutation=0,lexicon={lexicon}"
    hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), pages=5, directory=tmp_path / "first").run()

    def order(**settings):
        engine = Found()
        crawl = hg.Crawl(SEEDS, "label:x", "genetic:mutation=0", web=small_web(), search=engine, pages=50, **settings)
        visits = [visit.url for visit in visits_of(crawl)]
        return visits, engine.asked, crawl.strategy.pages.terms

    alone, taught = order(), order(learn_from=str(tmp_path / "first"))
    assert taught[2] == ["lava", "ash"]
    assert taught[0][3:] == [X, Y, C, D]
    assert alone[0][3:] != taught[0][3:]


def test_lexicon_and_queries_are_what_serves_another_crawl():
    crawl = crooked(60)
    crawl.run()
    known = state.load(state.dump(crawl.strategy.knowledge()))
    assert known["keywords"] == ["bees", "hive"]
    assert len(known["queries"]) == 2
    assert "bees" in known["terms"]
    other = create("genetic")
    other.begin(Graph(), hg.keyword("wax"), 0)
    assert other.knowledge() == {}
    other.adopt(known)
    assert other.asking.now == known["queries"]
    assert other.pages.terms == ["wax"]
    assert other.pages.lexicon == crawl.strategy.pages.lexicon


# -- telling --------------------------------------------------------------------------------------------------


def test_pages_and_queued_urls_are_explained_with_their_numbers(lexicon):
    strategy = f"genetic:mutation=0,lexicon={lexicon}"
    crawl = hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), pages=3)
    visits_of(crawl)
    first, second = by_hand()

    def told(url):
        return "\n".join(crawl.strategy.explain(crawl.graph.table.find(url)))

    assert "generation 0; it was kept" in told(SEEDS[0])
    assert f"fitness {first:.4f} = ½ · 0.5000 by links + ½ · {2 * first - 0.5:.4f} by keywords" in told(SEEDS[0])
    assert "2 shared with the lexicon, of 4 in either" in told(SEEDS[0])
    assert "lava 1 and 2, ash 1 and 1" in told(SEEDS[0])
    assert "it was not kept" in told(SEEDS[2])
    assert "none on the page" in told(SEEDS[2])
    assert f"in the queue of generation 1, score {first + second:.4f}" in told(X)
    assert f"crossover score {first + second:.4f}: the fitness of the 2 kept pages that link here" in told(X)
    assert f"{SEEDS[0]} {first:.4f}\n{SEEDS[1]} {second:.4f}" in told(X)
    assert "held back: not in the queue of generation 1" in told(E)


def test_pages_of_an_unfinished_generation_and_failures_are_explained():
    web = FunctionWeb(lambda url: Reply(page(url, X)) if url == SEEDS[0] else Reply(error="http_404", status=404))
    crawl = hg.Crawl(SEEDS, TOPIC, "genetic:mutation=0", web=web, pages=2)
    visits_of(crawl)
    assert crawl.strategy.explain(0)[0] == "generation 0; its fitness is known when the generation ends"
    assert crawl.strategy.explain(1) == ["generation 0; no page came"]


def test_a_url_that_a_search_found_names_the_query(lexicon):
    strategy = f"genetic:queries=1,words=1,lexicon={lexicon}"
    engine = Found("http://m.test/1")
    crawl = hg.Crawl(SEEDS, TOPIC, strategy, web=small_web(), search=engine, pages=3)
    visits_of(crawl)
    lines = crawl.strategy.explain(crawl.graph.table.find("http://m.test/1"))
    assert f"found by the query {engine.asked[0]!r}" in lines


def test_figures_say_how_it_went():
    crawl = crooked(100)
    assert crawl.strategy.figures() == {}
    crawl.run()
    figures = crawl.strategy.figures()
    assert figures["generations"] == str(len(crawl.strategy.means))
    assert figures["selection"] == filtering_rate(*crawl.strategy.pages.survived())
    means = crawl.strategy.means
    assert figures["mean fitness"] == f"{means[0]:.3f} in the first generation, {means[-1]:.3f} in the last"


# -- bad input ------------------------------------------------------------------------------------------------


def test_mutation_without_a_search_is_refused():
    web = FunctionWeb(lambda url: Reply(page(url)))
    with pytest.raises(BadInput, match=r"genetic needs a search for its mutation: add --search .*mutation=0"):
        hg.Crawl(SEEDS, TOPIC, "genetic", web=web).run()
    assert hg.Crawl(SEEDS, TOPIC, "genetic:mutation=0", web=web).run().fetched == 3


@pytest.mark.parametrize(
    ("knobs", "said"),
    [
        ("queries_file=nowhere.txt", "the queries in 'nowhere.txt' cannot be read"),
        ("lexicon=nowhere", "nowhere is no file"),
        ("population=0", "population = 0 is out of bounds"),
        ("crossover=1.5", "crossover = 1.5 is out of bounds"),
        ("mutation=-1", "mutation = -1.0 is out of bounds"),
        ("words=many", "a whole number is needed"),
        ("rate=1", "has no setting 'rate'"),
    ],
)
def test_bad_settings_are_refused(knobs, said):
    with pytest.raises(BadInput, match=said):
        hg.Crawl(SEEDS, TOPIC, f"genetic:{knobs}", web=small_web()).run()


def test_a_file_without_queries_is_refused(tmp_path):
    (tmp_path / "empty.txt").write_text("\n \n")
    with pytest.raises(BadInput, match="holds no queries; write one a line"):
        hg.Crawl(SEEDS, TOPIC, f"genetic:queries_file={tmp_path / 'empty.txt'}", web=small_web()).run()


def test_queries_that_would_never_be_asked_are_refused(tmp_path):
    (tmp_path / "queries.txt").write_text("bees")
    knobs = f"genetic:queries_file={tmp_path / 'queries.txt'},mutation=0"
    with pytest.raises(BadInput, match="asks nothing without mutation: leave out mutation=0 or"):
        hg.Crawl(SEEDS, TOPIC, knobs, web=small_web()).run()


def test_a_lexicon_without_text_is_refused(tmp_path):
    (tmp_path / "empty.txt").write_text(" \n")
    with pytest.raises(BadInput, match="have no text to make a lexicon of; name others"):
        hg.Crawl(SEEDS, TOPIC, f"genetic:lexicon={tmp_path / 'empty.txt'},mutation=0", web=small_web()).run()


def test_parts_of_a_phrase_are_no_keywords_of_their_own():
    crawl = hg.Crawl(SEEDS, 'keyword:all(bees, "bee hive")', "genetic:mutation=0", web=small_web())
    assert crawl.strategy.asking.own == ["bees", "bee hive"]


LEXICON = {"links": [], "terms": [], "counts": [], "spread": [], "pages": 1}


@pytest.mark.parametrize(
    ("knowledge", "said"),
    [
        ({}, "no lexicon of a genetic crawl"),
        ({**LEXICON, "links": 3}, "no lexicon of a genetic crawl"),
        (LEXICON, "no queries of a genetic crawl"),
        ({**LEXICON, "queries": [3], "keywords": []}, "no queries of a genetic crawl"),
    ],
)
def test_other_knowledge_is_refused(knowledge, said):
    strategy = create("genetic")
    strategy.begin(Graph(), hg.keyword("lava"), 0)
    with pytest.raises(BadInput, match=said):
        strategy.adopt(knowledge)
