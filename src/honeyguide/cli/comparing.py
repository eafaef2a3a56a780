"""The command `compare`: strategies as written, progress on one line, tables, JSON and HTML."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from honeyguide.base import BadInput
from honeyguide.cli.terminal import plain
from honeyguide.crawl.summary import duration
from honeyguide.evaluate import compare, read_collection, told
from honeyguide.report import write_comparison
from honeyguide.store import spare_own_files
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.evaluate import Comparison, Design

ALL = "all"
NAME = "comparison"


@dataclass(frozen=True)
class Output:
    """Where a comparison is written to, beside the screen."""

    directory: Path | None = None  # for everything, and for the log to go on from
    json: Path | None = None
    html: Path | None = None

    def check(self) -> None:
        """Rather refuse now than after the crawls."""
        for path in filter(None, (self.json, self.html)):
            spare_own_files(path)
            with told_plainly(path):
                path.open("a").close()

    def write(self, made: Comparison) -> None:
        """Everything that is asked for."""
        folder = self.directory
        if folder:
            with told_plainly(folder):
                (folder / f"{NAME}.md").write_text(told(made) + "\n", encoding="utf-8")
        for path in filter(None, (self.json, folder and folder / f"{NAME}.json")):
            with told_plainly(path):
                path.write_text(json.dumps(made.to_dict(), ensure_ascii=False), encoding="utf-8")
        for path in filter(None, (self.html, folder and folder / f"{NAME}.html")):
            typer.echo(f"Page: {write_comparison(made, path)}", err=True)


def run_comparison(
    web: str, strategies: str, topics: list[str], design: Design, jobs: int | None, output: Output
) -> None:
    """Compare, print the tables, and write the files that are asked for."""
    names = split_strategies(strategies)
    output.check()
    line = Line()
    try:
        made = compare(
            read_collection(web),
            names,
            topics,
            design,
            jobs=jobs or cores(),
            progress=line.show,
            log=output.directory,
        )
    except KeyboardInterrupt:
        line.clear()
        if output.directory and line.total:
            typer.echo(
                f"honeyguide: {line.done:,} of {line.total:,} crawls are kept; the same command goes on", err=True
            )
        raise
    line.clear()
    typer.echo(plain(told(made)))
    output.write(made)


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


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Line:
    """How much is done, on a line that renews itself; nothing where there is no terminal."""

    def __init__(self, counted: str = "crawls", about: str = "") -> None:
        self._counted, self._about = counted, f"{about}: " if about else ""
        self.done = self.total = 0
        self._began = 0.0
        self._before = 0  # crawls that an earlier run made
        self._terminal = sys.stderr.isatty()

    def show(self, done: int, total: int) -> None:
        """Tell how far it is."""
        if not self.total:
            self._began, self._before = time.monotonic(), done
            if done:
                typer.echo(f"{done:,} of {total:,} {self._counted} are there already.", err=True)
        self.done, self.total = done, total
        now = done - self._before
        left = (time.monotonic() - self._began) / max(now, 1) * (total - done)
        if self._terminal:
            told = f"\r{self._about}{done:,}/{total:,} {self._counted}"
            sys.stderr.write(told + f"  {duration(left)} left\x1b[K" * bool(now))
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
