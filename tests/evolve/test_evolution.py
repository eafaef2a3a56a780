"""The genetic algorithm, step by step."""

import json

import numpy as np
import pytest

from honeyguide.base import BadInput
from honeyguide.evolve.evolution import Evolution
from honeyguide.evolve.genome import WeightGenome, bits_of

GENOME = WeightGenome(["hub", "parent_1"])


def ones(members):
    return members.sum(axis=1).astype(float)


def test_it_is_asked_and_told():
    evolution = Evolution(GENOME, 10)
    first = evolution.ask()
    assert first.shape == (10, 14)
    assert (evolution.ask() == first).all()
    evolution.tell(ones(first))
    assert evolution.generation == 0
    assert evolution.ask().shape == (10, 14)
    assert evolution.fitness.tolist() == sorted(ones(first), reverse=True)


def test_of_parents_and_children_the_better_half_survives():
    evolution = Evolution(GENOME, 10, random_seed=3)
    for _ in range(5):
        before, asked = evolution.fitness.tolist(), evolution.ask()
        evolution.tell(ones(asked))
        assert evolution.fitness.tolist() == sorted([*before, *ones(asked)], reverse=True)[:10]
        assert (ones(evolution.members) == evolution.fitness).all()


def test_the_best_are_found():
    evolution = Evolution(GENOME, 20, mutation=0.5)
    for _ in range(60):
        evolution.tell(ones(evolution.ask()))
    assert evolution.fitness[0] == 14


def test_of_those_that_mean_the_same_one_survives_as_long_as_there_are_others():
    def generations(distinct):
        evolution = Evolution(GENOME, 10, mutation=0.5, random_seed=5, distinct=distinct)
        for _ in range(12):
            evolution.tell(ones(evolution.ask()))
            assert evolution.fitness.tolist() == sorted(evolution.fitness, reverse=True)
        return {repr(GENOME.decode(member)) for member in evolution.members}

    assert len(generations(distinct=True)) == 10
    assert len(generations(distinct=False)) < 5


def test_copies_fill_up_where_there_are_no_others():
    evolution = Evolution(GENOME, 6, crossover=0, mutation=0, winners=[bits_of([127, 0])] * 6, distinct=True)
    evolution.tell(ones(evolution.ask()))
    evolution.tell(ones(evolution.ask()))
    assert len(evolution.members) == 6


def test_without_crossover_and_mutation_children_are_their_parents():
    evolution = Evolution(GENOME, 10, crossover=0, mutation=0)
    evolution.tell(ones(evolution.ask()))
    known = {member.tobytes() for member in evolution.members}
    assert {child.tobytes() for child in evolution.ask()} <= known


def test_crossover_exchanges_what_is_behind_one_point():
    zeros, full = bits_of([0, 0]), bits_of([127, 127])
    children = Evolution(GENOME, 2, crossover=1, mutation=0)._pair(zeros, full)
    assert (children.sum(axis=0) == zeros.astype(int) + full).all()  # nothing is lost
    changes = np.abs(np.diff((children[0] ^ zeros).astype(int))).sum()
    assert changes == 1


def test_mutation_flips_one_bit():
    evolution = Evolution(GENOME, 10, crossover=0, mutation=1, random_seed=1)
    evolution.tell(ones(evolution.ask()))
    for child in evolution.ask():
        distances = (evolution.members ^ child).sum(axis=1)
        assert distances.min() <= 1
    assert not any((evolution.members == child).all(axis=1).any() for child in evolution.ask()[:1])


def test_the_fitter_the_more_children():
    evolution = Evolution(GENOME, 100, crossover=0, mutation=0)
    asked = evolution.ask()
    evolution.tell([9.0 if i == 7 else 1 / 11 for i in range(100)])
    children = evolution.ask()
    share = (children == asked[7]).all(axis=1).mean()
    assert 0.35 < share < 0.65  # 9 of 18


def test_where_none_is_fit_all_are_drawn():
    evolution = Evolution(GENOME, 10, crossover=0, mutation=0)
    evolution.tell([0.0] * 10)
    assert len({child.tobytes() for child in evolution.ask()}) > 2


def test_winners_are_in_the_first_population():
    winner = bits_of([5, 6])
    asked = Evolution(GENOME, 4, winners=[winner]).ask()
    assert (asked[0] == winner).all()
    assert len(asked) == 4


def test_the_first_population_can_be_near_a_winner():
    genome = WeightGenome([f"s{n}" for n in range(30)])
    winner = bits_of([64] * 30)
    near = Evolution(genome, 40, winners=[winner], spread=0.1).ask()
    assert (near[0] == winner).all()
    differing = (near[1:] != winner).mean(axis=1)
    assert 0.05 < differing.mean() < 0.15
    assert differing.min() > 0


def test_what_is_saved_goes_on_the_same():
    whole, parts = Evolution(GENOME, 10, mutation=0.5), Evolution(GENOME, 10, mutation=0.5)
    for _ in range(4):
        whole.tell(ones(whole.ask()))
        parts.tell(ones(parts.ask()))
        state = json.loads(json.dumps(parts.save()))
        parts = Evolution(GENOME, 10, mutation=0.5, random_seed=99)
        parts.load(state)
    assert (whole.ask() == parts.ask()).all()
    assert (whole.members == parts.members).all()


def test_what_cannot_pair_off_is_refused():
    with pytest.raises(BadInput, match="a population of 5 cannot pair off; choose an even number"):
        Evolution(GENOME, 5)
