"""What a crawl gains from what another one learned: python -m benchmarks.reuse WEB [STRATEGY] [PAGES]."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from honeyguide.crawl import Crawl
from honeyguide.evaluate import Design, compare, read_collection
from honeyguide.evaluate.averages import estimate
from honeyguide.web import Archive

FEWEST = 50  # relevant pages of a topic


def main() -> None:
    """One row a topic: relevant pages without and with the knowledge of a crawl from other seeds."""
    source, strategy, pages = [*sys.argv[1:], *("intelligent", "1000")[len(sys.argv) - 2 :]]
    collection = read_collection(source)
    chosen = compare(collection, ["breadth-first"], design=Design(pages="6"))
    seeds = {(each.topic, each.start, each.seed_set): each.seeds for each in chosen.starts}
    gained: dict[str, list[tuple[int, int]]] = {"near": [], "far": []}
    print(f"{strategy}, {pages} pages:\n\n| topic | start | without | with |\n|---|---|---|---|")
    for topic in (each.topic for each in chosen.topics if each.relevant >= FEWEST):
        with tempfile.TemporaryDirectory() as folder:
            learned = str(Path(folder) / "crawl")

            def found(start: str, number: int, topic: str = topic, **settings: str) -> int:
                web = Archive({page.url: page for page in collection.pages})
                where = seeds[topic, start, number]
                return Crawl(where, topic, strategy, web=web, pages=int(pages), **settings).run().relevant

            found("near", 0, directory=learned)
            for start in ("near", "far"):
                gained[start].append((found(start, 1), found(start, 1, learn_from=learned)))
                print(f"| {topic} | {start} | {gained[start][-1][0]} | {gained[start][-1][1]} |", flush=True)
    for start, counts in gained.items():
        without, given = (sum(column) / len(counts) for column in zip(*counts, strict=True))
        gain = estimate([after - before for before, after in counts])
        interval = f"{gain.mean:+.1f} [{gain.low:+.1f}, {gain.high:+.1f}]"
        print(f"| mean | {start} | {without:.1f} | {given:.1f}, gain {interval} |")


if __name__ == "__main__":
    main()
