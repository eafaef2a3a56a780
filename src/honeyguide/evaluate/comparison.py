"""What a comparison brought: every crawl, and what follows from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from honeyguide.evaluate.averages import Row, rows_beside
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.starting import Start


@dataclass(frozen=True)
class ComparedTopic:
    """A topic, and how many pages of the web belong to it."""

    topic: str
    relevant: int
    share: float


@dataclass(frozen=True)
class Cut:
    """A crawl up to one of the further budgets."""

    pages: int
    relevant: int
    hosts: int
    nauc: float
    recall: float


@dataclass(frozen=True)
class Result:
    """What one crawl brought within the budget of the comparison, and at the further budgets that were asked for."""

    strategy: str
    topic: str
    start: str
    seed_set: int
    reachable: int  # relevant pages there were to find
    fetched: int
    relevant: int
    hosts: int  # that had a relevant page
    nauc: float
    found: tuple[int, ...]  # relevant pages at each of the comparison's points
    seconds: float = 0.0  # of CPU time, for the whole crawl
    searches: int = 0
    repeat: int = 0  # the how-manieth crawl from these seeds
    links: int = 0  # seen in the whole crawl
    crawled: int = 0  # pages of the whole crawl, for the largest budget
    reached: tuple[int | None, ...] = ()  # pages fetched for 25, 50 and 90 % of what can be reached
    cuts: tuple[Cut, ...] = ()

    @property
    def case(self) -> tuple[str, int, int]:
        """What it shares with the crawls of other strategies."""
        return self.topic, self.seed_set, self.repeat

    @property
    def job(self) -> tuple[str, str, str, int, int]:
        """What tells it from all other crawls of the comparison."""
        return self.strategy, self.topic, self.start, self.seed_set, self.repeat

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Result:
        """A result as it was kept in JSON."""
        cuts = tuple(Cut(**cut) for cut in values.get("cuts", ()))
        listed = {"found": tuple(values["found"]), "reached": tuple(values.get("reached", ())), "cuts": cuts}
        return cls(**{**values, **listed})

    @property
    def harvest(self) -> float:
        """Relevant among the fetched pages."""
        return self.relevant / self.fetched if self.fetched else 0.0

    @property
    def recall(self) -> float:
        """Relevant pages found, of those that could be reached."""
        return min(1.0, self.relevant / self.reachable) if self.reachable else 0.0


@dataclass(frozen=True)
class Comparison:
    """All that is needed to print it, and to look at it again later."""

    web: str
    pages: int
    design: Design
    budget: int
    strategies: tuple[str, ...]
    yardstick: str
    topics: tuple[ComparedTopic, ...]
    starts: tuple[Start, ...]
    points: tuple[int, ...]  # numbers of pages at which curves are kept
    results: tuple[Result, ...]
    notes: tuple[str, ...] = ()

    def own(self, strategy: str, start: str) -> list[Result]:
        """The crawls of a strategy from near or far."""
        return [result for result in self.results if result.strategy == strategy and result.start == start]

    def rows(self, start: str) -> list[Row]:
        """How the strategies did from near or far, the best first."""
        found = {name: own for name in self.strategies if (own := self.own(name, start))}
        return rows_beside(found, self.yardstick)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; the rows of the tables are there as well."""
        rows = {start: [asdict(row) for row in self.rows(start)] for start in self.design.starts}
        return {**asdict(self), "rows": rows}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Comparison:
        """A comparison from what `to_dict` gave."""
        made: dict[str, Any] = {
            "design": Design(**values["design"]),
            "strategies": tuple(values["strategies"]),
            "topics": tuple(ComparedTopic(**topic) for topic in values["topics"]),
            "starts": tuple(Start(**{**start, "seeds": tuple(start["seeds"])}) for start in values["starts"]),
            "points": tuple(values["points"]),
            "results": tuple(map(Result.from_dict, values["results"])),
            "notes": tuple(values["notes"]),
        }
        return cls(**{key: made.get(key, value) for key, value in values.items() if key != "rows"})
