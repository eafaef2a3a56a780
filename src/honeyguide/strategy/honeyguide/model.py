"""A logistic model that starts at given weights, and leaves them as far as the examples say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

STEPS = 2  # of Newton's method each time; the next time begins where these ended
LONGEST_STEP = 2.0
LOOSE = 0.01  # how firmly the share of relevant pages is believed, which no rule can know


class Model:
    """The chance of a page to be relevant is the logistic function of bias + Σ weight · evidence.

    A Gaussian prior holds the weights near the first ones, the more firmly the fewer examples there are.
    """

    def __init__(self, first: Sequence[float], firmness: float, recent: int) -> None:
        self._first = np.array([-2.0, *first])
        self._firmness = np.array([LOOSE, *[firmness] * len(first)])
        self._recent = recent
        self._weights = self._first.copy()
        self._rows = np.ones((256, len(self._first)))
        self._hits = np.zeros(256)
        self.examples = 0

    @property
    def weights(self) -> Numbers:
        """The bias and those of the evidence."""
        return self._weights

    def rank(self, evidence: Numbers) -> NDArray[np.float32]:
        """The log-odds without the bias, which would move all URLs alike."""
        ranks: NDArray[np.float32] = (evidence @ self._weights[1:]).astype(np.float32)
        return ranks

    def chance(self, ranks: NDArray[Any]) -> Numbers:
        """The chances that ranks stand for."""
        return _logistic(ranks + self._weights[0])

    def start_at(self, weights: Numbers) -> None:
        """Take weights that were learned elsewhere as the first ones."""
        self._first, self._weights = weights.copy(), weights.copy()

    def add(self, evidence: Numbers, hits: NDArray[np.bool_]) -> None:
        """Keep examples: what was known of URLs, and whether they proved relevant."""
        end = self.examples + len(hits)
        if end > len(self._hits):
            self._forget(len(hits))
            end = self.examples + len(hits)
        self._rows[self.examples : end, 1:] = evidence
        self._hits[self.examples : end] = hits
        self.examples = end

    def _latest(self) -> tuple[Numbers, Numbers]:
        latest = slice(max(0, self.examples - self._recent), self.examples)
        return self._rows[latest], self._hits[latest]

    def _forget(self, room: int) -> None:
        """Make room; only the recent examples are looked at."""
        rows, hits = self._latest()
        self.examples = len(hits)
        more = max(256, len(hits), room)
        self._rows = np.concatenate([rows, np.ones((more, rows.shape[1]))])
        self._hits = np.concatenate([hits, np.zeros(more)])

    def fit(self) -> None:
        """Take a few steps towards the most likely weights, given the prior and the recent examples."""
        rows, hits = self._latest()
        for _ in range(STEPS):
            chance = _logistic(rows @ self._weights)
            slope = rows.T @ (chance - hits) + self._firmness * (self._weights - self._first)
            bend = (rows * (chance * (1 - chance))[:, None]).T @ rows
            bend[np.diag_indices_from(bend)] += self._firmness
            step = np.linalg.solve(bend, slope)
            self._weights = self._weights - step * min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-9))

    def save(self) -> dict[str, Any]:
        """The weights and the examples that are still looked at."""
        rows, hits = self._latest()
        kept = {"examples": rows.copy(), "hits": hits.copy()}
        return {"weights": self._weights.copy(), "first": self._first.copy(), **kept}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._weights, self._first = (np.array(state[name], np.float64) for name in ("weights", "first"))
        self._rows = np.array(state["examples"], np.float64).reshape(-1, len(self._weights))
        self._hits = np.array(state["hits"], np.float64)
        self.examples = len(self._hits)


def _logistic(odds: Numbers) -> Numbers:
    chances: Numbers = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return chances
