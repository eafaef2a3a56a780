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

    from honeyguide.graph import Graph

HORIZON = 1000  # fetches that are looked ahead, and back
LATELY = HORIZON // 4  # those that tell most
REMEMBERED = 2 * HORIZON  # fetches that forecasts by host look at
LEAST = 100  # fetches before anything is forecast
LEAST_OF_HOST = 20  # fetches from a host
EIGHTY = 1.2816  # standard deviations of an interval that holds four times in five
QUANTILES = (0.1, 0.5, 0.9)
# log(1 + quantile) = bias + weight · log(1 + harvest of the last 250) + weight · log(1 + harvest of the last 1,000),
# both as if of a thousand. Fitted by: python -m benchmarks.forecast --fit
WEIGHTS = {
    0.1: (-0.16, 0.46, 0.11),
    0.5: (1.10, 0.63, 0.10),
    0.9: (4.51, 0.48, -0.18),
}


@dataclass(frozen=True)
class Yield:
    """Relevant pages to be expected of fetches: as often more as fewer; four times in five `low` to `high`."""

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


def evidence(relevant: NDArray[np.bool_]) -> tuple[float, float]:
    """What the latest fetches brought, and more of them, as the logarithm of relevant pages in a thousand."""
    lately, longer = (HORIZON * float(relevant[-window:].mean()) for window in (LATELY, HORIZON))
    return math.log1p(lately), math.log1p(longer)


def forecast(relevant: NDArray[np.bool_], fetches: int = HORIZON, least: int = LEAST) -> Yield | None:
    """What to expect after fetches with these verdicts; None where there were too few to tell."""
    if len(relevant) < least or fetches < 1:
        return None
    known = (1.0, *evidence(relevant))
    shares = [math.expm1(sum(map(math.prod, zip(WEIGHTS[q], known, strict=True)))) / HORIZON for q in QUANTILES]
    low, middle, high = (fetches * min(1.0, max(0.0, share)) for share in shares)
    # The weights are for a thousand fetches; fewer scatter more.
    scatter = EIGHTY * math.sqrt(middle * (1 - middle / fetches) * max(0.0, 1 - fetches / HORIZON))
    below, above = (math.hypot(max(0.0, away), scatter) for away in (middle - low, high - middle))
    return Yield(fetches, middle, max(0.0, middle - below), min(float(fetches), middle + above))


def expected(graph: Graph) -> Yield | None:
    """What the next thousand fetches of a crawl will bring; None where it is too soon to tell."""
    return forecast(graph.relevant[graph.visited()[-HORIZON:]])


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
