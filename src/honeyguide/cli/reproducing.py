"""The command `reproduce`: one paper or all, and the page about them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from honeyguide.cli.comparing import Line
from honeyguide.cli.terminal import plain
from honeyguide.reproduce.running import chosen, keep, page_of, reproduced
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.reproduce.findings import Reproduction, Scale

PAGE = "reproduction.md"


def run_papers(paper: str, output: Path, scale: Scale) -> None:
    """Make the experiments, keep each as soon as it is made, and write the page about all that are kept."""
    names = chosen(paper)
    with told_plainly(output):
        output.mkdir(parents=True, exist_ok=True)
        for name in names:
            typer.echo(f"{name} …", err=True)
            made = _watched(name, scale)
            keep(made, output)
            for finding in made.findings:
                typer.echo(plain(f"{finding.claim} {finding.verdict}: {finding.ours} (paper: {finding.theirs})"))
        (output / PAGE).write_text(page_of(output), encoding="utf-8")
    typer.echo(f"All that is kept: {output / PAGE}")


def _watched(name: str, scale: Scale) -> Reproduction:
    line = Line("parts", name)
    try:
        return reproduced(name, replace(scale, progress=line.show))
    finally:
        line.clear()
