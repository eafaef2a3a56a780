"""The demo: a generated web, served over HTTP on this machine, crawled, reported on and compared."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import BadInput
from honeyguide.cli.progress import Progress
from honeyguide.crawl import Crawl, Summary
from honeyguide.crawl.loop import run_async
from honeyguide.report import write_report
from honeyguide.settings import DEFAULT_STRATEGY, Settings
from honeyguide.store import is_crawl_directory, read_settings
from honeyguide.synthetic import Server, World, generate
from honeyguide.topic import as_topic
from honeyguide.web import LiveWeb, SyntheticWeb

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = 5
ADDRESS = "127.0.0.1"


def run_demo(directory: Path, pages: int, seed: int, topic: str) -> None:
    """Do it all and say what was found."""
    _make_way(directory)
    world = generate(seed=seed)
    print(
        f"A web of {len(world.urls):,} URLs on {len(world.hosts)} hosts about {len(world.topics)} topics, made from "
        f"seed {seed} and served on {ADDRESS}.\nLooking for {topic} from {SEEDS} pages on it, {pages} pages in all.",
        flush=True,
    )
    summary, world = run_async(_crawl_served(world, directory, pages, topic))
    plain = Crawl(
        world.topic_seeds(topic, SEEDS),
        world.query(topic),
        "breadth-first",
        web=SyntheticWeb(world),
        pages=pages,
    ).run()
    _tell(summary, plain, topic, write_report(directory), directory)


def _make_way(directory: Path) -> None:
    """Replace the directory of an earlier demo, and nothing else."""
    if not directory.exists():
        return
    seeds = read_settings(directory).seed if is_crawl_directory(directory) else []
    if not seeds or not all(urls.hostname(seed).endswith(".test") for seed in seeds):
        raise BadInput(f"{directory} exists and is not an earlier demo; choose another directory with -o")
    shutil.rmtree(directory)


async def _crawl_served(world: World, directory: Path, pages: int, topic: str) -> tuple[Summary, World]:
    async with Server(world) as server:
        served = server.world
        settings = Settings(
            topic=served.query(topic),
            seed=served.topic_seeds(topic, SEEDS),
            strategy=DEFAULT_STRATEGY,
            pages=pages,
            delay=0.02,
            resolve=[f"{host}={ADDRESS}" for host in served.hosts],
        )
        web = LiveWeb(settings, allowed_addresses=[ADDRESS])  # this machine's own server, and no other
        crawl = Crawl.from_settings(settings, as_topic(settings.topic), web, directory)
        with Progress(crawl) as progress:
            async for visit in crawl:
                progress.update(visit)
        return crawl.summary(), served


def _tell(found: Summary, plain: Summary, topic: str, report: Path, directory: Path) -> None:
    times = found.relevant / plain.relevant if plain.relevant else float(found.relevant)
    sys.stdout.write(
        f"\nFound {found.relevant} pages on {topic} among {found.fetched} fetched: harvest {found.harvest:.0%}, "
        f"{found.fetched / max(found.seconds, 1e-9):.0f} pages/s.\n"
        f"Breadth-first on the same web, with as many fetches: {plain.relevant} pages, harvest {plain.harvest:.0%}.\n"
        f"That is {times:.1f} times as many.\n\n"
        f"The report, for your browser:  {report}\n"
        f"Why a page was fetched:        honeyguide explain {directory} URL\n"
        f"The same without the network:  honeyguide simulate {directory} --topic '{_quoted(found, topic)}'\n"
    )


def _quoted(found: Summary, topic: str) -> str:
    return f"keyword:{topic.split()[0]}" if found else topic
