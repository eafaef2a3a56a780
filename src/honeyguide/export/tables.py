"""Pages as columns: Arrow in memory, Parquet on disk, and the data frames made from them."""

from __future__ import annotations

import dataclasses
import datetime
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.export.record import Exported
from honeyguide.store import new_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from honeyguide.export.source import Source

ROWS = 2_000  # of a batch, which becomes a row group of a Parquet file
CHARACTERS = 32_000_000  # of text in a batch


def arrow() -> Any:
    """The library, or a sentence that says how to get it."""
    try:
        import pyarrow
    except ImportError:
        raise BadInput("columns need pyarrow: pip install honeyguide[export]") from None
    return pyarrow


def schema(columns: Sequence[str]) -> Any:
    """The types of columns."""
    pa = arrow()
    types = {"int": pa.int64(), "float": pa.float64(), "float | None": pa.float64(), "bool": pa.bool_()}
    declared = {field.name: str(field.type) for field in dataclasses.fields(Exported)}
    named = {"date": pa.timestamp("s", "UTC")}
    return pa.schema([(name, named.get(name) or types.get(declared[name], pa.string())) for name in columns])


def batches(source: Source) -> Iterator[Any]:
    """The pages in batches of bounded size."""
    pa, types = arrow(), schema(source.columns)
    held: list[Exported] = []
    size = 0
    for record in source.records():
        held.append(record)
        size += len(record.text) + len(record.main) + len(record.markdown)
        if len(held) >= ROWS or size >= CHARACTERS:
            yield _batch(pa, types, held)
            held, size = [], 0
    if held:
        yield _batch(pa, types, held)


def _batch(pa: Any, types: Any, held: list[Exported]) -> Any:
    arrays = [pa.array([_value(record, field.name) for record in held], field.type) for field in types]
    return pa.record_batch(arrays, schema=types)


def _value(record: Exported, name: str) -> Any:
    value = getattr(record, name)
    if name != "date":
        return value
    return datetime.datetime.fromisoformat(value) if value else None


def write_parquet(source: Source, path: Path) -> int:
    """A Parquet file, written row group by row group; how many pages."""
    arrow()
    from pyarrow import parquet

    written = 0
    with new_file(path) as fresh, parquet.ParquetWriter(fresh, schema(source.columns), compression="zstd") as file:
        for batch in batches(source):
            file.write_batch(batch)
            written += batch.num_rows
    return written
