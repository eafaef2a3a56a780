"""What an atlas is on disk: every array in a file of its own, and a manifest, written last, with their lengths."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.store import STORED_WEB, new_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FORMAT = 1
MANIFEST = STORED_WEB

# "start" arrays have one entry more than there are rows: row i is [start[i] : start[i + 1]].
ARRAYS: dict[str, type[np.generic]] = {
    "url_text": np.uint8,
    "url_start": np.int64,
    "url_hash": np.int64,  # in ascending order
    "url_by_hash": np.int32,
    "host": np.int32,
    "host_text": np.uint8,
    "host_start": np.int64,
    "redirect": np.int32,  # where an address leads; -1 where it does not
    "failed": np.uint8,  # the number of the reason why it holds no page; 0 where there is none
    "label": np.uint16,
    "out_start": np.int64,
    "out": np.int32,
    "into_start": np.int64,
    "into": np.int32,
    "anchor_start": np.int64,
    "anchor_words": np.int32,
    "page_words_start": np.int64,
    "page_words": np.int32,
    "word_text": np.uint8,
    "word_start": np.int64,
    "page_start": np.int64,
    "page_data": np.uint8,
}


@dataclass
class Manifest:
    """What the arrays do not say."""

    pages: int
    labels: list[str] = field(default_factory=lambda: [""])
    reasons: list[str] = field(default_factory=lambda: [""])
    generated: dict[str, int] | None = None  # what to make pages from, where they are not stored
    aside: list[int] = field(default_factory=list)  # lists of links and gates in front of pages, which never count
    lengths: dict[str, int] = field(default_factory=dict)
    format: int = FORMAT


def is_atlas(path: Path) -> bool:
    """Whether a directory holds a stored web in this form."""
    return (path / MANIFEST).is_file()


def file_of(directory: Path, name: str) -> Path:
    """Where an array is."""
    return directory / f"{name}.bin"


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Complete an atlas: before this it is none."""
    manifest.lengths = {
        name: file_of(directory, name).stat().st_size // np.dtype(dtype).itemsize for name, dtype in ARRAYS.items()
    }
    with new_file(directory / MANIFEST) as fresh:
        fresh.write_text(json.dumps(asdict(manifest), ensure_ascii=False, indent=1), encoding="utf-8")


def read_manifest(directory: Path) -> Manifest:
    """The manifest of an atlas whose files are all as long as it says."""
    try:
        fields: dict[str, Any] = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        version = fields["format"]
        if version != FORMAT:
            raise BadInput(f"{directory} is a stored web of format {version}, not {FORMAT}; import it again")
        manifest = Manifest(**fields)
        if manifest.pages != manifest.lengths["label"]:
            raise ValueError(f"{manifest.pages} pages, {manifest.lengths['label']} labels")
        wanted = {name: int(manifest.lengths[name]) * np.dtype(dtype).itemsize for name, dtype in ARRAYS.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{directory}/{MANIFEST} cannot be read ({error}); import the web again") from None
    for name, size in wanted.items():
        _check_size(file_of(directory, name), size)
    return manifest


def _check_size(path: Path, wanted: int) -> None:
    size = path.stat().st_size if path.is_file() else 0
    if size != wanted:
        raise BadInput(f"{path} has {size:,} bytes, not {wanted:,}: the web was cut short; import it again")


def mapped(directory: Path, name: str, length: int) -> NDArray[Any]:
    """An array as it is on disk: read where it is touched, and shared by all processes that open it."""
    if not length:  # an empty file cannot be mapped
        return np.zeros(0, ARRAYS[name])
    return np.memmap(file_of(directory, name), ARRAYS[name], "r", shape=(length,)).view(np.ndarray)
