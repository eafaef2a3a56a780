"""What the scheduler brings a Scrapy spider: the same spider with and without it on the web of the demo.

python -m benchmarks.scrapy_harvest [PAGES]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.running import run_async
from honeyguide.synthetic import Server, World, generate

if TYPE_CHECKING:
    from collections.abc import Sequence

SEEDS = 5
SCHEDULER = "honeyguide.contrib.scrapy.Scheduler"
SPIDER = "examples.scrapy_spider.Pages"
# Scrapy's own ways to order requests: last in first out, which is its default, and the broad crawl of its manual.
BREADTH = {
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


def spider_command(folder: Path, hosts: Sequence[str], arguments: dict[str, Any], **settings: Any) -> list[str]:
    """The command of one run, which leaves items.jsonl and stats.json in a folder."""
    run = {
        "spider": SPIDER,
        "arguments": arguments,
        "settings": settings,
        "hosts": list(hosts),
        "items": str(folder / "items.jsonl"),
        "stats": str(folder / "stats.json"),
    }
    return [sys.executable, "-m", "benchmarks.scrapy_run", json.dumps(run)]


def pages_of(folder: Path) -> list[str]:
    """The URLs of the pages a run brought, in its order."""
    lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["url"] for line in lines]


def relevant(world: World, pages: Sequence[str], topic: str) -> int:
    """How many different pages of a topic are among them; a copy is none."""
    ids = {world.addresses.page(url) for url in pages if world.topic_of(url) == topic}
    return len(ids)


async def _measure(world: World, topic: str, pages: int) -> None:
    ours = {"SCHEDULER": SCHEDULER, "HONEYGUIDE_TOPIC": world.query(topic)}
    ways: dict[str, dict[str, Any]] = {"Scrapy": {}, "Scrapy, breadth-first": BREADTH, "with the scheduler": ours}
    print("| spider | responses | pages | relevant | harvest | of Scrapy's | s |\n|---|---|---|---|---|---|---|")
    first = 0
    async with Server(world) as server:
        for name, settings in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                arguments = {"start": " ".join(server.world.portal_seeds(SEEDS))}
                command = spider_command(
                    Path(folder), server.world.hosts, arguments, CLOSESPIDER_PAGECOUNT=pages, **settings
                )
                await _run(command)
                found = pages_of(Path(folder))
                answers = json.loads((Path(folder) / "stats.json").read_text())["response_received_count"]
                seconds = time.perf_counter() - began
            good = relevant(server.world, found, topic)
            first = first or good
            print(
                f"| {name} | {answers} | {len(found)} | {good} | {good / answers:.0%} | {good / max(first, 1):.1f} "
                f"| {seconds:.1f} |"
            )


async def _run(command: Sequence[str]) -> None:
    import asyncio

    process = await asyncio.create_subprocess_exec(*command, cwd=Path(__file__).parent.parent)
    if code := await process.wait():
        raise subprocess.CalledProcessError(code, command)


def main() -> None:
    """Print the table."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    run_async(_measure(generate(seed=1), "heat pumps", pages))


if __name__ == "__main__":
    main()
