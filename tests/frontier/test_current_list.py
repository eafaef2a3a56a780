"""The current list, worked out by hand: who joins, how old they are, who is drawn; and the same list after a stop."""

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.frontier.current_list import CurrentList, Listed, spun
from honeyguide.running import run_async
from honeyguide.store.log import Event
from small_webs import topical_web

ONE_HOST = 0


class Small:
    """A list of four in front of URLs whose scores are their ids."""

    def __init__(self, ids, size=4, seed=1, host=lambda id_: ONE_HOST):
        self.events, self.host = [], host
        self.list = CurrentList(
            size, seed, lambda now: self.list.pop(now), host, lambda *event: self.events.append(event),
        )  # fmt: skip
        self.push(ids)

    def push(self, ids):
        ids = np.array(ids)
        self.list.push(ids, ids.astype(np.float32), np.array([*map(self.host, ids.tolist())], np.int64))

    def ages(self):
        return {url.id: url.age for url in self.list.listed}


def test_half_the_list_joins_when_half_is_left():
    small = Small(range(1, 11))
    drawn = [small.list.draw(0.0)]
    assert set(small.ages()) | {drawn[0][0]} == {10, 9, 8, 7}, "the best four joined, and one was drawn"
    assert set(small.ages().values()) == {1}
    drawn.append(small.list.draw(0.0))
    left = set(small.ages())
    assert len(left) == 2
    drawn.append(small.list.draw(0.0))  # two are left: 6 and 5 join, and those that were there are one older
    ages = small.ages() | {drawn[2][0]: 2 if drawn[2][0] in left else 1}
    assert ages == {**dict.fromkeys(left, 2), 6: 1, 5: 1}
    assert len(small.list) == 7
    assert all(id_ == score for id_, score in drawn)


def test_those_listed_keep_their_places_whatever_becomes_of_their_scores():
    small = Small([1, 2, 3, 4, 5])
    small.list.draw(0.0)
    listed = list(small.ages())
    small.list.push(np.array([listed[0], 1]), np.array([0.0, 99.0], np.float32), np.array([0, 0]))
    assert list(small.ages()) == listed
    assert small.list.pop(0.0) == (1, 99.0)


def test_nobody_grows_older_when_nobody_joins():
    small = Small([1, 2, 3])
    small.list.draw(0.0)
    small.list.draw(0.0)
    assert list(small.ages().values()) == [1]
    small.push([4])
    small.list.draw(0.0)
    assert sum(small.ages().values()) in (1, 2), "the one that was there is 2, the new one 1; one of them was drawn"


def test_when_all_that_is_listed_rests_the_best_of_the_others_comes_at_once():
    small = Small(range(1, 11), host=lambda id_: int(id_ >= 7))
    small.list.draw(0.0)
    small.list.rest(1, 10.0)
    assert [small.list.draw(0.0), small.list.draw(0.0)] == [(6, 6.0), (5, 5.0)]
    assert list(small.ages().values()) == [3, 3, 3], "two joined since, and were drawn"
    again = Small([])
    again.list.restore([Event(0, 0, *event) for event in small.events], [*small.ages(), 1, 2, 3, 4])
    assert again.list.listed == small.list.listed
    small.list.rest(0, 10.0)
    assert small.list.draw(5.0) is None
    assert small.list.draw(10.0)[0] >= 7


@pytest.mark.parametrize(("number", "place"), [(0.0, 0), (0.19, 0), (0.2, 1), (0.79, 1), (0.8, 2), (0.999999, 2)])
def test_the_wheel_gives_room_by_age(number, place):
    assert spun([1, 3, 1], number) == place


def test_an_older_url_is_drawn_more_often():
    draws = [spun([1, 1, 4], number) for number in np.random.default_rng(0).random(6000)]
    assert np.bincount(draws) / 6000 == pytest.approx([1 / 6, 1 / 6, 4 / 6], abs=0.03)


def test_what_is_dropped_leaves_the_list():
    small = Small([1, 2, 3, 4])
    small.list.draw(0.0)
    gone = next(iter(small.ages()))
    small.list.drop(np.array([gone]))
    assert gone not in small.ages()
    assert len(small.list) == 2
    assert [kind for kind, _, _ in small.events] == ["joined", "dropped"]


def test_urls_of_resting_hosts_are_not_drawn():
    small = Small([1, 2, 3, 4])
    small.list.draw(0.0)
    small.list.rest(ONE_HOST, 10.0)
    assert small.list.draw(5.0) is None
    assert small.list.draw(10.0) is not None


def test_a_list_is_made_again_from_the_log():
    one = Small(range(1, 30))
    for _ in range(9):
        one.list.draw(0.0)
    one.list.drop(np.array([one.list.listed[0].id]))
    one.list.draw(0.0)
    queued = sorted([*one.ages(), *range(1, 13)])
    two = Small([])
    two.list.restore([Event(0, 0, *event) for event in one.events], queued)
    assert two.list.listed == one.list.listed
    two.push([id_ for id_ in queued if id_ not in two.ages()])
    one.list.drop(np.array([id_ for id_ in range(13, 30) if id_ not in one.ages()]))
    assert [one.list.draw(0.0) for _ in range(8)] == [two.list.draw(0.0) for _ in range(8)]
    assert isinstance(one.list.listed[0], Listed)


def visits(directory=None, pages=90, stop_after=0, **settings):
    seeds = ["http://h0.test/1", "http://h1.test/0"]
    crawl = hg.Crawl(
        seeds, "keyword:all(bees, hive)", "evolved", web=topical_web(), directory=directory, pages=pages,
        current_list=20, **settings,
    )  # fmt: skip

    async def run():
        found = []
        async for visit in crawl:
            found.append((visit.url, visit.score))
            if len(found) == stop_after:
                crawl.stop("enough")
        return found

    return run_async(run())


def test_a_resumed_crawl_makes_the_same_choices(tmp_path):
    whole = visits()
    begun = visits(tmp_path / "a", pages=40)
    assert begun + visits(tmp_path / "a") == whole
    interrupted = visits(tmp_path / "b", stop_after=23)
    assert interrupted + visits(tmp_path / "b") == whole


def test_another_random_seed_draws_otherwise():
    assert visits(random_seed=1) != visits(random_seed=2)
    assert visits(random_seed=1) == visits(random_seed=1)
