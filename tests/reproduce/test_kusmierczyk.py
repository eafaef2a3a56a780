"""The experiment of Kuśmierczyk, Sydow, made small, and the rules of its verdicts."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.evaluate.averages import Estimate
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY
from honeyguide.reproduce.kusmierczyk_findings import classifiers_verdict, criteria_verdict, features_verdict
from honeyguide.reproduce.kusmierczyk_harvest import (
    change_outward,
    correlation,
    cutting_verdict,
    layers_verdict,
    richness_verdict,
    steps_down,
)
from honeyguide.reproduce.layered import crawled, layer_sizes
from honeyguide.reproduce.link_trials import TESTED, TRAINED, Setup, cut, remaining, split
from watching import watched


@pytest.fixture(scope="module")
def made():
    return watched("kusmierczyk")


@pytest.fixture(scope="module")
def view():
    """A small crawl as the keywords of its seeds see it."""
    return crawled(web=1200, breadth=20, layers=25, seeds=20, about=0, random_seed=0)[0]


def test_every_claim_has_its_row(made):
    assert [finding.claim for finding in made.findings] == ["K1", "K2", "K3", "K4", "K5", "K6"]
    assert all(finding.why and finding.ours for finding in made.findings)


def test_the_tables_are_those_of_the_paper(made):
    features, criteria, keywords = made.tables
    assert [row[0] for row in features.rows] == ["poor", "medial", "rich"]
    assert [row[0] for row in criteria.rows] == ["simple", "harvest0", "harvest1", "harvest2"]
    assert features.rows[0][1:] == criteria.rows[0][1:]
    shares = [float(row[1].split()[0]) for row in keywords.rows]
    assert len(shares) > 2
    assert shares == sorted(shares, reverse=True)


def test_the_crawl_has_its_layers_and_none_is_wider_than_asked(view):
    sizes = layer_sizes(view)
    assert len(sizes) == 26
    assert sizes.max() <= 20
    assert sizes.min() > 0


def test_the_view_of_keywords_is_that_of_the_strategy_itself():
    views = crawled(web=600, breadth=10, layers=5, seeds=5, about=1, random_seed=0)
    is_page, valuable = views[1].book.verdicts()
    assert 0 < valuable.sum() < is_page.sum()
    assert views[0].book.target.tolist() == views[1].book.target.tolist()
    assert views[0].harvest() != views[1].harvest()


def test_links_are_parted_by_the_layers_they_lead_to(view):
    parts = split(view, "simple")
    assert set(view.book.layers_of(parts.trained.visits)) == set(TRAINED)
    assert set(view.book.layers_of(parts.tested.visits)) == set(TESTED)


def test_where_every_link_says_yes_all_is_left_and_where_none_does_nothing(view):
    tested = split(view, "simple").tested
    reached = np.unique(tested.visits)
    everything = np.ones(len(tested.links), bool)
    assert remaining(view, tested, everything)[reached].all()
    assert not remaining(view, tested, ~everything)[reached].any()


def test_what_only_cut_pages_link_to_is_cut_as_well(view):
    tested = split(view, "simple").tested
    first = view.book.layers_of(tested.visits) == TESTED.start
    left = remaining(view, tested, ~first)
    sources = view.book.source[tested.links]
    for visit in np.unique(tested.visits):
        into = sources[tested.visits == visit]
        if (view.book.layers_of(into) == TESTED.start).all():
            assert not left[visit]


def test_what_the_cut_leaves_adds_up(view):
    left = cut(view, Setup("nb", "poor", "simple"), {"simple": split(view, "simple")})
    assert left is not None
    assert 0 < left.pages < 1
    assert left.valuable * view.harvest(TESTED) == pytest.approx(left.harvest * left.pages)


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([[0.61, 0.52, 0.52], [0.41, 0.4, 0.39]], HELD),
        ([[0.61, 0.615, 0.52]], HELD),
        ([[0.61, 0.52, 0.52], [0.3, 0.4, 0.5]], PARTLY),
        ([[0.3, 0.4, 0.5]], NOT_HELD),
    ],
)
def test_fewer_features_must_do_as_well(rows, verdict):
    assert features_verdict(rows) == verdict


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ({"simple": 0.6, "harvest0": 0.6, "harvest1": 0.5}, HELD),
        ({"simple": 0.6, "harvest0": 0.4, "harvest1": 0.5}, PARTLY),
        ({"simple": 0.3, "harvest0": 0.4, "harvest1": 0.5}, NOT_HELD),
    ],
)
def test_simple_and_harvest0_must_lead(row, verdict):
    assert criteria_verdict([row] * 3) == verdict


@pytest.mark.parametrize(
    ("means", "verdict"),
    [
        ({"nb": 0.6, "svm": 0.5, "cart": 0.4}, HELD),
        ({"nb": 0.6, "svm": 0.4, "cart": 0.5}, PARTLY),
        ({"nb": 0.4, "svm": 0.5, "cart": 0.6}, NOT_HELD),
        ({}, NOT_HELD),
    ],
)
def test_bayes_must_be_best_and_the_tree_worst(means, verdict):
    assert classifiers_verdict(means) == verdict


def test_what_rises_together_is_correlated():
    found = correlation([0.1, 0.2, 0.3, 0.5, 0.6], [1, 4, 9, 25, 36])
    assert found.mean == pytest.approx(1)
    assert correlation([0.1, 0.2, 0.3], [3, 2, 1]).mean == pytest.approx(-1)
    assert correlation([0.1, 0.1], [1, 2]) == Estimate(0, 0, 0)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [(Estimate(0.8, 0.4, 1), HELD), (Estimate(0.8, -0.1, 1), PARTLY), (Estimate(-0.1, -0.5, 0.4), NOT_HELD)],
)
def test_the_correlation_must_be_strong(found, verdict):
    assert richness_verdict(found) == verdict


@pytest.mark.parametrize(
    ("factors", "tried", "verdict"),
    [([1.5, 4], 2, HELD), ([1.2, 4], 2, PARTLY), ([4], 2, PARTLY), ([1.2, 1.1], 2, NOT_HELD), ([], 1, NOT_HELD)],
)
def test_cutting_must_multiply_the_harvest_whatever_the_keywords(factors, tried, verdict):
    assert cutting_verdict(factors, tried) == verdict


@pytest.mark.parametrize(
    ("change", "down", "verdict"),
    [(-0.3, 0.5, HELD), (-0.8, 0.5, PARTLY), (-0.2, 0.9, PARTLY), (-1.5, 0.9, NOT_HELD)],
)
def test_the_harvest_must_neither_change_much_nor_fall_steadily(change, down, verdict):
    assert layers_verdict(change, down) == verdict


def test_a_harvest_that_halves_from_end_to_end():
    assert change_outward([0.4] * 8 + [0.3] * 4 + [0.2] * 8) == pytest.approx(-0.2 / 0.3)
    assert steps_down([0.4, 0.3, 0.3, 0.2, 0.4]) == pytest.approx(2 / 3)
