"""The classifiers give what scikit-learn's give; the criteria are those of the paper."""

import sys

import numpy as np
import pytest

import honeyguide as hg
from honeyguide.strategy.path_classifier import (
    FITTED,
    HARVEST,
    SMOOTHING,
    as_arrays,
    check_installed,
    f1,
    from_arrays,
    reachable_shares,
)
from small_webs import page, web_of


def examples(seed=0, count=400):
    """Features of very different size, one of them always the same; the first two tell."""
    rng = np.random.default_rng(seed)
    good = rng.random(count) < 0.3
    rows = [
        rng.poisson(1 + 2 * good),
        rng.integers(0, 101, count) * (1 - 0.5 * good),
        rng.random(count),
        np.ones(count),
    ]
    return np.array(rows, np.float32), good


def standardised(features, like):
    spread = like.std(axis=1, keepdims=True)
    return ((features - like.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1)).T


def test_naive_bayes_equals_scikit_learns_on_standardised_features():
    from sklearn.naive_bayes import GaussianNB

    features, good = examples()
    new, _ = examples(1)
    theirs = GaussianNB(var_smoothing=SMOOTHING).fit(
        standardised(features.astype(float), features.astype(float)), good
    )
    margins = FITTED["nb"](features, good, 0).margins(new)
    odds = theirs.predict_log_proba(standardised(new.astype(float), features.astype(float)))
    assert margins == pytest.approx(odds[:, 1] - odds[:, 0], rel=1e-6, abs=1e-6)
    assert ((margins > 0) == theirs.predict(standardised(new.astype(float), features.astype(float)))).all()


def test_naive_bayes_by_hand():
    # Good: 1, 3, mean 2, variance 1. Others: 5, 5, mean 5, variance 0. Of all four: mean 3.5, variance 2.75.
    model = FITTED["nb"](np.array([[1.0, 3, 5, 5]]), np.array([True, True, False, False]), 0)
    good, other = 1 + SMOOTHING * 2.75, SMOOTHING * 2.75
    expected = -0.5 * np.log(good) - (4 - 2) ** 2 / (2 * good) + 0.5 * np.log(other) + (4 - 5) ** 2 / (2 * other)
    assert model.margins(np.array([[4.0]]))[0] == pytest.approx(expected)


def test_the_tree_equals_scikit_learns():
    from sklearn.tree import DecisionTreeClassifier

    features, good = examples()
    new, _ = examples(1)
    theirs = DecisionTreeClassifier(random_state=5).fit(features.T, good)
    margins = FITTED["cart"](features, good, 5).margins(new)
    assert margins == pytest.approx(theirs.predict_proba(new.T)[:, 1] - 0.5)
    assert ((margins > 0) == theirs.predict(new.T)).all()


