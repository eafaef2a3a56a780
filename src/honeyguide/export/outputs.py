"""Where exports go: whole or not at all, packed when the name says so, under names no page can choose."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.store.errors import told_plainly
from honeyguide.store.files import beside, new_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

STDOUT = Path("-")
LONGEST_NAME = 80
_OTHER = re.compile("[^a-z0-9]+")


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which takes the place of `path` at the end, where nothing or an empty folder must be."""
    fresh = beside(path)
    with told_plainly(path.parent):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise BadInput(f"{path} exists already; choose another folder with -o, or remove it first")
        fresh.mkdir(parents=True)
        try:
            yield fresh
            fresh.replace(path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


@contextlib.contextmanager
def new_text(path: Path) -> Iterator[TextIO]:
    """A text to write: a file, packed when its name ends in .gz, or standard output."""
    if path == STDOUT:
        stream = io.TextIOWrapper(os.fdopen(os.dup(sys.stdout.fileno()), "wb"), encoding="utf-8", newline="\n")
        with stream:
            yield stream
        return
    with new_file(path) as fresh, _opened(fresh, path.name.endswith(".gz")) as file:
        yield file


def _opened(path: Path, packed: bool) -> TextIO:
    if packed:
        return gzip.open(path, "wt", encoding="utf-8", newline="\n")
    return path.open("w", encoding="utf-8", newline="\n")


def file_name(number: int, url: str, ending: str) -> str:
    """A name for the file of a page: its number makes it unique, and only letters and digits come from its address.

    >>> file_name(17, "https://bees.example/../Honey%00/../../etc/passwd?x=1", ".md")
    '000017-bees-example-honey-00-etc-passwd-x-1.md'
    """
    words = _OTHER.sub("-", url.partition("://")[2].lower())[:LONGEST_NAME].strip("-")
    return f"{number:06d}-{words}{ending}" if words else f"{number:06d}{ending}"
