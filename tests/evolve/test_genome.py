"""Bits stand for weights and for settings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.base import BadInput
from honeyguide.evolve.genome import KnobGenome, WeightGenome, bits_of, numbers
from honeyguide.strategy import create, strategies

RANDOM = np.random.default_rng(0)


@given(st.lists(st.integers(0, 127), min_size=1))
def test_bits_and_numbers_are_the_same(values):
    assert numbers(bits_of(values)) == values


def test_weights_are_seven_bits_each_and_sum_to_one():
    genome = WeightGenome(["hub", "parent_1", "parent_2"])
    assert genome.length == 21
    (weights,) = genome.decode(bits_of([127, 0, 1]))
    assert weights == {"hub": 127 / 128, "parent_1": 0, "parent_2": 1 / 128}


def test_every_stage_has_its_weights():
    genome = WeightGenome(["hub", "parent_1"], stages=2)
    assert genome.length == 28
    assert genome.decode(bits_of([1, 1, 0, 9])) == [{"hub": 0.5, "parent_1": 0.5}, {"hub": 0.0, "parent_1": 1.0}]


@given(st.lists(st.integers(0, 127), min_size=3, max_size=3).filter(any))
def test_weights_that_are_known_come_back_nearly(values):
    genome = WeightGenome(["hub", "authority", "parent_1"])
    decoded = genome.decode(bits_of(values))
    again = genome.decode(genome.encode(decoded))
    assert all(abs(again[0][name] - weight) < 0.02 for name, weight in decoded[0].items())


def test_the_last_stage_stays_where_there_are_fewer():
    genome = WeightGenome(["hub", "parent_1"], stages=3)
    first, second, third = genome.decode(genome.encode([{"hub": 1.0}, {"parent_1": 1.0, "host": 0.0}]))
    assert (first["hub"], second["parent_1"], third["parent_1"]) == (1, 1, 1)


def test_weights_for_other_scores_are_refused():
    with pytest.raises(BadInput, match="none of the weights to start from is for hub"):
        WeightGenome(["hub"]).encode([{"parent_1": 1.0}])


def test_weights_that_are_all_zero_are_repaired_stage_by_stage():
    genome = WeightGenome(["hub", "parent_1"], stages=2)
    bits = bits_of([0, 0, 3, 4])
    repaired = genome.repaired(bits, RANDOM)
    assert repaired[:14].sum() == 1
    assert (repaired[14:] == bits[14:]).all()
    assert not bits[:14].any()


@pytest.mark.parametrize("name", sorted(strategies()))
def test_all_settings_stay_within_their_bounds(name):
    try:
        genome = KnobGenome(type(create(name)))
    except BadInput as error:
        assert "has no settings that could be evolved" in str(error)
        return
    for _ in range(20):
        create(genome.decode(RANDOM.random(genome.length) < 0.5))  # which refuses what is out of bounds
    for value in (0, 127):
        create(genome.decode(bits_of([value] * len(genome.knobs))))


def test_settings_as_written_come_back():
    genome = KnobGenome(type(create("paths")))
    text = genome.decode(genome.encode("paths:classifier=svm,vote=0.5,features=rich"))
    assert "classifier=svm" in text
    assert "features=rich" in text
    assert "vote=0.5" in text
    assert "criterion=simple" in text  # the default


def test_wide_ranges_are_searched_by_magnitude():
    cap = next(knob for knob in KnobGenome(type(create("paths"))).knobs if knob.name == "cap")
    assert (cap.low, cap.high) == (1, 100_000)
    assert [cap.value(n) for n in (0, 127)] == ["1", "100000"]
    assert 200 < int(cap.value(64)) < 500
