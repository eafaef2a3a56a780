"""The demo: a generated web, served over HTTP on this machine, crawled, reported on and compared."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import BadInput
from honeyguide.cli.progress import Progress
from honeyguide.cli.serving import told_to_end
from honeyguide.crawl import Crawl, Summary
from honeyguide.report import write_report
from honeyguide.running import run_async
from honeyguide.settings import DEFAULT_STRATEGY, Settings
from honeyguide.store import is_crawl_directory, read_settings
from honeyguide.synthetic import Server, World, generate
from honeyguide.topic import as_topic
from honeyguide.web import LiveWeb, SyntheticWeb

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = 5
ADDRESS = "127.0.0.1"
DELAY = 0.01  # seconds; enough to see hosts rest
CONCURRENCY = 8


def run_demo(directory: Path, pages: int, seed: int, topic: str) -> None:
    """Do it all and say what was found."""
    _make_way(directory)
    world = generate(seed=seed)
    query = world.query(topic)
    print(
        f"{_described(world, seed)} and served on {ADDRESS}.\n"
        f"Looking for {topic} from {SEEDS} pages of portals, {pages} pages in all, by {DEFAULT_STRATEGY} …",
        flush=True,
    )
    found = run_async(_crawl_served(world, directory, pages, query))
    by_breadth = Crawl(world.portal_seeds(SEEDS), query, "breadth-first", web=SyntheticWeb(world), pages=pages).run()
    _tell(found, by_breadth, topic, write_report(directory))
    program = "honeyguide" if shutil.which("honeyguide") else os.path.relpath(sys.argv[0])
    print(f"Why a page was fetched:        {program} explain {directory} URL")
    print(f"The same without the network:  {program} simulate {directory} --topic '{query}'")


def serve_demo(port: int, seed: int, topic: str) -> None:
    """Serve the web of the demo until Ctrl-C, and say how to crawl it."""
    world = generate(seed=seed)
    query = world.query(topic)
    run_async(_serve(world, port, seed, query))


async def _serve(world: World, port: int, seed: int, query: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        try:
            server = await stack.enter_async_context(Server(world, port))
        except OSError as error:
            raise BadInput(
                f"port {port} of {ADDRESS} cannot be had ({error.strerror}); choose another --port"
            ) from None
        seeds = server.world.portal_seeds(SEEDS)
        print(f"{_described(world, seed)}, is served on {ADDRESS}:{port} until Ctrl-C. Its topics:")
        print(", ".join(world.topics))
        print("Pages to start from:", *seeds, sep="\n  ")
        print(f"Crawl it from another terminal:\n  {shlex.join(_own_crawl(seeds[0], query))}", flush=True)
        await told_to_end()


def _own_crawl(seed: str, query: str) -> list[str]:
    """The command that crawls the served web."""
    asked = ["--topic", query, "--seed", seed]
    here = ["--allow-private", "--resolve", f"*.test={ADDRESS}", "--delay", str(DELAY), "--ip-delay", "0"]
    return ["honeyguide", "crawl", *asked, *here, "-o", "found"]


def _described(world: World, seed: int) -> str:
    return (
        f"A web of {len(world.urls):,} URLs on {len(world.hosts)} hosts about {len(world.topics)} topics, made from "
        f"seed {seed}"
    )


def _make_way(directory: Path) -> None:
    """Replace the directory of an earlier demo, and nothing else."""
    if not directory.exists():
        return
    seeds = read_settings(directory).seed if is_crawl_directory(directory) else []
    if not seeds or not all(urls.hostname(seed).endswith(".test") for seed in seeds):
        raise BadInput(f"{directory} exists and is not an earlier demo; choose another directory with -o")
    shutil.rmtree(directory)


async def _crawl_served(world: World, directory: Path, pages: int, query: str) -> Summary:
    async with Server(world) as server:
        settings = Settings(
            topic=query,
            seed=server.world.portal_seeds(SEEDS),
            pages=pages,
            delay=DELAY,
            ip_delay=0,
            concurrency=CONCURRENCY,
            resolve=[f"{host}={ADDRESS}" for host in world.hosts],
        )
        web = LiveWeb(settings, allowed_addresses=[ADDRESS])  # this machine's own server, and no other
        crawl = Crawl.from_settings(settings, as_topic(query), web, directory)
        async with Progress(crawl) as progress:
            async for visit in crawl:
                progress.update(visit)
        return crawl.summary()


def _tell(found: Summary, by_breadth: Summary, topic: str, report: Path) -> None:
    times = f"That is {found.relevant / by_breadth.relevant:.1f} times as many.\n" if by_breadth.relevant else ""
    print(
        f"\nFound {found.relevant} pages on {topic} among {found.fetched} fetched: harvest {found.harvest:.0%}, "
        f"{found.fetched / max(found.seconds, 1e-9):.0f} pages/s.\n"
        f"Breadth-first finds {by_breadth.relevant} on the same web with as many fetches: harvest "
        f"{by_breadth.harvest:.0%}.\n{times}\n"
        f"The report, for your browser:  {report}"
    )
