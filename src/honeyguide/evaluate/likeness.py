"""How alike the texts of pages are, by the number of links between them."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.network import neighbours
from honeyguide.text import content_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from honeyguide.evaluate.linked import LinkedWeb

    Ids = NDArray[np.int64]
    Pair = tuple[int, int]
    Weighed = dict[str, float]

STARTS = 150  # pages that distances are counted from
FARTHEST = 4
SEEN = 1000  # pages that tell how common words are
KEPT = 5000


def likeness(web: LinkedWeb, source: Ids, target: Ids, rng: np.random.Generator) -> dict[str, tuple[float, ...]]:
    """Mean cosines of TF-IDF vectors of pages 1 to 4 links apart, of pages linked from one page, and of any two."""
    first = np.searchsorted(source, np.arange(web.size + 1))
    apart: list[list[Pair]] = [[] for _ in range(FARTHEST)]
    siblings: list[Pair] = []
    for start in rng.choice(np.flatnonzero(np.diff(first)), STARTS) if len(source) else ():
        for steps, page in enumerate(_one_at_each_distance((first, target), int(start), rng)):
            apart[steps].append((int(start), page))
        siblings.extend(_two(target[first[start] : first[start + 1]], rng))
    anyone = [(int(a), int(b)) for a, b in rng.integers(0, web.size, (2 * STARTS, 2)) if a != b]
    alike = _alike(web, rng)
    return {
        "text likeness at 1, 2, 3, 4 links": tuple(_mean(pairs, alike) for pairs in apart),
        "text likeness of siblings, any two": (_mean(siblings, alike), _mean(anyone, alike)),
    }


def _one_at_each_distance(ways: tuple[Ids, Ids], start: int, rng: np.random.Generator) -> Iterator[int]:
    near = reached = np.array([start])
    for _ in range(FARTHEST):
        reached = np.setdiff1d(neighbours(ways, reached), near, assume_unique=True)
        if not len(reached):
            return
        near = np.union1d(near, reached)
        yield int(rng.choice(reached))


def _two(linked: Ids, rng: np.random.Generator) -> Iterator[Pair]:
    if len(linked) > 1:
        one, other = rng.choice(linked, 2, replace=False).tolist()
        yield one, other


def _mean(pairs: list[Pair], alike: Callable[[int, int], float]) -> float:
    return float(np.mean([alike(*pair) for pair in pairs])) if pairs else float("nan")


def _alike(web: LinkedWeb, rng: np.random.Generator) -> Callable[[int, int], float]:
    seen = rng.choice(web.size, min(SEEN, web.size), replace=False)
    common = Counter(word for i in seen.tolist() for word in set(content_words(web.text(i))))

    @lru_cache(KEPT)
    def vector(page: int) -> Weighed:
        counts = Counter(content_words(web.text(page)))
        weighed = {w: n * math.log((len(seen) + 1) / (common[w] + 1)) for w, n in counts.items()}
        length = math.sqrt(sum(value * value for value in weighed.values())) or 1.0
        return {word: value / length for word, value in weighed.items()}

    def alike(one: int, other: int) -> float:
        few, many = sorted((vector(one), vector(other)), key=len)
        return sum(value * many.get(word, 0.0) for word, value in few.items())

    return alike
