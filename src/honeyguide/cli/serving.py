"""The dashboard on the command line: beside a crawl, or of a directory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from honeyguide.base import BadInput
from honeyguide.store import being_crawled, is_crawl_directory, no_crawl, read_settings, spare_own_files
from honeyguide.web import Kind, kind_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from honeyguide.crawl import Crawl
    from honeyguide.dashboard import Session
    from honeyguide.settings import Settings


@contextlib.asynccontextmanager
async def served(session: Session, directory: Path | None, port: int) -> AsyncIterator[None]:
    """A dashboard of a crawl, as long as the block runs; its address is in the directory as well."""
    from honeyguide.dashboard import Server, leave_note
    from honeyguide.dashboard.note import take_note_back

    async with Server(session, port, _token(session.crawl.settings)) as server:
        note = server.note
        if directory:
            session.begun = lambda: leave_note(directory, note)
        typer.echo(f"Dashboard: {note.address}", err=True)
        try:
            yield
        finally:
            if directory:
                take_note_back(directory)


def _token(settings: Settings) -> str:
    from honeyguide.dashboard.token import kept_token

    return kept_token(Path(settings.dashboard_token)) if settings.dashboard_token else ""


def serve_directory(directory: Path, port: int, log: Path | None, given: dict[str, Any]) -> None:
    """Show the crawl of a directory until told to end; another process's own dashboard is only pointed to."""
    from honeyguide.dashboard import read_note
    from honeyguide.running import run_async

    if not is_crawl_directory(directory):
        raise no_crawl(directory)
    if log:
        spare_own_files(log, directory)
    settings = replace(read_settings(directory), **given)
    note = read_note(directory)
    only_shown = _why_only_shown(directory, settings)
    if log and being_crawled(directory):
        raise BadInput(f"another process crawls into {directory}: give --log to that one, it knows what happens")
    if log and only_shown:
        raise BadInput(f"{only_shown}: nothing will happen here that --log could tell")
    if note and note.holds():
        typer.echo(f"Dashboard: {note.address}")
    elif only_shown or being_crawled(directory):
        run_async(_follow(directory, settings, port, only_shown))
    else:
        run_async(_open(directory, settings, port, log))


def _why_only_shown(directory: Path, settings: Settings) -> str:
    """Why a crawl can be looked at and nothing else, whoever makes it; nothing where it can be gone on with."""
    kind = kind_of(settings.web)
    if kind in (Kind.HANDED, Kind.IN_PYTHON):
        return f"this crawl ran on {kind.value}: it is shown, and can be marked or gone on with only there"
    if settings.withheld:
        secret = f"--{settings.withheld[0]}"
        return (
            f"this crawl was made with {secret}, which is not kept: it is shown, and gone on with by honeyguide crawl"
            f" {directory} {secret} … --dashboard"
        )
    if not os.access(directory, os.W_OK):
        return "this directory cannot be written to: the crawl is shown, and can neither be marked nor gone on with"
    return ""


async def _follow(directory: Path, settings: Settings, port: int, only_shown: str) -> None:
    from honeyguide.dashboard import Following, Server

    view = Following(directory, lambda: _looked_at(directory), only_shown)
    with contextlib.closing(view):
        async with Server(view, port, _token(settings)) as server:
            typer.echo(f"Dashboard: {server.note.address}", err=True)
            await told_to_end()


def _looked_at(directory: Path) -> Crawl:
    """A crawl to be replayed."""
    from honeyguide.cli.running import crawl_of

    return crawl_of(read_settings(directory), directory)


async def _open(directory: Path, settings: Settings, port: int, log: Path | None) -> None:
    from honeyguide.cli.running import crawl_of
    from honeyguide.dashboard import Journal, Session

    with Journal(log) as journal:
        session = Session(crawl_of(settings, directory), lambda changed: crawl_of(changed, directory), journal, False)
        typer.echo(f"Reading the crawl in {directory} …", err=True)
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
