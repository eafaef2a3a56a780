"""A generated web with a search engine, and the crawls that experiments make on it."""

from __future__ import annotations

import contextlib
import gc
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import BESIDE
from honeyguide.crawl import Crawl
from honeyguide.evaluate.collection import Collection, of_world
from honeyguide.evaluate.held_index import HeldIndex
from honeyguide.running import run_async
from honeyguide.synthetic import World, generate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from honeyguide.base import Visit

REQUESTS = 3  # at most, for each page that is to come


@dataclass(frozen=True)
class Run:
    """A crawl that was made."""

    crawl: Crawl
    visits: list[Visit]  # that brought a page, in their order
    seconds: float  # of CPU time

    @property
    def relevant(self) -> list[bool]:
        """Whether each visit brought a page on the topic."""
        return [visit.relevant for visit in self.visits]

    @property
    def found(self) -> set[str]:
        """The URLs of the pages on the topic."""
        return {visit.url for visit in self.visits if visit.relevant}

    def precision(self, first: int = 0, last: int | None = None) -> float:
        """The share of pages on the topic among those that came, from one to another; 0 where there are none."""
        part = self.relevant[first:last]
        return sum(part) / len(part) if part else 0.0


@dataclass(frozen=True)
class Ground:
    """The web, as it was made and as it is crawled, and an index of all of it."""

    world: World
    web: Collection
    index: HeldIndex

    def seeds(self, topic: str, number: int, drawn: int) -> list[str]:
        """Pages on a topic that crawlers may fetch; another `drawn` gives others."""
        first, more = (self.world.topic_seeds(topic, n, drawn) for n in (number, 10 * number))
        return [url for url in dict.fromkeys(first + more) if url in self.web.replies][:number]

    def crawl(self, strategy: str, topic: str, seeds: Sequence[str], pages: int, random_seed: int) -> Run:
        """Crawl for a topic of the web until so many pages came; making the index is not the first crawl's cost."""
        crawl = Crawl(
            seeds,
            self.world.query(topic),
            strategy,
            web=self.web.web(),
            search=self.index,
            pages=REQUESTS * pages,
            random_seed=random_seed,
        )
        before = self._cpu_time()
        visits = run_async(_pages(crawl, pages))
        return Run(crawl, visits, self._cpu_time() - before)

    def _cpu_time(self) -> float:
        return time.process_time() - self.index.made_in


@contextlib.contextmanager
def ground(pages: int, seed: int) -> Iterator[Ground]:
    """A web of so many pages, for the time of an experiment."""
    world = generate(pages=pages, seed=seed)
    web = of_world(f"synthetic:{seed}:{pages}", world)
    gc.collect()
    gc.freeze()  # a web is millions of objects: looking through them again and again would take most of the time
    try:
        with tempfile.TemporaryDirectory(prefix="honeyguide-") as folder, contextlib.ExitStack() as at_the_end:
            index = HeldIndex(web, Path(folder))
            at_the_end.callback(index.end)
            yield Ground(world, web, index)
    finally:
        gc.unfreeze()


async def _pages(crawl: Crawl, number: int) -> list[Visit]:
    """The first visits that bring a page: dead links are not among what the papers count."""
    came = []
    async for visit in crawl:
        if visit.page is not None and visit.flag not in BESIDE:
            came.append(visit)
        if len(came) >= number:
            crawl.stop("pages")
    return came[:number]
