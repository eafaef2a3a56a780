"""Where crawls start: near, on relevant pages; far, on others that are some links away from any."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.evaluate.design import NEAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from honeyguide.evaluate.design import Design
    from honeyguide.evaluate.network import Network
    from honeyguide.evaluate.relevance import Relevance

FAR_ENOUGH = 3  # links to the nearest relevant page


@dataclass(frozen=True)
class Start:
    """The seeds of one crawl of each strategy, and how much there is to be found from them."""

    topic: str
    start: str  # near or far
    seed_set: int
    seeds: tuple[str, ...]
    reachable: int  # relevant pages that links lead to from the seeds
    distance: int  # links from the nearest seed to the nearest relevant page; 0 when near


def draw_starts(network: Network, relevance: Relevance, design: Design) -> Iterator[Start]:
    """All seed sets of a topic; none far away where no page off the topic leads to one on it."""
    distances = network.links_to(relevance.ids)
    for start in design.starts:
        for seed_set in range(design.seed_sets):
            rng = random.Random(f"{design.random_seed} {relevance.topic} {start} {seed_set}")
            draw = near_seeds if start == NEAR else far_seeds
            seeds = draw(distances, design.seeds, rng)
            if len(seeds):
                yield _start(network, relevance, distances, seeds, start, seed_set)


def _start(
    network: Network,
    relevance: Relevance,
    distances: NDArray[np.int32],
    seeds: NDArray[np.int64],
    start: str,
    seed_set: int,
) -> Start:
    reached = network.links_from(seeds)[relevance.ids] >= 0
    return Start(
        topic=str(relevance.topic),
        start=start,
        seed_set=seed_set,
        seeds=tuple(network.urls[i] for i in seeds.tolist()),
        reachable=relevance.distinct(relevance.ids[reached]),
        distance=int(distances[seeds].min()),
    )


def near_seeds(distances: NDArray[np.int32], count: int, rng: random.Random) -> NDArray[np.int64]:
    """Relevant pages, drawn at random; all of them where there are no more."""
    relevant = np.flatnonzero(distances == 0).tolist()
    return np.array(rng.sample(relevant, min(count, len(relevant))), np.int64)


def far_seeds(distances: NDArray[np.int32], count: int, rng: random.Random) -> NDArray[np.int64]:
    """Irrelevant pages, drawn at random among those far enough away; the farthest there are where these are too few.

    Pages from which no relevant one can be reached are no places to start from.
    """
    others = np.flatnonzero(distances > 0).tolist()
    rng.shuffle(others)
    others.sort(key=lambda i: -min(int(distances[i]), FAR_ENOUGH))
    return np.array(others[:count], np.int64)
