"""Classifiers of links trained on some layers of a crawl and tested on later ones, and pages cut by their votes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from honeyguide.strategy.path_classifier import CRITERIA, FITTED, Model, f1
from honeyguide.strategy.path_features import SETS
from honeyguide.strategy.path_learner import LEAST_EXAMPLES, Examples, PathLearner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.reproduce.layered import View

    Flags = NDArray[np.bool_]

TRAINED, TESTED = range(3, 11), range(11, 26)  # layers
MOST = 20_000  # examples to train on, evenly spread
VOTE = 0.95  # of the links to a page
SEED = 0


class Setup(NamedTuple):
    """What is tried."""

    classifier: str
    features: str
    criterion: str


BEST = Setup("nb", "poor", "simple")
SETUPS = [
    *(Setup(classifier, features, "simple") for features in SETS for classifier in FITTED),
    *(Setup(classifier, "poor", criterion) for criterion in CRITERIA[1:] for classifier in FITTED),
]  # the paper's Tables 1 and 2


class Split(NamedTuple):
    """Links to learn from and links to be tested on, by one criterion."""

    trained: Examples
    tested: Examples


class Cut(NamedTuple):
    """What is left of the tested layers."""

    harvest: float
    pages: float  # the share of them that is left
    valuable: float  # the share of valuable ones that is left


def split(view: View, criterion: str) -> Split:
    """Judge the links of all layers once, and part them."""
    layers = range(TRAINED.start, TESTED.stop)
    judged = PathLearner(view.book, "poor", "nb", criterion, SEED, layers).examples()
    at = view.book.layers_of(judged.visits)
    earlier = at < TRAINED.stop
    return Split(_part(judged, earlier), _part(judged, ~earlier))


def _part(examples: Examples, which: Flags) -> Examples:
    return Examples(examples.links[which], examples.good[which], examples.visits[which])


def model_of(view: View, setup: Setup, trained: Examples) -> Model | None:
    """The classifier; None where there are too few examples of either kind."""
    if min(trained.good.sum(), (~trained.good).sum()) < LEAST_EXAMPLES:
        return None
    some = np.linspace(0, len(trained.links) - 1, min(MOST, len(trained.links))).astype(np.int64)
    features = view.book.features(trained.links[some], SETS[setup.features])
    return FITTED[setup.classifier](features, trained.good[some], SEED)


def said(view: View, setup: Setup, model: Model, links: NDArray[Any]) -> Flags:
    """Which links the classifier takes for good ones."""
    good: Flags = model.margins(view.book.features(links, SETS[setup.features])) > 0
    return good


def quality(view: View, setup: Setup, parts: Split) -> float | None:
    """F1 on the layers tested; None where there are too few examples to learn from, or none to be found."""
    model = model_of(view, setup, parts.trained)
    if model is None or not parts.tested.good.any():
        return None
    taken, good = said(view, setup, model, parts.tested.links), parts.tested.good
    return f1(*(int(flags.sum()) for flags in (taken & good, taken & ~good, ~taken & good)))


def cut(view: View, setup: Setup, parts: dict[str, Split]) -> Cut | None:
    """What votes would leave of the pages of the tested layers; None where that is nothing.

    A page is left when a page that was left links to it and enough of such links say yes: branches go too.
    """
    model = model_of(view, setup, parts[setup.criterion].trained)
    tested = parts["simple"].tested  # every link there, whatever was learned
    if model is None or not len(tested.links):
        return None
    left = remaining(view, tested, said(view, setup, model, tested.links))
    is_page, valuable = view.book.verdicts()
    at = view.book.layers_of(np.arange(len(left)))
    there = is_page & (at >= TESTED.start) & (at < TESTED.stop)
    left &= there
    if not left.any():
        return None
    found, all_valuable = int((left & valuable).sum()), int((there & valuable).sum())
    return Cut(found / int(left.sum()), int(left.sum()) / int(there.sum()), found / max(all_valuable, 1))


def remaining(view: View, tested: Examples, yes: Flags) -> Flags:
    """For every visit whether it would have been made."""
    sources, layers = view.book.source[tested.links], view.book.layers_of(tested.visits)
    size = len(view.book.verdicts()[0])
    left = view.book.layers_of(np.arange(size)) < TESTED.start
    for layer in TESTED:
        own = (layers == layer) & left[sources]
        links = np.bincount(tested.visits[own], minlength=size)
        good = np.bincount(tested.visits[own], yes[own], size)
        left |= (links > 0) & (good >= (VOTE - 1e-6) * links)
    return left
