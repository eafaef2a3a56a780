"""What a crawl asks beside the web: searches, reference pages, what others learned; and strategies that hold back."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.base import BadInput, Reply
from honeyguide.search import Hit, Search, SearchFailed
from honeyguide.strategy import Lesson, Strategy
from honeyguide.strategy.base import HELD_BACK
from small_webs import FunctionWeb, page, web_of

SEED = "http://a.test/"


class Engine(Search):
    """Finds what it is told to, and remembers what it was asked."""

    name = "engine"

    def __init__(self, *found, fails=False):
        self.answers, self.asked, self.fails = found, [], fails

    async def _find(self, query, limit):
        self.asked.append(query)
        if self.fails:
            raise SearchFailed("engine", "too many requests", "wait a while")
        return [Hit(url) for url in self.answers]


def island_web():
    """Two islands of pages about bees, with no link between them."""
    here = [page(f"http://a.test/{n or ''}", *(f"http://a.test/{k}" for k in range(1, 4))) for n in range(4)]
    there = [page(f"http://b.test/{n}", f"http://b.test/{n + 1}", label="bees", text="bees") for n in range(6)]
    return web_of(*here, *there)


class Searcher(Strategy):
    """Searches when it has seen two pages, and prefers what was found."""

    name = "test-searcher"

    def begin(self, graph, topic, seed):
        super().begin(graph, topic, seed)
        self.seen, self.better, self.prepared = 0, [], 0

    async def prepare(self, help):
        self.prepared += 1

    def learn(self, visit):
        self.seen += 1
        return Lesson(search=("bees",) if self.seen == 2 else ())

    def found(self, query, ids):
        self.better += ids.tolist()
        return Lesson()

    def score(self, ids):
        return np.isin(ids, self.better).astype(np.float32)

    def explain(self, id):
        return ["found"]

    def save(self):
        return {"seen": self.seen, "better": self.better}

    def load(self, state):
        self.seen, self.better = state["seen"], state["better"]


def crawl(strategy, engine, pages=6, **settings):
    return hg.Crawl([SEED], "label:bees", strategy, web=island_web(), search=engine, pages=pages, **settings)


def test_what_a_search_finds_is_known_to_the_strategy_and_fetched_next():
    made, engine = Searcher(), Engine("http://b.test/0", "http://b.test/3")
    job = crawl(made, engine)
    summary = job.run()
    assert engine.asked == ["bees"]
    assert [job.graph.url(i) for i in job.graph.visited()[2:4]] == ["http://b.test/0", "http://b.test/3"]
    assert (summary.relevant, summary.notes["searches"]) == (2, 1)
    assert job.graph.depth[job.graph.table.find("http://b.test/0")] == 1


def test_a_search_that_was_handed_in_is_not_closed():
    class Closing(Engine):
        closed = False

        def close(self):
            self.closed = True

    engine = Closing("http://b.test/0")
    crawl(Searcher(), engine).run()
    assert not engine.closed


def test_a_search_that_fails_is_told_and_survived():
    summary = crawl(Searcher(), Engine(fails=True)).run()
    assert (summary.fetched, summary.notes["failed_searches"]) == (4, 1)
    assert summary.remarks == ("searching for 'bees' failed: engine: too many requests; wait a while",)


def test_a_strategy_that_searches_without_a_search_says_so():
    web = FunctionWeb(lambda url: Reply(page(url, "http://a.test/1")))
    with pytest.raises(BadInput, match="nothing to search with: add --search"):
        hg.Crawl([SEED], "keyword:bees", Searcher(), web=web, pages=9).run()


@pytest.mark.parametrize("first", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("replayed", [False, True])
def test_searches_are_replayed_not_repeated(tmp_path, first, replayed):
    through, engine = crawl(Searcher(), Engine("http://b.test/0", "http://b.test/3")), None
    through.run()
    crawl(Searcher(), Engine("http://b.test/0", "http://b.test/3"), first, directory=tmp_path / "crawl").run()
    if replayed:
        with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as books:
            books.execute("DELETE FROM knowledge")
            books.commit()
    engine = Engine("http://b.test/0", "http://b.test/3")
    made = Searcher()
    resumed = crawl(made, engine, 6, directory=tmp_path / "crawl")
    resumed.run()
    assert [resumed.graph.url(i) for i in resumed.graph.visited()] == [
        through.graph.url(i) for i in through.graph.visited()
    ]
    assert engine.asked == (["bees"] if first < 2 else [])
    assert made.prepared == replayed  # only where there is no state to load


# -- seeds ----------------------------------------------------------------------------------------------------------


def test_seeds_come_from_a_search_once(tmp_path):
    engine = Engine("http://b.test/0", "http://b.test/4")
    settings = {"seed_query": ["bees"], "search": engine, "directory": tmp_path / "crawl", "web": island_web()}
    first = hg.Crawl([], "label:bees", "breadth-first", pages=1, **settings).run()
    assert (first.fetched, first.relevant, first.queued) == (1, 1, 2)
    settings["web"] = island_web()
    second = hg.Crawl([], "label:bees", "breadth-first", pages=9, **settings).run()
    assert (second.fetched, second.relevant) == (6, 6)
    assert engine.asked == ["bees"]
    with hg.Store.open(tmp_path / "crawl", write=False) as store:
        (event,) = store.events()
        assert (event.kind, event.query, event.visits, len(event.found)) == ("seeds", "bees", 0, 2)


def test_a_stored_web_is_its_own_search_engine():
    summary = hg.Crawl([], "label:bees", "breadth-first", web=island_web(), seed_query=["bees"], pages=9).run()
    assert summary.relevant == 6


def test_found_seeds_are_sites_to_stay_on():
    pages = [page("http://a.test/", text="bees"), page("http://b.test/", "http://a.test/", text="bees")]
    engine = Engine("http://b.test/")
    settings = {"web": web_of(*pages), "search": engine, "seed_query": ["bees"], "same_site": True}
    summary = hg.Crawl([], "keyword:bees", "breadth-first", **settings).run()
    assert (summary.fetched, summary.excluded) == (1, {"other_site": 1})


@pytest.mark.parametrize(
    ("engine", "match"),
    [
        (Engine(), "no search found a seed: they brought no page"),
        (Engine(fails=True), "no search found a seed: searching for 'bees' failed: engine: too many requests"),
    ],
)
def test_a_search_without_seeds_is_told(engine, match):
    with pytest.raises(BadInput, match=match):
        hg.Crawl([], "label:bees", "random", web=island_web(), search=engine, seed_query=["bees"]).run()


def test_a_live_crawl_searches_only_where_it_was_told_to(tmp_path):
    with pytest.raises(BadInput, match="--seed-query needs something to search with"):
        hg.Crawl([], "keyword:bees", "random", seed_query=["bees"], directory=tmp_path / "crawl").run()
    assert not (tmp_path / "crawl").exists()


# -- holding back, and making something of what is left -------------------------------------------------------------


class Cautious(Strategy):
    """Fetches only pages of even numbers until nothing else is left, and keeps none of them."""

    name = "test-cautious"

    def begin(self, graph, topic, seed):
        super().begin(graph, topic, seed)
        self.bold = False

    def learn(self, visit):
        return Lesson(not_kept=np.array([visit.id]) if visit.url.endswith(("0", "2")) else np.zeros(0, np.int32))

    def score(self, ids):
        even = np.array([self.graph.url(int(i))[-1] in "02468" for i in ids], bool)
        return np.where(even | self.bold, np.float32(1), HELD_BACK)

    def idle(self):
        if self.bold:
            return Lesson()
        self.bold = True
        return Lesson(everything=True)

    def save(self):
        return {"bold": self.bold}

    def load(self, state):
        self.bold = state["bold"]

    def explain(self, id):
        return ["even"]


def numbers(pages, **settings):
    ring = [page(f"http://a.test/{n}", *(f"http://a.test/{k}" for k in range(6))) for n in range(6)]
    job = hg.Crawl(["http://a.test/0"], "label:x", Cautious(), web=web_of(*ring), pages=pages, **settings)
    summary = job.run()
    return [job.graph.url(i)[-1] for i in job.graph.visited()], summary


def test_what_is_held_back_is_not_fetched_and_is_counted():
    visited, summary = numbers(3)
    assert (visited, summary.queued, summary.held_back) == (["0", "2", "4"], 3, 3)
    assert summary.balanced


def test_a_strategy_may_change_its_mind_when_nothing_is_left():
    visited, summary = numbers(9)
    assert (visited, summary.stopped, summary.held_back) == (["0", "2", "4", "1", "3", "5"], "nothing_left", 0)


@pytest.mark.parametrize("first", [2, 3, 4])
@pytest.mark.parametrize("replayed", [False, True])
def test_so_it_does_when_the_crawl_goes_on(tmp_path, first, replayed):
    numbers(first, directory=tmp_path / "crawl")
    if replayed:
        with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as books:
            books.execute("DELETE FROM knowledge")
            books.commit()
    visited, _ = numbers(9, directory=tmp_path / "crawl")
    assert visited == ["0", "2", "4", "1", "3", "5"]
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as books:
        kept = dict(books.execute("SELECT url, kept FROM visits JOIN urls USING (id)"))
    assert [url[-1] for url, is_kept in kept.items() if not is_kept] == ["0", "2"]


class Stubborn(Cautious):
    name = "test-stubborn"

    def idle(self):
        return Lesson(everything=True)


def test_a_strategy_that_stirs_in_vain_does_not_hang():
    ring = [page(f"http://a.test/{n}", "http://a.test/1") for n in range(2)]
    summary = hg.Crawl(["http://a.test/0"], "label:x", Stubborn(), web=web_of(*ring)).run()
    assert (summary.stopped, summary.held_back) == ("nothing_left", 1)


# -- learning from another crawl ------------------------------------------------------------------------------------


class Student(Strategy):
    """Learns how many pages there were."""

    name = "test-student"

    def begin(self, graph, topic, seed):
        super().begin(graph, topic, seed)
        self.pages = 0

    def learn(self, visit):
        self.pages += 1
        return Lesson()

    def score(self, ids):
        return np.zeros(len(ids), np.float32)

    def knowledge(self):
        return {"pages": self.pages}

    def adopt(self, knowledge):
        self.pages = knowledge["pages"]

    def save(self):
        return {"pages": self.pages}

    def load(self, state):
        self.pages = state["pages"]

    def explain(self, id):
        return ["none"]


class Professor(Student):
    version = 2


def learning(strategy, directory, topic="label:bees", learn_from="", pages=3):
    settings = {"web": island_web(), "directory": directory, "learn_from": str(learn_from), "pages": pages}
    return hg.Crawl([SEED], topic, strategy, **settings).run()


def test_knowledge_outlives_a_crawl_and_is_adopted_once(tmp_path):
    learning(Student(), tmp_path / "old")
    student = Student()
    assert learning(student, tmp_path / "new", learn_from=tmp_path / "old", pages=2).remarks == ()
    assert student.pages == 5
    again = Student()
    learning(again, tmp_path / "new", learn_from=tmp_path / "old", pages=3)
    assert again.pages == 6


def test_another_topic_is_said(tmp_path):
    learning(Student(), tmp_path / "old", topic="label:wasps")
    summary = learning(Student(), None, learn_from=tmp_path / "old")
    assert summary.remarks == (f"what {tmp_path / 'old'} learned was learned for another topic: label:wasps",)


@pytest.mark.parametrize(
    ("strategy", "match"),
    [
        (Professor(), "knowledge of test-student in version 1; this is version 2"),
        (Searcher(), "holds what test-student learned, no use to test-searcher; add --strategy test-student"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, strategy, match):
    learning(Student(), tmp_path / "old")
    with pytest.raises(BadInput, match=match):
        learning(strategy, tmp_path / "new", learn_from=tmp_path / "old")
    assert not (tmp_path / "new").exists()


def test_strategies_that_learn_nothing_say_so(tmp_path):
    learning("best-first", tmp_path / "old")
    with pytest.raises(BadInput, match="nothing for another crawl: best-first learns nothing of the kind; leave"):
        learning("best-first", None, learn_from=tmp_path / "old")
    with pytest.raises(BadInput, match="nothing for another crawl: best-first learns nothing of the kind; leave"):
        learning("intelligent", None, learn_from=tmp_path / "old")


def test_a_directory_without_knowledge_is_refused(tmp_path):
    with pytest.raises(BadInput, match="is not a crawl directory"):
        learning(Student(), None, learn_from=tmp_path)
