"""The table of formats: how each is written, what its files are called, and what it reads of pages."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.export.chunks import write_chunks
from honeyguide.export.graph import write_edges, write_graphml
from honeyguide.export.lines import write_csv, write_jsonl
from honeyguide.export.markdown import write_markdown
from honeyguide.export.outputs import STDOUT
from honeyguide.export.record import FACTS, USUAL, known_columns
from honeyguide.export.seeds import write_seeds
from honeyguide.export.tables import write_parquet
from honeyguide.export.wacz import write_wacz
from honeyguide.store import spare_own_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from honeyguide.export.options import Options
    from honeyguide.export.source import Source


@dataclass(frozen=True)
class Format:
    """One way to write pages down."""

    write: Callable[[Source, Path, Options], int]
    endings: tuple[str, ...]
    columns: tuple[str, ...] = FACTS  # that are read of pages, unless told otherwise
    takes: tuple[str, ...] = ()  # which options
    text: bool = True  # may be packed, or go to standard output
    addresses: bool = True  # whether the Markdown it is made from says where links lead
    counts: str = "pages"


MARKED_UP, TABULAR = (*FACTS, "markdown"), ("columns",)
FORMATS = {
    "jsonl": Format(lambda s, p, _: write_jsonl(s, p), (".jsonl", ".ndjson"), USUAL, TABULAR),
    "csv": Format(lambda s, p, _: write_csv(s, p), (".csv",), FACTS, TABULAR),
    "parquet": Format(lambda s, p, _: write_parquet(s, p), (".parquet",), USUAL, TABULAR, text=False),
    "markdown": Format(lambda s, p, _: write_markdown(s, p), (), MARKED_UP, text=False),
    "chunks": Format(
        lambda s, p, o: write_chunks(s, p, o.words, o.overlap),
        (".chunks.jsonl",),
        MARKED_UP,
        ("words", "overlap"),
        addresses=False,
    ),
    "wacz": Format(lambda s, p, _: write_wacz(s, p), (".wacz",), text=False),
    "graphml": Format(lambda s, p, _: write_graphml(s, p), (".graphml",)),
    "edges": Format(lambda s, p, _: write_edges(s, p), (".tsv",), counts="links"),
    "seeds": Format(lambda s, p, o: write_seeds(s, p, o.hubs), (".txt",), FACTS, ("hubs",), counts="hubs"),
}


def format_for(path: Path, name: str = "") -> str:
    """The format by its name, else by how the output is called; a name without an ending is a folder of Markdown.

    >>> from pathlib import Path
    >>> format_for(Path("heat.chunks.jsonl.gz")), format_for(Path("heat.csv")), format_for(Path("pages"))
    ('chunks', 'csv', 'markdown')
    """
    if name:
        if name not in FORMATS:
            raise BadInput(f"there is no format {name!r}; choose one of: {', '.join(FORMATS)}")
        return name
    whole = path.name.lower().removesuffix(".gz")
    found = [(len(end), kind) for kind, form in FORMATS.items() for end in form.endings if whole.endswith(end)]
    if found:
        return max(found)[1]
    if path != STDOUT and not path.suffix:
        return "markdown"
    raise BadInput(f"{path} does not say which format is meant; add --format, one of: {', '.join(FORMATS)}")


def columns_for(name: str, options: Options) -> tuple[str, ...]:
    """What is read of pages."""
    _refuse_idle(name, options)
    return known_columns(options.columns.split(",")) or FORMATS[name].columns


def _refuse_idle(name: str, options: Options) -> None:
    """Refuse options that the format would pass over."""
    for option in fields(options):
        if getattr(options, option.name) != option.default and option.name not in FORMATS[name].takes:
            those = " and ".join(each for each, form in FORMATS.items() if option.name in form.takes)
            raise BadInput(f"--{option.name} is for {those}, and says nothing to {name}")


def check_output(directory: Path, path: Path, name: str) -> None:
    """Refuse to write where it cannot be, or would harm the crawl."""
    form = FORMATS[name]
    if path == STDOUT and not form.text:
        raise BadInput(f"{name} cannot be written to standard output; name a file with -o")
    if path.name.endswith(".gz") and not form.text:
        raise BadInput(f"{name} is packed in its own way; leave .gz out of the name")
    if name != "markdown" and path.is_dir():
        raise BadInput(f"{path} is a directory; name a file with -o")
    spare_own_files(path, directory)
