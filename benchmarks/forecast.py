"""Are forecasts right? Crawls of stored webs; how often the 80 % intervals hold, and the loss, overall and by host.

python -m benchmarks.forecast [WEB …]        checks them on final topics
python -m benchmarks.forecast --fit [WEB …]  fits the weights in honeyguide.crawl.forecast on tuning topics

The loss is the pinball loss of the quantiles 10, 50 and 90 %, beside that of repeating the last thousand pages.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

from honeyguide import urls
from honeyguide.crawl import Crawl
from honeyguide.crawl.forecast import HORIZON, QUANTILES, by_host, evidence, forecast
from honeyguide.evaluate import Collection, Design, read_collection
from honeyguide.evaluate.comparing import judged_topics
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.starting import Start, draw_starts
from honeyguide.running import run_async

PAGES, TOPICS = 5000, 12
AT = (100, 150, 200, 300, 400, 500, 750, *range(1000, PAGES, 500))  # fetches after which a forecast is made
STRATEGIES = ("honeyguide", "host-odds", "best-first", "breadth-first")
TUNING = ("synthetic:41:20000", "synthetic:44:40000", "synthetic:43:100000")
FINAL = ("synthetic:31:20000", "synthetic:34:40000", "synthetic:33:100000")


class Case(NamedTuple):
    """A forecast, and what came."""

    low: float
    expected: float
    high: float
    came: int
    last: float  # what repeating the last thousand would tell
    of_host: bool
    lately: float  # the evidence
    all_along: float


def fetches(web: Collection, start: Start, topic: object, strategy: str) -> tuple[list[str], list[bool]]:
    """The host of each fetch of a crawl, and what it brought."""

    async def run() -> tuple[list[str], list[bool]]:
        crawl = Crawl(start.seeds, topic, strategy, web=web.web(), pages=PAGES)  # type: ignore[arg-type]
        made = [(urls.host(visit.url), visit.relevant) async for visit in crawl]
        return [host for host, _ in made], [hit for _, hit in made]

    return run_async(run())


def cases(hosts: list[str], found: list[bool]) -> list[Case]:
    """Forecasts along a crawl."""
    relevant, made = np.array(found), []
    for at in (at for at in AT if at + HORIZON <= len(found)):
        told = forecast(relevant[:at])
        assert told
        came, last = (
            int(relevant[at : at + HORIZON].sum()),
            HORIZON * float(relevant[max(0, at - HORIZON) : at].mean()),
        )
        made.append(Case(told.low, told.expected, told.high, came, last, False, *evidence(relevant[:at])))
        made += _of_hosts(hosts, relevant, at)
    return made


def _of_hosts(hosts: list[str], relevant: np.ndarray, at: int) -> list[Case]:
    """Forecasts for the five best hosts, where each was asked as often afterwards as was forecast."""
    made = []
    for host, told in list(by_host(hosts[:at], relevant[:at]).items())[:5]:
        own = np.array([each == host for each in hosts])
        before, after = relevant[:at][own[:at]], relevant[at:][own[at:]]
        if told.fetches <= len(after):
            came, last = int(after[: told.fetches].sum()), told.fetches * float(before.mean())
            made.append(Case(told.low, told.expected, told.high, came, last, True, *evidence(before)))
    return made


def on_web(name: str, part: str) -> list[Case]:
    """All cases of one web."""
    web = read_collection(name)
    network, made, design = Network(web), [], Design(topics=TOPICS, seed_sets=1, part=part)
    for relevance in judged_topics(web, [], design):
        for start in draw_starts(network, relevance, design):
            for strategy in STRATEGIES:
                made += cases(*fetches(web, start, relevance.topic, strategy))
    return made


def pinball(told: np.ndarray, came: np.ndarray, quantile: float) -> float:
    """The mean loss of a forecast quantile."""
    error = came - told
    return float(np.maximum(quantile * error, (quantile - 1) * error).mean())


def tell(name: str, found: list[Case]) -> None:
    """How forecasts of one kind did."""
    low, middle, high, came, last = np.array(found).T[:5]
    within = (came >= low) & (came <= high)
    ours = np.mean([pinball(t, came, q) for t, q in zip((low, middle, high), QUANTILES, strict=True)])
    theirs = np.mean([pinball(last, came, q) for q in QUANTILES])
    print(
        f"{name}: {len(found):,} cases; 80 % intervals hold in {within.mean():.1%} (below {np.mean(came < low):.1%},"
        f" above {np.mean(came > high):.1%}); pinball loss {ours:.1f}, of repeating the last {theirs:.1f}"
    )


def fit(found: list[Case]) -> None:
    """Print weights that make the pinball loss of the logarithm least."""
    from scipy.optimize import minimize

    rows = np.array([(1, case.lately, case.all_along) for case in found if not case.of_host])
    came = np.log1p([case.came for case in found if not case.of_host])
    for quantile in QUANTILES:
        tries = [
            minimize(lambda w, q=quantile: pinball(rows @ w, came, q), first, method="Powell") for first in np.eye(3)
        ]
        print(f"    {quantile}:", tuple(np.round(min(tries, key=lambda made: made.fun).x, 2).tolist()))


def main() -> None:
    """One line a kind of forecast, or the weights."""
    fitting = "--fit" in sys.argv
    webs = [name for name in sys.argv[1:] if not name.startswith("--")] or list(TUNING if fitting else FINAL)
    part = "tuning" if fitting else "final"
    with ProcessPoolExecutor(2) as pool:
        found = [case for made in pool.map(on_web, webs, [part] * len(webs)) for case in made]
    print(f"{part} topics of {', '.join(webs)}; {', '.join(STRATEGIES)}")
    tell("overall", [case for case in found if not case.of_host])
    tell("by host", [case for case in found if case.of_host])
    if fitting:
        fit(found)


if __name__ == "__main__":
    main()
