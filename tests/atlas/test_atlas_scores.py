"""Scores of topics beside a stored web: judged once, and anew where they are no longer true."""

import numpy as np
import pytest

from honeyguide.atlas import Atlas, scores_of
from honeyguide.topic import as_topic
from small_webs import page, stored

A = "http://a.test"


@pytest.fixture
def atlas(tmp_path):
    pages = [page(f"{A}/{n}", text="bees and a hive" if n % 7 == 0 else "roads", label="x") for n in range(90)]
    return Atlas(stored(tmp_path / "web", *pages))


class Counting:
    """Counts how many pages are judged."""

    def __init__(self, expression):
        self.topic, self.judged = as_topic(expression), 0

    def __call__(self, page):
        self.judged += 1
        return self.topic.score(page)


def test_pages_are_judged_once(atlas):
    judge = Counting("keyword:hive")
    first = scores_of(atlas, "keyword:hive", judge)
    assert judge.judged == 90
    assert (first > 0).sum() == 13
    again = scores_of(Atlas(atlas.directory), "keyword:hive", judge)
    assert judge.judged <= 90 + 50
    assert again.tolist() == first.tolist()
    assert [file.read_text() for file in atlas.directory.glob("scores/*.txt")] == ["keyword:hive\n"]


def test_a_name_that_has_come_to_mean_something_else_is_judged_anew(atlas):
    scores_of(atlas, "classifier:mine.json", Counting("keyword:hive"))
    judge = Counting("keyword:roads")
    found = scores_of(atlas, "classifier:mine.json", judge)
    assert judge.judged >= 90
    assert found.tolist() == [judge.topic.score(each) for each in atlas.all_pages()]
    assert scores_of(atlas, "classifier:mine.json", judge).tolist() == found.tolist()


def test_a_file_that_was_cut_short_is_made_again(atlas):
    whole = scores_of(atlas, "keyword:hive", Counting("keyword:hive")).copy()
    (file,) = atlas.directory.glob("scores/*.bin")
    file.write_bytes(file.read_bytes()[:100])
    assert scores_of(atlas, "keyword:hive", Counting("keyword:hive")).tolist() == whole.tolist()
    assert np.fromfile(file).tolist() == whole.tolist()


def test_a_web_that_cannot_be_written_to_is_judged_all_the_same(atlas):
    (atlas.directory / "scores").write_text("in the way")
    judge = Counting("keyword:hive")
    assert (scores_of(atlas, "keyword:hive", judge) > 0).sum() == 13
    assert (scores_of(atlas, "keyword:hive", judge) > 0).sum() == 13
    assert judge.judged == 180
