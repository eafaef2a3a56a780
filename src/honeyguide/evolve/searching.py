"""A whole evolution: generations until there are enough, then the best of them, validated and kept."""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.evolve.figure import figure
from honeyguide.evolve.validating import told, validated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from honeyguide.evaluate.averages import Estimate
    from honeyguide.evolve.evolution import Evolution
    from honeyguide.evolve.keeping import Keeper
    from honeyguide.evolve.trials import Trials
    from honeyguide.evolve.validating import Verdict

    Progress = Callable[[int, float, float], None]  # generation, best and mean fitness

SAVED, TESTED = 5, 3  # of the best


@dataclass(frozen=True)
class Outcome:
    """What came of it: the best, distinct and the fittest first, and how the first of them did elsewhere."""

    best: list[Any]
    fitness: list[float]
    reference: Estimate
    verdicts: list[Verdict]


@dataclass(frozen=True)
class Search:
    """An evolution, the trials it goes by, and those that it is judged by at the end."""

    evolution: Evolution
    training: Trials
    validation: Trials
    keeper: Keeper
    generations: int
    processes: int = 1
    known: dict[bytes, float] = field(default_factory=dict)  # the fitness of all that were tried, by their bits

    def run(self, progress: Progress = lambda generation, best, mean: None) -> None:
        """Go on from where it stands until all generations are told."""
        with contextlib.closing(self.training):
            self._run(progress)

    def _run(self, progress: Progress) -> None:
        evolution, keeper = self.evolution, self.keeper
        if keeper.state:
            evolution.load(keeper.state)
            self.known.update(zip(map(bytes, evolution.members), evolution.fitness.tolist(), strict=True))
        while evolution.generation < self.generations:
            began = time.monotonic()
            asked = self._tried(evolution.ask())
            evolution.tell(asked)
            best, mean = float(evolution.fitness[0]), float(evolution.fitness.mean())
            row = {"generation": evolution.generation, "best": best, "mean": mean}
            row["asked"] = float(np.mean(asked))
            row["seconds"] = round(time.monotonic() - began, 3)
            keeper.keep(evolution.save(), {**row, "winner": self._decoded(0)})
            keeper.write("evolution.svg", figure(keeper.history))
            keeper.write("history.csv", histories(keeper.history))
            progress(evolution.generation, best, mean)

    def _tried(self, members: NDArray[np.bool_]) -> list[float]:
        """The fitness of these; crawls start from the same places every time, so nobody is tried twice."""
        new = {bytes(bits): self.evolution.genome.decode(bits) for bits in members if bytes(bits) not in self.known}
        for key, cases in zip(new, self.training.try_all(list(new.values()), self.processes), strict=True):
            self.known[key] = float(np.mean(cases))
        return [self.known[bytes(bits)] for bits in members]

    def _decoded(self, i: int) -> Any:
        return self.evolution.genome.decode(self.evolution.members[i])

    def conclude(self, yardstick: Any, yardstick_name: str) -> tuple[Outcome, list[str]]:
        """The best, tried on what they were not evolved on; and that in words."""
        best, fitness = self.best()
        winners = {f"best {i}": each for i, each in enumerate(best[:TESTED], 1)}
        with contextlib.closing(self.validation):
            reference, verdicts = validated(self.validation, winners, yardstick, self.processes)
        kept = {yardstick_name: reference.__dict__, **{verdict.name: verdict.to_dict() for verdict in verdicts}}
        self.keeper.write("validation.json", json.dumps(kept, indent=1))
        return Outcome(best, fitness, reference, verdicts), told(yardstick_name, reference, verdicts)

    def best(self) -> tuple[list[Any], list[float]]:
        """The fittest that mean different things."""
        found: list[Any] = []
        fitness: list[float] = []
        for i in range(len(self.evolution.members)):
            meaning = self._decoded(i)
            if meaning not in found and len(found) < SAVED:
                found.append(meaning)
                fitness.append(float(self.evolution.fitness[i]))
        return found, fitness


def histories(rows: Sequence[dict[str, Any]]) -> str:
    """The history as a table for spreadsheets."""
    lines = [
        f"{row['generation']},{row['best']:.6g},{row['mean']:.6g},{row['asked']:.6g},{row['seconds']}" for row in rows
    ]
    return "\n".join(["generation,best,mean,mean of the newest,seconds", *lines, ""])
