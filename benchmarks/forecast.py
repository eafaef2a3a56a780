"""Are forecasts right? Crawls of generated webs, on final topics; how often the 80 % intervals hold, and the loss.

The loss is the pinball loss of the quantiles 10, 50 and 90 %, beside that of repeating the last thousand pages.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from honeyguide.crawl import Crawl
from honeyguide.crawl.forecast import HORIZON, forecast
from honeyguide.evaluate import Collection, Design, read_collection
from honeyguide.evaluate.comparing import judged_topics
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.starting import Start, draw_starts
from honeyguide.running import run_async

PAGES, STEP = 4000, 500
STRATEGIES = ("honeyguide", "host-odds")
QUANTILES = (0.1, 0.5, 0.9)


def verdicts(web: Collection, start: Start, topic: object, strategy: str) -> list[bool]:
    """What each fetch of a crawl brought."""

    async def run() -> list[bool]:
        crawl = Crawl(start.seeds, topic, strategy, web=web.web(), pages=PAGES)  # type: ignore[arg-type]
        return [visit.relevant async for visit in crawl]

    return run_async(run())


def cases(found: list[bool]) -> list[tuple[float, float, float, int, int]]:
    """Forecasts along a crawl: low, expected, high, what came, and what the last thousand brought."""
    relevant = np.array(found)
    made = []
    for at in range(HORIZON, len(relevant) - HORIZON + 1, STEP):
        told = forecast(relevant[:at])
        if told:
            came, last = int(relevant[at : at + HORIZON].sum()), int(relevant[at - HORIZON : at].sum())
            made.append((told.low, told.expected, told.high, came, last))
    return made


def on_web(name: str, part: str = "final") -> list[tuple[float, float, float, int, int]]:
    """All cases of one web."""
    web = read_collection(name)
    network, made = Network(web), []
    design = Design(seed_sets=1, part=part)
    for relevance in judged_topics(web, [], design):
        for start in draw_starts(network, relevance, design):
            for strategy in STRATEGIES:
                made += cases(verdicts(web, start, relevance.topic, strategy))
    return made


def pinball(told: np.ndarray, came: np.ndarray, quantile: float) -> float:
    """The mean loss of a forecast quantile."""
    error = came - told
    return float(np.maximum(quantile * error, (quantile - 1) * error).mean())


def main() -> None:
    """One table."""
    webs = [name for name in sys.argv[1:] if name.startswith("synthetic")] or [
        f"synthetic:{seed}:20000" for seed in (31, 32, 33)
    ]
    part = "tuning" if "--tuning" in sys.argv else "final"
    with ProcessPoolExecutor(2) as pool:
        found = np.array([case for made in pool.map(on_web, webs, [part] * len(webs)) for case in made])
    low, middle, high, came, last = found.T
    within = (came >= np.floor(low)) & (came <= np.ceil(high))
    ours = np.mean([pinball(t, came, q) for t, q in zip((low, middle, high), QUANTILES, strict=True)])
    theirs = np.mean([pinball(last, came, q) for q in QUANTILES])
    print(f"{len(found)} cases on {', '.join(webs)}, {part} topics")
    print(
        f"80 % intervals hold in {within.mean():.1%}"
        f" (below {np.mean(came < low):.1%}, above {np.mean(came > high):.1%})"
    )
    print(f"pinball loss {ours:.1f}; of repeating the last {HORIZON:,} pages {theirs:.1f}")


if __name__ == "__main__":
    main()
