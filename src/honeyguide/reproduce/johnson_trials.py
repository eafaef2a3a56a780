"""The crawls of the 2003 experiment: evolved weights, and their tests over lengths, seed sets and random seeds."""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.cohesion import cohesiveness, histogram
from honeyguide.evaluate.network import distances
from honeyguide.evolve.evolution import Evolution
from honeyguide.evolve.genome import WeightGenome
from honeyguide.evolve.keeping import Keeper
from honeyguide.evolve.question import Question
from honeyguide.evolve.searching import Search
from honeyguide.evolve.trials import SimulatedTrials
from honeyguide.simulate import Simulator
from honeyguide.strategy.rank_weights import GENERATIONS, score_names

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from honeyguide.evolve.ground import Ground, JudgedTopic
    from honeyguide.reproduce.findings import Scale

    Weights = dict[str, float]

BEST_FIRST: Weights = {"parent_1": 1.0}
LIST = 100
WINNERS = 3
OTHERWISE = 1000  # between the random seeds of searches


@dataclass(frozen=True)
class Sizes:
    """The numbers of the experiment."""

    population: int
    generations: int
    runs: int
    evolved_on: int  # pages
    lengths: tuple[int, ...]
    seed_sets: tuple[int, ...]
    repeats: int  # with other random numbers
    searches: int  # with other random numbers, to see how much weights are a matter of chance

    @classmethod
    def at(cls, scale: Scale) -> Sizes:
        """The paper's, or such that a test need not wait."""
        if scale.quick:
            return cls(6, 2, 1, 200, (200, 400), (5, 20), 3, 2)
        return cls(50, 50, 3, 10_000, (10_000, 20_000, 30_000), (50, 250), 15, 5)

    @property
    def parts(self) -> int:
        """Generations of one topic, and tests from its seed sets."""
        return self.searches * (self.generations + 1) + len(self.seed_sets)


@dataclass(frozen=True)
class Crawled:
    """One crawl, measured at every length, and as a whole."""

    harvest: tuple[float, ...]
    community: tuple[float, ...]  # cohesiveness
    overall: tuple[float, ...]
    distances: NDArray[np.int64]
    good_distances: NDArray[np.int64]


@dataclass(frozen=True)
class Winners:
    """What the searches for one topic found."""

    weights: list[Weights]  # the three best of the first
    best: list[Weights]  # the best of each
    at_home: tuple[float, float]  # fitness of the best of the first, and of best-first, where it was evolved


def evolved(ground: Ground, judged: JudgedTopic, sizes: Sizes, scale: Scale, count: Callable[[], None]) -> Winners:
    """What the genetic algorithm finds, several times from the same places with other random numbers."""
    question = Question(
        topic=[str(judged.topic)],
        pages=sizes.evolved_on,
        seeds=sizes.seed_sets[0],
        runs=sizes.runs,
        population=sizes.population,
        generations=sizes.generations,
        current_list=LIST,
        random_seed=scale.random_seed,
    )
    trials = SimulatedTrials(ground, [judged], question, "training")
    reference = float(np.mean(trials.fitness([BEST_FIRST])))
    found = [_searched(trials, sizes, scale, number, count) for number in range(sizes.searches)]
    weights, fitness = found[0]
    return Winners(weights[:WINNERS], [each[0][0] for each in found], (fitness[0], reference))


def _searched(
    trials: SimulatedTrials, sizes: Sizes, scale: Scale, number: int, count: Callable[[], None]
) -> tuple[list[Weights], list[float]]:
    """The best weights of one search, and how fit they are."""
    chance = scale.random_seed + OTHERWISE * number
    evolution = Evolution(WeightGenome(score_names(GENERATIONS)), sizes.population, random_seed=chance)
    with tempfile.TemporaryDirectory() as folder:
        search = Search(evolution, trials, trials, Keeper(Path(folder), {}), sizes.generations, scale.processes)
        search.run(lambda *_: count())
    best, fitness = search.best()
    return [stages[0] for stages in best], fitness


class Tests:
    """The same crawls for every strategy: seed sets that nothing was evolved on, each with several random seeds."""

    def __init__(self, ground: Ground, judged: JudgedTopic, sizes: Sizes, random_seed: int) -> None:
        self._ground, self._sizes = ground, sizes
        self._simulator = Simulator(ground.arrays(judged))
        self._seeds = {
            size: ground.seeds(judged, True, size, random.Random(f"{random_seed} test {size}"))
            for size in sizes.seed_sets
        }
        ways = (ground.atlas.out_start, ground.atlas.out)
        self._distance = {size: distances(ways, seeds) for size, seeds in self._seeds.items()}

    def crawl(self, weights: Weights, seed_set: int, repeat: int) -> Crawled:
        """One crawl to the greatest length."""
        seeds, lengths = self._seeds[seed_set], self._sizes.lengths
        made = self._simulator.run(seeds, weights, lengths[-1], current_list=LIST, random_seed=1000 + repeat)
        good, atlas = made.visited[made.relevant], self._ground.atlas
        onwards = (atlas.out_start, atlas.out)
        found = np.cumsum(made.relevant)
        cuts = [min(length, len(found)) for length in lengths]
        communities = [np.union1d(made.visited[:cut][made.relevant[:cut]], seeds) for cut in cuts]
        return Crawled(
            tuple(float(found[cut - 1]) / length for cut, length in zip(cuts, lengths, strict=True)),
            tuple(cohesiveness(onwards, each, each) for each in communities),
            tuple(
                cohesiveness(onwards, made.visited[:cut], each) for cut, each in zip(cuts, communities, strict=True)
            ),
            histogram(self._distance[seed_set], made.visited),
            histogram(self._distance[seed_set], good),
        )

    def all(self, weights: Weights, seed_set: int) -> list[Crawled]:
        """All crawls from a seed set."""
        return [self.crawl(weights, seed_set, repeat) for repeat in range(self._sizes.repeats)]
