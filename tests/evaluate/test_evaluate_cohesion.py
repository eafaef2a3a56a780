"""How a crawl hangs together, by hand and by looking at every pair of pages."""

import numpy as np
import pytest

from honeyguide.atlas import Atlas
from honeyguide.evaluate.cohesion import cohesiveness, histogram, links_into, links_of, nearest_other
from honeyguide.evaluate.network import distances, ways_of
from small_webs import page, stored


def test_cohesiveness_by_hand(tmp_path):
    a, b, c, d = (f"http://{name}.test/" for name in "abcd")
    atlas = Atlas(stored(tmp_path, page(a, b, c), page(b, a), page(c, d, a, b), page(d)))
    onwards = (atlas.out_start, atlas.out)
    assert links_of(onwards, np.array([0, 2])).tolist() == [1, 2, 3, 0, 1]
    assert cohesiveness(onwards, np.array([0, 1]), np.array([0, 1])) == 1  # a to b and b to a, of two pages
    assert cohesiveness(onwards, np.array([0, 1, 2]), np.array([0, 1])) == 4 / 3
    assert links_into(onwards, np.array([0, 1, 2]), np.array([0, 1])) == (4, 6)


def test_distances_are_counted():
    assert histogram(np.array([0, 1, 1, -1, 3]), np.array([0, 1, 2, 3, 4])).tolist() == [1, 2, 0, 1]


def test_the_way_back_to_oneself_does_not_count():
    # 0 and 1 link to each other, only 0 and 3 belong together, and 1 leads to 3 by way of 2
    away = nearest_other(np.array([0, 1, 1, 2]), np.array([1, 0, 2, 3]), 4, np.array([0, 3]))
    assert away.tolist() == [3, -1]


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_other_page_is_the_nearest_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    sources, targets = rng.integers(0, 40, (2, 60))
    community = np.unique(rng.integers(0, 40, 8))
    onwards = ways_of(sources, targets, 40)
    expected = []
    for own in community:
        away = distances(onwards, np.array([own]))[community[community != own]]
        expected.append(int(away[away >= 0].min(initial=99)) % 99 or -1)
    assert nearest_other(sources, targets, 40, community).tolist() == expected
