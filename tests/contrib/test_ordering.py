"""Ordering: the best of what was asked for, nothing lost, and one lesson a URL."""

import asyncio
from dataclasses import dataclass

import numpy as np
import pytest

from honeyguide.base import BadInput, Excluded, FetchError, Link, Page, Reply
from honeyguide.contrib.ordering import Ordering
from honeyguide.graph import FAILED
from honeyguide.search import Hit, Search, SearchFailed
from honeyguide.strategy import Lesson, Strategy
from honeyguide.strategy.base import HELD_BACK

HOME = "https://bees.example/"


def ordering(strategy="best-first", directory=None):
    found = Ordering("keyword:bees", strategy, directory)
    asyncio.run(found.begin())
    return found


def page(url, text, *links):
    return Reply(page=Page(url, text=text, main=text, links=tuple(Link(link) for link in links)))


def learn(found, choice, answer):
    return asyncio.run(found.learn(choice, answer))


def take_all(found):
    taken = []
    while choice := found.choose():
        taken.append(found.take(choice))
        found.put_back(choice)
    return taken


def test_only_what_was_asked_for_is_given_and_the_best_of_it_first():
    found = ordering()
    found.put(HOME, 0, "home", depth=0)
    found.put("https://ants.example/", 1, "ants", depth=0)
    for name, text in (("home", "bees"), ("ants", "ants")):
        choice = found.choose()
        assert found.take(choice) == name
        url = found.crawl.graph.url(choice.id)
        learn(found, choice, page(url, text, url + "asked", url + "never"))
    assert found.choose() is None
    found.put("https://ants.example/asked", 2, "worse")
    found.put(HOME + "asked", 3, "better")
    assert take_all(found) == ["better", "worse"]
    assert found.crawl.graph.reasons(3) == {"not_requested": 2}
    assert found.figures() == {"visits": 2, "relevant": 1, "harvest_rate": 0.5, "queued": 0}


def test_priority_goes_before_the_score_and_requests_for_one_url_wait_for_each_other():
    found = ordering()
    found.put(HOME + "a", 0, "low", priority=-1)
    found.put(HOME, 1, "seed", depth=0)
    found.put(HOME + "b", 2, "high", priority=3)
    found.put(HOME + "a", 3, "higher", priority=7)
    found.put(HOME + "a", 4, "middle")
    assert len(found) == 5
    assert take_all(found) == ["higher", "high", "seed", "middle", "low"]
    assert len(found) == 0


def test_a_url_is_learned_from_once():
    found = ordering()
    for number in range(3):
        found.put(HOME, number, number, depth=0)
    visits = []
    for text in ("bees", "changed", "again"):
        choice = found.choose()
        found.take(choice)
        visits.append(learn(found, choice, page(HOME, text)))
    assert [visit is None for visit in visits] == [False, True, True]
    assert found.crawl.graph.books() == {"queued": 0, "done": 1, "failed": 0, "excluded": 0}
    assert found.choose() is None


def test_what_came_to_nothing_is_in_the_books():
    found = ordering()
    for number, name in enumerate("abc"):
        found.put(HOME + name, number, name, depth=0)
    answers = [FetchError("no_answer"), Excluded("not_sent"), Reply(redirect=HOME + "d", status=301)]
    for answer in answers:
        choice = found.choose()
        found.take(choice)
        learn(found, choice, answer)
    assert found.crawl.graph.books() == {"queued": 0, "done": 1, "failed": 1, "excluded": 2}
    assert found.put(HOME + "d", 3, "d") == 3
    assert found.crawl.graph.depth[3] == 0  # a seed that moved is a seed


def test_a_host_without_room_holds_no_other_up():
    found = ordering()
    found.put(HOME, 0, "full", depth=0)
    found.put("https://ants.example/", 1, "free", depth=0)
    first = found.choose()
    found.hold(first)
    second = found.choose()
    assert found.take(second) == "free"
    assert found.choose() is None
    assert len(found) == 1
    ((host, held),) = found.held()
    assert held == first
    found.release(host)
    assert found.take(found.choose()) == "full"


@dataclass
class Refusing(Strategy):
    """Holds everything back, and excludes what a page links to."""

    name = "refusing"

    def learn(self, visit):
        return Lesson(exclude=tuple((int(id_), "refused") for id_ in visit.targets), search=("bees",))

    def score(self, ids):
        return np.full(len(ids), HELD_BACK, np.float32)


