"""And, or, not: topics made of other topics, whose scores are first put on one scale."""

from __future__ import annotations

import abc
import itertools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from honeyguide.base import BadInput
from honeyguide.topic.base import BudgetSpent, Topic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from honeyguide.base import Page

HALF_AND_A_BIT = math.nextafter(0.5, 1)


def calibrated(topic: Topic, score: float) -> float:
    """The score on the scale where every topic's threshold lies at 0.5; in pieces, linear."""
    low = topic.threshold
    if score >= low:
        return 0.5 + 0.5 * (score - low) / (1 - low) if low < 1 else 1.0
    # The cap leaves 1 - score room to be a number above 0.5, which Not relies on.
    return min(0.5 * max(score, 0.0) / low, 1 - HALF_AND_A_BIT)


@dataclass(frozen=True)
class Combination(Topic, abc.ABC):
    """What And and Or share: operands, and the rule that slow ones are asked only where it matters."""

    operands: tuple[Topic, ...]
    slow: bool = field(init=False, compare=False, repr=False, default=False)
    needs_parents: bool = field(init=False, compare=False, repr=False, default=False)
    reads_main: bool = field(init=False, compare=False, repr=False, default=False)
    reads_everything: bool = field(init=False, compare=False, repr=False, default=False)
    spelled_out: bool = field(init=False, compare=False, repr=False, default=False)

    def __post_init__(self) -> None:
        flat = tuple(itertools.chain.from_iterable(self._parts(t) for t in self.operands))
        object.__setattr__(self, "operands", flat)
        object.__setattr__(self, "slow", any(t.slow for t in flat))
        object.__setattr__(self, "needs_parents", any(t.needs_parents for t in flat))
        object.__setattr__(self, "reads_main", any(t.reads_main for t in flat))
        object.__setattr__(self, "reads_everything", any(t.reads_everything for t in flat))
        object.__setattr__(self, "spelled_out", all(t.spelled_out for t in flat))

    def _parts(self, topic: Topic) -> tuple[Topic, ...]:
        return topic.operands if isinstance(topic, type(self)) else (topic,)

    def _quick_first(self) -> list[Topic]:
        return sorted(self.operands, key=lambda topic: topic.slow)

    @abc.abstractmethod
    def _open(self, score: float) -> bool:
        """Whether another operand could still change the verdict."""

    @abc.abstractmethod
    def _join(self, first: float, second: float) -> float:
        """The score of two operands together."""

    @property
    @abc.abstractmethod
    def _start(self) -> float:
        """The score of no operands at all."""

    def score(self, page: Page) -> float:
        total = self._start
        for topic in self._quick_first():
            if not topic.slow or self._open(total):
                total = self._join(total, calibrated(topic, topic.score(page)))
        return total

    async def judge(self, pages: Sequence[Page]) -> list[float]:
        totals: list[float | None] = [self._start] * len(pages)
        spent: BudgetSpent | None = None
        for topic in self._quick_first():
            asked = [i for i, t in enumerate(totals) if t is not None and (not topic.slow or self._open(t))]
            try:
                scores: Sequence[float | None] = await topic.judge([pages[i] for i in asked]) if asked else []
            except BudgetSpent as error:
                spent, scores = error, error.scores or [None] * len(asked)
            for i, score in zip(asked, scores, strict=True):
                totals[i] = None if score is None else self._join(totals[i] or 0.0, calibrated(topic, score))
        if spent is not None:
            raise BudgetSpent(str(spent), totals) from spent
        return [total for total in totals if total is not None]

    def words(self) -> dict[str, float]:
        union: dict[str, float] = {}
        for topic in self.operands:
            for word, weight in topic.words().items():
                union[word] = max(weight, union.get(word, 0.0))
        return union

    def at(self, threshold: float) -> Self:
        raise BadInput(f"only single topics have thresholds, and ({self}) is a combination")


