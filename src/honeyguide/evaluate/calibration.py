"""Whether a generated web may stand for real ones: its statistics, and the order it puts strategies in."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.evaluate.agreement import figures, kendall_tau, kept_order, settled
from honeyguide.evaluate.collection import check_names, folder_name, named_world, read_collection
from honeyguide.evaluate.comparing import compare
from honeyguide.evaluate.linked import linked_collection, linked_world
from honeyguide.evaluate.statistics import Statistics, measure
from honeyguide.evaluate.statistics_table import told_statistics
from honeyguide.evaluate.target import fits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from honeyguide.evaluate.comparison import Comparison
    from honeyguide.evaluate.design import Design

    Progress = Callable[[int, int], None]

BASELINES = (
    "breadth-first",
    "random",
    "best-first",
    "relevant-parents",
    "host-odds",
    "shark-search",
    "intelligent",
    "evolved",
    "tunnel",
    "paths",
    "genetic",
    "ache",
    "anthelion",
    "craw4llm",
    "crawl4ai",
    "deep-deep",
    "opic",
    "sb-classifier",
    "tres",
)
WANTED_TAU = 0.8


@dataclass(frozen=True)
class Calibration:
    """A generated web beside real ones; it comes first in both."""

    statistics: tuple[Statistics, ...]
    comparisons: tuple[Comparison, ...]

    def tau(self, start: str, one: int, other: int) -> float:
        """How far two of the webs agree on the order of strategies."""
        return kendall_tau(figures(self.comparisons[one], start), figures(self.comparisons[other], start))

    def settled(self, start: str) -> dict[tuple[str, str], int]:
        """The pairs of strategies whose order the real webs agree on."""
        return settled(self.comparisons[1:], start)

    @property
    def starts(self) -> tuple[str, ...]:
        """From where crawls began."""
        return self.comparisons[0].design.starts


def statistics_of(source: str) -> Statistics:
    """The statistics of a web as it is named on a command line; a generated one may have millions of pages."""
    if world := named_world(source):
        return measure(linked_world(source, world.arrays))
    return measure(linked_collection(read_collection(source)))


def calibrate(
    generated: str,
    real: Sequence[str],
    design: Design,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    log: Path | None = None,
) -> Calibration:
    """Measure and compare. Topics are phrases on every web, chosen by the same rule, also on the generated one.

    Crawls are kept in the directory `log`, in a folder a web, as those of a comparison are.
    """
    if named_world(generated) is None:
        raise BadInput(f"{generated} is no generated web; write synthetic, synthetic:SEED or synthetic:SEED:PAGES")
    check_names((generated, *real))
    statistics, comparisons = [], []
    for source in (generated, *real):
        web = replace(read_collection(source), topics=())
        statistics.append(statistics_of(source) if source == generated else measure(linked_collection(web)))
        kept = log / folder_name(source) if log else None
        comparisons.append(compare(web, BASELINES, (), design, jobs=jobs, progress=progress, log=kept))
    return Calibration(tuple(statistics), tuple(comparisons))


def told_calibration(made: Calibration) -> str:
    """Statistics with verdicts, the orders, and how far they agree."""
    verdicts = fits(made.statistics[0])
    parts = [
        told_statistics(made.statistics, made.statistics[0]),
        f"{sum(verdicts.values())} of {len(verdicts)} statistics are within a quarter of the target's.",
        *(_orders(made, start) for start in made.starts),
        _agreement(made),
    ]
    return "\n\n".join(parts)


def _orders(made: Calibration, start: str) -> str:
    """Every web's strategies with their nAUC, the best first."""
    columns = [[f"{name} {value:.3f}" for name, value in figures(web, start).items()] for web in made.comparisons]
    longest = max(map(len, columns))
    rows = zip(*(column + [""] * (longest - len(column)) for column in columns), strict=True)
    names = [web.web for web in made.comparisons]
    lines = [
        f"nAUC from {start} seeds, the best first:",
        "",
        _line(names),
        "|" + "---|" * len(names),
        *map(_line, rows),
    ]
    return "\n".join(lines)


def _agreement(made: Calibration) -> str:
    names = [web.web for web in made.comparisons]
    head = ["Kendall's tau", *made.starts, f"tau ≥ {WANTED_TAU}"]
    lines = [_line(head), "|" + "---|" * len(head)]
    for one, other in combinations(range(len(names)), 2):
        lines.append(_told(f"{names[one]}, {names[other]}", [made.tau(start, one, other) for start in made.starts]))
    pairs = {start: made.settled(start) for start in made.starts}
    taus = [kept_order(pairs[start], figures(made.comparisons[0], start)) for start in made.starts]
    lines.append(_told(f"{names[0]}, what the others agree on", taus))
    most = math.comb(len(made.comparisons[0].strategies), 2)
    counted = ", ".join(f"{len(found)} of {most} from {start} seeds" for start, found in pairs.items())
    verdict = "accepted" if all(tau >= WANTED_TAU for tau in taus) else "not accepted"
    told = f"{names[0]} is {verdict}: what the real webs agree on is what counts."
    return "\n".join([*lines, "", f"Pairs of strategies that the real webs agree on: {counted}. {told}"])


def _told(name: str, taus: Sequence[float]) -> str:
    verdict = "yes" if all(tau >= WANTED_TAU for tau in taus) else "**no**"
    return _line([name, *("–" if math.isnan(tau) else f"{tau:.2f}" for tau in taus), verdict])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
