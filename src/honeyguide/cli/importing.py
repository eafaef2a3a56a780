"""Making stored webs: from files, and from nothing."""

from __future__ import annotations

import contextlib
import shutil
import sys
from typing import TYPE_CHECKING

import typer

from honeyguide.base import BadInput, Page
from honeyguide.cli.terminal import plain
from honeyguide.settings import Settings
from honeyguide.store import Store
from honeyguide.web.sources import BadEntry, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

BAD_SHOWN = 5
SAY_EVERY = 10_000


def import_sources(sources: list[Path], output: Path) -> int:
    """Take in all pages that can be read; the exit code is 1 when a file was damaged."""
    readers = [(path, read_source(path)) for path in sources]  # refuse before anything is written
    pages = copies = 0
    bad: list[str] = []
    damaged = False
    with _new_web(output) as store:
        for path, found in readers:
            for item in found:
                if isinstance(item, BadEntry):
                    bad.append(f"{path}, {item}")
                    damaged |= item.damaged
                elif store.add_page(item):
                    pages += 1
                    _say(pages)
                else:
                    copies += 1
        _tell(pages, copies, bad, output)
    return int(damaged)


@contextlib.contextmanager
def _new_web(output: Path) -> Iterator[Store]:
    """A directory to fill; it is committed as a whole, or taken away again."""
    store = Store.create(output, Settings())
    try:
        yield store
        store.commit()
    except BaseException:
        store.close()
        shutil.rmtree(output)
        raise
    store.close()


def _say(pages: int) -> None:
    if pages % SAY_EVERY == 0:
        sys.stderr.write(f"{pages:,} pages\n")


def _tell(pages: int, copies: int, bad: list[str], output: Path) -> None:
    if copies:
        typer.echo(f"{copies:,} pages had a URL that was there already; the first was kept.")
    for line in bad[:BAD_SHOWN]:
        typer.echo(f"honeyguide: left out: {plain(line)}", err=True)
    if len(bad) > BAD_SHOWN:
        typer.echo(f"honeyguide: … and {len(bad) - BAD_SHOWN:,} more", err=True)
    if not pages:
        raise BadInput("no page could be read; nothing was imported")
    typer.echo(f"Imported {pages:,} pages into {output}.")
    typer.echo(f"Simulate on it: honeyguide simulate {output} --topic … --pages 1000")


def generate_web(output: Path, pages: int, hosts: int, topics: int, seed: int) -> None:
    """Write a synthetic web, every page labelled with its topic."""
    from honeyguide.synthetic import generate

    world = generate(pages=pages, hosts=hosts, seed=seed, topics=topics)
    with _new_web(output) as store:
        written = sum(store.add_page(page) for page in _labelled(world))
    labels = [_as_label(topic) for topic in world.topics]
    typer.echo(f"Generated {written:,} pages on {len(world.hosts)} hosts in {output}; labels: {', '.join(labels)}.")
    typer.echo(f"Try: honeyguide simulate {output} --topic 'label:{labels[0]}' --pages 600")


def _as_label(topic: str) -> str:
    return topic.replace(" ", "-")


def _labelled(world: object) -> Iterable[Page]:
    from dataclasses import replace

    from honeyguide.parse import parse

    for url in world.urls:  # type: ignore[attr-defined]
        body = world.html(url)  # type: ignore[attr-defined]
        if body is not None:
            page = parse(url, body, "text/html; charset=utf-8")
            yield replace(page, label=_as_label(world.topic_of(url)))  # type: ignore[attr-defined]
