"""Aggarwal's experiment made small, and the rules by which its claims are judged."""

import json
import re

import pytest

from honeyguide.evaluate.averages import Estimate
from honeyguide.reproduce.aggarwal import Aggarwal
from honeyguide.reproduce.aggarwal_crawls import Ground, Task, make_all
from honeyguide.reproduce.aggarwal_rules import (
    any_reversal,
    by_share,
    is_robust,
    is_slow,
    keeps_up,
    lift,
    lift_verdict,
    order,
    predicate_verdict,
    reuse_verdict,
    reversals,
    seed_verdict,
)
from honeyguide.reproduce.findings import Reproduction, Scale
from honeyguide.synthetic import generate
from watching import watched_on_a_terminal


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    directory = tmp_path_factory.mktemp("reproduction")
    watched_on_a_terminal("aggarwal", directory)
    return directory


@pytest.fixture(scope="module")
def made(kept):
    return Reproduction.from_dict(json.loads((kept / "aggarwal.json").read_text(encoding="utf-8")))


def test_every_claim_has_its_row(made, kept):
    assert [finding.claim for finding in made.findings] == list(Aggarwal.claims)
    assert all(finding.why and finding.theirs and finding.ours for finding in made.findings)
    page = (kept / "reproduction.md").read_text(encoding="utf-8")
    assert all(f"| {claim} |" in page for claim in Aggarwal.claims)
    assert "Made small" in page


def test_every_figure_is_a_share(made):
    figures = [float(cell) for table in made.tables for row in table.rows for cell in _numbers(row)]
    assert len(figures) > 300
    assert all(0 <= figure <= 1 for figure in figures)
    assert any(figure > 0 for figure in figures)


def _numbers(row):
    return [number for cell in row for number in re.findall(r"\d\.\d{3}", cell)]


def test_every_row_is_as_long_as_its_head(made):
    assert {len(row) - len(table.head) for table in made.tables for row in table.rows} == {0}


@pytest.fixture(scope="module")
def ground():
    world = generate(pages=600, seed=3)
    return Ground(world, (tuple(world.portal_seeds(1)),), 50, 0)


def test_processes_change_nothing(ground):
    topics = tuple(ground.world.query(topic) for topic in ground.world.topics[:2])
    tasks = {("", 0, "random"): Task(topics, 0, "random"), ("", 0, "intelligent"): Task(topics[:1], 0, "intelligent")}
    alone, together = (make_all(ground, tasks, Scale(processes=processes)) for processes in (1, 2))
    assert {key: one.harvest for key, one in alone.items()} == {key: one.harvest for key, one in together.items()}
    assert len(alone["", 0, "random"].harvest) == 2


def test_a_crawl_judged_for_several_topics_is_the_crawl_judged_for_each(ground):
    topics = tuple(ground.world.query(topic) for topic in ground.world.topics[:2])
    both = ground.make(Task(topics, 0, "breadth-first")).harvest
    assert both == tuple(ground.make(Task((topic,), 0, "breadth-first")).harvest[0] for topic in topics)
    assert any(map(max, both))


def test_what_was_learned_is_taken_over(ground):
    topic = ground.world.query(ground.world.topics[0])
    first = ground.make(Task((topic,), 0, "intelligent"))
    taught = ground.make(Task((topic,), 0, "intelligent", first.knowledge))
    assert taught.knowledge["crawled"] > first.knowledge["crawled"]


def test_lift():
    assert lift(0.4, 0.01, 5000) == pytest.approx(40)
    assert lift(0.4, 0.0, 100) == pytest.approx(40)  # as if one page of 100 had been found
    assert lift_verdict([12, 40], [True, True]) == "held"
    assert lift_verdict([12, 40], [True, False]) == "partly"
    assert lift_verdict([4, 40], [True, True]) == "partly"
    assert lift_verdict([2, 40], [True, True]) == "not held"


def test_the_composite_keeps_up_with_the_best_factor_of_each_stage():
    singles = [[0.1, 0.2, 0.5], [0.3, 0.1, 0.1]]
    assert keeps_up([0.29, 0.17, 0.6], singles) == [True, False, True]
    assert is_slow(0.01, 0.4)
    assert not is_slow(0.01, 0.025)  # both have next to nothing
    assert [by_share(share) for share in (1.0, 0.8, 0.79, 0.5, 0.1)] == [
        "held",
        "held",
        "partly",
        "partly",
        "not held",
    ]


def test_order_by_predicate():
    tokens = {"url": 0.5, "links": 0.3, "content": 0.2}
    links = {"url": 0.3, "links": 0.5, "content": 0.2}
    behind = {"url": 0.5, "links": 0.2, "content": 0.3}
    assert order(tokens) == ["url", "links", "content"]
    assert reversals(tokens, links) == [("url", "links")]
    assert predicate_verdict([tokens, links]) == "held"
    assert predicate_verdict([tokens, behind]) == "partly"  # the best is the same
    assert predicate_verdict([tokens, tokens]) == "not held"


def test_order_by_seed():
    here, there, nearly = ({"url": 0.5, "links": value} for value in (0.4, 0.6, 0.51))
    assert any_reversal([here, there])
    assert seed_verdict([[here, here], [here, there]]) == "held"
    assert seed_verdict([[here, nearly]]) == "partly"
    assert seed_verdict([[here, here], [there, there]]) == "not held"  # each predicate by itself


def test_robust_over_seeds():
    assert is_robust([0.6, 0.58, 0.61, 0.59, 0.4])
    assert not is_robust([0.6, 0.58, 0.61, 0.59, 0.3])
    assert not is_robust([0.0, 0.0])


def test_reuse():
    assert reuse_verdict(Estimate(0.1, 0.02, 0.2)) == "held"
    assert reuse_verdict(Estimate(0.1, -0.02, 0.2)) == "partly"
    assert reuse_verdict(Estimate(-0.1, -0.2, 0.2)) == "not held"
