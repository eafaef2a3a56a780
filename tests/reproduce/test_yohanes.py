"""The experiment of Yohanes, Handoko, Wardana, made small, and the rules of its verdicts."""

from __future__ import annotations

import pytest

from honeyguide.evaluate.averages import Estimate
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY
from honeyguide.reproduce.yohanes_findings import (
    communities_verdict,
    filtering_verdict,
    precision_verdict,
    speed_verdict,
)
from watching import watched

ABOVE, ACROSS = Estimate(0.3, 0.2, 0.4), Estimate(0.0, -0.1, 0.1)


@pytest.fixture(scope="module")
def made():
    return watched("yohanes")


def test_every_claim_has_its_row(made):
    assert [finding.claim for finding in made.findings] == ["Y1", "Y2", "Y3", "Y4"]
    assert all(finding.why and finding.ours for finding in made.findings)


def test_each_category_has_its_precision_and_its_share_of_pages_kept(made):
    precision, leads = made.tables
    assert len(precision.rows) == len(leads.rows) == 5
    shares = [int(cell.split()[0]) for row in precision.rows for cell in row[1:]]
    assert all(0 <= share <= 100 for share in shares)
    assert all(0 < int(row[-1].split()[0]) < 100 for row in precision.rows)


def test_co_cited_pages_and_those_out_of_reach_are_among_those_found_only_with_mutation(made):
    for _, _, _, _, only, co_cited, out_of_reach in made.tables[1].rows:
        assert max(float(co_cited), float(out_of_reach)) <= float(only)


@pytest.mark.parametrize(
    ("gain", "categories", "verdict"),
    [
        (ABOVE, [0.1, 0.0], HELD),
        (ABOVE, [0.4, -0.1], PARTLY),
        (ACROSS, [0.1, 0.0], PARTLY),
        (ACROSS, [0.1, -0.1], NOT_HELD),
    ],
)
def test_mutation_must_help_in_every_category(gain, categories, verdict):
    assert precision_verdict(gain, categories) == verdict


@pytest.mark.parametrize(("rate", "verdict"), [(0.63, HELD), (0.59, HELD), (0.5, PARTLY), (0.4, NOT_HELD)])
def test_the_filtering_rate_must_be_near_that_of_the_paper(rate, verdict):
    assert filtering_verdict(rate) == verdict


@pytest.mark.parametrize(
    ("hosts", "co_cited", "shut", "verdict"),
    [
        (ABOVE, ABOVE, ABOVE, HELD),
        (ABOVE, ABOVE, ACROSS, PARTLY),
        (ACROSS, ABOVE, ACROSS, PARTLY),
        (ACROSS, ACROSS, ACROSS, NOT_HELD),
    ],
)
def test_mutation_must_lead_to_hosts_to_co_cited_pages_and_out_of_reach(hosts, co_cited, shut, verdict):
    assert communities_verdict(hosts, co_cited, shut) == verdict


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [(Estimate(1.5, 1.2, 1.8), HELD), (Estimate(1.1, 0.9, 1.3), PARTLY), (Estimate(0.8, 0.7, 0.9), NOT_HELD)],
)
def test_mutation_must_cost_time(ratio, verdict):
    assert speed_verdict(ratio) == verdict
