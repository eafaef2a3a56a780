"""What an experiment brings: one finding a claim, and tables with the figures behind them."""

from __future__ import annotations

import abc
import itertools
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Thing = TypeVar("Thing")

HELD, PARTLY, NOT_HELD = "held", "partly", "not held"


@dataclass(frozen=True)
class Finding:
    """A claim of a paper and what came of it here."""

    claim: str  # its number: A1
    said: str  # the claim in a sentence
    theirs: str  # the paper's figures
    ours: str  # ours, with intervals
    verdict: str  # held, partly or not held
    why: str = ""  # how it was measured, and the reason where it did not hold

    def __post_init__(self) -> None:
        assert self.verdict in (HELD, PARTLY, NOT_HELD)


@dataclass(frozen=True)
class Table:
    """Figures behind findings, in rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Reproduction:
    """All that one experiment brought."""

    paper: str
    setting: str  # web, topics, sizes, in a few sentences
    findings: tuple[Finding, ...]
    tables: tuple[Table, ...] = ()
    quick: bool = False
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Reproduction:
        """As it was kept."""
        findings = tuple(Finding(**finding) for finding in values["findings"])
        tables = tuple(
            Table(table["title"], tuple(table["head"]), tuple(map(tuple, table["rows"])))
            for table in values["tables"]
        )
        return cls(**{**values, "findings": findings, "tables": tables})


@dataclass(frozen=True)
class Scale:
    """How large the experiment is made: at the paper's sizes, or small enough for a test."""

    quick: bool = False
    processes: int = 1
    random_seed: int = 0
    progress: Callable[[int, int], None] = field(default=lambda done, total: None, compare=False)

    def of(self, full: int, quick: int) -> int:
        """A number of the experiment."""
        return quick if self.quick else full

    def counter(self, total: int) -> Callable[[], None]:
        """What to call whenever one more of so many parts is done."""
        done = itertools.count()

        def count() -> None:
            self.progress(next(done), total)

        count()
        return count

    def watched(self, things: Iterable[Thing], total: int) -> Iterator[Thing]:
        """Things one by one, each counted when the next is asked for."""
        count = self.counter(total)
        for thing in things:
            yield thing
            count()


class Paper(abc.ABC):
    """One paper's experiment."""

    name: ClassVar[str]  # as on the command line
    title: ClassVar[str]
    claims: ClassVar[tuple[str, ...]]

    @abc.abstractmethod
    def run(self, scale: Scale) -> Reproduction:
        """Make the experiment; one finding for every claim."""
