"""Memory of a long crawl of a site without end: python -m benchmarks.memory [--quick].

Each page links to twenty that nobody has seen; the queue is bounded, and so is what the crawl knows where it can be.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from benchmarks.hosts import ENDLESS, LINKS, Hosts
from benchmarks.processes import held, members

if TYPE_CHECKING:
    from honeyguide import Crawl

PAGES, QUICK = 20_000, 3000
QUEUE = 20_000
KNOWN = 5  # URLs for each page
STEPS = 10
FLAT = 1.10  # times what was held after the first third


def bounds(queue: int, known: int) -> dict[str, Any]:
    """The settings that bound memory, those this version has and that are not lifted with 0."""
    from honeyguide.settings import Settings

    has = {field.name for field in dataclasses.fields(Settings)}
    return {name: value for name, value in (("max_queue", queue), ("max_known", known)) if value and name in has}


async def crawl(url: str, pages: int, queue: int, known: int) -> None:
    """One row at each tenth, and then whether memory still grows."""
    from honeyguide import Crawl

    rows: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            [url],
            "keyword:nectar",
            "best-first",
            directory=folder,
            pages=pages,
            delay=0,
            allow_private=True,
            **bounds(queue, known),
        )
        began = time.perf_counter()
        async for _ in crawl:
            if crawl.fetched >= pages * (len(rows) + 1) // STEPS:
                rows.append(row(crawl, began))
    if len(rows) < STEPS:
        print(f"\nThe crawl ended after {crawl.fetched:,} pages: {crawl.stopped}.")
    if len(rows) >= 3:
        third = len(rows) // 3
        growth = max(rows[third:]) / rows[third - 1]
        verdict = "flat" if growth <= FLAT else "not flat"
        print(f"\nAfter the first third, memory grew to at most {growth:.2f} times: {verdict} (the bar is {FLAT}).")


def row(crawl: Crawl, began: float) -> float:
    """One row of the table; the bytes of all processes."""
    me = os.getpid()
    others = sum(held(pid) for pid in members(me) if pid != me)
    own, speed = held(me), crawl.fetched / (time.perf_counter() - began)
    known, queued = len(crawl.graph), len(crawl.frontier)
    print(
        f"| {crawl.fetched:,} | {own / 1e6:.1f} | {others / 1e6:.1f} | {known:,} | {queued:,} | {speed:,.0f} |",
        flush=True,
    )
    return own + others


def main() -> None:
    """The site in one process, the crawl in another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} pages")
    parser.add_argument("--queue", type=int, default=QUEUE, help="queued URLs at most; 0: any number")
    parser.add_argument(
        "--known", type=int, help=f"known URLs at most [default: {KNOWN} for each page]; 0: any number"
    )
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    pages = QUICK if options.quick else PAGES
    known = KNOWN * pages if options.known is None else options.known
    if options.crawl:
        import uvloop

        uvloop.run(crawl(options.crawl, pages, options.queue, known))
        return
    told = ", ".join(f"{name} {value:,}" for name, value in bounds(options.queue, known).items()) or "no bounds"
    print(f"{pages:,} pages of a site without end, {LINKS} new links on each, {told}:\n")
    print("| pages | crawl MB | its workers MB | known URLs | queued | pages/s so far |")
    print("|---|---|---|---|---|---|", flush=True)
    with Hosts("endless", ENDLESS) as hosts:
        command = [sys.executable, "-m", "benchmarks.memory", *sys.argv[1:]]
        command += ["--crawl", f"http://{ENDLESS}:{hosts.port}/"]
        subprocess.run(command, check=True, timeout=1800)


if __name__ == "__main__":
    main()