@dataclass(frozen=True)
class And(Combination):
    """Pages that belong to every one of the operands."""

    _start = 1.0

    def _open(self, score: float) -> bool:
        return score >= 0.5

    def _join(self, first: float, second: float) -> float:
        return min(first, second)

    def impossible(self) -> str:
        reasons = [reason for reason in (t.impossible() for t in self.operands) if reason]
        clashes = [
            f"no page is both {a} and {b}"
            for a, b in itertools.combinations(self.operands, 2)
            if a.excludes(b) or b.excludes(a)
        ]
        return (reasons + clashes + [""])[0]

    def explain(self, page: Page) -> str:
        told = "; ".join(topic.explain(page) for topic in self.operands)
        return "; ".join(dict.fromkeys(told.split("; ")))  # a topic may stand in several of them

    def __str__(self) -> str:
        return " & ".join(f"({topic})" if isinstance(topic, Or) else str(topic) for topic in self.operands)


@dataclass(frozen=True)
class Or(Combination):
    """Pages that belong to at least one of the operands."""

    _start = 0.0

    def _open(self, score: float) -> bool:
        return score < 0.5

    def _join(self, first: float, second: float) -> float:
        return max(first, second)

    def impossible(self) -> str:
        reasons = [topic.impossible() for topic in self.operands]
        return "; ".join(dict.fromkeys(reasons)) if all(reasons) else ""

    def explain(self, page: Page) -> str:
        quick = [topic for topic in self.operands if not topic.slow]
        matching = [topic for topic in quick if topic.relevant(topic.score(page))]
        slow = [topic for topic in self.operands if topic.slow]
        return "; ".join(topic.explain(page) for topic in (matching or slow or quick))

    def __str__(self) -> str:
        return " | ".join(str(topic) for topic in self.operands)


@dataclass(frozen=True)
class Not(Topic):
    """Pages that do not belong to the operand: exactly those, hence the threshold."""

    condition: ClassVar[bool] = True
    operand: Topic
    threshold: float = field(init=False, default=HALF_AND_A_BIT, repr=False)
    slow: bool = field(init=False, compare=False, repr=False, default=False)
    needs_parents: bool = field(init=False, compare=False, repr=False, default=False)
    reads_main: bool = field(init=False, compare=False, repr=False, default=False)
    reads_everything: bool = field(init=False, compare=False, repr=False, default=False)
    spelled_out: bool = field(init=False, compare=False, repr=False, default=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "slow", self.operand.slow)
        object.__setattr__(self, "spelled_out", self.operand.spelled_out)
        object.__setattr__(self, "needs_parents", self.operand.needs_parents)
        object.__setattr__(self, "reads_main", self.operand.reads_main)
        object.__setattr__(self, "reads_everything", self.operand.reads_everything)

    def _complement(self, score: float) -> float:
        return 1 - calibrated(self.operand, score)

    def score(self, page: Page) -> float:
        return self._complement(self.operand.score(page))

    async def judge(self, pages: Sequence[Page]) -> list[float]:
        try:
            return [self._complement(score) for score in await self.operand.judge(pages)]
        except BudgetSpent as spent:
            scores = [None if score is None else self._complement(score) for score in spent.scores]
            raise BudgetSpent(str(spent), scores) from spent

    def impossible(self) -> str:
        if self.operand.threshold <= 0:
            return f"every page belongs to {self.operand}"
        if isinstance(self.operand, Or):
            return And(tuple(~topic for topic in self.operand.operands)).impossible()
        return ""

    def explain(self, page: Page) -> str:
        return f"not: {self.operand.explain(page)}"

    def at(self, threshold: float) -> Self:
        raise BadInput(f"only single topics have thresholds, and {self} is a combination")

    def __invert__(self) -> Topic:
        return self.operand

    def __str__(self) -> str:
        return f"~({self.operand})" if isinstance(self.operand, Combination) else f"~{self.operand}"
