"""The simulator: what it answers, what it refuses, and that it forgets one crawl before the next."""

import sys

import numpy as np
import pytest

from honeyguide.base import BadInput
from honeyguide.simulate import LinkArrays, Simulator, queue, ranks, simulator
from honeyguide.simulate.arrays import by_weight
from honeyguide.simulate.from_pages import from_pages
from honeyguide.strategy.rank_weights import TABLE_1
from linked_webs import SmallWeb, Told

FIRST = {"parent_1": 1.0}


def chain(pages=4, **changes):
    """Pages in a row; each links to the next one, the last to an address that is not in the archive."""
    arrays = {
        "out_start": np.arange(pages + 2).clip(max=pages),
        "out": np.arange(1, pages + 1),
        "host": np.zeros(pages + 1),
        "redirect": np.full(pages + 1, -1),
        "failed": np.zeros(pages + 1),
        "judgment": np.linspace(-1, 1, pages),
        "relevant": np.linspace(-1, 1, pages) >= 0,
    }
    return LinkArrays(**{**arrays, **changes})


def test_a_chain_is_followed_to_its_end_and_what_is_missing_costs_nothing():
    found = Simulator(chain()).run([0], FIRST, 100)
    assert found.visited.tolist() == [0, 1, 2, 3]
    assert found.relevant.tolist() == [False, False, True, True]
    assert found.harvest().tolist() == pytest.approx([0, 0, 1 / 3, 1 / 2])


def test_the_budget_is_kept():
    assert Simulator(chain()).run([0], FIRST, 2).visited.tolist() == [0, 1]
    assert Simulator(chain()).run([0], FIRST, 2, current_list=100).visited.tolist() == [0, 1]


def test_failures_and_redirects_are_visits():
    failed, redirect = np.array([0, 1, 0, 0, 0]), np.array([-1, -1, -1, -1, 2])
    found = Simulator(chain(failed=failed, redirect=redirect)).run([0, 4], FIRST, 100)
    assert found.visited.tolist() == [0, 4, 2, 3, 1], "what a seed leads to goes first; 1 is linked by a bad page"
    assert found.relevant.tolist() == [False, False, True, True, False]


def test_it_turns_to_another_topic_as_if_it_were_made_for_it():
    first = chain(6, out=np.array([3, 2, 5, 4, 1, 6]))
    second = chain(6, out=first.out, judgment=-first.judgment, relevant=~first.relevant)
    simulator = Simulator(first)
    found = [simulator.run([0, 1], FIRST, 4)]
    for web in (second, first):
        simulator.turn_to(web)
        found.append(simulator.run([0, 1], FIRST, 4))
    made = [Simulator(web).run([0, 1], FIRST, 4) for web in (first, second, first)]
    assert [(each.visited.tolist(), each.relevant.tolist()) for each in found] == [
        (each.visited.tolist(), each.relevant.tolist()) for each in made
    ]
    assert found[0].relevant.tolist() != found[1].relevant.tolist()


@pytest.mark.parametrize(
    "changes",
    [
        {"out": np.array([1, 2, 3, 9])},
        {"out": np.array([1, 2, 3, -7])},
        {"out_start": np.array([0, 3, 2, 3, 4, 4])},
        {"out_start": np.array([0, 1, 2, 3, 3, 3])},
        {"redirect": np.array([-1, -1, -1, -1, 77])},
        {"host": np.array([0, 0, -5, 0, 0])},
    ],
)
def test_damaged_links_are_refused(changes):
    with pytest.raises(BadInput, match="links lead to addresses that are not there"):
        Simulator(chain(**changes))


def test_it_does_not_turn_to_another_web():
    with pytest.raises(BadInput, match="another web needs a simulator of its own"):
        Simulator(chain()).turn_to(chain(5))


def test_scores_of_anchors_are_those_of_the_topic_it_turned_to():
    simulator = Simulator(chain(anchor_score=np.ones(4)))
    simulator.run([0], {"anchor": 1.0}, 3)
    simulator.turn_to(chain())
    with pytest.raises(BadInput, match="no scores of anchors"):
        simulator.run([0], {"anchor": 1.0}, 3)


