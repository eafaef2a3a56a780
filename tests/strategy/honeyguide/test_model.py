"""The model: it starts at the prior, ends at what the examples say, and forgets the oldest."""

import numpy as np
import pytest
from scipy.optimize import minimize

from honeyguide.store import state
from honeyguide.strategy.honeyguide.model import LOOSE, Model

FIRST = [1.0, -0.5]


def taught(rows, hits, firmness=2.0, recent=1000):
    model = Model(FIRST, firmness, recent)
    for some in np.array_split(np.arange(len(rows)), 1 + len(rows) // 7):  # several at a time
        model.add(rows[some], np.asarray(hits)[some])
    return model


def drawn(count, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, 2))
    return rows, rng.random(count) < 1 / (1 + np.exp(1 - 3 * rows[:, 0] + rows[:, 1]))


def test_without_examples_it_stays_where_it_began():
    model = Model(FIRST, 2.0, 100)
    model.fit()
    assert model.weights.tolist() == [-2.0, *FIRST]
    assert model.rank(np.array([[2.0, 1.0]])).tolist() == [1.5]


def test_it_ends_where_prior_and_examples_together_are_likeliest():
    rows, hits = drawn(60)
    model = taught(rows, hits)
    for _ in range(10):
        model.fit()

    def cost(weights):
        odds = weights[0] + rows @ weights[1:]
        held = LOOSE * (weights[0] + 2) ** 2 + 2.0 * ((weights[1:] - FIRST) ** 2).sum()
        return np.logaddexp(0, odds).sum() - odds[hits].sum() + held / 2

    assert model.weights == pytest.approx(minimize(cost, np.zeros(3)).x, abs=1e-3)


def test_more_examples_leave_the_prior_further_behind():
    few, many = (taught(*drawn(count)) for count in (10, 800))
    for model in (few, many):
        for _ in range(10):
            model.fit()
    assert abs(many.weights[1] - 3) < abs(few.weights[1] - 3)


def test_only_recent_examples_count():
    rows, hits = drawn(2000, seed=1)
    model = taught(rows, hits, recent=100)
    latest = taught(rows[-100:], hits[-100:], recent=100)
    for _ in range(10):
        model.fit()
        latest.fit()
    assert model.weights == pytest.approx(latest.weights)
    assert len(model.save()["hits"]) == 100


def test_what_is_saved_goes_on_alike():
    rows, hits = drawn(300, seed=2)
    model, other = taught(rows, hits), Model(FIRST, 2.0, 1000)
    model.fit()
    other.load(state.load(state.dump(model.save())))
    for each in (model, other):
        each.add(np.array([[1.0, 1.0]]), np.array([True]))
        each.fit()
    assert other.weights.tolist() == model.weights.tolist()


def test_examples_that_all_say_the_same_do_not_break_it():
    model = taught(np.ones((500, 2)), [True] * 500, firmness=0.01)
    for _ in range(20):
        model.fit()
    assert np.isfinite(model.weights).all()
    assert model.chance(model.rank(np.ones((1, 2))))[0] > 0.9