def test_a_strategy_orders_requests_and_never_drops_one():
    found = ordering(Refusing())
    found.put(HOME, 0, "home", depth=0)
    found.put(HOME + "a", 1, "held")
    choice = found.choose()
    found.take(choice)
    assert found.choose() is None  # something is under way: it may change the strategy's mind
    learn(found, choice, page(HOME, "bees", HOME + "a"))
    assert found.unanswered == 1
    assert take_all(found) == ["held"]


def test_a_visited_url_whose_second_request_was_lost_is_what_it_was():
    found = ordering()
    answers = {"failed": FetchError("no_answer"), "done": page(HOME + "done", "bees")}
    for number, name in enumerate(answers):
        found.put(HOME + name, number, name, depth=0)
    for _ in answers:
        choice = found.choose()
        learn(found, choice, answers[found.take(choice)])
    for name in answers:
        found.crawl.guide.request(HOME + name, 0)  # asked for again, and not kept
    assert found.forget_others() == 2
    graph = found.crawl.graph
    assert graph.books() == {"queued": 0, "done": 1, "failed": 1, "excluded": 0}
    assert graph.reasons(FAILED) == {"no_answer": 1}
    assert graph.why(graph.table.find(HOME + "done")) == ""
    assert found.choose() is None


def test_it_goes_on_where_its_directory_stands(tmp_path):
    found = ordering(directory=tmp_path / "crawl")
    found.put(HOME, 0, "home", depth=0)
    choice = found.choose()
    found.take(choice)
    learn(found, choice, page(HOME, "bees", HOME + "kept", HOME + "lost", HOME + "never"))
    found.put(HOME + "kept", 1, "kept")
    found.put(HOME + "lost", 2, "lost")
    found.crawl.end()
    again = ordering(directory=tmp_path / "crawl")
    again.put(HOME + "kept", 1, "kept")
    assert again.forget_others() == 1
    assert again.crawl.graph.books() == {"queued": 1, "done": 1, "failed": 0, "excluded": 2}
    assert take_all(again) == ["kept"]
    again.crawl.end()
    other = Ordering("keyword:ants", "best-first", tmp_path / "crawl")
    with pytest.raises(BadInput, match="Choose another one, or ask for the same"):
        asyncio.run(other.begin())
    learner = ordering("host-odds", tmp_path / "crawl")  # another strategy learns anew from the log
    assert learner.figures()["relevant"] == 1
    learner.crawl.end()


class Island(Search):
    """Finds one page that no link leads to; or fails."""

    name = "island"

    def __init__(self, fails=False):
        self.asked, self._fails = [], fails

    async def _find(self, query, limit):
        self.asked.append(query)
        if self._fails:
            raise SearchFailed("island", "is gone", "come back later")
        return [Hit("https://island.example/"), Hit("https://island.example/")]


class Curious(Strategy):
    """Searches after every page."""

    name = "curious"

    def learn(self, visit):
        return Lesson(search=(f"bees {visit.number}",))

    def score(self, ids):
        return np.ones(len(ids), np.float32)


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_chosen_before_a_search_is_answered(fails):
    engine = Island(fails)
    found = Ordering("keyword:bees", Curious(), None, search=engine)
    asyncio.run(found.begin())
    found.put(HOME, 0, "home", depth=0)
    found.put(HOME + "a", 1, "next")
    choice = found.choose()
    found.take(choice)
    learn(found, choice, page(HOME, "bees", HOME + "a"))
    assert (found.asks, found.choose()) == (True, None)
    addresses = asyncio.run(found.search())
    assert addresses == ([] if fails else ["https://island.example/"])
    assert (engine.asked, found.asks, found.unanswered) == (["bees 0"], False, 0)
    assert bool(found.crawl.asking.remarks) is fails
    for number, url in enumerate(addresses, 2):
        found.put(url, number, "island")
    assert sorted(take_all(found)) == sorted(["next", "island"][: 1 + len(addresses)])
    assert found.figures()["searches"] == 1


def test_two_do_not_make_the_same_search():
    engine = Island()
    found = Ordering("keyword:bees", Curious(), None, search=engine)

    async def both():
        await found.begin()
        found.crawl.guide.questions.append("bees")
        return await asyncio.gather(found.search(), found.search())

    assert asyncio.run(both()) == [["https://island.example/"], []]
    assert engine.asked == ["bees"]
