"""A generated web against another web: the same topics' rule, the same strategies, and how far they agree."""

import math
from dataclasses import replace

import pytest

from honeyguide.base import BadInput
from honeyguide.evaluate import Design, calibration
from honeyguide.evaluate.agreement import kendall_tau, kept_order, settled
from honeyguide.evaluate.calibration import BASELINES, calibrate, told_calibration
from honeyguide.evaluate.comparison import Comparison, Result


def placed(names):
    return {name: place for place, name in enumerate(names)}


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ("abcd", "abcd", 1.0),
        ("abcd", "dcba", -1.0),
        ("abcd", "abdc", 4 / 6),
        ("abcde", "xbcad", 2 / 6),  # only what both know counts
    ],
)
def test_tau(one, other, tau):
    assert kendall_tau(placed(one), placed(other)) == pytest.approx(tau)


def test_ties_count_for_neither_side():
    assert kendall_tau({"a": 2, "b": 1, "c": 1}, {"a": 3, "b": 2, "c": 1}) == pytest.approx(2 / math.sqrt(6))


def compared(**naucs):
    """Of each strategy, given one figure a topic."""
    results = tuple(
        Result(name, str(topic), "near", 0, 9, 9, 9, 1, nauc, ())
        for name in naucs
        for topic, nauc in enumerate(naucs[name])
    )
    return Comparison("web", 9, Design(), 9, tuple(naucs), "a", (), (), (), results)


def test_real_webs_settle_what_they_agree_on_beyond_doubt():
    one = compared(a=[0.5, 0.6, 0.7, 0.6], b=[0.3, 0.4, 0.5, 0.5], c=[0.4, 0.3, 0.6, 0.4], d=[0.1, 0.1, 0.1, 0.1])
    other = compared(a=[0.8, 0.7, 0.8, 0.9], b=[0.6, 0.6, 0.6, 0.7], c=[0.4, 0.9, 0.6, 0.5], d=[0.9, 0.9, 0.9, 0.9])
    found = settled([one, other], "near")
    assert found[("a", "b")] == 1
    assert ("b", "c") not in found  # too close to tell
    assert ("a", "d") not in found  # they disagree, whatever the mean of all topics says
    assert kept_order(found, {"a": 0.9, "b": 0.1, "c": 0.1, "d": 0.5}) == 1.0
    assert kept_order(found, {"a": 0.1, "b": 0.9, "c": 0.9, "d": 0.5}) == -1.0
    assert math.isnan(kept_order({}, {}))


def test_there_are_baselines_enough():
    assert len(set(BASELINES)) >= 8


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def made(tmp_path_factory, kept):
    from honeyguide.cli.importing import generate_web

    real = tmp_path_factory.mktemp("web") / "real"
    generate_web(real, 900, None, None, seed=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibration, "BASELINES", ("breadth-first", "random", "best-first"))
        return calibrate("synthetic:2:900", [str(real)], Design(topics=3, seed_sets=1, pages="5%"), log=kept)


def test_webs_are_measured_and_compared(made):
    assert [web.web for web in made.statistics] == ["synthetic:2:900", "real"]
    assert [len(web.topics) for web in made.comparisons] == [3, 3]
    assert all("all(" not in topic.topic for web in made.comparisons for topic in web.topics)  # phrases, as elsewhere
    assert made.starts == ("near", "far")
    assert all(-1 <= made.tau(start, 0, 1) <= 1 for start in made.starts)
    assert made.tau("near", 1, 1) == 1


def test_crawls_are_kept_in_a_folder_a_web(made, kept):
    for folder, web in zip(("synthetic-2-900", "real"), made.comparisons, strict=True):
        assert len((kept / folder / "crawls.jsonl").read_text().splitlines()) == 1 + len(web.results)


def test_verdicts_are_told(made):
    text = told_calibration(made)
    assert " statistics are within a quarter of the target's." in text
    assert "nAUC from near seeds, the best first:" in text
    assert "| synthetic:2:900, real | " in text
    assert "| synthetic:2:900, what the others agree on | " in text
    assert "Pairs of strategies that the real webs agree on: " in text
    agreeing = replace(made, comparisons=(made.comparisons[0], made.comparisons[0]))
    assert "| 1.00 | 1.00 | yes |" in told_calibration(agreeing)
    assert "synthetic:2:900 is not accepted: " in text  # there is nothing that the only real web agrees on far


def test_webs_that_would_share_a_folder_are_refused(tmp_path):
    with pytest.raises(BadInput, match="told apart by their names, and these are alike: "):
        calibrate("synthetic:2:900", [str(tmp_path / "a" / "web"), str(tmp_path / "b" / "web")], Design())


def test_only_a_generated_web_is_checked(tmp_path):
    with pytest.raises(BadInput, match="is no generated web; write synthetic"):
        calibrate(str(tmp_path), [], Design())
