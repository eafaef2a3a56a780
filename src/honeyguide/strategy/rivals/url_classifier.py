"""Learns, page by page, which URLs lead to targets, from the pairs of characters in them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FIRST_CHARACTER, CHARACTERS = 32, 95  # printable ASCII
PENALTY, OFFSET = 1e-4, 1000.0  # alpha and t₀ of scikit-learn's SGDClassifier, whose rate is 1 / (alpha (t₀ + t))


class UrlClassifier:
    """Logistic regression on the pairs of characters of URLs, by stochastic gradient descent in batches."""

    def __init__(self) -> None:
        self.weights = np.zeros(CHARACTERS * CHARACTERS + 1)  # the intercept comes last
        self.steps = 0

    def says_target(self, urls: Sequence[str]) -> NDArray[np.bool_]:
        """Which URLs are more likely targets than not; none before anything was learned."""
        pairs, owners = _pairs(urls)
        margins = np.bincount(owners, self.weights[pairs], len(urls)) + self.weights[-1]
        return np.asarray(margins > 0)

    def learn(self, urls: Sequence[str], targets: Sequence[bool]) -> None:
        """One step for each URL."""
        for url, target in zip(urls, targets, strict=True):
            pairs, _ = _pairs([url])
            rate = 1 / (PENALTY * (OFFSET + self.steps))
            margin = float(self.weights[pairs].sum() + self.weights[-1])
            pull = rate * (target - 1 / (1 + math.exp(-min(max(margin, -500), 500))))
            self.weights[:-1] *= 1 - rate * PENALTY
            np.add.at(self.weights, pairs, pull)
            self.weights[-1] += pull
            self.steps += 1


def _pairs(urls: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of all pairs of printable characters, and whose they are."""
    text = np.frombuffer("\n".join(urls).lower().encode("ascii", "replace"), np.uint8).astype(np.int64)
    owners = np.cumsum(text == 10)[:-1]
    places = text - FIRST_CHARACTER
    good = (places >= 0) & (places < CHARACTERS)
    both = good[:-1] & good[1:]
    return (places[:-1] * CHARACTERS + places[1:])[both], owners[both]
