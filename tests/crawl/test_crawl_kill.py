"""Live crawls that are killed, at random and at every point where it could hurt; the long run is benchmarks.kill."""

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2]))

from benchmarks.kill import Trial, kill_again_and_again, kill_while_made, served, verdict

from dying import CRAWLING, MAKING, REPAIRING

PAGES, KILLS = 500, 6


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    with served(PAGES, 1, tmp_path_factory.mktemp("served")) as running:
        yield running


def test_a_crawl_that_is_killed_again_and_again_gets_every_page_once(web, tmp_path):
    trial = Trial(web, tmp_path / "crawl", pages=10 * PAGES)
    kill_again_and_again(trial, KILLS, random.Random(1))
    assert trial.problems == []
    assert [row for row in verdict(trial, KILLS + len(CRAWLING) + len(REPAIRING)) if not row[-1]] == []


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_crawl_that_is_killed_while_its_directory_is_made_starts_again(by_hand, web, tmp_path):
    points = ["before the first table", "half-way through the tables", "before a commit"] if by_hand else MAKING
    assert kill_while_made(web, tmp_path / "crawl", points, by_hand).problems == []
