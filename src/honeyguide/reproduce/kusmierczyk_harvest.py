"""Which claims of Kuśmierczyk, Sydow 2013 about the harvest hold, by rules."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.averages import HIGH, LOW, RESAMPLES, Estimate, estimate
from honeyguide.reproduce.figures import mean, percent, with_interval
from honeyguide.reproduce.findings import HELD, NOT_HELD, PARTLY, Finding
from honeyguide.reproduce.link_trials import BEST
from honeyguide.strategy.path_classifier import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.reproduce.kusmierczyk import Trial

STRONG = 0.5  # rank correlation
LEAST_FACTOR = 1.5  # of the harvest after cutting, in the paper
ENDS = 8  # layers at either end
FLAT = 0.5  # the harvest of the layers at both ends differs by no more than this share of its mean
STEADILY = 2 / 3  # of the steps from layer to layer lead down


def richness(trials: Sequence[Trial]) -> Finding:
    """K4."""
    learned = [trial for trial in trials if BEST in trial.f1]
    found = correlation([trial.harvest for trial in learned], [trial.f1[BEST] for trial in learned])
    return Finding(
        claim="K4",
        said="F1 rises with the harvest ratio of the keywords",
        theirs="a figure; it rises",
        ours=f"rank correlation {with_interval(found)} over {len(learned)} sets of keywords",
        verdict=richness_verdict(found),
        why=(
            f"Spearman's, for nb with Poor and Simple. Held when it is {STRONG} or more and its interval, over"
            " resampled sets of keywords, lies above 0; partly when it is above 0."
        ),
    )


def richness_verdict(found: Estimate) -> str:
    """Whether two figures rise together."""
    if found.mean >= STRONG and found.low > 0:
        return HELD
    return PARTLY if found.mean > 0 else NOT_HELD


def correlation(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Spearman's rank correlation of two figures of the same things, and its bootstrap interval; 0 for want of"
    " any."""
    both = np.array([first, second], float)
    number = both.shape[1]
    drawn = np.random.default_rng(0).integers(0, number or 1, (RESAMPLES, number))
    again = [_correlation(both[:, row]) for row in drawn]
    low, high = np.percentile(again, (LOW, HIGH))
    return Estimate(_correlation(both), float(low), float(high))


def _correlation(both: NDArray[np.float64]) -> float:
    ranks = np.array([(row[:, None] > row).sum(axis=1) + (row[:, None] == row).sum(axis=1) / 2 for row in both])
    return float(np.corrcoef(ranks)[0, 1]) if both.shape[1] and ranks.std(axis=1).all() else 0.0


def cutting(trials: Sequence[Trial]) -> Finding:
    """K5."""
    factors = factors_of(trials, "simple")
    shown = estimate(factors or [0.0])
    left = [trial.after["simple"] for trial in trials if "simple" in trial.after]
    others = {name: mean(factors_of(trials, name)) for name in CRITERIA[1:]}
    return Finding(
        claim="K5",
        said="harvest after the cut is 1.5 to 10 times that before",
        theirs="1.5 to 10 times",
        ours=f"{with_interval(shown, 1)} times, from {min(factors, default=0):.1f} to {max(factors, default=0):.1f}",
        verdict=cutting_verdict(factors, len(trials)),
        why=(
            "Layers 11 to 25 as they were crawled against what votes (nb, Poor, Simple, F = 0.95) would have left of"
            f" them, branches of what was cut included. Held when it is {LEAST_FACTOR} times or more for every set of"
            " keywords, partly when for half of them. What the paper does not tell is the price: of the pages"
            f" {100 * mean(cut.pages for cut in left):.1f} % are left, and of the valuable ones"
            f" {100 * mean(cut.valuable for cut in left):.0f} % (means). For"
            f" {len(trials) - len(left)} of {len(trials)} sets nothing was left. By the other criteria:"
            f" {', '.join(f'{name} {value:.1f} times' for name, value in others.items() if value)}."
        ),
    )


def factors_of(trials: Sequence[Trial], criterion: str) -> list[float]:
    """How many times as high cutting makes the harvest, for every set of keywords of which it leaves pages."""
    return [t.after[criterion].harvest / t.before for t in trials if criterion in t.after and t.before]


def cutting_verdict(factors: Sequence[float], tried: int) -> str:
    """Whether cutting multiplies the harvest as much as in the paper, whatever the keywords."""
    enough = sum(factor >= LEAST_FACTOR for factor in factors)
    if enough == tried:
        return HELD
    return PARTLY if enough >= tried / 2 else NOT_HELD


def layers(trials: Sequence[Trial]) -> Finding:
    """K6."""
    change = estimate([change_outward(trial.by_layer) for trial in trials])
    down = estimate([steps_down(trial.by_layer) for trial in trials])
    return Finding(
        claim="K6",
        said="harvest per layer is rather flat, not steadily falling",
        theirs="a figure; flat, with weak signs of falling when smoothed",
        ours=(
            f"from the first eight layers to the last eight it changes by {with_interval(change)} of its mean;"
            f" {percent(down)} of its steps from layer to layer lead down"
        ),
        verdict=layers_verdict(change.mean, down.mean),
        why=(
            f"Held when it changes by no more than {FLAT} of its mean either way and at most two thirds of its steps"
            " lead down, means over the sets of keywords; partly when one of the two."
        ),
    )


def layers_verdict(change: float, down: float) -> str:
    """Whether the harvest neither changes much nor falls steadily."""
    return (NOT_HELD, PARTLY, HELD)[(abs(change) <= FLAT) + (down <= STEADILY)]


def change_outward(by_layer: Sequence[float]) -> float:
    """How much higher it is in the last eight layers than in the first eight, as a share of its mean."""
    return (mean(by_layer[-ENDS:]) - mean(by_layer[:ENDS])) / max(mean(by_layer), 1e-9)


def steps_down(by_layer: Sequence[float]) -> float:
    """The share of steps from layer to layer that lead down, of those that lead anywhere."""
    steps = [after - before for before, after in pairwise(by_layer) if after != before]
    return mean(step < 0 for step in steps)
