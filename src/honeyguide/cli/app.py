"""The commands."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from honeyguide.base import BadInput, HoneyguideError
from honeyguide.cli.completing import strategy_names, topic_kinds
from honeyguide.cli.options import read_seeds, with_options, with_settings
from honeyguide.evaluate.design import Design
from honeyguide.evolve.question import Question
from honeyguide.export.options import Options
from honeyguide.export.selection import Selection
from honeyguide.settings import Settings

app = typer.Typer(
    help="A focused web crawler: give it a topic and a few seeds; it learns which links lead there.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Output = Annotated[Path | None, typer.Option("-o", "--output", help="the crawl directory to write")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object at the end, for scripts")]
VisitsFile = Annotated[Path | None, typer.Option("--visits", help="write the fetched URLs in order, one a line")]
LogFile = Annotated[Path | None, typer.Option("--log", help="append a JSON object a line: every visit and event")]
Port = typer.Option(help="the port of the dashboard on 127.0.0.1 [default: a free one]", min=1, max=65535)


@app.command()
@with_settings(live=True)
def crawl(
    directory: Annotated[
        Path | None, typer.Argument(help="a crawl directory, to go on with it, or a TOML file, to start")
    ] = None,
    output: Output = None,
    again: Annotated[
        bool, typer.Option("--again", help="ask for all pages of DIR once more, and record what changed")
    ] = False,
    as_json: AsJson = False,
    visits: VisitsFile = None,
    log: LogFile = None,
    dashboard: Annotated[
        bool, typer.Option("--dashboard", help="also serve a page on this machine that shows and steers the crawl")
    ] = False,
    dashboard_port: Annotated[int | None, Port] = None,
    given: Any = None,
) -> None:
    """Crawl the live web for a topic; given an existing directory, go on with that crawl.

    honeyguide crawl --topic 'keyword:solar & keyword:"heat pump"' --seed https://… --pages 10000 -o heat/

    honeyguide crawl heat.toml -o heat/ takes its settings from a file, which honeyguide new writes.

    honeyguide crawl heat/ goes on; honeyguide crawl heat/ --topic NEW first judges the stored pages anew.

    honeyguide crawl heat/ --again asks for all its pages once more; what has not changed is not sent again.
    """
    from honeyguide.cli.running import Told, crawl_into, from_file, go_on, start_again, start_live

    _use(given)
    dashboard = dashboard or dashboard_port is not None or "dashboard_token" in given
    told_to = Told(as_json, visits, log, dashboard, dashboard_port or 0)
    if directory and directory.is_file():
        given = from_file(directory) | given
        directory = None
    if directory and output:
        raise BadInput("name the directory once: either DIR to go on with a crawl, or -o DIR")
    told_to.spare(directory or output)
    if again:
        crawl_into(start_again(directory or output, given), told_to)
    elif directory:
        crawl_into(go_on(directory, given), told_to)
    else:
        crawl_into(start_live(output, given), told_to)


@app.command()
@with_settings(live=False)
def simulate(
    web: Annotated[Path, typer.Argument(help="a crawl directory, an imported web, a WARC or a JSONL file")],
    output: Output = None,
    as_json: AsJson = False,
    visits: VisitsFile = None,
    log: LogFile = None,
    given: Any = None,
) -> None:
    """Crawl a stored web: no request is sent. Without --seed, five relevant pages are drawn to start from."""
    from honeyguide.cli.running import Told, crawl_into, start_stored

    _use(given)
    told_to = Told(as_json, visits, log)
    told_to.spare(output)
    crawl_into(start_stored(web, output, given), told_to)


@app.command()
def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="the crawl directory to write")] = Path("demo"),
    pages: Annotated[int, typer.Option(help="how many pages to ask for", min=10)] = 600,
    seed: Annotated[int, typer.Option(help="another number, another web", min=0)] = 1,
    topic: Annotated[str, typer.Option(help="one of the topics of the generated web")] = "heat pumps",
    serve: Annotated[
        bool, typer.Option("--serve", help="only serve the web until Ctrl-C, for crawls of your own")
    ] = False,
    port: Annotated[int, typer.Option(help="where it is served on 127.0.0.1 with --serve", min=1, max=65535)] = 8765,
) -> None:
    """See all of it in a minute: a small web is made, served on this machine, crawled and reported on."""
    from honeyguide.cli.demo import run_demo, serve_demo

    if serve:
        serve_demo(port, seed, topic)
    else:
        run_demo(output, pages, seed, topic)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(help="the file to write")] = Path("crawl.toml"),
    topic: Annotated[str | None, typer.Option(help="what to look for", autocompletion=topic_kinds)] = None,
    seed: Annotated[list[str] | None, typer.Option(help="a URL to start from, or @file; repeatable")] = None,
    pages: Annotated[int | None, typer.Option(help="how many pages to ask for")] = None,
    contact: Annotated[str | None, typer.Option(help="a URL or e-mail address site owners can reach you at")] = None,
) -> None:
    """Write a crawl.toml with every setting explained, by asking four questions; those given are not asked."""
    from honeyguide.cli.new import write_new

    given = {"topic": topic, "seed": seed or None, "pages": pages, "contact": contact}
    command = write_new(file, given)
    typer.echo(f"Written: {file}. Start the crawl with:", err=True)
    typer.echo(command)


@app.command()
def train(
    positive: Annotated[str, typer.Argument(help="a file, folder, URL, JSONL, WARC, crawl, or @file listing some")],
    negative: Annotated[str, typer.Argument(help="the same, for what is not wanted")],
    output: Annotated[Path, typer.Option("-o", "--output", help="the model to write, e.g. model.hg")],
    allow_private: Annotated[bool, typer.Option(help="also fetch from private and loopback addresses")] = False,
) -> None:
    """Train a classifier to use as a topic: classifier:model.hg.

    Of a crawl directory, POSITIVE takes the relevant pages and NEGATIVE the others.
    """
    from honeyguide.documents import load_documents
    from honeyguide.settings import Settings
    from honeyguide.store import spare_own_files
    from honeyguide.topic import train as train_topic

    spare_own_files(output)
    settings = Settings(allow_private=allow_private)
    wanted = [page for source in read_seeds([positive]) for page in load_documents(source, True, settings)]
    unwanted = [page for source in read_seeds([negative]) for page in load_documents(source, False, settings)]
    model = train_topic(wanted, unwanted)
    model.save(output)
    quality = ", ".join(f"{name} {value}" for name, value in model.quality.items()) or "too few pages to measure"
    typer.echo(f"Trained on {len(wanted)} wanted and {len(unwanted)} unwanted pages. Quality: {quality}")
    typer.echo(f"Use it as a topic: --topic 'classifier:{output}'")


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
) -> None:
    """Turn files of pages or links into a stored web to simulate on."""
    from honeyguide.cli.importing import import_sources

    raise typer.Exit(import_sources(sources, output, labels))


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
        run_suite(webs or [], outside or [], ablations, design, jobs, output)
        return
    if not webs or len(webs) > 1:
        raise BadInput("name one web to compare strategies on, or add --suite for several")
    run_comparison(webs[0], strategy, topic or [], design, jobs, Output(output, json_file, html_file))


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
    jobs: Annotated[int | None, typer.Option(help="processes to use [default: one a core]", min=1)] = None,
) -> None:
    """Check a generated web against real ones: its statistics, and the order in which strategies come on it."""
    from honeyguide.cli.measuring import run_calibration
    from honeyguide.evaluate import Design

    run_calibration(generated, real, Design(topics, seed_sets=seed_sets, random_seed=random_seed), jobs)


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
@with_options([field for field in dataclasses.fields(Settings) if field.name == "dashboard_token"])
def dashboard(
    directory: Annotated[Path, typer.Argument(help="a crawl directory")],
    port: Annotated[int | None, Port] = None,
    log: LogFile = None,
    given: Any = None,
) -> None:
    """Serve a page on this machine about a crawl: look, mark pages, let it learn from them, go on with it.

    Where another process crawls into DIR, the page follows it; where that has a dashboard, its address is told.
    """
    from honeyguide.cli.serving import serve_directory

    _use(given)
    serve_directory(directory, port or 0, log, given)


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


def _use(given: dict[str, Any]) -> None:
    if "seed" in given:
        given["seed"] = read_seeds(given["seed"])
    if "dashboard_token" in given:
        given["dashboard_token"] = str(Path(given["dashboard_token"]).absolute())


def main() -> None:
    """Run the command line; what goes wrong is told in a sentence."""
    sys.path.append(str(Path.cwd()))  # last, so that topics and strategies of the user's own are found, and no more
    if "_HONEYGUIDE_COMPLETE" in os.environ:
        os.environ["COLUMNS"] = "1000"  # or the meaning of a long option is cut in lines, each taken for an option
    try:
        app()
    except HoneyguideError as error:
        _tell(str(error))
    except KeyboardInterrupt:
        _tell("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _tell(message: str, code: int = 1) -> None:
    from honeyguide.cli.terminal import plain

    json_wanted = "--json" in sys.argv
    if json_wanted:
        print(json.dumps({"error": message}))
    print(f"honeyguide: {plain(message)}", file=sys.stderr)
    sys.exit(code)
