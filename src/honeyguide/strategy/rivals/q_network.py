"""A small network that values an action, trained by Adam on the mean squared error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

LEAK = 0.1  # of the leaky rectifiers
CLIP = 1.0  # the most that any gradient may be
FADE, FADE_SQUARES, TINY = 0.9, 0.999, 1e-7  # Adam's, as Keras has them


class QNetwork:
    """Layers of leaky rectifiers and one number at the end."""

    def __init__(self, sizes: Sequence[int], rate: float, seed: int) -> None:
        random = np.random.default_rng(seed)
        self._rate = rate
        self.layers: list[Numbers] = []  # weights and offsets in turn
        for inside, outside in zip(sizes, [*sizes[1:], 1], strict=True):
            bound = np.sqrt(6 / (inside + outside))  # Glorot's
            self.layers += [random.uniform(-bound, bound, (inside, outside)), np.zeros(outside)]
        self._means = [np.zeros_like(layer) for layer in self.layers]
        self._squares = [np.zeros_like(layer) for layer in self.layers]
        self.steps = 0

    def values(self, rows: NDArray[np.floating[Any]]) -> Numbers:
        """The value of each row."""
        return self._through(rows)[-1][:, 0]

    def _through(self, rows: NDArray[np.floating[Any]]) -> list[Numbers]:
        """What goes into each layer, and what comes out of the last."""
        flows = [np.asarray(rows, np.float64)]
        for at in range(0, len(self.layers), 2):
            out = flows[-1] @ self.layers[at] + self.layers[at + 1]
            flows.append(out if at == len(self.layers) - 2 else np.where(out > 0, out, LEAK * out))
        return flows

    def gradients(self, rows: NDArray[np.floating[Any]], wanted: Numbers) -> list[Numbers]:
        """Of the mean squared error, for each layer."""
        flows, found = self._through(rows), []
        pull = 2 * (flows[-1] - wanted[:, None]) / len(wanted)
        for at in range(len(self.layers) - 2, -1, -2):
            into = flows[at // 2]
            found += [pull.sum(axis=0), into.T @ pull]
            pull = (pull @ self.layers[at].T) * np.where(into > 0, 1.0, LEAK)
        return found[::-1]

    def fit(self, rows: NDArray[np.floating[Any]], wanted: Numbers) -> None:
        """One step towards the wanted values."""
        self.steps += 1
        for at, raw in enumerate(self.gradients(rows, wanted)):
            gradient = np.clip(raw, -CLIP, CLIP)
            self._means[at] += (1 - FADE) * (gradient - self._means[at])
            self._squares[at] += (1 - FADE_SQUARES) * (gradient**2 - self._squares[at])
            mean = self._means[at] / (1 - FADE**self.steps)
            spread = np.sqrt(self._squares[at] / (1 - FADE_SQUARES**self.steps))
            self.layers[at] -= self._rate * mean / (spread + TINY)

    def copy_of(self, other: QNetwork) -> None:
        """Take over the weights of another network."""
        self.layers = [layer.copy() for layer in other.layers]

    def save(self) -> Numbers:
        """All numbers end to end, the steps made last."""
        kinds = (*self.layers, *self._means, *self._squares)
        return np.concatenate([*(layer.ravel() for layer in kinds), [float(self.steps)]])

    def load(self, numbers: Numbers) -> None:
        """Take back what `save` gave."""
        ends = np.cumsum([layer.size for layer in self.layers * 3])
        parts = np.split(np.array(numbers[:-1], np.float64), ends[:-1])
        kinds = [part.reshape(layer.shape) for part, layer in zip(parts, self.layers * 3, strict=True)]
        count = len(self.layers)
        self.layers, self._means, self._squares = kinds[:count], kinds[count : 2 * count], kinds[2 * count :]
        self.steps = int(numbers[-1])
