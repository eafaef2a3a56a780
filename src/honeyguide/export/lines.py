"""Pages as JSON, one a line, and as CSV for spreadsheets."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import msgspec

from honeyguide.export.cleaning import cell
from honeyguide.export.outputs import new_text

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.export.source import Source


def write_jsonl(source: Source, path: Path) -> int:
    """One JSON object a page; how many."""
    written = 0
    with new_text(path) as file:
        for record in source.records():
            file.write(json_line({name: getattr(record, name) for name in source.columns}))
            written += 1
    return written


def json_line(fields: dict[str, Any]) -> str:
    """An object on a line of its own."""
    return msgspec.json.encode(fields).decode() + "\n"


def write_csv(source: Source, path: Path) -> int:
    """One row a page, with a head; no cell that came from the web is a formula."""
    written = 0
    with new_text(path) as file:
        table = csv.writer(file)
        table.writerow(source.columns)
        for record in source.records():
            table.writerow(_cell(getattr(record, name)) for name in source.columns)
            written += 1
    return written


def _cell(value: object) -> object:
    return cell(value) if isinstance(value, str) else value
