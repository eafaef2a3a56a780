"""Classifier topics: training, judging, and the file they are kept in."""

import dataclasses
import io
import json
import math
import pickle
import random
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from msgspec import structs

from honeyguide.base import BadInput, Page
from honeyguide.topic import Classifier, classifier, parse, train
from honeyguide.topic.training import fitted_scale, measured

SOLAR = ["solar", "panel", "roof", "energy", "inverter", "battery", "grid", "photovoltaic", "sun", "power"]
COOKING = ["recipe", "oven", "flour", "butter", "sugar", "kitchen", "bake", "dough", "salt", "dinner"]
SHARED = ["home", "page", "today", "people", "news", "read", "more", "great", "time", "world"]


def texts(own, number, seed):
    source = random.Random(seed)
    return [" ".join(source.choices(own, k=12) + source.choices(SHARED, k=12)) for _ in range(number)]


@pytest.fixture(scope="module")
def model():
    return train(texts(SOLAR, 20, 1), [Page("http://a.example/", text=t) for t in texts(COOKING, 30, 2)])


def page(text):
    return Page("http://a.example/", text=text)


def test_tells_the_sides_apart(model):
    assert all(model.score(page(t)) > 0.5 for t in texts(SOLAR, 20, 3))
    assert all(model.score(page(t)) < 0.5 for t in texts(COOKING, 20, 4))


def test_quality_is_measured_on_held_out_examples(model):
    assert model.quality["positive"] == 20 and model.quality["negative"] == 30
    assert model.quality["accuracy"] > 0.9 and model.quality["f1"] > 0.9


def test_score_is_the_margins_sigmoid(model):
    pages = [page(t) for t in texts(SOLAR + COOKING, 30, 5)]
    assert sorted(pages, key=model.margin) == sorted(pages, key=model.score)
    assert all((model.margin(p) >= 0) == model.relevant(model.score(p)) for p in pages)


def test_margin_agrees_with_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    from honeyguide.topic.classifier import features

    yes, no = texts(SOLAR, 8, 6), texts(COOKING, 8, 7)
    vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True)
    machine = LinearSVC(class_weight="balanced", random_state=0).fit(
        vectorizer.fit_transform(["\n" + t for t in yes + no]), [1] * 8 + [0] * 8
    )
    unseen = texts(SOLAR + COOKING, 5, 8)
    theirs = machine.decision_function(vectorizer.transform(unseen))
    assert [train(yes, no).margin(t) for t in unseen] == pytest.approx(theirs, abs=1e-4)


def test_words_are_the_topics_own(model):
    words = model.words()
    assert set(list(words)[:5]) <= set(SOLAR) and len(words) <= 50
    assert not any(" " in word for word in words) and not set(words) & set(COOKING)


def test_word_pairs_count_even_with_stop_words():
    yes, no = ["to be or not to be"] * 3, ["not to be or be to"] * 3
    model = train(yes, no)
    assert model.margin("or not") > 0 > model.margin("or be")


def test_saved_and_loaded_scores_the_same(model, tmp_path):
    path = tmp_path / "model.hg"
    model.save(path)
    again = classifier(path)
    assert again == model and str(again) == str(model)
    assert [again.score(page(t)) for t in texts(SOLAR, 9, 9)] == [model.score(page(t)) for t in texts(SOLAR, 9, 9)]
    assert parse(f'classifier:"{path}"@0.7').threshold == 0.7
    first = path.read_bytes()
    model.save(path)
    assert path.read_bytes() == first


