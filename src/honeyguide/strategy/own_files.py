"""Files that a strategy is told to read: a crawl directory keeps copies, which are read when the crawl goes on."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.text import stable_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from honeyguide.strategy.base import Strategy

COPIES = f"strategy-{'[0-9a-f]' * 16}*"  # how they are named


def is_file(knob: dataclasses.Field[Any], value: str) -> bool:
    """Whether a knob names a file, and not one of the words that it knows instead."""
    words = knob.metadata.get("file")
    return words is not None and value not in ("", *words)


def copy_of(file: str, directory: Path) -> Path:
    """Where a directory keeps its copy of a file; the name follows from how the file was named."""
    return directory / f"strategy-{stable_hash(file).hex()}{Path(file).suffix}"


def kept_or_given(file: str, directory: Path | None) -> str:
    """The copy that a directory holds, else the file itself."""
    return str(copy) if directory and (copy := copy_of(file, directory)).is_file() else file


def named_files(kind: type[Strategy], argument: str) -> Iterator[str]:
    """The files that the settings of a strategy name."""
    knobs = {f.name: f for f in dataclasses.fields(kind)}
    for part in argument.split(","):
        key, value = part.split("=", 1) if "=" in part else (kind.bare, part)
        if key in knobs and is_file(knobs[key], value):
            yield value
