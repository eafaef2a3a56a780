"""How common the topics of the invented web are, and how close the pages of each keep together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RAREST, COMMONEST = 0.0022, 0.13  # shares of all pages
LEAST_PAGES = 30  # of a topic
MOST_ON_TOPICS = 0.7  # of all pages
SCATTERED, SCATTERED_MORE = 0.1, 0.4  # the part of a topic's pages in sections on something else; more of rare topics
TRUE_TO_PAGE, LESS_TRUE = (
    0.5,
    0.6,
)  # chance that a block of links is on its page's topic; that much less on rare topics


@dataclass(frozen=True)
class Topics:
    """A figure for each topic, the most common first."""

    rates: Floats

    @property
    def count(self) -> int:
        """How many there are; this is also the number that stands for none."""
        return len(self.rates)

    @property
    def rarity(self) -> Floats:
        """From 0 for the most common that there may be to 1."""
        rarity: Floats = np.log(COMMONEST / self.rates) / np.log(COMMONEST / RAREST)
        return rarity

    @property
    def scattered(self) -> Floats:
        """The part of a topic's pages that stands in sections on something else."""
        return SCATTERED + SCATTERED_MORE * self.rarity

    @property
    def true_to_page(self) -> Floats:
        """Chance that a block of links of a page on the topic is on it; and last, of a page on none."""
        return np.append(TRUE_TO_PAGE * (1 - LESS_TRUE * self.rarity), TRUE_TO_PAGE)

    def strays(self, room: float) -> Floats:
        """Chances of the topics, and last of none, for pages that leave their section: `room` of all pages do."""
        wanted = self.scattered * self.rates / max(room, 1e-9)
        wanted *= min(1.0, 1 / wanted.sum())
        return np.append(wanted, max(0.0, 1 - wanted.sum()))


def usual_rates(pages: int, topics: int) -> Topics:
    """Topics of a web of so many pages, evenly on a logarithmic scale where that is not too much for it.

    >>> usual_rates(100_000, 5).rates.round(3).tolist()
    [0.13, 0.047, 0.017, 0.006, 0.002]
    """
    rarest = max(RAREST, min(COMMONEST / 3, LEAST_PAGES / pages))
    place = np.linspace(0, 1, topics)
    bent: Iterator[Floats] = (COMMONEST * (rarest / COMMONEST) ** place**bend for bend in np.linspace(1, 0.05, 96))
    fitting = (rates for rates in bent if rates.sum() <= MOST_ON_TOPICS)
    return Topics(next(fitting, np.full(topics, MOST_ON_TOPICS / topics)))