def test_crawls_do_not_know_of_each_other():
    arrays, _ = from_pages((small := SmallWeb(1)).pages, Told(), small.redirects, small.gone)
    simulator = Simulator(arrays)
    weights = [TABLE_1, FIRST, {"host": 0.5, "comm_in": 0.5}]
    first = [simulator.run([0], w, 40, current_list=8).visited.tolist() for w in weights]
    again = [simulator.run([0], w, 40, current_list=8).visited.tolist() for w in reversed(weights)]
    fresh = [Simulator(arrays).run([0], w, 40, current_list=8).visited.tolist() for w in weights]
    assert first == again[::-1] == fresh


def test_arrays_may_be_mapped_and_read_only(tmp_path):
    web, mapped = chain(), {}
    for name, array in vars(web).items():
        if array is not None:
            np.save(tmp_path / f"{name}.npy", array)
            mapped[name] = np.load(tmp_path / f"{name}.npy", mmap_mode="r")
    assert Simulator(LinkArrays(**mapped)).run([0], FIRST, 9).visited.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"relevant": np.zeros(3)}, "relevant"),
        ({"failed": np.zeros(9)}, "failed"),
        ({"host": np.zeros(0)}, "out_start"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changes, words):
    with pytest.raises(BadInput, match=words):
        Simulator(chain(**changes))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (((), FIRST, 5), "at least one seed"),
        (([7], FIRST, 5), "from 0 to 4"),
        (([0], {"parent_1": 0.5}, 5), "sum to"),
        (([0], {"anchor": 1.0}, 5), "anchor_score"),
        (([0], {"luck": 1.0}, 5), "luck"),
        (([0], FIRST, 0), "pages >= 1"),
    ],
)
def test_crawls_that_cannot_be_are_refused(arguments, words):
    with pytest.raises(BadInput, match=words):
        Simulator(chain()).run(*arguments)


def test_without_numba_the_extra_is_named(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("honeyguide.simulate")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    import honeyguide.simulate as without

    assert without.LinkArrays
    with pytest.raises(BadInput, match=r"honeyguide\[simulate\]"):
        without.Simulator  # noqa: B018


def test_crawls_do_not_know_of_each_other_when_numbers_begin_anew(monkeypatch):
    arrays, _ = from_pages((small := SmallWeb(1)).pages, Told(), small.redirects, small.gone)
    monkeypatch.setattr(simulator, "HIGHEST_NUMBER", 2 * len(arrays.host))
    crawler = Simulator(arrays)
    crawls = [crawler.run([0], TABLE_1, 40).visited.tolist() for _ in range(8)]
    assert crawls == 8 * [Simulator(arrays).run([0], TABLE_1, 40).visited.tolist()]


def test_of_judgments_the_highest_counts_if_it_is_at_least_0_and_else_the_lowest():
    judgments = np.array([-0.25, -1, -np.inf, -0.0, 0.5, np.inf], np.float32)  # each counts more than those before it
    assert np.all(np.diff(by_weight(judgments).astype(np.int64)) > 0)
    assert by_weight(judgments).min() > 0, "which is none"
    assert [ranks.judgment(weight) for weight in by_weight(judgments)] == [-0.25, -1, 0, 0, 0.5, 0]


@pytest.mark.parametrize("n", [1, 700, 5000])
def test_the_nth_smallest_key_is_found_and_a_sample_comes_near_it(n):
    keys = np.random.default_rng(n).integers(0, 2**64, 5000 + queue.SAMPLE, np.uint64, endpoint=False)
    assert queue.nth(keys[:5000], n) == np.sort(keys[:5000])[n - 1]
    likely = queue.likely_nth(keys, 5000, n)
    assert np.count_nonzero(keys[:5000] <= likely) == pytest.approx(n, rel=0.2, abs=10)
