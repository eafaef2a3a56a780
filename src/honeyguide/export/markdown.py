"""A folder with one Markdown file a page, and what is known of it on top."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from honeyguide.export.outputs import file_name, new_folder
from honeyguide.export.record import FACTS

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.export.record import Exported
    from honeyguide.export.source import Source


def write_markdown(source: Source, path: Path) -> int:
    """One file a page; how many."""
    written = 0
    with new_folder(path) as folder:
        for record in source.records():
            name = file_name(record.number, record.url, ".md")
            (folder / name).write_text(document(record), encoding="utf-8", newline="\n")
            written += 1
    return written


def document(record: Exported) -> str:
    """Front matter, then the page. JSON's way of writing a text or a number is YAML's as well."""
    known = {name: getattr(record, name) for name in FACTS}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in known.items() if _says(value)]
    return "\n".join(["---", *lines, "---", "", record.markdown, ""])


def _says(value: object) -> bool:
    return value is not None and value != ""
