"""Simulated crawls: pages a second on a stored web in memory, topic known, thirty links and 200 words a page."""

from __future__ import annotations

import heapq
import sys
import time

import numpy as np

from honeyguide.base import Link, Page
from honeyguide.crawl import Crawl
from honeyguide.running import run_async
from honeyguide.strategy import strategies
from honeyguide.topic import Topic, as_topic
from honeyguide.topic.judged import judge_all
from honeyguide.web import Archive

HOSTS, LINKS, TOPICS = 300, 30, 20
VOCABULARY, WORDS, TELLING = 20_000, 200, 40  # words there are, of a page, and about one topic
READERS = ["honeyguide", "intelligent", "genetic", "paths", "shark-search", "tunnel"]
READERS += ["ache", "anthelion", "deep-deep", "sb-classifier", "tres"]
BARS = dict.fromkeys(READERS, 1000)  # those that read texts or many words
BAR = 5000  # pages/s for the others
WITHOUT_SEARCH = {"genetic": "genetic:mutation=0"}  # else it is the index of the stored web that is measured
EARLY, LATE = 1000, 5000  # pages at the beginning and at the end of a crawl


def stored_web(size: int) -> dict[str, Page]:
    """Pages on hosts, each host about one topic; two links of three stay on the host."""
    rng = np.random.default_rng(1)
    urls = [f"http://host{i % HOSTS}.test/section/page-{i}" for i in range(size)]
    common = np.minimum(rng.zipf(1.3, (size, WORDS - 10)), VOCABULARY)
    telling = rng.integers(0, TELLING, (size, 10))
    pages = {}
    for i, url in enumerate(urls):
        near = rng.integers(0, size // HOSTS, LINKS * 2 // 3) * HOSTS + i % HOSTS
        far = rng.integers(0, size, LINKS - len(near))
        out = np.concatenate([near, far]) % size
        topic = i % HOSTS % TOPICS
        links = tuple(Link(urls[j], f"topic{topic}x{j % TELLING} anchor", position=k) for k, j in enumerate(out))
        words = [*(f"topic{topic}x{n}" for n in telling[i]), *(f"word{n}" for n in common[i])]
        pages[url] = Page(url=url, text=" ".join(words), label=f"t{topic}", links=links)
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


def judged(pages: dict[str, Page]) -> Topic:
    """The topic, with its verdicts on all pages: what is measured is the crawl."""
    topic = as_topic("label:t3 | keyword:all(topic3x1, topic3x2, nowhere)")  # words for those that need some
    return run_async(judge_all([topic], list(pages.values())))[0]


def clocked(pages: dict[str, Page], seed: str, topic: Topic, strategy: str, count: int) -> list[float]:
    """The time at which each page was taken in, from the start of the crawl."""

    async def run() -> list[float]:
        crawl = Crawl([seed], topic, strategy, web=Archive(pages), pages=count)
        began = time.perf_counter()
        return [time.perf_counter() - began async for _ in crawl]

    return run_async(run())


def main() -> None:
    """One row a strategy."""
    size, count = (9000, 7000) if "--quick" in sys.argv else (60_000, 50_000)
    named = [name for name in sys.argv[1:] if name in strategies()]
    pages = stored_web(size)
    seed = next(url for url, page in pages.items() if page.label == "t3")
    bare, topic = bare_loop(pages, seed, count), judged(pages)
    print(f"Simulated crawl of {count:,} of {size:,} pages, {LINKS} links and {WORDS} words a page, one core:\n")
    windows = f"first {EARLY:,} pages | last {LATE:,}"
    print(f"| strategy | pages/s | aim | of it | {windows} | of a bare loop ({bare:,.0f}/s) |")
    print("|---|---|---|---|---|---|---|")
    for name in named or strategies():
        asked = WITHOUT_SEARCH.get(name, name)
        times, bar = clocked(pages, seed, topic, asked, count), BARS.get(name, BAR)
        speed, early = len(times) / times[-1], EARLY / times[EARLY - 1]
        late = LATE / (times[-1] - times[-1 - LATE])
        ended = "" if len(times) == count else f" (ended after {len(times):,})"
        print(
            f"| {asked}{ended} | {speed:,.0f} | {bar:,} | {speed / bar:.2f} | {early:,.0f} | {late:,.0f} "
            f"| {speed / bare:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
