"""The README's table: relevant pages found on the demo web, by strategy, over random seeds: make table."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

from honeyguide.crawl import Crawl
from honeyguide.strategy import strategies
from honeyguide.synthetic import generate
from honeyguide.web import SyntheticWeb

PAGES, SEEDS = 600, 5
WEBS = (1, 2, 3, 4, 5)
STARTS = ("on the topic", "on portals")
YARDSTICK = "breadth-first"


def found(job: tuple[int, str]) -> dict[str, int]:
    """Relevant pages of all topics of one web, by start, for one strategy."""
    seed, strategy = job
    world = generate(seed=seed)
    counts = dict.fromkeys(STARTS, 0)
    for topic in world.topics:
        starts = (world.topic_seeds(topic, SEEDS), world.portal_seeds(SEEDS))
        for name, seeds in zip(STARTS, starts, strict=True):
            crawl = Crawl(seeds, world.query(topic), strategy, web=SyntheticWeb(world), pages=PAGES, random_seed=seed)
            counts[name] += crawl.run().relevant
    return counts


def main() -> None:
    """Means over topics and webs, and the ratio to breadth-first on the best and the worst web."""
    names = [YARDSTICK, *(name for name in strategies() if name != YARDSTICK)]
    jobs = [(seed, name) for name in names for seed in WEBS]
    with ProcessPoolExecutor() as pool:
        results = dict(zip(jobs, pool.map(found, jobs), strict=True))
    topics = len(generate().topics)
    for start in STARTS:
        print(f"\nFive seeds {start}, {PAGES} pages fetched, mean of {topics} topics on {len(WEBS)} webs:\n")
        print("| strategy | relevant pages | harvest | times breadth-first, by web |\n|---|---|---|---|")
        for name in names:
            counts = [results[seed, name][start] for seed in WEBS]
            ratios = [results[seed, name][start] / results[seed, YARDSTICK][start] for seed in WEBS]
            mean = sum(counts) / len(counts) / topics
            by_web = ", ".join(f"{ratio:.1f}" for ratio in ratios)
            print(f"| {name} | {mean:.0f} | {mean / PAGES:.1%} | {by_web} |")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
