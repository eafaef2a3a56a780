"""Frontier: pushes and pops a second, and bytes for each queued URL, at 1 and 10 million URLs."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from honeyguide.frontier import Frontier
from honeyguide.graph import Graph

BATCH = 30  # links of a page
HOSTS = 50_000
MOST_BYTES = 150  # ten million URLs in 1.5 GB
LEAST_OPERATIONS = 100_000
SIZES = (1_000_000, 10_000_000)
QUICK = (100_000,)


def resident() -> int:
    """Bytes of memory this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def urls(start: int) -> list[str]:
    """Addresses of the usual length, about 60 characters."""
    return [
        f"https://www.site-{i % HOSTS}.example.org/articles/section/page-{i}.html"
        for i in range(start, start + BATCH)
    ]


def measure(size: int) -> None:
    """One row of the table, for so many URLs."""
    gc.disable()
    before = resident()
    graph, frontier, rng = Graph(), Frontier(), np.random.default_rng(1)
    pushing = 0.0
    for start in range(0, size, BATCH):
        ids = graph.intern(urls(start), 1)
        scores = rng.random(len(ids), np.float32)
        began = time.perf_counter()
        frontier.push(ids, scores, graph.host[ids])
        pushing += time.perf_counter() - began
    held = (resident() - before) / len(frontier)
    pops = min(size, 200_000)
    began = time.perf_counter()
    popped = [frontier.pop(0.0) for _ in range(pops)]
    popping = time.perf_counter() - began
    scores_popped = [score for found in popped if found for score in found[1:]]
    assert scores_popped == sorted(scores_popped, reverse=True), "a worse URL came first"
    pushed, both = size / pushing, 2 / (pushing / size + popping / pops)
    print(
        f"| {size:,} | {pushed:,.0f} | {pops / popping:,.0f} | {both:,.0f} | {both / LEAST_OPERATIONS:.1f} | "
        f"{held:.0f} | {held / MOST_BYTES:.2f} |",
        flush=True,
    )


def main() -> None:
    """Each size in a process of its own."""
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        measure(int(sys.argv[1]))
        return
    print("Frontier, with the URLs themselves and all the graph knows of them:\n")
    print(
        f"| queued URLs | pushes/s | pops/s | operations/s | of {LEAST_OPERATIONS:,} | bytes/URL | of {MOST_BYTES} |"
    )
    print("|---|---|---|---|---|---|---|", flush=True)
    for size in QUICK if "--quick" in sys.argv else SIZES:
        subprocess.run([sys.executable, "-m", "benchmarks.frontier", str(size)], check=True)


if __name__ == "__main__":
    main()
