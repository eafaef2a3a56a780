"""What every strategy must do, run over all of them."""

import asyncio
import math

import numpy as np
import pytest
from msgspec.structs import replace

import honeyguide as hg
from honeyguide.base import FetchError, Reply
from honeyguide.graph import QUEUED
from honeyguide.parse.reading import THOROUGH
from honeyguide.store import state
from honeyguide.strategy import create, strategies
from small_webs import FunctionWeb, NoSearch, page, topical_web, web_of

SEEDS = ["http://h0.test/1", "http://h1.test/0"]
TOPIC = "keyword:all(bees, hive)"


every_strategy = pytest.mark.parametrize("name", [*sorted(strategies()), "honeyguide:searches=9"])


def visits(name, pages=80, web=None, **settings):
    async def run():
        crawl = hg.Crawl(SEEDS, TOPIC, name, web=web or topical_web(), pages=pages, **settings)
        return [visit async for visit in crawl], crawl

    return asyncio.run(run())


@every_strategy
def test_the_same_seed_gives_the_same_crawl(name):
    first, again = (visits(name, random_seed=7)[0] for _ in range(2))
    assert [v.url for v in first] == [v.url for v in again]
    assert [v.score for v in first] == [v.score for v in again]


@every_strategy
def test_the_best_queued_url_is_fetched_first(name):
    async def run():
        crawl = hg.Crawl(SEEDS, TOPIC, name, web=topical_web(), pages=80)
        async for _ in crawl:
            queued = crawl.graph.queued()
            queued = queued[crawl.graph.depth[queued] > 0]
            if len(queued) and crawl.fetched >= len(SEEDS):
                ranks = crawl.strategy.rank(queued)
                expected = queued[np.lexsort((queued, -ranks))[0]]
                popped = crawl.frontier.pop(0.0)
                assert popped is not None
                assert popped[0] == expected
                assert popped[1] == pytest.approx(float(ranks.max()), rel=1e-6)
                crawl.guide.rank(np.array([popped[0]]))

    asyncio.run(run())


@every_strategy
def test_scores_kept_up_to_date_equal_scores_made_anew(name):
    _, crawl = visits(name, pages=60)
    queued = crawl.graph.queued()
    queued = queued[crawl.strategy.rank(queued) > -np.inf]
    assert len(queued) > 5
    before = crawl.strategy.rank(queued)
    order = []
    while (popped := crawl.frontier.pop(0.0)) is not None:
        order.append(popped)
    assert sorted(i for i, _ in order) == queued.tolist()
    kept = np.array([score for _, score in sorted(order)])
    assert kept == pytest.approx(before, rel=1e-6)


@every_strategy
def test_what_was_learned_can_be_saved_and_loaded(name):
    _, crawl = visits(name, pages=60)
    ids = crawl.graph.queued()
    kept = state.load(state.dump(crawl.strategy.save()))
    fresh = create(name)
    fresh.begin(crawl.graph, crawl.topic, 0)
    fresh.load(kept)
    assert fresh.rank(ids).tolist() == crawl.strategy.rank(ids).tolist()


@every_strategy
def test_errors_redirects_and_empty_pages_are_survived(name):
    def answer(url):
        match url.rpartition("/")[2]:
            case "seed":
                return Reply(page(url, *(f"http://a.test/{n}" for n in ("dead", "moved", "empty", "down", "seed"))))
            case "dead":
                return Reply(error="http_404", status=404)
            case "moved":
                return Reply(redirect="http://b.test/here", status=301)
            case "down":
                raise FetchError("timeout")
        return Reply(page(url))

    web, seed = FunctionWeb(answer), "http://a.test/seed"
    summary = hg.Crawl([seed], TOPIC, name, web=web, search=NoSearch(), pages=50).run()
    assert summary.stopped == "nothing_left"
    assert summary.fetched == 6
    assert summary.failed == {"http_404": 1, "timeout": 1}
    assert (summary.done, summary.redirects, summary.queued) == (4, 1, 0)
    assert summary.balanced


@every_strategy
def test_a_score_is_explained_in_words(name):
    _, crawl = visits(name, pages=40)
    for id_ in (*crawl.graph.queued()[:5].tolist(), *crawl.graph.visited()[:5].tolist()):
        lines = crawl.strategy.explain(id_)
        assert lines
        assert all(isinstance(line, str) and line.strip() for line in lines)


@every_strategy
def test_all_scores_are_numbers(name):
    first, _ = visits(name)
    assert not any(math.isnan(v.score) for v in first)
    assert all(v.score == math.inf for v in first[: len(SEEDS)])


def test_a_users_own_strategy_enters_by_the_same_door():
    @hg.register
    class Alphabetical(hg.Strategy):
        name = "test-alphabetical"

        def score(self, ids):
            return np.array([-ord(self.graph.url(int(i))[-1]) for i in ids], np.float32)

        def explain(self, id):
            return ["by its last letter"]

    seed = page("http://a.test/", "http://a.test/c", "http://a.test/b", "http://a.test/a")
    web = web_of(seed, *(page(f"http://a.test/{c}") for c in "abc"))
    crawl = hg.Crawl(["http://a.test/"], "label:x", "test-alphabetical", web=web)
    crawl.run()
    fetched = [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]
    assert fetched == ["http://a.test/", "http://a.test/a", "http://a.test/b", "http://a.test/c"]


