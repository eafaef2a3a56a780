"""Is the report of a large crawl small, quickly written and quickly opened? A crawl of 20,000 pages says.

`python -m benchmarks.report DIR` makes the crawl in DIR, or takes the one it holds; `--screenshots docs` makes the
pictures of the docs from it.
Opened in Chromium, the page is timed from the request to the first frame after it was loaded, and scrolled from top
to bottom while frames are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

from benchmarks.chromium import PROGRAM, Chromium
from benchmarks.pictures import shrink, side_by_side
from honeyguide.crawl import Crawl
from honeyguide.report import write_report
from honeyguide.store import is_crawl_directory
from honeyguide.synthetic import generate
from honeyguide.web import SyntheticWeb

WORLD, PAGES = 25_000, 20_000
LARGEST, LONGEST = 2_000_000, 2.0  # bytes, and seconds to open it
OPENED = 5  # times
TALLEST = 2000  # pixels of a picture

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


async def opened(report: Path, pictures: Path | None) -> tuple[list[float], int, float]:
    """Seconds until it is seen, several times; frames while scrolling, and the longest wait for one, in seconds."""
    async with Chromium() as browser:
        await browser.show(1100)
        times = []
        for _ in range(OPENED):
            await browser.open(report)
            times.append(await browser.value(TO_BE_SEEN) / 1000)
        frames, longest = await browser.value(SCROLLED)
        if pictures:
            await _pictures(browser, report, pictures)
        return times, frames, longest / 1000


async def _pictures(browser: Chromium, report: Path, folder: Path) -> None:
    """The beginning of the page, the map in the dark, a phone, and paper."""
    drawn = {
        "report": (900, False, "html"),
        "report-map-dark": (900, True, "#map"),
        "report-phone": (390, False, "html"),
    }
    for name, (width, dark, part) in drawn.items():
        await browser.show(width, dark)
        await browser.open(report)
        await browser.picture(folder / f"{name}.png", part, TALLEST)
    printed = browser.home / "report.pdf"
    await browser.printed(printed)
    side_by_side(printed, 2, folder / "report-print.png")
    await shrink(browser, *(folder / f"{name}.png" for name in drawn))


def main() -> None:
    """Make it, measure it, and say whether it is within bounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, nargs="?", default=Path("report-benchmark"))
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    directory = given.directory
    if not is_crawl_directory(directory):
        crawled(directory)
    began = time.perf_counter()
    report = write_report(directory)
    size = report.stat().st_size
    print(f"written in {time.perf_counter() - began:.1f} s; {size:,} bytes, of {LARGEST:,}")
    good = size < LARGEST
    if PROGRAM:
        times, frames, longest = asyncio.run(opened(report, given.screenshots))
        shown = ", ".join(f"{seconds:.2f}" for seconds in times)
        print(f"seen after {shown} s, of {LONGEST}; scrolled in {frames} frames, the longest {longest * 1000:.0f} ms")
        good = good and max(times) < LONGEST
    sys.exit(not good)


if __name__ == "__main__":
    main()
