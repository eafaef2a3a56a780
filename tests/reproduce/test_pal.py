"""The experiment of Pal, Tomar, Shrivastava, made small, and the rules of its verdicts."""

from __future__ import annotations

import pytest

from honeyguide.evaluate.averages import Estimate
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY
from honeyguide.reproduce.pal_findings import course_verdict, precision_verdict, tunnels_verdict
from watching import watched

ABOVE, ACROSS, BELOW = Estimate(0.3, 0.2, 0.4), Estimate(0.0, -0.1, 0.1), Estimate(-0.3, -0.4, -0.2)


@pytest.fixture(scope="module")
def made():
    return watched("pal")


def test_every_claim_has_its_row(made):
    assert [finding.claim for finding in made.findings] == ["P1", "P2", "P3"]
    assert made.quick
    assert all(finding.why and finding.ours for finding in made.findings)


def test_precision_is_told_by_topic_and_by_parts_of_the_crawl(made):
    topics, course = made.tables
    assert len(topics.rows) == 4
    assert [row[0] for row in course.rows] == [f"{pages}" for pages in range(10, 101, 10)]
    precisions = [float(row[1].split()[0]) for row in (*topics.rows, *course.rows)]
    assert all(0 < value <= 1 for value in precisions)


def test_the_course_ends_where_the_topics_are(made):
    topics, course = made.tables
    for column in (1, 2):
        ends = [float(row[column].split()[0]) for row in topics.rows]
        assert float(course.rows[-1][column].split()[0]) == pytest.approx(sum(ends) / len(ends), abs=0.011)


@pytest.mark.parametrize(
    ("gains", "ratios", "verdict"),
    [
        ([ABOVE, ABOVE], [2.5, 4.0], HELD),
        ([ABOVE, ABOVE], [1.5, 4.0], PARTLY),
        ([ABOVE, ABOVE, ACROSS], [2.5, 4.0, 2.0], PARTLY),
        ([ABOVE, ACROSS], [2.5, 4.0], NOT_HELD),
        ([BELOW, BELOW], [0.5, 0.4], NOT_HELD),
    ],
)
def test_precision_must_be_far_above_in_every_topic(gains, ratios, verdict):
    assert precision_verdict(gains, ratios) == verdict


@pytest.mark.parametrize(
    ("early", "rise", "verdict"),
    [
        (ACROSS, ABOVE, HELD),
        (BELOW, ABOVE, HELD),
        (ACROSS, BELOW, PARTLY),
        (ABOVE, ABOVE, PARTLY),
        (ABOVE, ACROSS, NOT_HELD),
    ],
)
def test_the_course_must_begin_low_and_rise(early, rise, verdict):
    assert course_verdict(early, rise) == verdict


@pytest.mark.parametrize(
    ("within", "at_end", "verdict"),
    [(ABOVE, ABOVE, HELD), (ACROSS, ABOVE, PARTLY), (ACROSS, ACROSS, NOT_HELD)],
)
def test_tunnels_must_lead_to_pages_within_the_crawl(within, at_end, verdict):
    assert tunnels_verdict(within, at_end) == verdict
