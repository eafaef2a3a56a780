"""Is the report of a large crawl small, quickly written and quickly opened? A crawl of 20,000 pages says.

`python -m benchmarks.report DIR` makes the crawl in DIR, or takes the one it holds; pictures stand beside the report.
Opened in Chromium, the page is timed from the request to the first frame after it was loaded, and scrolled from top
to bottom while frames are counted.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from benchmarks.chromium import PROGRAM, Chromium
from honeyguide.crawl import Crawl
from honeyguide.report import write_report
from honeyguide.store import is_crawl_directory
from honeyguide.synthetic import generate
from honeyguide.web import SyntheticWeb

WORLD, PAGES = 25_000, 20_000
LARGEST, LONGEST = 2_000_000, 2.0  # bytes, and seconds to open it
OPENED = 5  # times
TALLEST = 2300  # pixels of a picture

# The first frame after the page was loaded, in milliseconds since it was asked for.
TO_BE_SEEN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"
SCROLLED = """new Promise(done => {
  const gaps = []; let last = performance.now(), at = 0;
  const step = now => { gaps.push(now - last); last = now; at += 400; scrollTo(0, at);
    if (at < document.documentElement.scrollHeight) requestAnimationFrame(step);
    else done([gaps.length, Math.max(...gaps.slice(1))]) };
  requestAnimationFrame(step) })"""


def crawled(directory: Path) -> None:
    """A simulated crawl on a generated web, by the default strategy."""
    world = generate(pages=WORLD, seed=1)
    topic = sorted(world.topics)[0]
    crawl = Crawl(
        world.portal_seeds(5), world.query(topic), web=SyntheticWeb(world), pages=PAGES, directory=directory
    )
    print(f"crawled {crawl.run().fetched:,} pages", flush=True)


async def opened(report: Path) -> tuple[list[float], int, float]:
    """Seconds until it is seen, several times; frames while scrolling, and the longest wait for one, in seconds."""
    async with Chromium() as browser:
        await browser.show(1100)
        times = []
        for _ in range(OPENED):
            await browser.open(report)
            times.append(await browser.value(TO_BE_SEEN) / 1000)
        frames, longest = await browser.value(SCROLLED)
        await browser.value("scrollTo(0, 0)")
        await _pictures(browser, report)
        return times, frames, longest / 1000


async def _pictures(browser: Chromium, report: Path) -> None:
    """The beginning of the page, the map in the dark, and a phone."""
    for name, width, dark, part in (
        ("report", 900, False, "html"),
        ("dark", 900, True, "#map"),
        ("phone", 390, False, "html"),
    ):
        await browser.show(width, dark)
        await browser.open(report)
        name = name if name == "report" else f"report-{name}"
        await browser.picture(report.with_name(f"{name}.png"), part, TALLEST)


def main() -> None:
    """Make it, measure it, and say whether it is within bounds."""
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "report-benchmark")
    if not is_crawl_directory(directory):
        crawled(directory)
    began = time.perf_counter()
    report = write_report(directory)
    size = report.stat().st_size
    print(f"written in {time.perf_counter() - began:.1f} s; {size:,} bytes, of {LARGEST:,}")
    good = size < LARGEST
    if PROGRAM:
        times, frames, longest = asyncio.run(opened(report))
        shown = ", ".join(f"{seconds:.2f}" for seconds in times)
        print(f"seen after {shown} s, of {LONGEST}; scrolled in {frames} frames, the longest {longest * 1000:.0f} ms")
        good = good and max(times) < LONGEST
    sys.exit(not good)


if __name__ == "__main__":
    main()
