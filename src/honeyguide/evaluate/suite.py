"""The leaderboard: every strategy on several webs, on topics that nothing was tuned on, with one verdict over all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from honeyguide.evaluate.averages import row, rows_beside
from honeyguide.evaluate.design import FAR, NEAR, Design
from honeyguide.evaluate.oracle import ORACLE
from honeyguide.evaluate.table import NONE, heading, interval, markdown, rounded_p
from honeyguide.strategy import strategies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.evaluate.averages import Row
    from honeyguide.evaluate.comparison import Comparison, Result

OURS = "honeyguide"
GENERATED = tuple(f"synthetic:{seed}:6000" for seed in (21, 22, 23, 24))  # no seed that anything was tuned on
SEARCHING, RIVAL = f"{OURS}:searches=20", "genetic"  # an index of the whole web is worth much
ON_EQUAL_TERMS = (f"{RIVAL}:mutation=0", SEARCHING)
BUDGETS = ("1%", "5%")  # beside the main one
ABLATIONS = (
    "without=parents",
    "without=siblings",
    "without=place",
    "without=links",
    "without=keywords",
    "future=0",
    "firmness=1000",
    "memory=1000000",
    "exploration=0",
)


def suite_design(topics: int = 60, seed_sets: int = 3, random_seed: int = 0) -> Design:
    """Final topics only: about half of those that are chosen."""
    return Design(
        topics=topics,
        seed_sets=seed_sets,
        pages="10%",
        at=",".join(BUDGETS),
        part="final",
        yardstick=OURS,
        random_seed=random_seed,
    )


def suite_strategies(ablations: bool) -> list[str]:
    """All there are and the oracle; or this project's, and what it is without each of its parts."""
    if ablations:
        return [OURS, *(f"{OURS}:{change}" for change in ABLATIONS)]
    return [*strategies(), *ON_EQUAL_TERMS, ORACLE]


@dataclass(frozen=True)
class Standings:
    """Comparisons on several webs, made alike."""

    title: str
    comparisons: Sequence[Comparison]

    def rows(self, start: str) -> list[Row]:
        """How all strategies did over all webs, each topic of each web counted once; the best first."""
        return rows_beside(self._by_strategy(start), OURS)

    def _by_strategy(self, start: str) -> dict[str, list[Result]]:
        results = [each for made in self.comparisons for each in _named_by_web(made, start)]
        names = dict.fromkeys(result.strategy for result in results)
        return {name: [result for result in results if result.strategy == name] for name in names}

    def among_searchers(self, start: str) -> str:
        """The strategy that searches beside this project's when it searches, too; nothing where one is missing."""
        own = self._by_strategy(start)
        if RIVAL not in own or SEARCHING not in own:
            return ""
        found = row(RIVAL, own[RIVAL], own[SEARCHING])
        assert found.difference is not None
        return (
            f"Where both search: nAUC of {RIVAL} − {SEARCHING} {interval(found.difference, '+')},"
            f" p {rounded_p(found.p_alone)} (one test), W/T/L {found.wins}/{found.ties}/{found.losses}."
        )

    def table(self, start: str) -> tuple[list[str], list[list[str]]]:
        """Heads and cells."""
        rows = self.rows(start)
        ceiling = next((each.nauc.mean for each in rows if each.strategy == ORACLE), 0.0)
        return columns(), [cells(each, ceiling) for each in rows]


def _named_by_web(made: Comparison, start: str) -> list[Result]:
    return [replace(each, topic=f"{made.web} {each.topic}") for each in made.results if each.start == start]


def columns() -> list[str]:
    """The heads of a table."""
    at = [f"at {budget}" for budget in BUDGETS]
    rest = ["harvest", "recall", "hosts", f"nAUC − {OURS}", "p", "W/T/L", "µs/link"]
    return ["strategy", "nAUC", "of the oracle", *at, *rest]


def cells(each: Row, ceiling: float) -> list[str]:
    """A row of a table."""
    return [
        each.strategy,
        interval(each.nauc),
        f"{each.nauc.mean / ceiling:.0%}" if ceiling else NONE,
        *(f"{cut.nauc.mean:.3f}" for cut in each.cuts),
        f"{each.harvest.mean:.3f}",
        f"{each.recall:.3f}",
        f"{each.hosts:.1f}",
        interval(each.difference, "+") if each.difference else NONE,
        rounded_p(each.p),
        f"{each.wins}/{each.ties}/{each.losses}" if each.difference else NONE,
        f"{each.microseconds:.1f}",
    ]


def told_standings(parts: Sequence[Standings]) -> str:
    """The leaderboard as Markdown, its first part the verdict."""
    return "\n\n".join(f"## {part.title}\n\n{_listed(part)}\n\n{_tables(part)}" for part in parts)


def _listed(part: Standings) -> str:
    return "\n".join(
        f"- {made.web}: {made.pages:,} pages, {len(made.topics)} topics, {made.budget:,} pages a crawl,"
        f" {len(made.results):,} crawls"
        for made in part.comparisons
    )


def _tables(part: Standings) -> str:
    told = (
        (f"**{heading(start)}**", markdown(*part.table(start)), part.among_searchers(start)) for start in (NEAR, FAR)
    )
    return "\n\n".join(filter(None, chain.from_iterable(told)))
