"""Making stored webs: from files, and from nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from honeyguide.atlas import AtlasBuilder, scores_of
from honeyguide.base import BadInput, Page, Reply
from honeyguide.cli.labels import Labels
from honeyguide.cli.terminal import plain
from honeyguide.documents import load_documents
from honeyguide.topic import as_topic
from honeyguide.web import open_web
from honeyguide.web.archive import open_atlas
from honeyguide.web.edges import Edges
from honeyguide.web.sources import BadEntry, read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from honeyguide.topic import Topic

BAD_SHOWN = 5
SAY_EVERY = 10_000  # pages, or
LINKS = 1_000_000


def import_sources(sources: list[Path], output: Path, labels: Path | None = None, topics: Sequence[str] = ()) -> int:
    """Take in all that can be read; the exit code is 1 when a file was damaged."""
    judges = [*map(_judge, topics)]
    known = Labels(labels) if labels else None
    edges = Edges(_say_links)  # a page may have links in several lists
    readers = [(path, _read(path, edges)) for path in sources]  # refuse before anything is written
    intake = _Intake(known)
    with AtlasBuilder(output) as web:
        for path, found in readers:
            for item in found:
                intake.take(web, item, path)
        for page in edges.pages():
            intake.take(web, page, output)
        intake.tell(output)
    for judge in judges:
        matching = sum(map(judge.relevant, scores_of(open_atlas(output), str(judge), judge.score).tolist()))
        typer.echo(f"{matching:,} pages match {plain(str(judge))}; their scores are kept with the web.")
    return int(intake.damaged)


def _judge(text: str) -> Topic:
    topic = as_topic(text, load_documents)
    if not topic.spelled_out:
        raise BadInput(f"scores are kept of topics whose expression says all, as keyword and url; {topic} does not")
    return topic


def _read(path: Path, edges: Edges) -> Iterator[Page | BadEntry | tuple[str, Reply]]:
    """What a file or a stored web holds; of a crawl also where it was redirected and what failed."""
    return open_web(path).replies() if path.is_dir() else read_source(path, edges)


class _Intake:
    """What came in, and what did not."""

    def __init__(self, labels: Labels | None) -> None:
        self._labels = labels
        self._copies = self._pages = 0
        self._bad: list[str] = []  # what was left out, and
        self._damage: list[str] = []  # where files are not sound
        self._lost_links = 0  # of pages that were there already

    def take(self, web: AtlasBuilder, item: Page | BadEntry | tuple[str, Reply], path: Path) -> None:
        """Take in one thing that was read."""
        if isinstance(item, BadEntry):
            (self._damage if item.damaged else self._bad).append(f"{path}, {item}")
            return
        url, reply = (item.url, Reply(item)) if isinstance(item, Page) else item
        if reply.page:
            self._take_page(web, reply.page)
        elif reply.redirect:
            web.add_redirect(url, reply.redirect)
        else:
            web.add_failure(url, reply.error)

    def _take_page(self, web: AtlasBuilder, page: Page) -> None:
        if web.add(self._labels.labelled(page) if self._labels else page):
            self._pages += 1
            _say(self._pages)
        else:
            self._copies += 1
            self._lost_links += len(page.links)

    @property
    def damaged(self) -> bool:
        """Whether a file was."""
        return bool(self._damage)

    def tell(self, output: Path) -> None:
        """Say what came of it."""
        if self._copies:
            links = f", with {self._lost_links:,} links" if self._lost_links else ""
            typer.echo(f"{self._copies:,} pages had a URL that was there already and were left out{links}.")
        bad = self._damage + self._bad + (self._labels.complaints() if self._labels else [])
        for line in bad[:BAD_SHOWN]:
            typer.echo(f"honeyguide: left out: {plain(line)}", err=True)
        if len(bad) > BAD_SHOWN:
            typer.echo(f"honeyguide: … and {len(bad) - BAD_SHOWN:,} more", err=True)
        if not self._pages:
            raise BadInput("no page could be read; nothing was imported")
        typer.echo(f"Imported {self._pages:,} pages into {output}.")
        typer.echo(f"Simulate on it: honeyguide simulate {output} --topic … --pages 1000")


def generate_web(output: Path, pages: int, hosts: int | None, topics: int | None, seed: int) -> None:
    """Write a synthetic web, every page labelled with its topic."""
    from honeyguide.synthetic.storing import store_generated

    world = store_generated(output, pages, hosts, topics, seed, _say)
    arrays = world.arrays
    labels = arrays.label_names[1:]
    typer.echo(
        f"Generated {len(arrays.label):,} pages on {len(world.hosts)} hosts in {output}; labels: {', '.join(labels)}."
    )
    typer.echo(f"Try: honeyguide simulate {output} --topic 'label:{labels[0]}' --pages 600")


def _say(pages: int) -> None:
    if pages % SAY_EVERY == 0:
        sys.stderr.write(f"{pages:,} pages\n")


def _say_links(links: int) -> None:
    if links % LINKS == 0:
        sys.stderr.write(f"{links:,} links\n")
