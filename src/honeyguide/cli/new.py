"""A crawl.toml made by asking four questions: every other setting stands in it with its meaning, commented out."""

from __future__ import annotations

import dataclasses
import shlex
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from honeyguide.base import BadInput, HoneyguideError, Page
from honeyguide.cli.options import read_seeds
from honeyguide.cli.terminal import plain
from honeyguide.documents import load_documents
from honeyguide.settings import Settings, default_of, normalized_seeds
from honeyguide.store.errors import told_plainly
from honeyguide.topic import as_topic

if TYPE_CHECKING:
    from collections.abc import Callable

_Answer = TypeVar("_Answer")

WIDTH = 100
HEAD = """\
# A crawl for honeyguide. Start it, and go on with it, with:
#
#   {command}
#
# A line that begins with # does nothing: take the # away, and change the value, to set something else.
# Options of the command count more than what stands here.
"""


def write_new(file: Path, given: dict[str, Any]) -> str:
    """Ask what was not given, write the file, and return the command that starts the crawl."""
    if file.exists():
        raise BadInput(f"{file} is there already; name another file, or remove it")
    answers = {
        "topic": _answer(given.get("topic"), "What to look for, e.g. keyword:solar & ~url:shop", checked_topic),
        "seed": _answer(given.get("seed"), "Where to start: URLs, with spaces between, or @FILE", checked_seeds),
        "pages": _answer(given.get("pages"), "How many pages to ask for", checked_pages, "1000"),
        "contact": _answer(
            given.get("contact"), "A URL or e-mail address site owners can reach you at", checked_contact, ""
        ),
    }
    directory = file.with_suffix("") if file.suffix else Path(f"{file}-crawl")
    command = shlex.join(["honeyguide", "crawl", str(file), "-o", str(directory)])
    with told_plainly(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(written(answers, HEAD.format(command=command)), encoding="utf-8")
    return command


def _answer(given: Any, question: str, check: Callable[[Any], _Answer], default: str | None = None) -> _Answer:
    """What was given, which must be right, or what is typed, asked for until it is."""
    if given is not None:
        return check(given)
    while True:
        typed = typer.prompt(question, default, show_default=bool(default), err=True)
        try:
            return check(typed)
        except HoneyguideError as error:
            typer.echo(plain(str(error)), err=True)


def checked_topic(text: str) -> str:
    """A topic that can be read and can match something. Examples on the web are not fetched for that."""
    topic = as_topic(text.strip(), _examples)
    if reason := topic.impossible():
        raise BadInput(f"the topic can match nothing: {reason}")
    return text.strip()


def _examples(source: str) -> list[Page]:
    return [Page(source, text="example", main="example")] if "://" in source else load_documents(source)


def checked_seeds(seeds: str | list[str]) -> list[str]:
    """URLs to start from, at least one."""
    found = normalized_seeds(read_seeds(seeds.split() if isinstance(seeds, str) else seeds))
    if not found:
        raise BadInput("a crawl needs at least one URL to start from, as in https://bees.example/")
    return found


def checked_pages(number: str | int) -> int:
    """How many pages, at least one."""
    try:
        return Settings(pages=int(number)).pages
    except ValueError:
        raise BadInput(f"{str(number)[:40]!r} is no number") from None


def checked_contact(text: str) -> str:
    """What may be sent with every request."""
    return Settings(contact=text.strip()).contact


def written(answers: dict[str, Any], head: str) -> str:
    """A crawl.toml with answers, and with every other setting as a comment."""
    shown = [field for field in dataclasses.fields(Settings) if not field.metadata.get("hidden")]
    first = [field for field in shown if field.name in answers]
    rest = [field for field in shown if field.name not in answers]
    entries = [_entry(field, answers[field.name], "") for field in first]
    entries += [_entry(field, default_of(field), "# ") for field in rest]
    return "\n".join([head, "[crawl]", *entries])


def _entry(field: dataclasses.Field[Any], value: Any, mark: str) -> str:
    import tomli_w

    told = textwrap.fill(_told(field), WIDTH, initial_indent="# ", subsequent_indent="# ")
    line = f"{field.name} =" if value is None else tomli_w.dumps({field.name: value}).rstrip()
    return f"{told}\n{textwrap.indent(line, mark)}\n"


def _told(field: dataclasses.Field[Any]) -> str:
    """What a setting means, and what it may be."""
    low, high = field.metadata.get("low"), field.metadata.get("high")
    bounds = "" if low is None and high is None else f" ({low if low is not None else '…'} to {_most(high)})"
    unset = "; not set" if default_of(field) is None else ""
    return f"{field.metadata['help']}{bounds}{unset}"


def _most(high: float | None) -> str:
    return "any number" if high is None else f"{high:g}"
