"""The pages of a crawl as Python objects and data frames."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.export.links import Edge, links
from honeyguide.export.record import USUAL, Exported, known_columns
from honeyguide.export.selection import Selection
from honeyguide.export.source import Source
from honeyguide.store import is_crawl_directory, no_crawl

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def open(directory: str | Path) -> Pages:
    """The relevant pages of a crawl directory, to loop over or to turn into a data frame."""
    directory = Path(directory)
    if not is_crawl_directory(directory):
        raise no_crawl(directory)
    return Pages(directory)


class Pages:
    """Pages of a crawl, read anew at every use; nothing is written and little is held in memory."""

    def __init__(self, directory: Path, selection: Selection | None = None, columns: Sequence[str] = USUAL) -> None:
        self.directory = directory
        self.selection = selection or Selection()
        self._columns = tuple(columns)

    def where(self, **conditions: Any) -> Pages:
        """Other pages, by the options of `honeyguide export`: all, min_relevance, host, language, since …"""
        known = {field.name for field in dataclasses.fields(Selection)}
        if unknown := sorted(conditions.keys() - known):
            raise BadInput(f"pages cannot be chosen by {unknown[0]!r}; by: {', '.join(sorted(known))}")
        for name in ("host", "language"):
            if isinstance(conditions.get(name), str):
                conditions[name] = [conditions[name]]
        return Pages(self.directory, dataclasses.replace(self.selection, **conditions), self._columns)

    def columns(self, *names: str) -> Pages:
        """The same pages with these columns only; without text, main and markdown no page needs to be parsed."""
        return Pages(self.directory, self.selection, known_columns(names))

    def __iter__(self) -> Iterator[Exported]:
        with self._opened() as source:
            yield from source.records()

    def links(self) -> Iterator[Edge]:
        """The links among these pages."""
        with self._opened() as source:
            yield from links(source)

    def to_arrow(self) -> Any:
        """A pyarrow.Table."""
        from honeyguide.export.tables import arrow, batches, schema

        with self._opened() as source:
            return arrow().Table.from_batches(batches(source), schema(source.columns))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        _needs("pandas")
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        return _needs("polars").from_arrow(self.to_arrow())

    def _opened(self) -> Source:
        return Source(self.directory, self.selection, self._columns)

    def __repr__(self) -> str:
        return f"Pages({str(self.directory)!r})"


def _needs(library: str) -> Any:
    import importlib

    try:
        return importlib.import_module(library)
    except ImportError:
        raise BadInput(f"this needs {library}: pip install {library}") from None
