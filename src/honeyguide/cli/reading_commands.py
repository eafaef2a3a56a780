"""The commands that tell of a crawl and take pages out of it."""

from __future__ import annotations

import dataclasses
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated, Any

import typer

from honeyguide.cli.completing import format_names
from honeyguide.cli.options import with_options
from honeyguide.export.options import Options
from honeyguide.export.selection import Selection

app = typer.Typer()


@app.command()
def report(
    directories: Annotated[list[Path], typer.Argument(help="a crawl directory; several are put side by side")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="where to write [default: DIR/report.html; of several: report.html]"),
    ] = None,
) -> None:
    """Write one self-contained HTML page about a crawl, or about several side by side."""
    from honeyguide.report import different, write_report, write_side_by_side

    several = len(different(directories)) > 1
    path = write_side_by_side(directories, output) if several else write_report(directories[0], output)
    typer.echo(f"Report: {path}")


@app.command("export")
@with_options([f for f in (*dataclasses.fields(Selection), *dataclasses.fields(Options)) if f.metadata])
def export_(
    directory: Annotated[Path, typer.Argument(help="a crawl directory")],
    output: Annotated[Path, typer.Option("-o", "--output", help="a file or folder to write; - for standard output")],
    format: Annotated[
        str,
        typer.Option(
            help="jsonl, csv, parquet, markdown, chunks, wacz, graphml, edges, seeds [default: by the output's name]",
            show_default=False,
            autocompletion=format_names,
        ),
    ] = "",
    *,
    given: Any,
) -> None:
    """Write the relevant pages of a crawl for other programs: tables, texts, archives, graphs, seeds.

    honeyguide export heat/ -o heat.parquet --language en
    """
    from honeyguide.cli.exporting import run_export

    run_export(directory, output, format, given)


@app.command()
def explain(
    directory: Annotated[Path, typer.Argument(help="a crawl directory")],
    url: Annotated[str, typer.Argument(help="a URL the crawl has seen")],
) -> None:
    """Say why a URL was, or was not, fetched next."""
    from honeyguide.cli.explaining import explain_url

    for line in explain_url(directory, url):
        typer.echo(line)


@app.command()
def search(
    directory: Annotated[Path, typer.Argument(help="a crawl directory, an imported web, a WARC or a JSONL file")],
    words: Annotated[str, typer.Argument(help="words to look for; a phrase in double quotes")],
    limit: Annotated[int, typer.Option("-n", "--limit", help="how many pages to show", min=1, max=10_000)] = 10,
) -> None:
    """Search the stored pages of a crawl for words; the index is kept in DIR/search.db.

    honeyguide search heat/ 'subsidy "heat pump"'
    """
    from honeyguide.cli.searching import search_directory

    for line in search_directory(directory, words, limit):
        typer.echo(line)
