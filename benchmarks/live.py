"""Live crawls of real pages, beside a bare loop and Scrapy: python -m benchmarks.live [--quick] [--only NAME].

All crawl the same site to its end, one after the other, with as many requests under way at once.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.contestants import CONCURRENCY, CONTESTANTS
from benchmarks.documentation import BUILD, Site, fetch
from benchmarks.processes import held, members

NAMES = (*CONTESTANTS, "scrapy")
TITLES = {
    "honeyguide": "honeyguide, as it comes",
    "best-first": "honeyguide, best-first",
    "breadth-first": "honeyguide, breadth-first",
    "bare": "bare loop",
}
TIMES_SCRAPY, OF_BARE, SLOWER = 10, 0.6, 0.15  # the bars
PATIENCE = 900  # seconds for one crawl
LOOK_EVERY = 0.5  # seconds; a look at memory holds up those who are looked at


@dataclass
class Run:
    """One crawl of the whole site."""

    title: str
    seconds: float
    cpu: float
    memory: float
    got: set[str]
    requests: int

    @property
    def pages(self) -> int:
        """HTML pages fetched."""
        return sum(path.endswith((".html", ".htm", "/")) for path in self.got)

    @property
    def speed(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds


def scrapy_python() -> Path:
    """Python with Scrapy, in an environment of its own: the project does not depend on it."""
    home = BUILD / "scrapy"
    if not (home / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True, timeout=300)
        install = [str(home / "bin" / "pip"), "install", "-qq", "--disable-pip-version-check", "scrapy"]
        subprocess.run(install, check=True, timeout=900)
        (home / "ready").touch()
    return home / "bin" / "python"


def crawl(name: str, site: Site) -> Run:
    """Let one contestant crawl the site, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outcome.json"
        if name == "scrapy":
            command = [str(scrapy_python()), str(Path(__file__).with_name("spider.py")), site.start, str(file)]
        else:
            command = [sys.executable, "-m", "benchmarks.contestants", name, site.start, str(file)]
        before = site.requests()
        memory = watched(command)
        requests = site.requests() - before - 1
        outcome = json.loads(file.read_text())
    return Run(
        title=TITLES.get(name, outcome["name"]),
        seconds=outcome["seconds"],
        cpu=outcome["cpu"],
        memory=memory,
        got={urlsplit(url).path for url in outcome["got"]},
        requests=requests,
    )


def watched(command: list[str]) -> float:
    """Run it; the most memory that it and the processes it started held at once."""
    process = subprocess.Popen(command, start_new_session=True)
    memory, end = 0.0, time.monotonic() + PATIENCE
    while process.poll() is None:
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            raise SystemExit(f"gave up after {PATIENCE} seconds: {' '.join(command[:4])}")
        memory = max(memory, sum(map(held, members(process.pid))))
        time.sleep(LOOK_EVERY)
    if process.returncode:
        raise SystemExit(f"failed: {' '.join(command)}")
    return memory


def table(runs: dict[str, Run]) -> None:
    """One row a contestant, then how far the bars are met."""
    print(
        "| | pages | requests | seconds | pages/s | times Scrapy | of the bare loop | CPU s/1,000 pages | peak MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for run in runs.values():
        print(
            f"| {run.title} | {run.pages:,} | {run.requests:,} | {run.seconds:.1f} | {run.speed:,.0f} | "
            f"{ratio(run, runs.get('scrapy'))} | {ratio(run, runs.get('bare'))} | "
            f"{run.cpu / run.pages * 1000:.2f} | {run.memory / 1e6:,.0f} |"
        )
    ours = runs.get("best-first")
    if ours and "scrapy" in runs and "bare" in runs:
        print(f"\n{ours.speed / runs['scrapy'].speed:.1f} times Scrapy, where the aim is {TIMES_SCRAPY}; ", end="")
        print(f"{ours.speed / runs['bare'].speed:.0%} of the bare loop, where the aim is {OF_BARE:.0%}.")
    if "honeyguide" in runs and "breadth-first" in runs:
        more = runs["honeyguide"].seconds / runs["breadth-first"].seconds - 1
        print(f"Learning takes {more:+.0%} of time beside breadth-first, where the aim is {SLOWER:.0%} at most.")


def ratio(run: Run, other: Run | None) -> str:
    """How many times as fast, where the other was measured."""
    return f"{run.speed / other.speed:.2f}" if other else "–"


def differences(runs: dict[str, Run]) -> None:
    """Say which pages not all have fetched; nothing, when all have the same."""
    everything = set().union(*(run.got for run in runs.values()))
    for run in runs.values():
        if missed := sorted(everything - run.got):
            print(f"\n{run.title} did not fetch {len(missed)} of {len(everything):,}: {', '.join(missed[:5])} …")


def main() -> None:
    """The fastest of several rounds of each contestant; they take turns, so that noise hits all alike."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few hundred pages, one round")
    parser.add_argument("--only", choices=NAMES, action="append", help="only this contestant; repeatable")
    parser.add_argument("--rounds", type=int, help="how often each crawls [default: 3, quick: 1]")
    options = parser.parse_args()
    names = options.only or NAMES
    runs: dict[str, Run] = {}
    with Site(fetch(), options.quick) as site:
        crawl("bare", site)  # now all files are in memory
        for _ in range(options.rounds or (1 if options.quick else 3)):
            for name in names:
                run = crawl(name, site)
                runs[name] = min(run, runs.get(name, run), key=lambda each: each.seconds)
    print(f"Documentation on loopback, {CONCURRENCY} requests at once, everything fetched:\n")
    table(runs)
    differences(runs)


if __name__ == "__main__":
    main()
