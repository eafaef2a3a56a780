"""Whether what was evolved is any better on topics and seeds that it was not evolved on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from honeyguide.evaluate.averages import Estimate, estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evolve.trials import Trials


@dataclass(frozen=True)
class Verdict:
    """How an individual did, and by how much it was better than the yardstick in the same cases."""

    name: str
    fitness: Estimate
    difference: Estimate

    @property
    def is_better(self) -> bool:
        """Whether the interval of the difference is above zero."""
        return self.difference.low > 0

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def validated(
    trials: Trials, winners: dict[str, Any], yardstick: Any, processes: int
) -> tuple[Estimate, list[Verdict]]:
    """The fitness of the yardstick, and the verdicts on winners by their names."""
    reference, *others = trials.try_all([yardstick, *winners.values()], processes)
    return estimate(reference), [
        Verdict(name, estimate(found), estimate(_less(found, reference)))
        for name, found in zip(winners, others, strict=True)
    ]


def _less(found: Sequence[float], reference: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(found, reference, strict=True)]


def told(yardstick: str, reference: Estimate, verdicts: Sequence[Verdict]) -> list[str]:
    """The verdicts in words, each a line."""
    lines = [f"{yardstick}: {_shown(reference)}"]
    for verdict in verdicts:
        mark = "better" if verdict.is_better else "worse" if verdict.difference.high < 0 else "no clear difference"
        lines.append(
            f"{verdict.name}: {_shown(verdict.fitness)}, difference {_shown(verdict.difference, '+')}: {mark}"
        )
    return lines


def _shown(found: Estimate, sign: str = "") -> str:
    return f"{found.mean:{sign}.4f} [{found.low:{sign}.4f}, {found.high:{sign}.4f}]"
