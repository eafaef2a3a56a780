"""Exporting from the command line: what was written, and what was left out and why."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import typer

from honeyguide.cli.terminal import plain
from honeyguide.export.options import Options
from honeyguide.export.outputs import STDOUT
from honeyguide.export.selection import Selection
from honeyguide.export.writing import export

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.export.writing import Outcome


def run_export(directory: Path, output: Path, format: str, given: dict[str, Any]) -> None:
    """Write an export and say what it holds; beside a text on standard output, say it elsewhere."""
    how = {field.name for field in dataclasses.fields(Options)}
    options = Options(**{name: value for name, value in given.items() if name in how})
    selection = Selection(**{name: value for name, value in given.items() if name not in how})
    outcome = export(directory, output, format, selection, options)
    typer.echo(plain(told(outcome, output)), err=output == STDOUT)


def told(outcome: Outcome, output: Path) -> str:
    """What was written and what not, in plain words."""
    where = "" if output == STDOUT else f" to {output}"
    unit = outcome.counts.removesuffix("s") if outcome.written == 1 else outcome.counts
    lines = [f"Wrote {outcome.written:,} {unit}{where}."]
    if outcome.left_out:
        reasons = ", ".join(f"{count:,} {why.replace('_', ' ')}" for why, count in outcome.left_out.most_common())
        lines.append(f"Left out {outcome.left_out.total():,} of the visits: {reasons}.")
    return "\n".join(lines)
