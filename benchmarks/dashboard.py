"""Report and dashboard of a large crawl in a browser: python -m benchmarks.dashboard [--pages N] [--screenshot FILE].

A generated web is crawled, with nobody looking; then Chromium opens the report and the dashboard, and the crawl
goes on while the dashboard is open. The aim is that both open in less than two seconds and stay responsive.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import tempfile
import time
from pathlib import Path

from benchmarks.browser import MISSING, browser, complaints

PAGES, LIVE = 20_000, 1000  # pages in all, and those fetched while somebody looks
AIM = 2.0  # seconds
SPEED = 150  # pages a second while somebody looks: about what a live crawl makes

FILLED = (
    "document.querySelectorAll('#pages li.row').length > 0 && document.querySelectorAll('#next li.row').length > 0"
)
WATCH_TASKS = (
    "window.tasks = []; new PerformanceObserver(list => tasks.push(...list.getEntries().map(e => e.duration)))"
    ".observe({type: 'longtask'})"
)


def opened(address: str, ready: str, window) -> float:
    """Seconds until something is there."""
    began = time.perf_counter()
    window.get(address)
    while not window.execute_script(f"return {ready}"):
        time.sleep(0.02)
    return time.perf_counter() - began


def looked_at(report: Path, address: str, resume, screenshot: Path | None) -> None:
    """What a browser says of both."""
    with browser() as window:
        window.get("about:blank")
        told("report opens", opened(report.as_uri(), "document.readyState === 'complete'", window))
        told("dashboard opens", opened(address, FILLED, window))
        window.execute_script(WATCH_TASKS)
        resume()
        delays = []
        while "not running" not in window.execute_script("return document.getElementById('phase').textContent"):
            began = time.perf_counter()
            window.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => done())")
            delays.append(time.perf_counter() - began)
            time.sleep(0.2)
        tasks = window.execute_script("return window.tasks")
        print(
            f"while it crawls: {len(tasks)} tasks of the page took over 50 ms, the longest"
            f" {max(tasks, default=0):.0f} ms;"
        )
        print(f"a frame was drawn after {1000 * max(delays):.0f} ms at most, of {len(delays)} looks")
        print(f"the browser complained {len(complaints(window))} times")
        if screenshot:
            data = window.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
            screenshot.write_bytes(base64.b64decode(data))


def told(what: str, seconds: float) -> None:
    """One line, with the aim beside it."""
    print(f"{what} in {seconds:.2f} s ({seconds / AIM:.2f} of the aim, {AIM:.0f} s)", flush=True)


async def run(pages: int, live: int, folder: Path, screenshot: Path | None) -> None:
    """Crawl, look, crawl on."""
    from honeyguide import Crawl
    from honeyguide.dashboard import Server, Session
    from honeyguide.report import write_report
    from honeyguide.synthetic import generate
    from honeyguide.web import SyntheticWeb

    world = generate(pages=max(1000, pages * 3 // 2))
    query = world.query(next(iter(world.topics)))
    crawl = Crawl(
        world.portal_seeds(5), query, "best-first", web=SyntheticWeb(world), pages=pages, directory=folder / "crawl"
    )
    session = Session(crawl, lambda _: crawl)
    loop, began, last, slowest = asyncio.get_running_loop(), time.perf_counter(), 0.0, 0.0
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
                report = await asyncio.to_thread(write_report, folder / "crawl")

                def resume() -> None:
                    loop.call_soon_threadsafe(crawl.proceed)

                looking = asyncio.create_task(
                    asyncio.to_thread(looked_at, report, server.note.address, resume, screenshot)
                )
            if looking:
                now = time.perf_counter()
                slowest = max(slowest, now - last) if last else 0.0
                waited = crawl.paused  # until the browser was there
                await asyncio.sleep(1 / SPEED)
                last = 0.0 if waited else time.perf_counter()
        if looking:
            await looking
    print(f"the crawl itself never stood still for more than {1000 * slowest:.0f} ms between two pages")


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
    parser.add_argument("--screenshot", type=Path)
    given = parser.parse_args()
    if MISSING:
        parser.error(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(given.pages, min(LIVE, given.pages // 4), Path(folder), given.screenshot))


if __name__ == "__main__":
    main()
