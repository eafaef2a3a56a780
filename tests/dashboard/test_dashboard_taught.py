"""What a lesson makes of a topic, and what pages teach."""

import pytest

import honeyguide as hg
from honeyguide.dashboard.taught import Teaching, marks_known, taught
from honeyguide.topic import parse
from small_webs import page


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A classifier of a lesson."""
    return saved(tmp_path_factory.mktemp("models") / "marked-1.hg", {"http://a.test/": True})


def saved(path, marks):
    trained = hg.train(["bees honey", "bees hive"], ["rain wind", "sun snow"])
    model = hg.Classifier(trained.terms, trained.intercept, trained.scale, marked=marks)
    model.save(path)
    return model


@pytest.mark.parametrize(
    ("topic", "after"),
    [
        ("keyword:bees", "(keyword:bees | C@0.6) & C@0.4"),
        ("keyword:bees | keyword:wasps", "(keyword:bees | keyword:wasps | C@0.6) & C@0.4"),
        ("keyword:bees & keyword:hive & language:en", "(keyword:bees & keyword:hive | C@0.6) & C@0.4 & language:en"),
        ("keyword:bees & ~G@0.5", "(keyword:bees | C@0.6) & C@0.4 & ~G@0.5"),
        ("G@0.7", "C@0.7"),
        ("(G@0.7 | keyword:bees) & ~url:shop", "(C@0.7 | keyword:bees) & ~url:shop"),
    ],
)
def test_a_topic_keeps_all_its_parts(topic, after, model, tmp_path):
    saved(tmp_path / "given.hg", {})
    names = {"G": f"classifier:{tmp_path}/given.hg", "C": f"classifier:{model.source}"}
    written = [text.replace("G@", names["G"] + "@").replace("C@", names["C"] + "@") for text in (topic, after)]
    found = taught(parse(written[0]), model)
    assert str(found) == written[1]
    assert parse(str(found)) == found
    assert marks_known(found) == {"http://a.test/": True}
    assert taught(found, model) == found  # the next lesson wraps nothing


def test_of_several_classifiers_the_one_that_learned_from_marks_is_trained_anew(model, tmp_path):
    saved(tmp_path / "given.hg", {})
    topic = parse(f"classifier:{tmp_path}/given.hg@0.5 | classifier:{model.source}@0.6")
    newer = saved(tmp_path / "marked-2.hg", {})
    assert str(taught(topic, newer)) == f"classifier:{tmp_path}/given.hg@0.5 | classifier:{newer.source}@0.6"


BEES, RAIN = page("http://h1.test/", text="bees honey"), page("http://h1.test/", text="rain wind")
SHOP = page("http://shop.test/", text="bees honey")


def test_pages_teach_what_they_are_about_and_not_where_they_stand():
    teaching = Teaching(parse("keyword:bees & ~url:shop"))
    assert teaching.side(BEES, True, None) is True
    assert teaching.side(RAIN, False, None) is False
    assert teaching.side(SHOP, False, None) is True  # it is about bees
    assert teaching.side(SHOP, False, True) is True
    assert teaching.side(SHOP, False, False) is None  # that the shop is off topic says nothing of bees
    assert teaching.side(BEES, True, False) is False


def refuses(_):
    raise AssertionError("asked")


def test_a_function_is_not_asked_what_it_said_already():
    teaching = Teaching(hg.function(refuses) & parse("~url:shop"))
    assert teaching.side(BEES, True, None) is True
    assert teaching.side(RAIN, False, None) is False
    assert teaching.side(SHOP, False, None) is None
