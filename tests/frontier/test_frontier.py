"""The queue, against a plain dict that does the same slowly."""

import math

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from honeyguide.frontier import FEW, Frontier

HOSTS = 4


def push(frontier, scores, host=0):
    """Queue URLs of one host, given as a dict of scores by id."""
    ids = np.array(list(scores), np.int64)
    frontier.push(ids, np.array(list(scores.values()), np.float32), np.full(len(ids), host))


def weigh(frontier, host, weight):
    frontier.weigh(np.array([host]), np.array([weight]))


def drain(frontier, now=0.0):
    return [got[0] for got in iter(lambda: frontier.pop(now), None)]


def test_the_best_comes_first_and_among_equals_the_one_found_first():
    frontier = Frontier()
    push(frontier, {3: 0.5, 1: 0.5, 2: 0.9}, host=0)
    push(frontier, {0: 0.5, 4: 0.7}, host=1)
    assert drain(frontier) == [2, 4, 0, 1, 3]


@pytest.mark.parametrize("at_once", [1, 10])
def test_every_kind_of_number_has_its_place(at_once):
    frontier = Frontier()
    scores = [-0.0, 0.0, math.nan, -math.inf, -1.0, math.inf, 1e-45, -1e-45, 3.4e38, -3.4e38]
    assert 1 < FEW < len(scores)
    for first in range(0, len(scores), at_once):
        push(frontier, dict([*enumerate(scores)][first : first + at_once]))
    assert len(frontier) == len(scores)
    assert drain(frontier) == [5, 8, 6, 0, 1, 7, 4, 9, 2, 3]


def test_a_popped_url_comes_with_its_weighted_score():
    frontier = Frontier()
    push(frontier, {7: 0.25})
    weigh(frontier, 0, 3.0)
    assert frontier.pop(0) == (7, 0.75)
    assert frontier.pop(0) is None


def test_a_changed_score_counts_and_the_old_one_does_not():
    frontier = Frontier()
    push(frontier, {0: 0.9, 1: 0.5})
    push(frontier, {0: 0.1})
    assert len(frontier) == 2
    assert drain(frontier) == [1, 0]


def test_weights_turn_the_order_of_hosts():
    frontier = Frontier()
    push(frontier, {0: 0.9}, host=0)
    push(frontier, {1: 0.5}, host=1)
    weigh(frontier, 1, 2.0)
    assert frontier.pop(0) == (1, 1.0)


def test_a_resting_host_waits_for_its_time():
    frontier = Frontier()
    push(frontier, {0: 0.9}, host=0)
    push(frontier, {1: 0.1}, host=1)
    frontier.rest(0, 5.0)
    assert frontier.next_time() == 5.0
    assert drain(frontier, 4.9) == [1]
    assert len(frontier) == 1
    assert drain(frontier, 5.0) == [0]
    assert frontier.next_time() == math.inf


def test_the_last_word_on_a_rest_counts():
    frontier = Frontier()
    push(frontier, {0: 0.9})
    frontier.rest(0, math.inf)
    assert (frontier.next_time(), frontier.pop(1e9)) == (math.inf, None)
    frontier.rest(0, 3.0)
    frontier.rest(0, 7.0)
    assert (frontier.next_time(), frontier.pop(6.9)) == (7.0, None)
    assert frontier.pop(7.0)[0] == 0


def test_what_a_resting_host_would_have_given():
    frontier = Frontier()
    push(frontier, {0: 0.75, 1: 0.5}, host=0)
    push(frontier, {2: 0.25}, host=1)
    assert frontier.given_up(0.25) == 0.0  # nobody rests
    frontier.rest(0, 5.0)
    assert frontier.given_up(0.25) == 0.5
    assert frontier.given_up(1.0) == 0.0
    weigh(frontier, 0, 2.0)
    assert frontier.given_up(0.25) == 1.25
    push(frontier, {0: 0.125}, host=0)
    assert frontier.given_up(0.25) == 0.75
    frontier.drop(np.array([0, 1]))
    assert frontier.given_up(0.25) == 0.0


def test_a_host_that_has_rested_is_not_given_up():
    frontier = Frontier()
    push(frontier, {0: 0.75}, host=0)
    push(frontier, {1: 0.25}, host=1)
    frontier.rest(0, 5.0)
    frontier.rest(1, 3.0)
    assert frontier.pop(5.0) == (0, 0.75)
    assert frontier.given_up(0.0) == 0.0


def test_the_worst_are_those_beyond_the_best():
    frontier = Frontier()
    push(frontier, {0: 0.5, 1: 0.9, 2: 0.5, 3: math.nan, 9: 0.7})
    assert frontier.worst(5).tolist() == []
    assert frontier.worst(3).tolist() == [2, 3]
    frontier.drop(frontier.worst(2))
    assert len(frontier) == 2
    assert drain(frontier) == [1, 9]


def test_dropping_what_is_not_queued_changes_nothing():
    frontier = Frontier()
    push(frontier, {0: 0.5})
    frontier.drop(np.array([5, 100_000]))
    frontier.drop(np.array([], np.int64))
    assert len(frontier) == 1


