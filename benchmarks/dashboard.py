"""Report and dashboard of a large crawl in a browser: python -m benchmarks.dashboard [--pages N].

A generated web is crawled, with nobody looking; then Chromium opens the report and the dashboard, and the crawl
goes on while the dashboard is open. The aim is that both open in less than two seconds and stay responsive. At the
end somebody's marks are learned from. `--screenshots docs` makes the pictures of the docs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.chromium import MISSING, Chromium
from benchmarks.pictures import shrink

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.settings import Settings
    from honeyguide.web import Web

PAGES, LIVE = 20_000, 1000  # pages in all, and those fetched while somebody looks
AIM = 2.0  # seconds
MARKS = 40  # pages, for the lesson
SHOWN = 3.0  # seconds of crawling before the pictures
TALLEST = 1500  # pixels of the phone's
SPEED = 150  # pages a second while somebody looks: about what a live crawl makes

FILLED = (
    "document.querySelectorAll('#pages li.row').length > 0 && document.querySelectorAll('#next li.row').length > 0"
)
# Tasks that kept the page busy for more than 50 ms, and the time from each frame to the next.
WATCHED = """(() => { window.tasks = []; window.gaps = [];
  new PerformanceObserver(list => tasks.push(...list.getEntries().map(e => e.duration)))
    .observe({type: 'longtask', buffered: true});
  let last = performance.now();
  const step = now => { gaps.push(now - last); last = now; requestAnimationFrame(step) };
  requestAnimationFrame(step) })()"""


async def opened(page: str | Path, ready: str, browser: Chromium) -> float:
    """Seconds until something is there."""
    began = time.perf_counter()
    await browser.open(page)
    await browser.until(ready)
    return time.perf_counter() - began


async def looked_at(report: Path, address: str, resume: Callable[[], None], pictures: Path | None) -> None:
    """What a browser says of both."""
    async with Chromium() as browser:
        await browser.show(1280)
        told("report opens", await opened(report, "document.readyState === 'complete'", browser))
        told("dashboard opens", await opened(address, FILLED, browser))
        await browser.value(WATCHED)
        await asyncio.sleep(1)
        opening = await browser.value("tasks.splice(0)")
        print(f"while it opens: {len(opening)} tasks took over 50 ms, {max(opening, default=0):.0f} ms at most")
        resume()
        if pictures:
            await _pictures(browser, pictures)
        await browser.until("document.getElementById('phase').textContent.includes('not running')", every=0.5)
        tasks, frames = await browser.value("[tasks, gaps]")
        print(
            f"while it crawls: {len(tasks)} tasks of the page took over 50 ms, the longest"
            f" {max(tasks, default=0):.0f} ms;"
        )
        late = sum(gap > 50 for gap in frames)
        print(
            f"of {len(frames):,} frames, {late} came more than 50 ms after the one before,"
            f" {max(frames):.0f} ms at most"
        )
        print(f"the browser complained {len(browser.complaints)} times")
        if pictures:
            await shrink(browser, *(pictures / f"{name}.png" for name in ("dashboard", "dashboard-phone")))


async def _pictures(browser: Chromium, folder: Path) -> None:
    """The page while it crawls, and the same on a phone in the dark; what the page did for it does not count."""
    await asyncio.sleep(SHOWN)
    await browser.picture(folder / "dashboard.png")
    await browser.show(390, dark=True)
    await asyncio.sleep(1)
    await browser.picture(folder / "dashboard-phone.png", tallest=TALLEST)
    await browser.show(1280)
    await browser.value("[tasks.splice(0), gaps.splice(0)].length")


def told(what: str, seconds: float) -> None:
    """One line, with the aim beside it."""
    print(f"{what} in {seconds:.2f} s ({seconds / AIM:.2f} of the aim, {AIM:.0f} s)", flush=True)


async def run(pages: int, live: int, pictures: Path | None) -> None:
    """Crawl, look, crawl on."""
    from honeyguide import Crawl
    from honeyguide.dashboard import Server, Session
    from honeyguide.report import write_report
    from honeyguide.synthetic import generate
    from honeyguide.web import SyntheticWeb

    world = generate(pages=max(1000, pages * 3 // 2))
    query = world.query(next(iter(world.topics)))
    crawl = Crawl(world.portal_seeds(5), query, web=SyntheticWeb(world), pages=pages, directory=Path("crawl"))
    session = Session(crawl, lambda _: crawl)
    began, last, slowest = time.perf_counter(), 0.0, 0.0
    async with Server(session) as server:
        looking = None
        async for _ in session:
            if crawl.fetched == pages - live:
                crawl.pause()
                print(
                    f"{crawl.fetched:,} pages in {time.perf_counter() - began:.0f} s, {len(crawl.graph):,} URLs known"
                )
                timed(session)
                crawl.keep()
                report = await asyncio.to_thread(write_report, Path("crawl"))
                looking = asyncio.create_task(looked_at(report, server.note.address, crawl.proceed, pictures))
            if looking:
                now = time.perf_counter()
                slowest = max(slowest, now - last) if last else 0.0
                waited = crawl.paused  # until the browser was there
                await asyncio.sleep(1 / SPEED)
                last = 0.0 if waited else time.perf_counter()
        if looking:
            await looking
    print(f"the crawl itself never stood still for more than {1000 * slowest:.0f} ms between two pages")
    await taught(Path("crawl"), lambda: SyntheticWeb(world))


async def taught(directory: Path, web: Callable[[], Web]) -> None:
    """How long a lesson takes beside a crawl, and how long the crawl stands still for it."""
    from honeyguide import Crawl
    from honeyguide.dashboard import Journal
    from honeyguide.dashboard.changeover import changed_over
    from honeyguide.dashboard.lesson import prepared
    from honeyguide.store import Store, read_settings
    from honeyguide.topic import as_topic

    def remake(settings: Settings) -> Crawl:
        return Crawl.from_settings(settings, as_topic(settings.topic), web(), directory)

    with Store.open(directory) as store:
        for visit in [visit for visit in store.visits() if not visit.error and not visit.flag][:MARKS]:
            store.mark(visit.url, bool(visit.relevant))
        store.commit()
    began = time.perf_counter()
    lesson = await asyncio.to_thread(prepared, directory, read_settings(directory), remake, lambda _: None)
    ready = time.perf_counter()
    following, note = await changed_over(remake(read_settings(directory)), lesson, remake, Journal())
    await following.begin()
    took = time.perf_counter() - ready
    following.end()
    print(f"a lesson is prepared in {ready - began:.0f} s beside a crawl; the crawl stands still for {took:.1f} s")
    print(note)


def timed(session) -> None:
    """What a look costs the crawl."""
    for name in ("parts", "slow_parts") * 2:
        began, worked = time.perf_counter(), time.thread_time()
        getattr(session, name)()
        took, worked = time.perf_counter() - began, time.thread_time() - worked
        print(f"a look at its {name.replace('_', ' ')}: {1000 * took:.1f} ms, of work {1000 * worked:.1f} ms")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    if MISSING:
        parser.error(MISSING)
    pictures = given.screenshots and given.screenshots.resolve()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        asyncio.run(run(given.pages, min(LIVE, given.pages // 4), pictures))


if __name__ == "__main__":
    main()
