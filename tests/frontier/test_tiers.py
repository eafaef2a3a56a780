"""Tiers: the higher one first, then the score; a URL stands in one of them."""

import math

import numpy as np

from honeyguide.frontier.tiers import Tiers


def push(frontier, scores, hosts=None):
    ids = np.array(list(scores))
    frontier.push(ids, np.array(list(scores.values()), np.float32), np.array(hosts or [0] * len(ids)))


def popped(frontier):
    found = []
    while (best := frontier.pop(0.0)) is not None:
        found.append(best[0])
    return found


def test_the_higher_tier_comes_first_and_the_better_score_within_it():
    frontier = Tiers()
    frontier.place(1, 5)
    frontier.place(2, 5)
    frontier.place(3, -1)
    push(frontier, {0: 9.0, 1: 1.0, 2: 2.0, 3: 99.0, 4: 3.0})
    assert len(frontier) == 5
    assert popped(frontier) == [2, 1, 0, 4, 3]
    assert len(frontier) == 0


def test_a_url_that_moves_stands_in_its_new_tier_only():
    frontier = Tiers()
    push(frontier, {0: 1.0, 1: 2.0})
    frontier.place(0, 3)
    push(frontier, {0: 1.0})
    assert len(frontier) == 2
    frontier.place(0, 0)
    push(frontier, {0: 1.0})
    assert popped(frontier) == [1, 0]


def test_hosts_rest_and_weigh_in_every_tier_also_in_those_made_later():
    frontier = Tiers()
    frontier.weigh(np.array([1]), np.array([10.0]))
    frontier.rest(2, math.inf)
    for id_ in (0, 1, 2):
        frontier.place(id_, 4)
    push(frontier, {0: 3.0, 1: 1.0, 2: 50.0}, [0, 1, 2])
    push(frontier, {3: 3.0, 4: 1.0, 5: 50.0}, [0, 1, 2])
    assert frontier.hosts == 3
    assert popped(frontier) == [1, 0, 4, 3]
    frontier.rest(2, 0.0)
    assert popped(frontier) == [2, 5]
    frontier.place(5, 4)
    push(frontier, {5: 1.0}, [2])
    frontier.drop(np.array([5]))
    assert popped(frontier) == []
