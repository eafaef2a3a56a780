"""The commands that make, measure and compare on stored webs."""

from __future__ import annotations

import dataclasses
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated, Any

import typer

from honeyguide.base import BadInput
from honeyguide.cli.completing import strategy_names
from honeyguide.cli.options import with_options
from honeyguide.evaluate.design import Design
from honeyguide.evolve.question import Question

SUITE_DESIGN = ("topics", "seed_sets", "random_seed")  # what a suite takes of a design

app = typer.Typer()


@app.command("import")
def import_(
    sources: Annotated[
        list[Path],
        typer.Argument(help="JSONL (url, title, text, links, label), WARC, WACZ, edge lists, crawl directories"),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="the directory to write")],
    labels: Annotated[
        Path | None, typer.Option(help="a file with an address, a tab and the label of its page on every line")
    ] = None,
    topic: Annotated[
        list[str] | None, typer.Option(help="keep the scores of all pages for this topic as well; repeatable")
    ] = None,
) -> None:
    """Turn files of pages or links into a stored web to simulate on."""
    from honeyguide.cli.importing import import_sources

    raise typer.Exit(import_sources(sources, output, labels, topic or []))


@app.command()
def generate(
    output: Annotated[Path, typer.Option("-o", "--output", help="the directory to write")],
    pages: Annotated[int, typer.Option(help="how many pages, 240 or more", min=100)] = 3000,
    hosts: Annotated[
        int | None, typer.Option(help="on how many hosts [default: what suits the pages]", min=8)
    ] = None,
    topics: Annotated[
        int | None, typer.Option(help="about how many topics [default: what suits the pages]", min=2, max=200)
    ] = None,
    seed: Annotated[int, typer.Option(help="another number, another web", min=0)] = 1,
) -> None:
    """Make a synthetic web with labels to simulate on; its links, hosts and topics take after a real one."""
    from honeyguide.cli.importing import generate_web

    generate_web(output, pages, hosts, topics, seed)


@app.command()
@with_options(dataclasses.fields(Design))
def compare(
    webs: Annotated[
        list[str] | None,
        typer.Argument(
            help="a stored web (directory, WARC, JSONL), or synthetic or synthetic:SEED; a suite: several"
        ),
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="which to compare, with commas between them", autocompletion=strategy_names)
    ] = "all",
    topic: Annotated[list[str] | None, typer.Option(help="a topic, instead of choosing some; repeatable")] = None,
    suite: Annotated[
        bool, typer.Option("--suite", help="the leaderboard: generated webs and those named, final topics, one table")
    ] = False,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="of a suite: this project's strategy without each of its parts")
    ] = False,
    outside: Annotated[
        list[str] | None, typer.Option(help="of a suite: a web that is reported, but not in the verdict; repeatable")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="processes to use [default: one a core]", min=1)] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="directory for all results; crawls it holds are not made again"),
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="also write everything to this file")] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", help="also write a page with curves to this file")
    ] = None,
    *,
    given: dict[str, Any],
) -> None:
    """Let strategies crawl a stored web for the same topics from the same seeds, and put the figures side by side."""
    from honeyguide.cli.comparing import Output, run_comparison
    from honeyguide.cli.standing import run_suite

    design = Design(**given)
    if suite:
        _check_suite(given, {"strategy": strategy != "all", "topic": topic, "json": json_file, "html": html_file})
        run_suite(webs or [], outside or [], ablations, design, jobs, output)
        return
    if ablations or outside:
        raise BadInput("--ablations and --outside are for a suite: add --suite")
    if not webs or len(webs) > 1:
        raise BadInput("name one web to compare strategies on, or add --suite for several")
    run_comparison(webs[0], strategy, topic or [], design, jobs, Output(output, json_file, html_file))


def _check_suite(design: dict[str, Any], others: dict[str, Any]) -> None:
    """Refuse what a suite would not heed."""
    idle = [name for name in design if name not in SUITE_DESIGN] + [name for name, used in others.items() if used]
    if idle:
        told = ", ".join(f"--{name.replace('_', '-')}" for name in idle)
        raise BadInput(f"a suite has strategies, seeds and budgets of its own: leave out {told}")


@app.command()
@with_options([f for f in dataclasses.fields(Question) if f.metadata])
def evolve(
    webs: Annotated[
        list[str], typer.Argument(help="an imported or generated web; settings are evolved on any stored webs")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="the directory to keep it in, or to go on with")],
    *,
    jobs: Annotated[int | None, typer.Option(help="processes [default: one a core]", min=1)] = None,
    given: dict[str, Any],
) -> None:
    """Search for better weights, or better settings, by evolution in simulation."""
    from honeyguide.cli.comparing import cores
    from honeyguide.cli.evolving import run_evolution

    run_evolution(Question(**given, webs=webs), output, jobs or cores())


@app.command()
def statistics(
    webs: Annotated[
        list[str], typer.Argument(help="stored webs, or synthetic, synthetic:SEED, synthetic:SEED:PAGES")
    ],
) -> None:
    """Say what webs are like: degrees, hosts, templates, and how topics spread along links; a column a web."""
    from honeyguide.cli.measuring import print_statistics

    print_statistics(webs)


@app.command()
def calibrate(
    generated: Annotated[str, typer.Argument(help="synthetic, synthetic:SEED or synthetic:SEED:PAGES")],
    real: Annotated[list[str], typer.Argument(help="stored webs that it is to be like")],
    topics: Annotated[int, typer.Option(help="how many topics to choose on each web", min=1)] = 10,
    seed_sets: Annotated[int, typer.Option(help="how often seeds are drawn for each topic", min=1)] = 3,
    random_seed: Annotated[int, typer.Option(help="makes every random choice repeatable", min=0)] = 0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="a directory to keep the crawls in, or to go on with")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="processes to use [default: one a core]", min=1)] = None,
) -> None:
    """Check a generated web against real ones: its statistics, and the order in which strategies come on it."""
    from honeyguide.cli.measuring import run_calibration

    run_calibration(generated, real, Design(topics, seed_sets=seed_sets, random_seed=random_seed), jobs, output)


@app.command()
def reproduce(
    paper: Annotated[str, typer.Argument(help="aggarwal, johnson, pal, yohanes, kusmierczyk, or all")],
    output: Annotated[Path, typer.Option("-o", "--output", help="the directory for what they bring")],
    quick: Annotated[bool, typer.Option("--quick", help="small enough for a test; the figures say nothing")] = False,
    jobs: Annotated[int | None, typer.Option(help="processes [default: one a core]", min=1)] = None,
    random_seed: Annotated[int, typer.Option(help="makes every random choice repeatable", min=0)] = 0,
) -> None:
    """Make the experiments of the five papers, and say which of their claims hold."""
    from honeyguide.cli.comparing import cores
    from honeyguide.cli.reproducing import run_papers
    from honeyguide.reproduce.findings import Scale

    run_papers(paper, output, Scale(quick, jobs or cores(), random_seed))
