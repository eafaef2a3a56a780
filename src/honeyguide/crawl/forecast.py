"""How many relevant pages the next fetches will bring, by what the latest ones brought; checked in simulation.

`python -m benchmarks.forecast` says how often the intervals hold, and how far off they are.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

HORIZON = 1000  # fetches that are looked ahead
REMEMBERED = 2 * HORIZON  # fetches that a forecast looks at
LEAST = 100  # fetches before anything is forecast
LEAST_OF_HOST = 20  # fetches from a host
TREND = 0.3  # of the change from the window before that goes on
FADING = 0.93  # of a harvest that lasts: what is best is fetched first
SCATTER = 3.0  # times the variance of independent draws: relevant pages come in bunches
DRIFT = 0.35  # of the forecast itself by which the web may turn out otherwise, as a standard deviation
EIGHTY = 1.2816  # standard deviations of an interval that holds four times in five


@dataclass(frozen=True)
class Yield:
    """Relevant pages to be expected of so many fetches; four times in five they are from `low` to `high`."""

    fetches: int
    expected: float
    low: float
    high: float

    @property
    def rate(self) -> float:
        """Relevant pages a fetch."""
        return self.expected / self.fetches if self.fetches else 0.0

    def __str__(self) -> str:
        return f"{self.expected:,.0f} ({self.low:,.0f} to {self.high:,.0f}) of the next {self.fetches:,}"


def forecast(relevant: NDArray[np.bool_], fetches: int = HORIZON, least: int = LEAST) -> Yield | None:
    """What to expect after fetches with these verdicts; None where there were too few to tell."""
    if len(relevant) < least or fetches < 1:
        return None
    window = min(HORIZON, len(relevant) // 2)
    now, before = (int(np.count_nonzero(part)) for part in (relevant[-window:], relevant[-2 * window : -window]))
    rate = (now + 0.5) / (window + 1)
    change = TREND * (now - before) / window
    share = min(1.0, max(0.5 / (window + 1), FADING * rate + change))
    expected = fetches * share
    spread = math.sqrt(
        SCATTER * expected * (1 - share) * (1 + fetches / window) + (DRIFT * expected * (1 - share)) ** 2
    )
    low, high = max(0.0, expected - EIGHTY * spread), min(float(fetches), expected + EIGHTY * spread)
    return Yield(fetches, expected, low, high)


def by_host(hosts: Sequence[str], relevant: NDArray[np.bool_]) -> dict[str, Yield]:
    """The same for each host, by its latest fetches, if it goes on being asked as often; the best first."""
    asked: defaultdict[str, list[bool]] = defaultdict(list)
    for host, hit in zip(hosts[-REMEMBERED:], relevant[-REMEMBERED:].tolist(), strict=True):
        asked[host].append(hit)
    looked_at = min(len(hosts), REMEMBERED)
    found = {
        host: ahead
        for host, hits in asked.items()
        if (ahead := forecast(np.array(hits), round(HORIZON * len(hits) / looked_at), LEAST_OF_HOST))
    }
    return dict(sorted(found.items(), key=lambda item: -item[1].expected))
