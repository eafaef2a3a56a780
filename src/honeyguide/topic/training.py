"""Training: from example pages on either side to a classifier, and how good it is."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.topic.base import reading
from honeyguide.topic.classifier import Classifier, features, sigmoid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honeyguide.base import Page

LARGEST_VOCABULARY = 200_000
MOST_FOLDS = 5
FEWEST_FOLDS = 3
MANY = 200  # examples; from here on a feature must be seen twice to count


def train(
    positive: Iterable[Page | str],
    negative: Iterable[Page | str],
    threshold: float = 0.5,
    trust: Sequence[float] | None = None,
) -> Classifier:
    """A classifier that tells the positive examples from the negative ones; `quality` says how well.

    `trust` is how much each example weighs, the positive ones first.
    """
    wanted = [features(reading(example)) for example in positive]
    others = [features(reading(example)) for example in negative]
    _check_sides(wanted, others)
    documents, sides = wanted + others, [1] * len(wanted) + [0] * len(others)
    weights = [1.0] * len(sides) if trust is None else list(trust)
    margins = _margins_out_of_fold(documents, sides, weights, min(len(wanted), len(others), MOST_FOLDS))
    quality = {"positive": len(wanted), "negative": len(others), **measured(margins, sides)}
    vectorizer, machine = _fitted(documents, sides, weights)
    names = vectorizer.get_feature_names_out().tolist()
    numbers = zip(_single(vectorizer.idf_), _single(machine.coef_[0]), strict=True)
    terms = dict(zip(names, numbers, strict=True))
    return Classifier(terms, float(machine.intercept_[0]), fitted_scale(margins, sides), quality, threshold)


def _check_sides(wanted: list[list[str]], others: list[list[str]]) -> None:
    for name, side in (("positive", wanted), ("negative", others)):
        if len(side) < 2:
            raise BadInput(f"a classifier needs at least 2 {name} examples, and there are {len(side)}")
        if not any(side):
            raise BadInput(f"none of the {name} examples has a word in it")
    if {tuple(sorted(d)) for d in wanted} == {tuple(sorted(d)) for d in others}:
        raise BadInput("the positive and the negative examples are the same, so there is nothing to learn")


def _pipeline(number: int) -> Any:
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline
        from sklearn.svm import LinearSVC
    except ImportError:
        raise BadInput("training needs scikit-learn: pip install honeyguide[train]") from None
    vectorizer = TfidfVectorizer(
        analyzer=list, sublinear_tf=True, max_features=LARGEST_VOCABULARY, min_df=2 if number >= MANY else 1
    )
    return make_pipeline(vectorizer, LinearSVC(class_weight="balanced", max_iter=10_000, random_state=0))


def tf_idf(pages: Sequence[Page | str]) -> Any:
    """What a classifier sees of pages: a sparse matrix, a row of length 1 for each."""
    return _pipeline(len(pages))[0].fit_transform([features(reading(page)) for page in pages])


def _fitted(documents: list[list[str]], sides: list[int], weights: list[float]) -> Any:
    pipeline = _pipeline(len(documents))
    with warnings.catch_warnings():
        # A fit that stopped a little early still separates the sides; `quality` tells how well.
        warnings.simplefilter("ignore")
        return pipeline.fit(documents, sides, linearsvc__sample_weight=weights)


def _margins_out_of_fold(
    documents: list[list[str]], sides: list[int], weights: list[float], folds: int
) -> list[float]:
    """Each example's margin by a model that never saw it; none when there are too few examples."""
    if folds < FEWEST_FOLDS:
        return []
    _pipeline(0)  # says what is missing before the import below does
    from sklearn.model_selection import StratifiedKFold

    margins = [0.0] * len(documents)
    for seen, held in StratifiedKFold(folds, shuffle=True, random_state=0).split(sides, sides):
        try:
            model = _fitted(*([part[i] for i in seen] for part in (documents, sides, weights)))  # type: ignore[arg-type]
        except ValueError:  # the fold's examples have no feature to learn from
            return []
        for i, margin in zip(held, model.decision_function([documents[i] for i in held]), strict=True):
            margins[i] = float(margin)
    return margins


def measured(margins: Sequence[float], sides: Sequence[int]) -> dict[str, float]:
    """Accuracy, precision, recall and F1 of the margins' signs; nothing when there are none."""
    if not margins:
        return {}
    pairs = [(margin >= 0, side == 1) for margin, side in zip(margins, sides, strict=True)]
    hits, claims, wanted = pairs.count((True, True)), sum(c for c, _ in pairs), sum(w for _, w in pairs)
    return {
        "accuracy": sum(c == w for c, w in pairs) / len(pairs),
        "precision": hits / claims if claims else 0.0,
        "recall": hits / wanted,
        "f1": 2 * hits / (claims + wanted),
    }


def fitted_scale(margins: Sequence[float], sides: Sequence[int]) -> float:
    """The scale under which the sigmoid of the margins is the likeliest, both sides counting the same.

    Targets stop a little short of 0 and 1, as Platt has them, so that a perfect split has a scale too.
    """
    share = {side: 1 / max(1, sides.count(side)) for side in (0, 1)}
    goal = {1: (sides.count(1) + 1) / (sides.count(1) + 2), 0: 1 / (sides.count(0) + 2)}

    def slope(scale: float) -> float:
        return math.fsum(share[s] * (sigmoid(scale * m) - goal[s]) * m for m, s in zip(margins, sides, strict=True))

    if not margins:
        return 1.0
    low, high = 0.1, 20.0
    for _ in range(50):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return low


def _single(array: Any) -> list[float]:
    """Numbers as they will be read back from a file."""
    numbers: list[float] = array.astype("float32").tolist()
    return numbers
