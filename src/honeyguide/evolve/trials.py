"""Trying individuals: each crawls from the same places, and is as fit as these crawls were worth on average."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from honeyguide.base import BadInput, HoneyguideError
from honeyguide.evaluate.design import NEAR
from honeyguide.evaluate.pool import end_with
from honeyguide.evolve.fitness import Course, Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from honeyguide.evolve.ground import Ground, JudgedTopic
    from honeyguide.evolve.question import Question
    from honeyguide.simulate import Simulated, Simulator

    Weights = dict[str, float]
    Stages = list[Weights]


@dataclass(frozen=True)
class Case:
    """One place to start from, for every individual the same."""

    topic: int
    seeds: NDArray[np.int64]
    random_seed: int


class Trials(Protocol):
    """What can tell how fit individuals are."""

    @property
    def cases(self) -> Sequence[Any]:
        """The same for every individual."""

    def try_all(self, individuals: Sequence[Any], processes: int) -> Iterator[list[float]]:
        """The fitness of individuals, in their order: of each one number a case."""

    def close(self) -> None:
        """Let go of whatever helped."""


def draw_cases(ground: Ground, topics: Sequence[JudgedTopic], plan: Question, purpose: str) -> list[Case]:
    """So many for each topic; another purpose, such as validation, draws others."""
    found = []
    for number, judged in enumerate(topics):
        for run in range(plan.runs):
            chance = random.Random(f"{plan.random_seed} {purpose} {judged.topic} {run}")
            seeds = ground.seeds(judged, plan.start == NEAR, plan.seeds, chance)
            found.append(Case(number, seeds, chance.randrange(1 << 31)))
    return found


class SimulatedTrials:
    """Weights of the rank function, tried in the compiled loop."""

    def __init__(self, ground: Ground, topics: Sequence[JudgedTopic], plan: Question, purpose: str) -> None:
        from honeyguide.simulate import Simulator

        if plan.pages > ground.atlas.pages:
            raise BadInput(
                f"the web has {ground.atlas.pages:,} pages, fewer than the {plan.pages:,} to fetch; say fewer --pages"
            )
        self.plan, self._measure = plan, Measure(plan.fitness)
        self.cases: Sequence[Case] = draw_cases(ground, topics, plan, purpose)
        self._ground, self._topics = ground, topics
        self._pool: ProcessPoolExecutor | None = None
        self._simulator, self._turned_to = Simulator(ground.arrays(topics[0])), 0  # one, for it takes much memory
        self.run(self.cases[0], [{"parent_1": 1.0}], pages=1)  # compile before processes part

    def run(self, case: Case, stages: Stages, pages: int = 0) -> Simulated:
        """One crawl."""
        plan = self.plan
        starts = (plan.pages * k // len(stages) for k in range(len(stages)))
        return self._turned(case.topic).run(
            case.seeds,
            list(zip(starts, stages, strict=True)),
            pages or plan.pages,
            current_list=plan.current_list,
            random_seed=case.random_seed,
        )

    def _turned(self, topic: int) -> Simulator:
        if topic != self._turned_to:
            self._simulator.turn_to(self._ground.arrays(self._topics[topic]))
            self._turned_to = topic
        return self._simulator

    def try_all(self, individuals: Sequence[Stages], processes: int) -> Iterator[list[float]]:
        """In processes that share the web, and stay for the next ones: each has memory of its own to fill first."""
        if processes < 2:
            yield from map(self.fitness, individuals)
            return
        if self._pool is None:
            _held[:] = [self]
            self._pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"), _begin, (os.getpid(),))
        try:
            yield from self._pool.map(_fitness, individuals)
        except BrokenProcessPool:
            raise HoneyguideError("a process was killed, most likely for want of memory; try fewer --jobs") from None

    def close(self) -> None:
        """Let the processes go; before others are started, for these would hold on to what they share with them."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def fitness(self, individual: Stages) -> list[float]:
        """Of every case, in the order of the cases."""
        return [self._worth(case, self.run(case, individual)) for case in self.cases]

    def _worth(self, case: Case, made: Simulated) -> float:
        reachable = len(self._topics[case.topic].ids)
        course = Course(made.relevant, self._ground.atlas.host[made.visited], self.plan.pages, reachable)
        return self._measure(course)


_held: list[SimulatedTrials] = []


def _begin(asked_by: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked is told, and ends the others
    threading.Thread(target=end_with, args=(asked_by,), daemon=True).start()


def _fitness(individual: Stages) -> list[float]:
    return _held[0].fitness(individual)
