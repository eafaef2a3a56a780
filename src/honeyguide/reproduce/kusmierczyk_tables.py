"""The figures behind the findings about Kuśmierczyk, Sydow 2013."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.reproduce.figures import percent, slashed
from honeyguide.reproduce.findings import Table
from honeyguide.reproduce.kusmierczyk_findings import quality_of
from honeyguide.reproduce.link_trials import BEST, Setup
from honeyguide.strategy.path_classifier import CRITERIA, FITTED
from honeyguide.strategy.path_features import SETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.reproduce.kusmierczyk import Trial
    from honeyguide.reproduce.link_trials import Cut

NONE = "–"


def table_1(trials: Sequence[Trial]) -> Table:
    """F1 by features."""
    rows = tuple((name, *(_cell(trials, Setup(c, name, "simple")) for c in FITTED)) for name in SETS)
    return Table("F1 by features, criterion Simple (the paper's Table 1):", ("features", *FITTED), rows)


def table_2(trials: Sequence[Trial]) -> Table:
    """F1 by criterion."""
    rows = tuple((name, *(_cell(trials, Setup(c, "poor", name)) for c in FITTED)) for name in CRITERIA)
    return Table("F1 by criterion, features Poor (the paper's Table 2):", ("criterion", *FITTED), rows)


def by_keywords(trials: Sequence[Trial]) -> Table:
    """The paper's Figures 2, 3, 5 and 6."""
    harvest = (
        "harvest",
        "F1, nb Poor Simple",
        "harvest, layers 11 to 25",
        "after the cut",
        "pages left",
        "valuable ones left",
    )
    head = ("keywords", *harvest, "harvest in %, layers 1, 4, 7 … 25")
    rows = tuple(
        (
            trial.keywords.strip("()"),
            _share(trial.harvest),
            _share(trial.f1.get(BEST)),
            _share(trial.before),
            *_left(trial.after.get("simple")),
            slashed((100 * value for value in trial.by_layer[::3]), 0),
        )
        for trial in sorted(trials, key=lambda trial: -trial.harvest)
    )
    return Table("By sets of keywords (the paper's Figures 2, 3, 5 and 6):", head, rows)


def _left(found: Cut | None) -> tuple[str, ...]:
    return tuple(map(_share, found)) if found else (NONE, NONE, NONE)


def _cell(trials: Sequence[Trial], setup: Setup) -> str:
    found = quality_of(trials, setup)
    return percent(found) if found else NONE


def _share(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f} %"
