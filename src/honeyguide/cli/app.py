"""The command line: all commands, and what goes wrong told in a sentence."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from honeyguide.base import HoneyguideError
from honeyguide.cli import crawl_commands, reading_commands, web_commands

app = typer.Typer(
    help="A focused web crawler: give it a topic and a few seeds; it learns which links lead there.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for commands in (crawl_commands, reading_commands, web_commands):
    app.add_typer(commands.app)


def _tell_version(wanted: bool) -> None:
    from importlib.metadata import version

    if wanted:
        typer.echo(f"honeyguide {version('honeyguide')}")
        raise typer.Exit


@app.callback()
def _every_command(
    version: Annotated[
        bool, typer.Option("--version", help="say which version this is", callback=_tell_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; what goes wrong is told in a sentence."""
    sys.path.append(str(Path.cwd()))  # last, so that topics and strategies of the user's own are found, and no more
    if "_HONEYGUIDE_COMPLETE" in os.environ:
        os.environ["COLUMNS"] = "1000"  # or the meaning of a long option is cut in lines, each taken for an option
    try:
        app()
    except HoneyguideError as error:
        _tell(str(error))
    except SystemExit as ended:
        if isinstance(getattr(ended.__context__, "__cause__", None), KeyboardInterrupt):  # as typer hands it on
            _tell("stopped", 130)
        raise
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
