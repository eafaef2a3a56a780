"""The genetic algorithm, as published, to be asked for individuals and told their fitness.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003. Parents are drawn by roulette;
children come of one-point crossover and of mutation, which flips one bit; of parents and children together, the
better half survives. What the paper does not have: copies of survivors can be held back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.evolve.genome import Bits, Genome

    Members = NDArray[np.bool_]  # one a row
    Numbers = NDArray[np.float64]


class Evolution:
    """`ask` for individuals, `tell` their fitness, the higher the better, and so on; generation 0 comes first."""

    def __init__(
        self,
        genome: Genome,
        population: int = 50,
        crossover: float = 0.9,
        mutation: float = 0.01,
        random_seed: int = 0,
        winners: Sequence[Bits] = (),
        spread: float = 0.0,
        distinct: bool = False,
    ) -> None:
        if population < 2 or population % 2:
            raise BadInput(f"a population of {population} cannot pair off; choose an even number")
        self.genome = genome
        self.crossover, self.mutation, self.distinct = crossover, mutation, distinct
        self.generation = -1  # the newest that was told
        self.members = np.zeros((0, genome.length), np.bool_)  # the fittest first
        self.fitness: Numbers = np.zeros(0)
        self._random = np.random.default_rng(random_seed)
        self._asked = self._first(population, winners[:population], spread)

    def _first(self, population: int, winners: Sequence[Bits], spread: float) -> Members:
        """The winners, and others: drawn at random, or like one of them but for some bits."""
        drawn = self._random.random((population - len(winners), self.genome.length)) < (spread or 0.5)
        if spread and len(winners):
            drawn ^= np.array(winners, np.bool_)[np.arange(len(drawn)) % len(winners)]
        return self._repaired(np.concatenate([np.array(winners, np.bool_).reshape(-1, self.genome.length), drawn]))

    def _repaired(self, members: Members) -> Members:
        return np.array([self.genome.repaired(member, self._random) for member in members])

    @property
    def population(self) -> int:
        """How many live at a time."""
        return len(self._asked)

    def ask(self) -> Members:
        """Those whose fitness is wanted next; the same until it is told."""
        return self._asked

    def tell(self, fitness: Sequence[float] | Numbers) -> None:
        """Let the better half of all survive, and have children."""
        population = self.population
        members = np.concatenate([self.members, self._asked])
        told = np.concatenate([self.fitness, np.asarray(fitness, np.float64)])
        best = self._survivors(members, told, population)
        self.members, self.fitness = members[best], told[best]
        self.generation += 1
        self._asked = self._children(population)

    def _survivors(self, members: Members, fitness: Numbers, count: int) -> list[int]:
        """The better half; where copies are held back, they come in only for want of others."""
        best: list[int] = np.argsort(-fitness, kind="stable").tolist()  # among equals the older
        if not self.distinct:
            return best[:count]
        met: set[str] = set()
        copies = {i for i in best if _met_before(repr(self.genome.decode(members[i])), met)}
        kept = sorted(best, key=copies.__contains__)[:count]
        return sorted(kept, key=lambda i: -fitness[i])

    def _children(self, count: int) -> Members:
        parents = self._drawn(count)
        children = np.concatenate([self._pair(*parents[i : i + 2]) for i in range(0, count, 2)])
        for child in children:
            if self._random.random() < self.mutation:
                child[self._random.integers(len(child))] ^= True
        return self._repaired(children)

    def _drawn(self, count: int) -> Members:
        """As many parents, each as likely as it is fit; all alike where none is."""
        total = self.fitness.sum()
        share = self.fitness / total if total > 0 else None
        found: Members = self.members[self._random.choice(len(self.members), count, p=share)]
        return found

    def _pair(self, mother: Bits, father: Bits) -> Members:
        if self._random.random() >= self.crossover:
            return np.array([mother, father])
        cut = int(self._random.integers(1, len(mother)))
        return np.array([np.r_[mother[:cut], father[cut:]], np.r_[father[:cut], mother[cut:]]])

    def save(self) -> dict[str, Any]:
        """All of it, as plain values."""
        return {
            "generation": self.generation,
            "members": _as_texts(self.members),
            "fitness": self.fitness.tolist(),
            "asked": _as_texts(self._asked),
            "random": self._random.bit_generator.state,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.generation = int(state["generation"])
        self.members = _as_bits(state["members"], self.genome.length)
        self.fitness = np.array(state["fitness"], np.float64)
        self._asked = _as_bits(state["asked"], self.genome.length)
        self._random.bit_generator.state = state["random"]


def _met_before(meaning: str, met: set[str]) -> bool:
    known = meaning in met
    met.add(meaning)
    return known


def _as_texts(members: Members) -> list[str]:
    return ["".join("01"[bit] for bit in member) for member in members.astype(int)]


def _as_bits(texts: Sequence[str], length: int) -> Members:
    return np.array([[letter == "1" for letter in text] for text in texts], np.bool_).reshape(-1, length)
