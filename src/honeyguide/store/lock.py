"""The lock of a crawl directory: held by the one process that writes; anybody may ask whether one does."""

from __future__ import annotations

import contextlib
import fcntl
import time
from typing import TYPE_CHECKING

from honeyguide.store.errors import StoreError, told_plainly

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

NAME = "crawl.lock"
TRIES = 40  # to take the lock, which somebody who only asks shares for a moment
PAUSE = 0.005  # seconds between two of them


def taken_lock(directory: Path) -> TextIO:
    """The lock, until it is closed; a StoreError where another process holds it."""
    lock = (directory / NAME).open("w")
    for attempt in range(TRIES):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        time.sleep(PAUSE if attempt < TRIES - 1 else 0)
    lock.close()
    raise StoreError(
        f"another process is crawling into {directory}, or a loop of this one that was left and not closed"
        " (`await crawl.aclose()`); wait for it or stop it first"
    )


def being_crawled(directory: Path) -> bool:
    """Whether a process holds a directory to write in it.

    A lock of this kind cannot be looked at, so it is shared for a moment, with all others who ask.
    """
    with told_plainly(directory), contextlib.suppress(FileNotFoundError), (directory / NAME).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
