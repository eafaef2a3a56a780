"""Budgets: what a user writes, and what a crawl is measured at."""

import dataclasses

import pytest

from honeyguide import BadInput
from honeyguide.evaluate import Collection, Design, compare, told
from honeyguide.evaluate.budgets import Budget, read_budgets
from honeyguide.evaluate.measures import fetches_to, found_by
from small_webs import topical_web

TOPIC = ["label:bees"]


@pytest.fixture(scope="module")
def web():
    return Collection.of(topical_web().pages(), "ring")


@pytest.fixture(scope="module")
def made(web):
    design = Design(seeds=2, seed_sets=1, pages="40", at="10%,100,1R,9R", random_seeds=2)
    return compare(web, ["random", "breadth-first"], TOPIC, design)


def test_budgets_as_they_are_written():
    assert read_budgets("1%, 500,1.5r,1%", "--at") == (Budget(1, "%"), Budget(500), Budget(1.5, "R"))
    assert read_budgets(" ", "--at") == ()
    assert [str(budget) for budget in read_budgets("1%,3R,500", "--at")] == ["1%", "3R", "500"]


@pytest.mark.parametrize("text", ["many", "1%,", "0R", "-5", "2.5", "1 000", "1%%"])
def test_what_is_no_budget_is_refused(text):
    with pytest.raises(BadInput, match=r"--at .*: write numbers such as 500, shares such as 5%, and multiples"):
        read_budgets(text, "--at")


@pytest.mark.parametrize(
    ("design", "message"),
    [
        ({"pages": "1R"}, "--pages '1R': write a number"),
        ({"pages": "40", "at": "500"}, "the web has 240 pages, fewer than the 500 to fetch"),
        (
            {"pages": "40", "at": "1%", "seeds": 2},
            "1% of a web of 240 pages is 2, and 2 seeds leave nothing to choose",
        ),
    ],
)
def test_budgets_that_do_not_fit_the_web_are_refused(web, design, message):
    with pytest.raises(BadInput, match=message):
        compare(web, ["random"], TOPIC, Design(**design))


def test_a_crawl_is_made_once_for_the_largest_budget_and_cut(web, made):
    for result in made.results:
        sizes = [cut.pages for cut in result.cuts]
        assert sizes == [24, 100, result.reachable, 240]  # nine times what there is: the whole web
        assert result.fetched == 40
        assert result.crawled == 240
        assert result.cuts[0].relevant <= result.relevant <= result.cuts[1].relevant
        assert result.cuts[-1].recall == 1


def test_a_cut_is_what_a_crawl_of_that_budget_brings(web, made):
    alone = compare(web, ["random"], TOPIC, dataclasses.replace(made.design, pages="100", at=""))
    longer = [result for result in made.results if result.strategy == "random"]
    for short, long in zip(alone.results, longer, strict=True):
        cut = long.cuts[1]
        assert (short.relevant, short.nauc, short.hosts) == (cut.relevant, cut.nauc, cut.hosts)


def test_random_seeds_make_other_crawls_from_the_same_seeds(made):
    by_repeat = {}
    for result in made.results:
        by_repeat.setdefault((result.strategy, result.start), []).append(result.found)
    assert all(len(found) == 2 for found in by_repeat.values())
    assert len(set(by_repeat["random", "near"])) == 2
    assert len(set(by_repeat["breadth-first", "near"])) == 1


def test_the_tables_have_the_further_budgets(made):
    text = told(made)
    assert text.count("| nAUC / recall at | 10% | 100 | 1R | 9R |") == 2
    assert "crawls from each: 2;" in text
    row = made.rows("near")[0]
    assert f"/ {row.cuts[1].recall:.3f} |" in text


def test_pages_fetched_until_a_share_is_found(made):
    assert fetches_to(found_by([False, True, True, True], 4, 4), 4) == (2, 3, None)
    assert fetches_to(found_by([], 3, 4), 4) == (None, None, None)
    row = next(row for row in made.rows("near") if row.strategy == "breadth-first")
    assert sorted(row.reached) == list(row.reached)
    assert "/".join(f"{number:,.0f}" for number in row.reached) in told(made)


def test_the_median_crawl_that_did_not_get_so_far_has_no_number(web):
    made = compare(web, ["random"], TOPIC, Design(seeds=2, seed_sets=2, pages="20", start="near"))
    assert made.rows("near")[0].reached[-1] is None
    assert "/– |" in told(made)
