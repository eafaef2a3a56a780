"""Killing crawls at a chosen moment, for tests."""

from __future__ import annotations

import sqlite3
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def committed(directory: Path) -> int:
    """How many visits a crawl directory holds."""
    path = directory / "crawl.db"
    if not path.exists():
        return 0
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute("SELECT count(*) FROM visits").fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        database.close()


def run_until_killed(command: list[str], directory: Path, least: int) -> bool:
    """Run a crawl and kill it once so many visits are committed; False when it ended before."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and committed(directory) < least:
        time.sleep(0.002)
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive
