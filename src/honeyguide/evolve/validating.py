"""Whether what was evolved is any better on topics and seeds that it was not evolved on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import groupby
from statistics import mean
from typing import TYPE_CHECKING, Any

from honeyguide.evaluate.averages import Estimate, estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evolve.trials import Trials

FEWEST = 3  # topics, or seed sets of one topic, that a verdict takes


@dataclass(frozen=True)
class Verdict:
    """How an individual did, and by how much it was better than the yardstick in the same cases."""

    name: str
    fitness: Estimate
    difference: Estimate
    tries: int  # topics; seed sets where there is one topic

    @property
    def is_better(self) -> bool:
        """Whether the interval of the difference is above zero."""
        return self.tries >= FEWEST and self.difference.low > 0

    @property
    def in_a_word(self) -> str:
        """What can be said of the difference."""
        if self.tries < FEWEST:
            return f"too few to tell, {FEWEST} topics or --runs would do"
        return "better" if self.is_better else "worse" if self.difference.high < 0 else "no clear difference"

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def validated(
    trials: Trials, winners: dict[str, Any], yardstick: Any, processes: int
) -> tuple[Estimate, list[Verdict]]:
    """The fitness of the yardstick, and the verdicts on winners by their names."""
    topics = [case.topic for case in trials.cases]
    tried = trials.try_all([yardstick, *winners.values()], processes)
    reference, *others = (_by_topic(topics, found) for found in tried)
    return estimate(reference), [
        Verdict(name, estimate(found), estimate(_less(found, reference)), len(found))
        for name, found in zip(winners, others, strict=True)
    ]


def _by_topic(topics: Sequence[Any], found: Sequence[float]) -> list[float]:
    """One number a topic of a web, for crawls on the same topic are alike; of a single topic, one a crawl."""
    grouped = groupby(zip(topics, found, strict=True), key=lambda case: case[0])
    means = [mean(worth for _, worth in cases) for _, cases in grouped]
    return means if len(means) > 1 else list(found)


def _less(found: Sequence[float], reference: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(found, reference, strict=True)]


def told(yardstick: str, reference: Estimate, verdicts: Sequence[Verdict]) -> list[str]:
    """The verdicts in words, each a line."""
    lines = [f"{yardstick}: {_shown(reference)}"]
    for verdict in verdicts:
        difference = f"difference {_shown(verdict.difference, '+')}: {verdict.in_a_word}"
        lines.append(f"{verdict.name}: {_shown(verdict.fitness)}, {difference}")
    return lines


def _shown(found: Estimate, sign: str = "") -> str:
    return f"{found.mean:{sign}.4f} [{found.low:{sign}.4f}, {found.high:{sign}.4f}]"
