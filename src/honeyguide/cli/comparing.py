"""The command `compare`: strategies as written, progress on one line, tables and JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import typer

from honeyguide.base import BadInput
from honeyguide.cli.terminal import duration, plain
from honeyguide.evaluate import compare, read_collection, told
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.evaluate import Comparison, Design

ALL = "all"


def run_comparison(
    web: str, strategies: str, topics: list[str], design: Design, jobs: int | None, output: Path | None
) -> None:
    """Compare, print the tables, and write the JSON file where one is asked for."""
    names = split_strategies(strategies)
    if output:
        with told_plainly(output):
            output.open("a").close()  # rather refuse now than after the crawls
    line = _Line()
    made = compare(read_collection(web), names, topics, design, jobs=jobs or _cores(), progress=line.show)
    line.clear()
    typer.echo(plain(told(made)))
    if output:
        _write(made, output)


def _write(made: Comparison, output: Path) -> None:
    with told_plainly(output):
        output.write_text(json.dumps(made.to_dict(), ensure_ascii=False), encoding="utf-8")


def split_strategies(text: str) -> list[str]:
    """Strategies as written on the command line; a comma may also stand between the settings of one.

    >>> split_strategies("best-first,shark-search:decay=0.3,anchor_share=1,random")
    ['best-first', 'shark-search:decay=0.3,anchor_share=1', 'random']
    >>> split_strategies("all")
    []
    """
    found: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if "=" in part and ":" not in part.partition("=")[0]:
            if not found:
                raise BadInput(f"--strategy {text}: {part} is a setting of no strategy; write name:{part}")
            found[-1] += f",{part}"
        else:
            found.append(part)
    if not found:
        raise BadInput(f"--strategy names no strategy; write {ALL}, or some with commas between them")
    return [] if found == [ALL] else found


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Line:
    """How many crawls are made, on a line that renews itself; nothing where there is no terminal."""

    def __init__(self) -> None:
        self._began = 0.0
        self._terminal = sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        """Tell how far it is."""
        if not done:
            self._began = time.monotonic()
        left = (time.monotonic() - self._began) / max(done, 1) * (total - done)
        if self._terminal:
            sys.stderr.write(f"\r{done:,}/{total:,} crawls" + f"  {duration(left)} left\x1b[K" * bool(done))
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
