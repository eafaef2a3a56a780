"""How much a good host suffers from hostile ones crawled beside it: python -m benchmarks.isolation [--each]."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from urllib.parse import quote

from benchmarks.hosts import GOOD, GOOD_PAGES, HOSTILE, PORTAL, Hosts, hits_of, hostile_addresses

CONCURRENCY, TIMEOUT, LONGEST = 64, 5, 120
BAR = 0.90
DELAYS = (0.0, 0.05)  # seconds between two requests to one host; without any, the good host makes 50 pages a second


async def crawl(url: str, delay: float) -> None:
    """Crawl until all pages of the good host are there."""
    from honeyguide import Crawl

    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(
            [url],
            "keyword:nectar",
            "breadth-first",
            directory=folder,
            pages=10_000_000,
            concurrency=CONCURRENCY,
            timeout=TIMEOUT,
            max_time=LONGEST,
            delay=delay,
            ip_delay=0,
            allow_private=True,
        )
        left = GOOD_PAGES
        async for visit in crawl:
            left -= visit.url.startswith(f"http://{GOOD}:")
            if not left:
                crawl.stop("the good host is done")


def speed(delay: float, hostile: list[str]) -> float:
    """Pages a second of the good host, by its own log, with these hostile hosts beside it."""
    *_, last = hostile_addresses().values()
    with Hosts("good", GOOD) as good, Hosts("hostile", last) as bad:
        url = f"http://{PORTAL}:{good.port}/portal"
        if hostile:
            url += f"?hostile={bad.port}&kinds={quote('|'.join(hostile))}"
        command = [sys.executable, "-m", "benchmarks.isolation", "--crawl", url, "--delay", str(delay)]
        subprocess.run(command, check=True, timeout=LONGEST + 60)
        hits = hits_of(good.port)
    return (len(hits) - 1) / (hits[-1] - hits[0])


def measured(delay: float, hostile: list[str], rounds: int) -> tuple[float, float]:
    """Alone and beside; of several rounds the fastest of each, since this machine may have other things to do."""
    alone, beside = zip(*((speed(delay, []), speed(delay, hostile)) for _ in range(rounds)), strict=True)
    return max(alone), max(beside)


def main() -> None:
    """Beside all of them, for each gap; with --each also beside every one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="also beside each kind of hostile host alone")
    parser.add_argument("--delay", type=float, action="append", help="seconds between two requests to a host")
    parser.add_argument("--rounds", type=int, default=2, help="how often each is measured; the fastest counts")
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        import uvloop

        uvloop.run(crawl(options.crawl, options.delay[0]))
        return
    print(f"A host of {GOOD_PAGES} pages, {CONCURRENCY} requests at once; the aim is a share of {BAR}:\n")
    print("| gap by host | beside it | pages/s alone | pages/s beside | share |\n|---|---|---|---|---|", flush=True)
    companies = {f"{len(HOSTILE)} hostile hosts": list(HOSTILE)}
    companies |= {name: [name] for name in HOSTILE if options.each}
    for delay in options.delay or DELAYS:
        for company, names in companies.items():
            alone, beside = measured(delay, names, options.rounds)
            print(f"| {delay:g} s | {company} | {alone:.1f} | {beside:.1f} | {beside / alone:.2f} |", flush=True)


if __name__ == "__main__":
    main()
