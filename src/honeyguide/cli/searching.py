"""The pages of a stored web for some words, as lines to read."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.cli.terminal import plain
from honeyguide.running import run_async
from honeyguide.search import IndexSearch
from honeyguide.web import open_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from honeyguide.search import Hit


def search_directory(directory: Path, words: str, limit: int) -> Iterator[str]:
    """The best pages for some words: rank and address, title, and where the words stand."""
    if not words.strip():
        raise BadInput("say what to search for: honeyguide search DIR 'words'")
    with contextlib.closing(IndexSearch(open_web(directory))) as search:
        hits = run_async(search.find(words, limit))
    if not hits:
        yield plain(f"No page of {directory} has any of these words: {words}")
    for rank, hit in enumerate(hits, 1):
        yield from (plain(line) for line in _lines(rank, hit))


def _lines(rank: int, hit: Hit) -> Iterator[str]:
    margin = " " * (len(str(rank)) + 2)
    yield f"{rank}. {hit.url}"
    if hit.title:
        yield margin + hit.title
    if hit.text and hit.text != hit.title:
        yield margin + hit.text