def test_pushing_nothing_is_allowed():
    frontier = Frontier()
    push(frontier, {})
    assert len(frontier) == 0
    assert frontier.pop(0) is None


def change_many_scores(frontier, id, host, times=1200):
    """Enough old entries that the queue clears them away."""
    for n in range(times):
        push(frontier, {id: n / 1e6}, host)


def test_a_dropped_url_stays_dropped_when_old_entries_are_cleared_away():
    frontier = Frontier()
    push(frontier, {0: 0.9, 1: 0.5}, host=0)
    frontier.drop(np.array([0]))
    change_many_scores(frontier, 2, host=1)
    assert drain(frontier) == [1, 2]


def test_a_host_may_be_empty_when_old_entries_are_cleared_away():
    frontier = Frontier()
    push(frontier, {0: 0.9}, host=0)
    push(frontier, {1: 0.8}, host=2)
    frontier.rest(2, 1.0)
    frontier.drop(np.array([0, 1]))
    change_many_scores(frontier, 2, host=1)
    assert drain(frontier, 2.0) == [2]
    push(frontier, {0: 0.1}, host=0)
    push(frontier, {1: 0.2}, host=2)
    assert drain(frontier, 2.0) == [1, 0]


def test_many_urls_come_out_in_order():
    random = np.random.default_rng(1)
    ids = random.permutation(20_000)
    scores = random.integers(0, 500, len(ids)).astype(np.float32) / 8
    frontier = Frontier()
    frontier.push(ids, scores, ids % 97)
    assert drain(frontier) == ids[np.lexsort((ids, -scores))].tolist()


def test_more_urls_than_an_entry_can_number_are_refused():
    with pytest.raises(OverflowError):
        push(Frontier(), {2**28: 0.5})


class FrontierMachine(RuleBasedStateMachine):
    """An id's host is its remainder, so that it never moves."""

    def __init__(self):
        super().__init__()
        self.frontier = Frontier()
        self.scores, self.weights, self.resting, self.now = {}, {}, {}, 0.0

    def weighted(self, id):
        return self.worth(id) * self.weights.get(id % HOSTS, 1.0)

    def worth(self, id):
        return -math.inf if math.isnan(self.scores[id]) else self.scores[id]

    @rule(
        scores=st.dictionaries(
            st.integers(0, 30),
            st.floats(width=32) | st.sampled_from([0.0, -0.0, 0.25, 0.5, -1.0, math.inf, -math.inf, math.nan]),
            max_size=8,
        )
    )
    def push(self, scores):
        ids = np.array(list(scores), np.int64)
        self.frontier.push(ids, np.array(list(scores.values()), np.float32), ids % HOSTS)
        self.scores |= scores

    @rule(host=st.integers(0, HOSTS - 1), weight=st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.0]))
    def weigh(self, host, weight):
        weigh(self.frontier, host, weight)
        self.weights[host] = weight

    @rule(host=st.integers(0, HOSTS - 1), wait=st.sampled_from([0.0, 1.0, 2.0, 5.0, math.inf]))
    def rest(self, host, wait):
        self.frontier.rest(host, self.now + wait)
        self.resting[host] = self.now + wait

    @rule(wait=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    def pop(self, wait):
        self.now += wait
        self.resting = {host: until for host, until in self.resting.items() if until > self.now}
        ready = [id for id in self.scores if id % HOSTS not in self.resting]
        best = min(ready, key=lambda queued: (-self.weighted(queued), queued), default=None)
        expected = None if best is None else (best, self.weighted(best))
        assert self.frontier.pop(self.now) == expected
        self.scores.pop(best, None)

    @rule(ids=st.sets(st.integers(0, 40), max_size=5))
    def drop(self, ids):
        self.frontier.drop(np.array(sorted(ids), np.int64))
        for id in ids:
            self.scores.pop(id, None)

    @rule(keep=st.integers(0, 12))
    def truncate(self, keep):
        worst = self.frontier.worst(keep)
        order = sorted(self.scores, key=lambda queued: (-self.worth(queued), queued))
        assert worst.tolist() == sorted(order[keep:])
        self.drop(set(worst.tolist()))

    @rule(odd=st.integers(0, 1))
    def change_half_of_them_often(self, odd):
        """Enough old entries that the queue clears them away."""
        for n in range(80):
            self.push(dict.fromkeys(range(odd, 30, 2), n / 128))

    @invariant()
    def counts_what_is_queued(self):
        assert len(self.frontier) == len(self.scores)

    def best_resting(self):
        resting = [id for id in self.scores if id % HOSTS in self.resting]
        return max(map(self.weighted, resting), default=-math.inf)

    @invariant()
    def knows_what_resting_hosts_would_have_given(self):
        best = self.best_resting()
        assert self.frontier.given_up(0.25) == (max(0.0, best - 0.25) if math.isfinite(best) else 0.0)

    @invariant()
    def knows_the_next_time(self):
        assert self.frontier.next_time() == min(self.resting.values(), default=math.inf)


FrontierMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestFrontierAgainstAModel = FrontierMachine.TestCase