class Stubborn(hg.Strategy):
    """Found as test_strategy_contract:Stubborn; leaves URLs out, proposes one and stops."""

    name = "test-stubborn"

    def learn(self, visit):
        if visit.number == 0:
            return hg.Lesson(exclude=((int(visit.targets[0]), "stubborn"),), propose=("http://b.test/new",))
        return hg.Lesson(stop="enough")

    def score(self, ids):
        return np.where(self.graph.host[ids] == 1, 2, 1).astype(np.float32)


def test_a_strategy_may_exclude_propose_and_stop():
    web = web_of(page("http://a.test/", "http://a.test/1", "http://a.test/2"), page("http://b.test/new"))
    crawl = hg.Crawl(["http://a.test/"], "label:x", "test_strategy_contract:Stubborn", web=web)
    summary = crawl.run()
    fetched = [crawl.graph.url(i) for i in crawl.graph.visited().tolist()]
    assert fetched == ["http://a.test/", "http://b.test/new"]
    assert summary.stopped == "enough"
    assert summary.excluded == {"stubborn": 1}
    assert summary.balanced


class SecondThoughts(hg.Strategy):
    """Excludes, at its second visit, what the first one had queued."""

    name = "test-second-thoughts"

    def learn(self, visit):
        bad = self.graph.table.find("http://a.test/bad")
        return hg.Lesson(exclude=((bad, "second_thoughts"),) if visit.number == 1 else ())

    def score(self, ids):
        return -ids.astype(np.float32)


def test_a_url_excluded_while_it_is_queued_is_not_fetched():
    web = web_of(
        page("http://a.test/", "http://a.test/1", "http://a.test/bad"),
        *(page(f"http://a.test/{n}") for n in ("1", "bad")),
    )
    crawl = hg.Crawl(["http://a.test/"], "label:x", SecondThoughts(), web=web)
    summary = crawl.run()
    assert (summary.fetched, summary.excluded, len(crawl.frontier)) == (2, {"second_thoughts": 1}, 0)


def test_queued_urls_are_those_not_yet_fetched():
    _, crawl = visits("host-odds", pages=30)
    assert len(crawl.frontier) == np.count_nonzero(crawl.graph.state[: len(crawl.graph)] == QUEUED)


@every_strategy
def test_weights_of_evidence_are_numbers_by_name(name):
    _, crawl = visits(name)
    told = crawl.strategy.evidence_weights()
    assert all(isinstance(key, str) and math.isfinite(value) for key, value in told.items())
    assert bool(told) == (name.partition(":")[0] in ("honeyguide", "intelligent", "evolved"))


def with_surroundings(web):
    """The same web, its links in places and among words that differ."""
    return web_of(
        *(
            replace(
                page,
                links=tuple(
                    link._replace(context=("bees hive", "rails")[n % 2], path=("body/nav/a", "body/p/a")[n % 2])
                    for n, link in enumerate(page.links)
                ),
            )
            for page in web.pages()
        )
    )


@pytest.mark.parametrize("name", sorted(name for name, found in strategies().items() if not found.needs_surroundings))
def test_who_needs_no_surroundings_of_links_does_not_read_them(name):
    plain, surrounded = (visits(name, web=web)[0] for web in (topical_web(), with_surroundings(topical_web())))
    assert [(v.url, v.score) for v in plain] == [(v.url, v.score) for v in surrounded]


def test_surroundings_are_read_only_for_those_who_need_them():
    needed = {name for name in strategies() if visits(name, pages=1)[1].web.reading.surroundings}
    assert needed >= {"shark-search", "ache", "sb-classifier"}
    assert not needed & {"honeyguide", "breadth-first", "best-first", "intelligent"}


@pytest.mark.parametrize("name", sorted(name for name, found in strategies().items() if not found.needs_main_text))
def test_who_needs_no_main_text_does_not_read_it(name):
    misled = web_of(*(replace(page, main="rails " * 9) for page in topical_web().pages()))
    plain, other = (visits(name, web=web)[0] for web in (topical_web(), misled))
    assert [(v.url, v.score) for v in plain] == [(v.url, v.score) for v in other]


def test_main_text_is_read_only_for_those_who_need_it():
    needed = {name for name in strategies() if visits(name, pages=1)[1].web.reading.main_text}
    assert needed == {"tunnel", "genetic"}


@pytest.mark.parametrize(
    ("topic", "read"),
    [("keyword:bees", False), ("keyword:bees & ~url:x", False), ("keyword:bees & ~weights:bees=1", False),
     ("keyword:bees | links:to:x", True), (lambda page: "bees" in page.main, True)],
)  # fmt: skip
def test_main_text_is_read_for_topics_that_may_need_it(topic, read):
    crawl = hg.Crawl(SEEDS, topic, "best-first", web=topical_web())
    assert crawl.web.reading.main_text is read


def test_all_is_read_for_those_who_ask_for_it():
    assert hg.Crawl(SEEDS, TOPIC, "best-first", web=topical_web(), read_all=True).web.reading == THOROUGH
