"""Chance among ranks: the same whenever asked, and in proportion."""

import numpy as np
import pytest

from honeyguide.strategy.honeyguide.exploring import drawn

IDS = np.arange(20_000)


def test_what_is_drawn_depends_on_id_and_seed_alone():
    assert (drawn(IDS[5:9], 1) == drawn(IDS, 1)[5:9]).all()
    assert (drawn(IDS, 1) != drawn(IDS, 2)).mean() > 0.99
    assert np.isfinite(drawn(IDS, 0)).all()


@pytest.mark.parametrize("ahead", [0.0, 1.0, 3.0])
def test_of_two_urls_each_comes_first_as_often_as_its_rank_says(ahead):
    first, second = drawn(IDS[::2], 7) + ahead, drawn(IDS[1::2], 7)
    assert (first > second).mean() == pytest.approx(1 / (1 + np.exp(-ahead)), abs=0.02)
