"""What is evolved, as a string of bits: weights that sum to one, or the settings of a strategy.

Johnson, Tsioutsiouliklis, Giles: Evolving strategies for focused web crawling, 2003.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from honeyguide.strategy import Strategy

    Bits = NDArray[np.bool_]
    Weights = dict[str, float]

WIDTH = 7  # bits of one number
TOP = (1 << WIDTH) - 1
_PLACES = 1 << np.arange(WIDTH)[::-1]
WIDE = 100  # times its lower bound, from which on a setting is searched by orders of magnitude
REACH = 4  # times its default, where a setting has no upper bound of its own


def numbers(bits: Bits) -> list[int]:
    """The numbers from 0 to 127 that bits stand for, the highest bit first.

    >>> numbers(np.array([0, 0, 0, 0, 1, 0, 1], bool))
    [5]
    """
    found: list[int] = (bits.reshape(-1, WIDTH) @ _PLACES).tolist()
    return found


def bits_of(values: Sequence[int]) -> Bits:
    """The bits that stand for numbers from 0 to 127."""
    found: Bits = ((np.array(values)[:, None] & _PLACES) > 0).reshape(-1)
    return found


class Genome(abc.ABC):
    """How bits are read, and how what is known already is written in them."""

    length: int

    @abc.abstractmethod
    def decode(self, bits: Bits) -> Any:
        """What the bits mean."""

    @abc.abstractmethod
    def encode(self, meaning: Any) -> Bits:
        """Bits that mean this, as nearly as bits can."""

    def repaired(self, bits: Bits, random: np.random.Generator) -> Bits:
        """The bits, or others in their place where they mean nothing."""
        return bits


class WeightGenome(Genome):
    """Weights by the names of scores, for one or several stages of a crawl: 0 to 127, then made to sum to 1."""

    def __init__(self, names: Sequence[str], stages: int = 1) -> None:
        self.names, self.stages = tuple(names), stages
        self.length = WIDTH * len(names) * stages

    def decode(self, bits: Bits) -> list[Weights]:
        """The weights of every stage."""
        return [self._weights(part) for part in np.split(bits, self.stages)]

    def _weights(self, bits: Bits) -> Weights:
        found = numbers(bits)
        return {name: number / sum(found) for name, number in zip(self.names, found, strict=True)}

    def encode(self, meaning: Sequence[Mapping[str, float]]) -> Bits:
        """The weights of every stage; where there are fewer, the last ones stay. A score that is lacking has none."""
        stages = [*meaning, *[meaning[-1]] * self.stages][: self.stages]
        return np.concatenate([self._bits(weights) for weights in stages])

    def _bits(self, weights: Mapping[str, float]) -> Bits:
        largest = max((weights.get(name, 0.0) for name in self.names), default=0.0)
        if largest <= 0:
            raise BadInput(f"none of the weights to start from is for {', '.join(self.names)}; name others")
        return bits_of([round(TOP * weights.get(name, 0.0) / largest) for name in self.names])

    def repaired(self, bits: Bits, random: np.random.Generator) -> Bits:
        """Weights that are all zero cannot be made to sum to one: one bit of them is set."""
        bits = bits.copy()
        for part in np.split(bits, self.stages):  # views
            if not part.any():
                part[random.integers(len(part))] = True
        return bits


class KnobGenome(Genome):
    """The settings of a strategy, within their declared bounds."""

    def __init__(self, strategy: type[Strategy]) -> None:
        self._name = strategy.name
        self.knobs = [knob for knob in map(_evolvable, dataclasses.fields(strategy)) if knob]
        if not self.knobs:
            raise BadInput(f"{strategy.name} has no settings that could be evolved")
        self.length = WIDTH * len(self.knobs)

    def decode(self, bits: Bits) -> str:
        """The strategy as one writes it: name:setting=value,…"""
        settings = [f"{knob.name}={knob.value(n)}" for knob, n in zip(self.knobs, numbers(bits), strict=True)]
        return f"{self._name}:{','.join(settings)}"

    def encode(self, meaning: str) -> Bits:
        """The settings of a strategy as one writes it; those that are not named have their defaults."""
        given = dict(part.split("=", 1) for part in meaning.partition(":")[2].split(",") if "=" in part)
        return bits_of([knob.number(given.get(knob.name, knob.default)) for knob in self.knobs])


@dataclasses.dataclass(frozen=True)
class Knob:
    """One setting: 128 steps from its lower to its upper bound, or one of its choices."""

    name: str
    default: Any
    low: float = 0.0
    high: float = 1.0
    choices: tuple[str, ...] = ()
    whole: bool = False

    @property
    def by_magnitude(self) -> bool:
        """Whether steps are equal on a logarithmic scale."""
        return self.low > 0 and self.high >= WIDE * self.low

    def value(self, number: int) -> str:
        """What a number from 0 to 127 stands for."""
        if self.choices:
            return self.choices[number * len(self.choices) // (TOP + 1)]
        share = number / TOP
        found = self.low * (self.high / self.low) ** share if self.by_magnitude else self._between(share)
        return str(round(found)) if self.whole else f"{found:.4g}"

    def _between(self, share: float) -> float:
        return self.low + share * (self.high - self.low)

    def number(self, value: Any) -> int:
        """The number that comes nearest to a value."""
        if self.choices:
            return min(TOP, math.ceil(self.choices.index(str(value)) * (TOP + 1) / len(self.choices)))
        value = float(min(self.high, max(self.low, float(value))))
        if self.by_magnitude:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(TOP * share)


def _evolvable(field: dataclasses.Field[Any]) -> Knob | None:
    """The setting that a field declares; None where there is nothing to search: texts, numbers without bounds."""
    told, default = field.metadata, field.default
    if told.get("choices"):
        return Knob(field.name, default, choices=tuple(told["choices"]))
    if "help" not in told or isinstance(default, str) or not isinstance(default, (int, float)):
        return None
    low = told["low"] if told["low"] is not None else default / REACH
    high = told["high"] if told["high"] is not None else REACH * default
    return Knob(field.name, default, low, high, whole=isinstance(default, int)) if low < high else None
