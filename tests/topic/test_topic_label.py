"""Label topics."""

import pytest

from honeyguide.base import BadInput, Page
from honeyguide.topic import label


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("science.biology", 1),
        ("Science.Biology.Bees", 1),
        ("science.biologyx", 0),
        ("science", 0),
        ("arts", 0),
        ("", 0),
    ],
)
def test_a_label_covers_what_is_beneath_it(name, score):
    assert label("science.Biology").score(Page("http://a.example/", label=name)) == score


def test_an_empty_label_is_refused():
    with pytest.raises(BadInput):
        label(" . ")
