"""A linear support vector machine with Platt scaling, small enough to be trained while a crawl waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.path_classifier import sigmoids

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Numbers = NDArray[np.floating[Any]]

STEPS = 50
CLOSE = 1e-4  # of the first gradient


def fitted_svm(examples: Numbers, good: NDArray[np.bool_], cost: float) -> Numbers:
    """Weights, the intercept last, that make ½|w|² + cost · Σ max(0, 1 - margin)² least, by Newton's method."""
    x = np.hstack((examples, np.ones((len(examples), 1)))).astype(np.float32)
    side = np.where(good, 1, -1).astype(np.float32)
    weights = np.zeros(x.shape[1], np.float32)
    first = None
    for _ in range(STEPS):
        short = np.maximum(1 - side * (x @ weights), 0)
        slope = weights - 2 * cost * (x.T @ (side * short))
        size = float(np.linalg.norm(slope))
        first = size if first is None else first
        if size <= CLOSE * first:
            break
        active = (short > 0).astype(np.float32)
        step = _solved(lambda v, active=active: v + 2 * cost * (x.T @ (active * (x @ v))), -slope)  # type: ignore[misc]
        weights = weights + _length(x @ weights, x @ step, side, weights, step, cost) * step
    return weights


def _solved(product: Callable[[Numbers], Numbers], wanted: Numbers) -> Numbers:
    """What a positive matrix has to be multiplied with, by conjugate gradients."""
    found, rest = np.zeros_like(wanted), wanted.copy()
    way, size = rest.copy(), float(rest @ rest)
    least = 1e-6 * size
    for _ in range(len(wanted)):
        if size <= least:
            break
        pushed = product(way)
        share = size / float(way @ pushed)
        found, rest = found + share * way, rest - share * pushed
        size, before = float(rest @ rest), size
        way = rest + size / before * way
    return found


def _length(at: Numbers, on: Numbers, side: Numbers, weights: Numbers, step: Numbers, cost: float) -> float:
    """How far to go: all the way, or half of it, or half of that, until it is downhill."""

    def loss(share: float) -> float:
        short = np.maximum(1 - side * (at + share * on), 0)
        moved = weights + share * step
        return float(moved @ moved) / 2 + cost * float(short @ short)

    share, here = 1.0, loss(0)
    while share > 1e-3 and loss(share) > here:
        share /= 2
    return share


def fitted_scaling(margins: Numbers, good: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and shift that make the sigmoid of a margin the chance of good (Platt 1999), by Newton's method."""
    positive, negative = int(good.sum()), int((~good).sum())
    wanted = np.where(good, (positive + 1) / (positive + 2), 1 / (negative + 2))
    x = np.vstack((margins, np.ones(len(margins)))).astype(np.float64)
    line = np.array([0.0, np.log((positive + 1) / (negative + 1))])
    for _ in range(STEPS):
        chance = sigmoids(line @ x)
        slope = x @ (chance - wanted)
        curve = (x * (chance * (1 - chance))) @ x.T + 1e-9 * np.eye(2)
        step = np.linalg.solve(curve, slope)
        share = 1.0
        while share > 1e-6 and _surprise(line - share * step, x, wanted) > _surprise(line, x, wanted):
            share /= 2
        line = line - share * step
        if np.abs(slope).max() < 1e-8 * len(margins):
            break
    return float(line[0]), float(line[1])


def _surprise(line: Numbers, x: Numbers, wanted: Numbers) -> float:
    value = line @ x
    return float((np.logaddexp(0, value) - wanted * value).sum())
