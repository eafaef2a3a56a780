"""A large stored web: how long it takes to open, and what an evolution of the paper's size on it takes.

python -m benchmarks.large_web WEB [options of honeyguide evolve]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.processes import held, members

OPENED = 5  # times, each in a process of its own
OPEN = (
    "import sys, time; from pathlib import Path; from honeyguide.web.archive import open_atlas;"
    " began = time.monotonic(); web = open_atlas(Path(sys.argv[1])); web.links_from(web.pages // 2);"
    " print(time.monotonic() - began)"
)
PAPER = ("--runs", "3", "--pages", "10000", "--population", "50", "--generations", "50")


def main() -> None:
    """Print both."""
    web, *options = sys.argv[1:]
    opened = [float(subprocess.check_output([sys.executable, "-c", OPEN, web])) for _ in range(OPENED)]
    print(f"opened in {1000 * statistics.median(opened):.0f} ms (the median of {OPENED})", flush=True)
    options = options or ["--topics", "1", *PAPER]
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        evolving = subprocess.Popen(
            [sys.executable, "-m", "honeyguide", "evolve", web, "-o", f"{folder}/out", *options],
            stderr=subprocess.DEVNULL,
        )
        most, seconds = watched(evolving)
    took = f"{time.monotonic() - began:.0f} s, {seconds:.0f} s of CPU time, {most / 1e9:.2f} GB"
    print(f"evolve {' '.join(options)}: {took} in all processes, what they share counted once")


def watched(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """The most memory that a process and its own held at a time, and the CPU time of all, while they lived."""
    most, used = 0.0, {}
    while process.poll() is None:
        living = members(process.pid)
        used.update(living)
        most = max(most, sum(map(held, living)))
        time.sleep(0.5)
    if process.returncode:
        sys.exit("the evolution failed; run it by itself to see why")
    return most, sum(used.values())


if __name__ == "__main__":
    main()