def test_the_svm_equals_scikit_learns_on_standardised_features():
    from sklearn.svm import LinearSVC

    features, good = examples()
    new, _ = examples(1)
    like = features.astype(float)
    theirs = LinearSVC(random_state=5, dual=False).fit(standardised(like, like), good)
    margins = FITTED["svm"](features, good, 5).margins(new)
    assert margins == pytest.approx(theirs.decision_function(standardised(new, like)), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("classifier", FITTED)
def test_a_model_is_kept_as_arrays(classifier):
    features, good = examples()
    model = FITTED[classifier](features, good, 0)
    kept = as_arrays(model)
    assert all(isinstance(value, np.ndarray) for value in kept.values())
    again = from_arrays(classifier, kept)
    assert again.margins(features).tolist() == model.margins(features).tolist()
    assert from_arrays(classifier, as_arrays(None)) is None


def test_scikit_learn_is_asked_for_by_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    check_installed("nb")
    with pytest.raises(hg.BadInput, match=r"pip install 'honeyguide\[train\]'"):
        hg.Crawl(["http://a.test/"], "keyword:bees", "paths:classifier=svm", web=web_of(page("http://a.test/")))


def test_shares_of_what_can_be_reached_by_hand():
    # 0 → 1 → 3, 0 → 2 → 3, 2 → 4; only 3 is valuable.
    source, target = np.array([0, 0, 1, 2, 2]), np.array([1, 2, 3, 3, 4])
    shares = reachable_shares(source, target, np.array([False, False, False, True, False]))
    assert shares.tolist() == [1 / 4, 1, 1 / 2, 0, 0]


def test_shares_of_what_can_be_reached_equal_those_counted_one_by_one():
    rng = np.random.default_rng(3)
    size = 70
    pairs = np.sort(rng.integers(0, size, (150, 2)), axis=1)
    pairs = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
    valuable = rng.random(size) < 0.3
    ahead = {n: set(pairs[pairs[:, 0] == n, 1].tolist()) for n in range(size)}
    beyond = {}
    for n in reversed(range(size)):
        beyond[n] = ahead[n].union(*(beyond[m] for m in ahead[n]))
    expected = [sum(valuable[list(b)]) / len(b) if b else 0 for b in beyond.values()][::-1]
    assert reachable_shares(pairs[:, 0], pairs[:, 1], valuable).tolist() == pytest.approx(expected)


def ladder(criterion):
    """Two ways from the seed, one to a valuable page and on to nothing, one to nothing and on to valuable pages."""
    a = "http://a.test"
    return good_links(
        criterion,
        page(f"{a}/seed", f"{a}/bees", f"{a}/way"),
        page(f"{a}/bees", f"{a}/dull", text="bees"),
        page(f"{a}/way", f"{a}/x", f"{a}/y"),
        page(f"{a}/dull", f"{a}/end"),
        page(f"{a}/x", f"{a}/end", text="bees"),
        page(f"{a}/y", text="bees"),
        page(f"{a}/end"),
    )


def good_links(criterion, *pages):
    """Which links are good: by the pages they lead to."""
    crawl = hg.Crawl(
        [pages[0].url], "keyword:bees", f"paths:criterion={criterion},breadth=50,vote=0", web=web_of(*pages), pages=50
    )
    crawl.run()
    found = crawl.strategy.learner.examples()
    names = [crawl.graph.url(int(crawl.graph.visited()[v])).rpartition("/")[2] for v in found.visits]
    return dict(zip(names, found.good.tolist(), strict=True))


def test_a_simple_link_is_good_when_it_leads_to_a_valuable_page():
    assert ladder("simple") == {"bees": True, "way": False, "dull": False, "x": True, "y": True, "end": False}


def test_the_harvest_criteria_look_beyond():
    # 3 of 7 pages are valuable. Beyond `bees` are dull and end: 0. Beyond `way` are x, y and end: 2 of 3, which is
    # more than 3/7, and 0.3 · 2/3 is not. What the last layer fetched has nothing beyond it yet.
    assert ladder("harvest0") == {"bees": False, "way": True, "dull": False, "x": False, "y": False}
    assert not any(ladder("harvest1").values())
    assert not any(ladder("harvest2").values())


@pytest.mark.parametrize(
    ("dull", "valuable", "good"),
    [
        (1, 2, ["harvest0"]),  # 2 of 5 pages are valuable, all beyond `way`: 1 > 0.4 > 0.3
        (17, 1, ["harvest0", "harvest1"]),  # 1 of 20: 0.3 > 0.05 > 0.001
    ],
)
def test_the_constants_of_the_harvest_criteria(dull, valuable, good):
    a = "http://a.test"
    first, last = [f"{a}/{n}" for n in range(dull)], [f"{a}/bees/{n}" for n in range(valuable)]
    web = [page(f"{a}/seed", f"{a}/way", *first), page(f"{a}/way", *last), *map(page, first)]
    web += [page(url, text="bees") for url in last]
    assert [name for name in HARVEST if good_links(name, *web)["way"]] == good


def test_f1_by_hand():
    assert f1(6, 2, 4) == pytest.approx(2 * (6 / 8) * (6 / 10) / (6 / 8 + 6 / 10))
    assert f1(0, 3, 3) == 0
