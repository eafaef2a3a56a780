"""All benchmarks, as Markdown tables: python -m benchmarks [--quick]."""

from __future__ import annotations

import subprocess
import sys

NAMES = ("frontier", "simulated", "parsing")


def main() -> None:
    """Run each benchmark in a process of its own, so that one's memory is not counted for another."""
    for name in NAMES:
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *sys.argv[1:]], check=True)
        print(flush=True)


if __name__ == "__main__":
    main()
