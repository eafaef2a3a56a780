"""Making the crawls of a comparison, in as many processes as are wanted."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import HoneyguideError
from honeyguide.evaluate.trials import Track

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.context import BaseContext

    from honeyguide.evaluate.comparison import Result
    from honeyguide.evaluate.trials import Bench, Job, Refusal

LOOK_EVERY = 2.0  # seconds between two looks whether the one who asked is still there


def run_jobs(bench: Bench, jobs: Sequence[Job], processes: int) -> Iterator[Result | Refusal]:
    """What came of each job, as soon as it is known."""
    gc.collect()
    gc.freeze()  # a web is millions of objects: looking through them again and again would take most of the time
    try:
        with tempfile.TemporaryDirectory(prefix="honeyguide-") as folder:
            run = _run_here if processes < 2 else _run_in_pool
            yield from run(bench, jobs, processes, Path(folder))
    finally:
        gc.unfreeze()


def _run_here(bench: Bench, jobs: Sequence[Job], processes: int, folder: Path) -> Iterator[Result | Refusal]:
    with contextlib.closing(Track(bench, folder)) as track:
        yield from map(track.run, jobs)


def _run_in_pool(bench: Bench, jobs: Sequence[Job], processes: int, folder: Path) -> Iterator[Result | Refusal]:
    given = (bench, folder, os.getpid())
    pool = ProcessPoolExecutor(min(processes, len(jobs) or 1), _context(), _take, given)
    try:
        for made in as_completed([pool.submit(_run_held, job) for job in jobs]):
            yield made.result()
    except BrokenProcessPool:
        raise HoneyguideError("a process was killed, most likely for want of memory; try fewer --jobs") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> BaseContext:
    """Forked processes share the pages; where there are none, each is sent a copy."""
    return multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else None)


_held: list[Track] = []


def _take(bench: Bench, folder: Path, asked_by: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked is told, and ends the others
    threading.Thread(target=end_with, args=(asked_by, folder), daemon=True).start()
    _held[:] = [Track(bench, folder)]


def end_with(asked_by: int, folder: Path | None = None) -> None:
    """End, and tidy up, where the one who asked was killed and cannot say so."""
    while os.getppid() == asked_by:
        time.sleep(LOOK_EVERY)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _run_held(job: Job) -> Result | Refusal:
    return _held[0].run(job)
