"""Kuśmierczyk, Sydow 2013: classifiers of links on a crawl of 25 layers, and what cutting by them would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from honeyguide.reproduce.figures import mean
from honeyguide.reproduce.findings import Paper, Reproduction, Scale
from honeyguide.reproduce.kusmierczyk_findings import classifiers, criteria, features
from honeyguide.reproduce.kusmierczyk_harvest import cutting, layers, richness
from honeyguide.reproduce.kusmierczyk_tables import by_keywords, table_1, table_2
from honeyguide.reproduce.layered import crawled
from honeyguide.reproduce.link_trials import SETUPS, TESTED, Cut, Setup, cut, quality, split
from honeyguide.strategy.path_classifier import CRITERIA, check_installed

if TYPE_CHECKING:
    from honeyguide.reproduce.layered import View

LAYERS = 25
SEEDS_ABOUT = 0  # the number of the topic whose pages a crawl begins with: the most common one
LEAST_HARVEST = 0.005  # of keywords that are tried: below, too few valuable pages are in the layers to learn from


class Sizes(NamedTuple):
    """How large the experiment is."""

    web: int
    breadth: int
    seeds: int

    @classmethod
    def of(cls, scale: Scale) -> Sizes:
        """The paper's, or those of a test."""
        return cls(scale.of(60_000, 1200), scale.of(1000, 20), scale.of(500, 20))


@dataclass(frozen=True)
class Trial:
    """What one set of keywords brought."""

    keywords: str
    harvest: float  # of the whole crawl
    by_layer: list[float]
    f1: dict[Setup, float]  # without those for which there was nothing to learn from
    before: float  # harvest of the tested layers
    after: dict[str, Cut]  # what cutting leaves of them, by criterion; without those that leave nothing
    good: dict[str, tuple[float, float]]  # by criterion: the share of good links in the layers trained on and tested


class Kusmierczyk(Paper):
    """F1 by features, criterion and classifier; harvest by layer, and before and after pages are cut."""

    name = "kusmierczyk"
    title = "Kuśmierczyk, Sydow 2013: a keyword-focused crawler"
    claims = ("K1", "K2", "K3", "K4", "K5", "K6")

    def run(self, scale: Scale) -> Reproduction:
        check_installed("cart")
        sizes = Sizes.of(scale)
        views = crawled(sizes.web, sizes.breadth, LAYERS, sizes.seeds, SEEDS_ABOUT, scale.random_seed)
        rich = [view for view in views if view.harvest() >= LEAST_HARVEST]
        trials = [tried(view) for view in scale.watched(rich, len(rich))]
        findings = [claim(trials) for claim in (features, criteria, classifiers, richness, cutting, layers)]
        tables = (table_1(trials), table_2(trials), by_keywords(trials))
        return Reproduction(self.name, _setting(sizes, views, trials), tuple(findings), tables)


def tried(view: View) -> Trial:
    """All that is tried with one set of keywords."""
    parts = {criterion: split(view, criterion) for criterion in CRITERIA}
    qualities = {setup: quality(view, setup, parts[setup.criterion]) for setup in SETUPS}
    after = {criterion: cut(view, Setup("nb", "poor", criterion), parts) for criterion in CRITERIA}
    return Trial(
        keywords=str(view.topic).removeprefix("keyword:all"),
        harvest=view.harvest(),
        by_layer=[view.harvest(range(layer, layer + 1)) for layer in range(1, view.book.layer + 1)],
        f1={setup: value for setup, value in qualities.items() if value is not None},
        before=view.harvest(TESTED),
        after={criterion: value for criterion, value in after.items() if value is not None},
        good={name: (mean(both.trained.good), mean(both.tested.good)) for name, both in parts.items()},
    )


def _setting(sizes: Sizes, views: list[View], trials: list[Trial]) -> str:
    fetched = int(views[0].book.verdicts()[0].sum())
    return (
        f"A generated web of {sizes.web:,} pages, crawled from {sizes.seeds} pages on one topic in {LAYERS} layers of"
        f" at most {sizes.breadth:,}, none of it cut: {fetched:,} pages; {len(trials)} sets of keywords, those of the"
        f" web's topics that {100 * LEAST_HARVEST:.1f} % of these pages or more hold; trained on layers 3 to 10,"
        " tested on 11 to 25."
    )