def test_predicting_needs_no_scikit_learn(model, tmp_path):
    path = tmp_path / "model.hg"
    model.save(path)
    code = (
        "import sys; from honeyguide.topic import classifier; "
        f"print(classifier({str(path)!r}).margin('solar roof') > 0, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_missing_scikit_learn_names_the_extra():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from honeyguide.topic import train\n"
        "try: train(['a b', 'c d', 'e f'], ['x y', 'z u', 'v w'])\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("BadInput") and "pip install honeyguide[train]" in done.stdout


@pytest.mark.parametrize(
    ("positive", "negative", "problem"),
    [
        (["solar"], ["x", "y"], "at least 2 positive"),
        (["solar", "sun"], [], "at least 2 negative"),
        (["solar", "sun"], ["sun", "solar"], "are the same"),
        (["solar", "sun"], ["", " "], "has a word"),
    ],
)
def test_what_cannot_be_learned(positive, negative, problem):
    with pytest.raises(BadInput, match=problem):
        train(positive, negative)


def test_few_examples_train_without_quality():
    model = train(["solar sun", "solar roof"], ["oven", "flour oven"])
    assert model.quality == {"positive": 2, "negative": 2}
    assert model.score(page("solar")) > 0.5 > model.score(page("oven"))


class Trap:
    def __reduce__(self):
        return print, ("the pickle was run",)


def test_a_pickle_is_refused_and_not_run(tmp_path, capsys):
    path = tmp_path / "model.hg"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(BadInput, match="not a zip"):
        Classifier.load(path)
    assert capsys.readouterr().out == ""


@pytest.fixture
def parts(model, tmp_path):
    path = tmp_path / "model.hg"
    model.save(path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def refused(parts, tmp_path, match, **changes):
    path = tmp_path / "changed.hg"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (parts | changes).items():
            archive.writestr(name, data)
    with pytest.raises(BadInput, match=match):
        Classifier.load(path)


def test_only_what_was_written_is_loaded(parts, tmp_path, capsys):
    length = json.loads(parts["header.json"]) and np.load(io.BytesIO(parts["idf.npy"])).shape[0]
    nan = np.full(length, np.nan, np.float32)
    traps = np.array([Trap()] * length, object)
    refused(parts, tmp_path, "three arrays", **{"more.npy": b""})
    refused(parts, tmp_path, "not finite", **{"idf.npy": npy(nan)})
    refused(parts, tmp_path, "pickle|Object", **{"idf.npy": npy(traps)})
    refused(parts, tmp_path, "plain row", **{"idf.npy": npy(np.zeros(length))})
    refused(parts, tmp_path, "plain row", **{"idf.npy": npy(np.zeros((length, 1), np.float32))})
    refused(parts, tmp_path, "differ in length", **{"idf.npy": npy(np.zeros(length + 1, np.float32))})
    refused(parts, tmp_path, "no classifier", **{"idf.npy": parts["idf.npy"][:-4]})
    refused(parts, tmp_path, "no classifier", **{"idf.npy": b"junk"})
    refused(parts, tmp_path, "no classifier", **{"header.json": b"{"})
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": 2}, "version is 2"),
        ({"format": "other"}, "does not say"),
        ({"intercept": math.nan}, "intercept"),
        ({"intercept": None}, "intercept"),
        ({"scale": -1}, "scale"),
        ({"threshold": 3}, "threshold"),
        ({"quality": [1]}, "quality"),
    ],
)
def test_headers_are_checked(parts, tmp_path, change, problem):
    header = json.loads(parts["header.json"]) | change
    refused(parts, tmp_path, problem, **{"header.json": json.dumps(header)})


def test_part_of_a_file_is_refused(model, tmp_path):
    path = tmp_path / "model.hg"
    model.save(path)
    whole = path.read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(BadInput, match="no classifier"):
            Classifier.load(path)
    with pytest.raises(BadInput, match="cannot be read"):
        Classifier.load(tmp_path / "none.hg")


def test_measures_worked_by_hand():
    found = measured([1.0, -1.0, 0.5, -2.0, -0.1], [1, 1, 0, 0, 0])
    assert found == {"accuracy": 0.6, "precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_a_cleaner_split_earns_a_steeper_scale():
    sides = [1] * 10 + [0] * 10
    clean = [0.5] * 10 + [-0.5] * 10
    mixed = [0.5] * 7 + [-0.5] * 10 + [0.5] * 3
    assert fitted_scale(clean, sides) > fitted_scale(mixed, sides)
    # ten of ten right: Platt's target is 11/12, so scale * 0.5 = log(11)
    assert fitted_scale(clean, sides) == pytest.approx(2 * math.log(11))


def test_a_model_does_not_overrule_what_people_said_of_a_page(tmp_path):
    model = train(["bees and honey", "a hive of bees"], ["trains on rails", "the next train"])
    page = Page(url="http://a.test/", text="bees and honey", main="bees and honey")
    told = dataclasses.replace(model, marked={page.url: False})
    assert model.relevant(model.score(page))
    told.save(tmp_path / "model.hg")
    for each in (told, classifier(tmp_path / "model.hg")):
        assert not each.relevant(each.score(page))
        assert "marked by hand" in each.explain(page)
        assert each.relevant(each.score(structs.replace(page, url="http://b.test/")))


def test_examples_that_are_trusted_more_decide():
    positive, negative = ["bees honey"] * 3 + ["bees wax"], ["trains rails"] * 3 + ["bees wax"] * 2
    doubtful = Page(url="http://a.test/", text="bees wax", main="bees wax")
    plain = train(positive, negative)
    trusted = train(positive, negative, trust=[1, 1, 1, 50, 1, 1, 1, 1, 1])
    assert trusted.margin(doubtful) > plain.margin(doubtful)
