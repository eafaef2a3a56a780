"""The commands `statistics` and `calibrate`: what webs are like, and whether a generated one may stand for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from honeyguide.cli.comparing import Line, cores
from honeyguide.cli.terminal import plain
from honeyguide.evaluate.calibration import calibrate, statistics_of, told_calibration
from honeyguide.evaluate.statistics_table import told_statistics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from honeyguide.evaluate import Design


def print_statistics(webs: Sequence[str]) -> None:
    """One table, a column a web."""
    typer.echo(plain(told_statistics([statistics_of(web) for web in webs])))


def run_calibration(
    generated: str, real: Sequence[str], design: Design, jobs: int | None, output: Path | None
) -> None:
    """Statistics, orders and agreement."""
    line = Line()
    made = calibrate(generated, real, design, jobs=jobs or cores(), progress=line.show, log=output)
    line.clear()
    typer.echo(plain(told_calibration(made)))
