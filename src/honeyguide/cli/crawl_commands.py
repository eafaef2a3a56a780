"""The commands that crawl, and those that prepare a crawl."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from honeyguide.base import BadInput
from honeyguide.cli.completing import topic_kinds
from honeyguide.cli.options import read_seeds, with_options, with_settings
from honeyguide.settings import Settings

app = typer.Typer()

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
    if directory and _is_missing_file(directory, output):
        raise BadInput(
            f"{directory} is not there; honeyguide new {directory} writes such a file of settings. Without one: "
            f"honeyguide crawl --topic … --seed … -o {output or 'DIR'}"
        )
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


def _is_missing_file(path: Path, output: Path | None) -> bool:
    """Whether what is named beside -o, or as TOML, can only be meant as a file, and does not exist."""
    return not path.exists() and (path.suffix == ".toml" or output not in (None, path))


def _use(given: dict[str, Any]) -> None:
    if "seed" in given:
        given["seed"] = read_seeds(given["seed"])
    if "dashboard_token" in given:
        given["dashboard_token"] = str(Path(given["dashboard_token"]).absolute())
