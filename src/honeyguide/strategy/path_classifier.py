"""Three classifiers of links, each a few arrays once it is trained, and the criteria of what a good link is."""

from __future__ import annotations

import dataclasses
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Numbers = NDArray[np.floating[Any]]
    Flags = NDArray[np.bool_]

SMOOTHING = 0.1  # of a feature's variance, added to that of either class
HARVEST = {"harvest0": 1.0, "harvest1": 0.3, "harvest2": 0.001}  # the constant C of each criterion
CRITERIA = ("simple", *HARVEST)


class Model(Protocol):
    """A trained classifier. Features come as one row each."""

    def margins(self, features: Numbers) -> Numbers:
        """How far each link is on the good side; 0 and below is the other one."""

    def chances(self, margins: Numbers) -> Numbers:
        """The same as a number from 0 to 1."""


@dataclass(frozen=True)
class Bayes:
    """Gaussian naive Bayes; the margin is the logarithm of the odds."""

    means: Numbers  # one row a class, the bad one first
    variances: Numbers
    log_odds: Numbers  # of the classes

    def margins(self, features: Numbers) -> Numbers:
        total = np.full(features.shape[1], self.log_odds[0])
        for values, mean, variance in zip(features, self.means.T, self.variances.T, strict=True):
            bad, good = ((values - m) ** 2 / v for m, v in zip(mean, variance, strict=True))
            total += (bad - good + np.log(variance[0] / variance[1])) / 2
        return total

    def chances(self, margins: Numbers) -> Numbers:
        return sigmoids(margins)


@dataclass(frozen=True)
class Plane:
    """A linear support vector machine over standardised features; the margin is its decision function."""

    weights: Numbers
    intercept: Numbers

    def margins(self, features: Numbers) -> Numbers:
        margins: Numbers = self.weights @ features + self.intercept[0]
        return margins

    def chances(self, margins: Numbers) -> Numbers:
        return sigmoids(margins)


@dataclass(frozen=True)
class Tree:
    """A CART tree, by nodes; the margin is the share of good examples in the leaf, less a half."""

    feature: Ids
    threshold: Numbers
    left: Ids
    right: Ids
    share: Numbers

    def margins(self, features: Numbers) -> Numbers:
        node = np.zeros(features.shape[1], np.int64)
        inside = np.flatnonzero(self.left[node] >= 0)
        while len(inside):
            at = node[inside]
            goes_left = features[self.feature[at], inside] <= self.threshold[at]
            node[inside] = np.where(goes_left, self.left[at], self.right[at])
            inside = inside[self.left[node[inside]] >= 0]
        return self.share[node] - 0.5

    def chances(self, margins: Numbers) -> Numbers:
        return margins + 0.5


def sigmoids(margins: Numbers) -> Numbers:
    """From any numbers to such between 0 and 1, with 0 going to 0.5."""
    return 1 / (1 + np.exp(-np.clip(margins, -50, 50)))


def fitted_bayes(features: Numbers, good: Flags, seed: int) -> Bayes:
    """Naive Bayes of examples of both classes."""
    values = features.astype(np.float64)
    sides = (values[:, ~good], values[:, good])
    spread = values.var(axis=1)
    added = SMOOTHING * np.where(spread > 0, spread, 1.0)
    return Bayes(
        np.array([side.mean(axis=1) for side in sides]),
        np.array([side.var(axis=1) + added for side in sides]),
        np.array([np.log(sides[1].shape[1] / sides[0].shape[1])]),
    )


def fitted_tree(features: Numbers, good: Flags, seed: int) -> Tree:
    """CART of examples of both classes."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=seed).fit(features.T, good).tree_
    counts = tree.value[:, 0, :]
    return Tree(
        tree.feature.astype(np.int64),
        tree.threshold.copy(),
        tree.children_left.astype(np.int64),
        tree.children_right.astype(np.int64),
        counts[:, 1] / counts.sum(axis=1),
    )


def fitted_plane(features: Numbers, good: Flags, seed: int) -> Plane:
    """A linear SVM of examples of both classes, standardised by their own means and deviations."""
    from sklearn.svm import LinearSVC

    values = features.astype(np.float64)
    middle, spread = values.mean(axis=1), values.std(axis=1)
    scale = np.where(spread > 0, spread, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one that has not quite converged serves as well
        machine = LinearSVC(random_state=seed, dual=False).fit((values.T - middle) / scale, good)
    weights = machine.coef_[0] / scale
    return Plane(weights, machine.intercept_ - weights @ middle)


FITTED: dict[str, Callable[[Numbers, Flags, int], Model]] = {
    "nb": fitted_bayes,
    "cart": fitted_tree,
    "svm": fitted_plane,
}
_KINDS: dict[str, type[Bayes] | type[Tree] | type[Plane]] = {"nb": Bayes, "cart": Tree, "svm": Plane}


def check_installed(classifier: str) -> None:
    """Refuse a classifier that needs scikit-learn where it is not installed."""
    if classifier != "nb":
        try:
            import sklearn  # noqa: F401
        except ImportError:
            raise BadInput(
                f"classifier={classifier} needs scikit-learn: pip install 'honeyguide[train]', or take classifier=nb"
            ) from None


def as_arrays(model: Model | None) -> dict[str, Any]:
    """A model as it is saved."""
    return {f"model_{name}": value for name, value in vars(model).items()} if model else {}


def from_arrays(classifier: str, state: dict[str, Any]) -> Model | None:
    """The model that was saved; None where there was none yet."""
    kind = _KINDS[classifier]
    names = [field.name for field in dataclasses.fields(kind)]
    return kind(*(state[f"model_{name}"] for name in names)) if f"model_{names[0]}" in state else None


def reachable_shares(source: Ids, target: Ids, valuable: Flags) -> Numbers:
    """The share of valuable ones among the pages that can be reached from each page; 0 where there is none.

    The links are given by the numbers of two pages, the lower one first, as upward links are.
    """
    size = len(valuable)
    order = np.argsort(source, kind="stable")
    ends = np.searchsorted(source[order], np.arange(size + 1))
    reached = np.zeros((size, (size + 7) // 8), np.uint8)  # a row of bits for each page
    for page in range(size - 1, -1, -1):
        children = target[order[ends[page] : ends[page + 1]]]
        if len(children):
            np.bitwise_or.reduce(reached[children], axis=0, out=reached[page])
            np.bitwise_or.at(reached[page], children >> 3, (128 >> (children & 7)).astype(np.uint8))
    counts = np.bitwise_count(reached).sum(axis=1, dtype=np.int64)
    good = np.bitwise_count(reached & np.packbits(valuable)).sum(axis=1, dtype=np.int64)
    shares: Numbers = good / np.maximum(counts, 1)
    return shares


def f1(true: int, wrongly_good: int, missed: int) -> float:
    """The harmonic mean of precision and recall; 0 where nothing good was found."""
    return 2 * true / (2 * true + wrongly_good + missed) if true else 0.0
