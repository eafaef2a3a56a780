"""The 2003 experiment, small; its verdicts and figures by hand."""

import json

import numpy as np
import pytest

from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY, Reproduction
from honeyguide.reproduce.johnson import Johnson, Trial, verdict
from honeyguide.reproduce.johnson_trials import Crawled
from watching import watched_on_a_terminal

pytest.importorskip("numba")


def test_every_claim_has_its_row(tmp_path):
    watched_on_a_terminal("johnson", tmp_path)
    made = Reproduction.from_dict(json.loads((tmp_path / "johnson.json").read_text()))
    assert tuple(finding.claim for finding in made.findings) == Johnson.claims
    assert made.quick
    text = (tmp_path / "reproduction.md").read_text()
    assert "Made small, for a test: these figures say nothing." in text
    assert all(f"| {claim} |" in text for claim in Johnson.claims)


def test_verdicts():
    assert [verdict(parts) for parts in ([True, True], [True, False], [False])] == [HELD, PARTLY, NOT_HELD]


def crawled(*harvest):
    flat = (1.0,) * len(harvest)
    return Crawled(harvest, flat, flat, np.array([1, 2]), np.array([1]))


def test_the_lead_is_taken_random_seed_by_random_seed():
    winners = [[crawled(0.5, 0.4), crawled(0.7, 0.6)], [crawled(0.7, 0.4), crawled(0.9, 0.6)]]
    trial = Trial("bees", 0.1, [{}, {}], {5: winners}, {5: [crawled(0.5, 0.5), crawled(0.7, 0.7)]}, (10, 20))
    ((first, last),) = trial.leads()
    assert (first.mean, first.low, first.high) == pytest.approx((0.1, 0.1, 0.1))
    assert last.mean == pytest.approx(-0.1)
