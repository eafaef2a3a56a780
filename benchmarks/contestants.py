"""Those who crawl in benchmarks.live: python -m benchmarks.contestants NAME URL FILE writes to FILE how it went."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CONCURRENCY = 16
TOPIC = "keyword:database"
ENDLESS = 10_000_000  # pages: the crawl ends when there is nothing left


def default(url: str) -> Callable[[], list[str]]:
    """Honeyguide as it comes, learning from every page."""
    return _honeyguide(url, "honeyguide")


def best_first(url: str) -> Callable[[], list[str]]:
    """Honeyguide with all it does: robots.txt, topic, ranking, books and WARC on disk."""
    return _honeyguide(url, "best-first")


def breadth_first(url: str) -> Callable[[], list[str]]:
    """The same without ranking by relevance."""
    return _honeyguide(url, "breadth-first")


def _honeyguide(url: str, strategy: str) -> Callable[[], list[str]]:
    from honeyguide import Crawl, urls
    from honeyguide.web import wire  # noqa: F401 - the HTTP library, which the others import before they begin, too

    def crawl() -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            Crawl(
                [url],
                TOPIC,
                strategy,
                directory=folder,
                pages=ENDLESS,
                concurrency=CONCURRENCY,
                delay=0,
                allow=[urls.host(url)],
                allow_private=True,
            ).run()
            return _visited(Path(folder) / "crawl.db")

    return crawl


def _visited(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as books:
        return [url for (url,) in books.execute("SELECT url FROM visits JOIN urls USING (id) WHERE status = 200")]


def bare(url: str) -> Callable[[], list[str]]:
    """The least a crawler can do with the same libraries: fetch, parse, resolve, remember."""
    import aiohttp
    import can_ada
    import turbohtml
    import uvloop
    import yarl

    site = url[: url.index("/", 8) + 1]

    async def crawl() -> list[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        queue.put_nowait(url)
        seen, got = {url}, []

        async def work(session: aiohttp.ClientSession) -> None:
            while True:
                address = await queue.get()
                async with session.get(yarl.URL(address, encoded=True)) as answer:
                    body = await answer.read()
                if answer.status == 200:
                    got.append(str(answer.url))
                    if answer.content_type == "text/html":
                        follow(str(answer.url), body)
                queue.task_done()

        def follow(address: str, body: bytes) -> None:
            base = can_ada.parse(address)
            for element in turbohtml.parse(body, positions=False).select("a[href]"):
                try:
                    found = (base + element.attr("href")).href.partition("#")[0]
                except ValueError:
                    continue
                if found.startswith(site) and found not in seen:
                    seen.add(found)
                    queue.put_nowait(found)

        async with aiohttp.ClientSession() as session:
            workers = [asyncio.create_task(work(session)) for _ in range(CONCURRENCY)]
            done = asyncio.create_task(queue.join())
            await asyncio.wait([done, *workers], return_when=asyncio.FIRST_COMPLETED)
            for task in (done, *workers):
                task.cancel()
            for outcome in await asyncio.gather(done, *workers, return_exceptions=True):
                if isinstance(outcome, Exception):
                    raise outcome
        return got

    return lambda: uvloop.run(crawl())


CONTESTANTS = {"honeyguide": default, "best-first": best_first, "breadth-first": breadth_first, "bare": bare}


def used() -> float:
    """CPU seconds of this process, and of those it started that have ended."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def main() -> None:
    """Crawl everything; what is timed begins when all is imported."""
    name, url, file = sys.argv[1:]
    crawl = CONTESTANTS[name](url)
    before, began = used(), time.perf_counter()
    got = crawl()
    outcome = {"name": name, "seconds": time.perf_counter() - began, "cpu": used() - before, "got": got}
    Path(file).write_text(json.dumps(outcome))


if __name__ == "__main__":
    main()
