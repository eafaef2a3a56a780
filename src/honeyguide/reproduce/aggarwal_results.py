"""Which crawls Aggarwal's experiment is made of, and what they brought, asked for by name."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from honeyguide.reproduce.aggarwal_crawls import Task, make_all
from honeyguide.strategy.interest import FACTORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honeyguide.reproduce.aggarwal_crawls import Ground, Key, Made, Predicate
    from honeyguide.reproduce.findings import Scale

COMPOSITE = "intelligent"
SINGLES = {factor: f"{COMPOSITE}:{factor}" for factor in FACTORS}
PLAIN = ("random", "breadth-first")  # pay no heed to the topic: one crawl is judged by all predicates
REUSED = "reused"  # in place of the strategy: the composite, with what the first start's crawl has learned
TAUGHT = 0  # the start whose crawl teaches
RELEARNT = 2  # the start of the crawls that are taught: another portal
Curve = tuple[float, ...]


@dataclass(frozen=True)
class Results:
    """The harvest by checkpoint of every crawl."""

    ground: Ground
    predicates: Sequence[Predicate]
    related: Sequence[Predicate]  # for some of them, in the same order
    factor_starts: Sequence[int]
    curves: dict[Key, Curve]

    @property
    def starts(self) -> range:
        """The numbers of all starts."""
        return range(len(self.ground.starts))

    def end(self, topic: str, start: int, strategy: str) -> float:
        """The harvest of a whole crawl."""
        return self.curves[topic, start, strategy][-1]

    def ends(self, topic: str, strategy: str) -> list[float]:
        """The harvest of whole crawls from every start."""
        return [self.end(topic, start, strategy) for start in self.starts]

    def mean(self, topic: str, strategy: str, starts: Iterable[int]) -> Curve:
        """The harvest by checkpoint, averaged over starts."""
        return tuple(map(fmean, zip(*(self.curves[topic, start, strategy] for start in starts), strict=True)))

    def factors(self, topic: str, starts: Sequence[int]) -> dict[str, float]:
        """The harvest of whole crawls by each single factor."""
        return {factor: self.mean(topic, strategy, starts)[-1] for factor, strategy in SINGLES.items()}


def crawled(
    ground: Ground,
    predicates: Sequence[Predicate],
    related: dict[str, Predicate],
    factor_starts: Sequence[int],
    scale: Scale,
) -> Results:
    """Make all crawls: those that teach first, then those that are taught."""
    taken = [predicate.topic for predicate in predicates]
    made = make_all(ground, _untaught(ground, taken, related, factor_starts), scale)
    made |= make_all(ground, _taught(taken, related, made), scale)
    curves = {key: one.harvest[0] for key, one in made.items() if key[0]}
    for (topic, start, strategy), one in made.items():
        if not topic:
            curves |= {(t, start, strategy): curve for t, curve in zip(taken, one.harvest, strict=True)}
    return Results(ground, predicates, list(related.values()), factor_starts, curves)


def _untaught(
    ground: Ground, topics: Sequence[str], related: dict[str, Predicate], factor_starts: Sequence[int]
) -> dict[Key, Task]:
    starts = range(len(ground.starts))
    plain = [("", s, "random") for s in starts] + [("", s, "breadth-first") for s in factor_starts]
    keys = [(topic, s, COMPOSITE) for topic in topics for s in starts]
    keys += [(topic, s, name) for topic in topics for s in factor_starts for name in SINGLES.values()]
    keys += [(near.topic, RELEARNT, COMPOSITE) for near in related.values()]
    return {key: Task((key[0],) if key[0] else tuple(topics), *key[1:]) for key in (*plain, *sorted(keys))}


def _taught(topics: Sequence[str], related: dict[str, Predicate], made: dict[Key, Made]) -> dict[Key, Task]:
    pairs = [(topic, topic) for topic in topics] + [(topic, near.topic) for topic, near in related.items()]
    return {
        (topic, RELEARNT, REUSED): Task((topic,), RELEARNT, COMPOSITE, made[teacher, TAUGHT, COMPOSITE].knowledge)
        for teacher, topic in pairs
    }
