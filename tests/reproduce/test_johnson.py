"""The 2003 experiment, small; its verdicts and figures by hand."""

import json

import numpy as np
import pytest

from honeyguide.atlas import Atlas
from honeyguide.cli.reproducing import run_papers
from honeyguide.reproduce.cohesion import cohesiveness, histogram, links_of
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY, Reproduction, Scale
from honeyguide.reproduce.johnson import Johnson, Trial, verdict
from honeyguide.reproduce.johnson_trials import Crawled
from small_webs import page, stored

pytest.importorskip("numba")


def test_every_claim_has_its_row(tmp_path):
    run_papers("johnson", tmp_path, Scale(quick=True))
    made = Reproduction.from_dict(json.loads((tmp_path / "johnson.json").read_text()))
    assert tuple(finding.claim for finding in made.findings) == Johnson.claims
    assert made.quick
    text = (tmp_path / "reproduction.md").read_text()
    assert "Made small, for a test: these figures say nothing." in text
    assert all(f"| {claim} |" in text for claim in Johnson.claims)


def test_verdicts():
    assert [verdict(parts) for parts in ([True, True], [True, False], [False])] == [HELD, PARTLY, NOT_HELD]


def test_cohesiveness_by_hand(tmp_path):
    a, b, c, d = (f"http://{name}.test/" for name in "abcd")
    atlas = Atlas(stored(tmp_path, page(a, b, c), page(b, a), page(c, d, a, b), page(d)))
    assert links_of(atlas, np.array([0, 2])).tolist() == [1, 2, 3, 0, 1]
    assert cohesiveness(atlas, np.array([0, 1]), np.array([0, 1])) == 1  # a to b and b to a, of two pages
    assert cohesiveness(atlas, np.array([0, 1, 2]), np.array([0, 1])) == 4 / 3


def test_distances_are_counted():
    assert histogram(np.array([0, 1, 1, -1, 3]), np.array([0, 1, 2, 3, 4])).tolist() == [1, 2, 0, 1]


def crawled(*harvest):
    flat = (1.0,) * len(harvest)
    return Crawled(harvest, flat, flat, np.array([1, 2]), np.array([1]))


def test_the_lead_is_taken_random_seed_by_random_seed():
    winners = [[crawled(0.5, 0.4), crawled(0.7, 0.6)], [crawled(0.7, 0.4), crawled(0.9, 0.6)]]
    trial = Trial("bees", 0.1, [{}, {}], {5: winners}, {5: [crawled(0.5, 0.5), crawled(0.7, 0.7)]}, (10, 20))
    ((first, last),) = trial.leads()
    assert (first.mean, first.low, first.high) == pytest.approx((0.1, 0.1, 0.1))
    assert last.mean == pytest.approx(-0.1)
