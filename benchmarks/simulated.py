"""Simulated crawls: pages a second on a stored web in memory, topic known, thirty links a page."""

from __future__ import annotations

import heapq
import sys
import time

import numpy as np

from honeyguide.base import Link, Page
from honeyguide.crawl import Crawl
from honeyguide.strategy import strategies
from honeyguide.web import Archive

HOSTS, LINKS, TOPICS = 300, 30, 20
BAR = 5000  # pages/s for counting strategies


def stored_web(size: int) -> dict[str, Page]:
    """Pages on hosts, each host about one topic; two links of three stay on the host."""
    rng = np.random.default_rng(1)
    urls = [f"http://host{i % HOSTS}.test/section/page-{i}" for i in range(size)]
    pages = {}
    for i, url in enumerate(urls):
        near = rng.integers(0, size // HOSTS, LINKS * 2 // 3) * HOSTS + i % HOSTS
        far = rng.integers(0, size, LINKS - len(near))
        out = np.concatenate([near, far]) % size
        links = tuple(Link(urls[j], "some anchor", position=k) for k, j in enumerate(out))
        pages[url] = Page(url=url, label=f"t{i % HOSTS % TOPICS}", links=links)
    return pages


def bare_loop(pages: dict[str, Page], seed: str, count: int) -> float:
    """Pages a second of the least a best-first crawl must do: a heap of URLs and a set of those seen."""
    began = time.perf_counter()
    queue, seen, fetched = [(0.0, seed)], {seed}, 0
    while queue and fetched < count:
        page = pages[heapq.heappop(queue)[1]]
        fetched += 1
        score = -float(page.label == "t3")
        for link in page.links:
            if link.url not in seen:
                seen.add(link.url)
                heapq.heappush(queue, (score, link.url))
    return fetched / (time.perf_counter() - began)


def main() -> None:
    """One row a strategy."""
    size, count = (6000, 2000) if "--quick" in sys.argv else (60_000, 20_000)
    pages = stored_web(size)
    seed = next(url for url, page in pages.items() if page.label == "t3")
    bare = bare_loop(pages, seed, count)
    print(f"Simulated crawl of {count:,} of {size:,} pages, {LINKS} links a page, one core:\n")
    print(f"| strategy | pages/s | of {BAR:,} | of a bare loop ({bare:,.0f}/s) |\n|---|---|---|---|")
    for name in strategies():
        began = time.perf_counter()
        summary = Crawl([seed], "label:t3", name, web=Archive(pages), pages=count).run()
        speed = summary.fetched / (time.perf_counter() - began)
        print(f"| {name} | {speed:,.0f} | {speed / BAR:.2f} | {speed / bare:.3f} |", flush=True)


if __name__ == "__main__":
    main()
