"""How large an experiment is, and how far."""

import pytest

from honeyguide.base import BadInput
from honeyguide.reproduce.findings import Scale
from honeyguide.reproduce.running import page_of


def test_things_are_counted_when_they_are_done():
    told = []
    scale = Scale(progress=lambda done, total: told.append((done, total)))
    assert [(thing, told[-1]) for thing in scale.watched("abc", 3)] == [("a", (0, 3)), ("b", (1, 3)), ("c", (2, 3))]
    assert told[-1] == (3, 3)


def test_a_damaged_experiment_is_named(tmp_path):
    (tmp_path / "pal.json").write_text('{"paper": "pal", "fin')
    with pytest.raises(BadInput, match=r"pal\.json is damaged"):
        page_of(tmp_path)
