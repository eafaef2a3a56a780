"""A tree that parts a space of features wherever that parts rewards, one example at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.floating[Any]]

LEAF = -1
LEAST_GAIN = 1e-12  # less is rounding


class SplitTree:
    """Leaves split where the variance of the rewards falls most; node 0 is the root."""

    def __init__(self, features: int, max_depth: int, min_split: int) -> None:
        self._max_depth, self._min_split = max_depth, min_split
        self.examples = np.zeros((64, features), np.float32)
        self.rewards = np.zeros(64)
        self._leaf_of = np.zeros(64, np.int32)  # of each example
        self.size = 0
        self.feature, self.threshold, self.left = [0], [0.0], [LEAF]  # by node; the right child follows the left one
        self._depth = [0]
        self._inside: list[list[int]] = [[]]  # examples by leaf
        self._alike = [True]  # whether these have the same features or the same rewards, so that nothing can be split
        self._as_arrays: tuple[NDArray[Any], ...] | None = None  # the nodes, until one is split

    def __len__(self) -> int:
        return len(self.left)

    @property
    def leaves(self) -> int:
        """How many there are."""
        return self.left.count(LEAF)

    def leaves_of(self, rows: Numbers) -> NDArray[np.int64]:
        """The leaf that each row belongs to."""
        node = np.zeros(len(rows), np.int64)
        if self._as_arrays is None:
            self._as_arrays = np.array(self.feature), np.array(self.threshold, np.float32), np.array(self.left)
        feature, threshold, left = self._as_arrays
        inside = np.flatnonzero(left[node] != LEAF)
        while len(inside):
            at = node[inside]
            node[inside] = left[at] + (rows[inside, feature[at]] > threshold[at])
            inside = inside[left[node[inside]] != LEAF]
        return node

    def add(self, row: Numbers, reward: float) -> int:
        """Take in an example; the node that it split, or LEAF where it did not."""
        self._make_room()
        leaf = int(self.leaves_of(row[None, :])[0])
        number, self.size = self.size, self.size + 1
        self.examples[number], self.rewards[number], self._leaf_of[number] = row, reward, leaf
        self._inside[leaf].append(number)
        if self._alike[leaf] and not self._like_the_first(leaf, number):
            self._alike[leaf] = self._all_alike(self._inside[leaf])
        return leaf if not self._alike[leaf] and self._split(leaf) else LEAF

    def _like_the_first(self, leaf: int, number: int) -> bool:
        first = self._inside[leaf][0]
        same = (self.examples[first] == self.examples[number]).all()
        return bool(same and self.rewards[first] == self.rewards[number])

    def _all_alike(self, numbers: list[int]) -> bool:
        if not numbers:
            return True
        rows, rewards = self.examples[numbers], self.rewards[numbers]
        return bool((rows == rows[0]).all() or (rewards == rewards[0]).all())

    def _make_room(self) -> None:
        if self.size == len(self.rewards):
            self.rewards = enlarged(self.rewards, 2 * self.size)
            self._leaf_of = enlarged(self._leaf_of, 2 * self.size)
            self.examples = np.resize(self.examples, (len(self.rewards), self.examples.shape[1]))

    def _split(self, leaf: int) -> bool:
        numbers = np.array(self._inside[leaf])
        if len(numbers) < self._min_split or self._depth[leaf] >= self._max_depth:
            return False
        gain, feature, value = best_split(self.examples[numbers], self.rewards[numbers])
        if gain <= LEAST_GAIN:
            return False
        self.feature[leaf], self.threshold[leaf], self.left[leaf] = feature, value, len(self)
        goes_left = self.examples[numbers, feature] <= np.float32(value)
        for part in (numbers[goes_left], numbers[~goes_left]):
            self._add_leaf(self._depth[leaf] + 1, part)
        self._inside[leaf] = []
        return True

    def _add_leaf(self, depth: int, numbers: NDArray[np.int64]) -> None:
        self._leaf_of[numbers] = len(self)
        self.feature.append(0)
        self.threshold.append(0.0)
        self.left.append(LEAF)
        self._depth.append(depth)
        self._inside.append(numbers.tolist())
        self._alike.append(self._all_alike(self._inside[-1]))
        self._as_arrays = None

    def save(self) -> dict[str, Any]:
        """Nodes and examples."""
        return {
            "nodes": np.array([self.feature, self.left, self._depth], np.int64),
            "thresholds": np.array(self.threshold),
            "examples": self.examples[: self.size].copy(),
            "rewards": self.rewards[: self.size].copy(),
            "leaf_of": self._leaf_of[: self.size].copy(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.feature, self.left, self._depth = np.asarray(state["nodes"]).tolist()
        self.threshold = np.asarray(state["thresholds"]).tolist()
        self.size = len(state["rewards"])
        self.examples = np.array(state["examples"], np.float32).reshape(self.size, self.examples.shape[1])
        self.rewards, self._leaf_of = np.array(state["rewards"]), np.array(state["leaf_of"], np.int32)
        self._inside = [np.flatnonzero(self._leaf_of == node).tolist() for node in range(len(self))]
        self._alike = [self._all_alike(numbers) for numbers in self._inside]
        self._as_arrays = None


def best_split(rows: Numbers, rewards: Numbers) -> tuple[float, int, float]:
    """How much of the rewards' variance the best split takes away, its feature, and the highest value on the left."""
    count = len(rows)
    order = np.argsort(rows, axis=0, kind="stable")
    sorted_rows = np.take_along_axis(rows, order, axis=0)
    left = np.cumsum(rewards[order], axis=0)[:-1]
    total, sizes = float(rewards.sum()), np.arange(1, count)[:, None]
    # What is taken away of the sum of squares is what the sides' means explain beyond the common mean.
    gains = (left**2 / sizes + (total - left) ** 2 / (count - sizes) - total**2 / count) / count
    gains[sorted_rows[:-1] == sorted_rows[1:]] = 0.0
    feature, at = np.unravel_index(int(np.argmax(gains.T)), gains.T.shape)
    return float(gains[at, feature]), int(feature), float(sorted_rows[at, feature])
