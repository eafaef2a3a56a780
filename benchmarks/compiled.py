"""The compiled loop: simulated pages a second on webs of two sizes, and how that compares with `Crawl`.

python -m benchmarks.compiled [--quick]
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from honeyguide import Crawl
from honeyguide.base import Page, Reply
from honeyguide.simulate import LinkArrays, Simulator
from honeyguide.strategy.evolved import Evolved
from honeyguide.strategy.rank_weights import TABLE_1
from honeyguide.synthetic import generate
from honeyguide.topic import Topic
from honeyguide.web.base import SimulatedWeb

WEIGHTS = {"Table 1": TABLE_1, "parent_1": {"parent_1": 1.0}}
SEEDS, RUNS, CRAWLED = 50, 5, 2000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small webs and short crawls")
    quick = parser.parse_args().quick
    sizes = (10_000, 30_000) if quick else (300_000, 3_000_000)
    pages = 2000 if quick else 10_000
    print(f"crawls of {pages:,} pages from {SEEDS} seeds; pages a second, the median of {RUNS}, wall and (CPU)")
    print("| web | list | weights | pages/s | of Crawl | memory |\n|---|---|---|---|---|---|")
    for size in sizes:
        web = made_elsewhere(size)
        simulator = Simulator(web)
        for current_list in (100, 0):
            for name, weights in WEIGHTS.items():
                wall, cpu = speed(simulator, web, weights, pages, current_list)
                slow = crawl_speed(web, weights, current_list)
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(
                    f"| {size:,} | {current_list or 'none'} | {name} | {wall:,.0f} ({cpu:,.0f}) |"
                    f" {wall / slow:,.0f} × | {memory:,.0f} MB |",
                    flush=True,
                )


def made_elsewhere(size: int) -> LinkArrays:
    """The web, generated in a process of its own: what that takes is not the memory of the loop."""
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=write, args=(size, folder))
        process.start()
        process.join()
        return LinkArrays(**{path.stem: np.load(path) for path in Path(folder).glob("*.npy")})


def write(size: int, folder: str) -> None:
    """Put the arrays of a web into files."""
    for name, array in vars(arrays(size)).items():
        if array is not None:
            np.save(Path(folder) / f"{name}.npy", array)


def arrays(size: int) -> LinkArrays:
    """A generated web: a twelfth or so of it on the topic, judged between -1 and 1 at random on either side."""
    world = generate(pages=size, hosts=max(40, size // 1500), topics=12)
    originals = np.array(world.addresses.originals)
    moved, addresses = world.addresses.moved, len(originals)
    source = originals[: moved.start]
    degree = np.diff(world.links.offsets)[source]
    within = np.arange(degree.sum()) - np.repeat(np.cumsum(degree) - degree, degree)
    target = world.links.targets[np.repeat(world.links.offsets[source], degree) + within].astype(np.int64)
    origin = np.repeat(np.arange(moved.start), degree)
    first = np.zeros(len(target), np.bool_)
    first[np.unique(origin * addresses + target, return_index=True)[1]] = True
    first &= origin != target
    redirect, failed = np.full(addresses, -1, np.int32), np.zeros(addresses, np.uint8)
    redirect[moved.start : moved.stop], failed[moved.stop :] = originals[moved.start : moved.stop], 1
    relevant = world.pages.topic[source] == 0
    distance = np.random.default_rng(1).random(len(source)).astype(np.float32)
    return LinkArrays(
        out_start=np.concatenate([[0], np.cumsum(np.bincount(origin[first], minlength=addresses))]),
        out=target[first].astype(np.int32),
        host=world.pages.host[originals].astype(np.int32),
        redirect=redirect,
        failed=failed,
        judgment=np.where(relevant, distance, -distance),
        relevant=relevant,
    )


def seeds_of(web: LinkArrays, run: int) -> list[int]:
    """Pages on the topic, others in every run."""
    drawn: list[int] = np.random.default_rng(run).choice(np.flatnonzero(web.relevant), SEEDS, replace=False).tolist()
    return drawn


def speed(
    simulator: Simulator, web: LinkArrays, weights: dict[str, float], pages: int, size: int
) -> tuple[float, float]:
    """Pages a second of wall time and of CPU time."""
    simulator.run(seeds_of(web, 0), weights, 10, current_list=size)  # compiles
    rates = []
    for run in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        found = simulator.run(seeds_of(web, run), weights, pages, current_list=size, random_seed=run)
        took = time.perf_counter() - wall, time.process_time() - cpu
        rates.append([len(found.visited) / seconds for seconds in took])
    return tuple(np.median(rates, axis=0).tolist())  # type: ignore[return-value]


class ArrayWeb(SimulatedWeb):
    """The same web for `Crawl`."""

    def __init__(self, web: LinkArrays) -> None:
        super().__init__(0.0)
        self._web = web

    async def get(self, url: str) -> Reply:
        from honeyguide import Link

        i, web = int(url.rpartition("/")[2]), self._web
        if web.redirect[i] >= 0:
            return Reply(redirect=address(web, int(web.redirect[i])), status=301)
        if web.failed[i]:
            return Reply(error="http_404", status=404)
        found = web.out[web.out_start[i] : web.out_start[i + 1]].tolist()
        title = str((float(web.judgment[i]) + 1) / 2)
        return Reply(Page(url, title=title, links=tuple(Link(address(web, target)) for target in found)))


def address(web: LinkArrays, i: int) -> str:
    """The URL of an address."""
    return f"http://h{web.host[i]}.test/{i}"


class ByTitle(Topic):
    """A page says itself how relevant it is."""

    def score(self, page: Page) -> float:
        return float(page.title)


def crawl_speed(web: LinkArrays, weights: dict[str, float], size: int) -> float:
    """Pages a second of `Crawl` with `evolved`."""
    seeds = [address(web, i) for i in seeds_of(web, 0)]
    crawl = Crawl(
        seeds, ByTitle(), Evolved(given=weights), web=ArrayWeb(web), pages=CRAWLED, current_list=size, trap_after=0
    )
    began = time.perf_counter()
    return crawl.run().fetched / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
