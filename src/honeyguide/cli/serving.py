"""The dashboard on the command line: beside a crawl, or of a directory."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING

import typer

from honeyguide.base import BadInput
from honeyguide.store import being_crawled, is_crawl_directory, no_crawl, read_settings
from honeyguide.web import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from honeyguide.dashboard import Session


@contextlib.asynccontextmanager
async def served(session: Session, directory: Path | None, port: int) -> AsyncIterator[None]:
    """A dashboard of a crawl, as long as the block runs; its address is in the directory as well."""
    from honeyguide.dashboard import Server, leave_note
    from honeyguide.dashboard.note import take_note_back

    async with Server(session, port) as server:
        note = server.note
        if directory:
            session.begun = lambda: leave_note(directory, note)
        typer.echo(f"Dashboard: {note.address}", err=True)
        try:
            yield
        finally:
            if directory:
                take_note_back(directory)


def serve_directory(directory: Path, port: int) -> None:
    """Show the crawl of a directory until told to end; another process's own dashboard is only pointed to."""
    from honeyguide.dashboard import read_note
    from honeyguide.running import run_async

    if not is_crawl_directory(directory):
        raise no_crawl(directory)
    note = read_note(directory)
    if note and note.holds():
        typer.echo(f"Dashboard: {note.address}")
    elif being_crawled(directory):
        run_async(_follow(directory, port))
    else:
        run_async(_open(directory, port))


async def _follow(directory: Path, port: int) -> None:
    from honeyguide.dashboard import Following, Server

    with contextlib.closing(Following(directory)) as view:
        async with Server(view, port) as server:
            typer.echo(f"Dashboard: {server.note.address}", err=True)
            await told_to_end()


async def _open(directory: Path, port: int) -> None:
    from honeyguide.cli.running import crawl_of
    from honeyguide.dashboard import Session

    settings = read_settings(directory)
    kind = kind_of(settings.web)
    if kind in (Kind.HANDED, Kind.IN_PYTHON):
        raise BadInput(
            f"{directory} is a crawl on {kind.value}, and cannot go on from here; look at it with: "
            f"honeyguide report {directory}"
        )
    session = Session(crawl_of(settings, directory), lambda changed: crawl_of(changed, directory), steered=False)
    await session.open()
    async with served(session, directory, port):
        session.begun()
        await told_to_end()
        await session.close()


async def told_to_end() -> None:
    """Wait for Ctrl-C or a signal."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    await over.wait()
