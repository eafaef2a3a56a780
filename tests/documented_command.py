"""`honeyguide` as the tests of the docs run it: the same program, but the web it asks is on this machine.

Crawls end after a few pages where the docs do not say when, and a dashboard is left running for the next command, as
in a terminal of its own; its process id is kept in a file for those who end it.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

HERE = ["--allow-private", "--resolve", "*.test=127.0.0.1", "--delay", "0", "--ip-delay", "0", "--workers", "0"]
FEW = ["--pages", "60"]
LEFT_RUNNING = Path("left-running.txt")


def here(words: list[str]) -> list[str]:
    """A command for this machine: a new crawl asks it without waiting."""
    if words[:1] == ["crawl"] and "--seed" in words:
        return [*words, *HERE, *(() if "--pages" in words else FEW)]
    return words


def leave_running(words: list[str]) -> None:
    """Start a dashboard, and wait until it is up."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", "honeyguide", *words], **quiet)
    with LEFT_RUNNING.open("a") as file:
        file.write(f"{process.pid}\n")
    note = Path(words[1], "dashboard.json")
    while not note.exists():
        if process.poll() is not None:
            sys.exit(f"the dashboard ended with {process.returncode}")
        time.sleep(0.05)


if __name__ == "__main__":
    given = here(sys.argv[1:])
    if given[:1] == ["dashboard"]:
        leave_running(given)
    else:
        from honeyguide.cli import main

        sys.argv[1:] = given
        main()
