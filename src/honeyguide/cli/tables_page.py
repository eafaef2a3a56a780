"""The tables of crawl.db for the docs, made from the schema: python -m honeyguide.cli.tables_page docs/format.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.store.schema import MARKS, TABLES, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

BEGIN, END = "<!-- made by make docs -->", "<!-- until here -->"
_TABLE = re.compile(r"CREATE (TABLE|VIEW) IF NOT EXISTS (\w+)(.*?)(?=^CREATE|\Z)", re.DOTALL | re.MULTILINE)
_COLUMN = re.compile(r" {4}([a-z_]+) ([A-Z]+)[^\n]*?(?:-- (.*))?$", re.MULTILINE)


def tables() -> str:
    """Every table with its columns, their types and what the schema says of them."""
    return "\n".join([f"The version of these tables (`PRAGMA user_version`) is {VERSION}.", "", *_all_tables()])


def with_tables(page: str) -> str:
    """A page of Markdown with the tables between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def _all_tables() -> Iterator[str]:
    for what, name, body in _TABLE.findall(f"{TABLES}\n{MARKS}"):
        yield f"### {name}\n"
        yield from _view(body) if what == "VIEW" else _columns(body)
        yield ""


def _view(body: str) -> list[str]:
    chosen = re.findall(r"(\w+)(?:,|\s+FROM)", body.partition("FROM")[0] + " FROM")
    return [f"A view, with the columns {', '.join(f'`{column}`' for column in chosen)}."]


def _columns(body: str) -> Iterator[str]:
    found = _COLUMN.findall(body)
    if not found:  # a table on one line
        inside, _, said = body.partition(";")
        found = [(*column.split()[:2], said.strip(" -\n")) for column in inside.strip(" ()").split(", ")]
    yield "| column | type | meaning |\n|---|---|---|"
    for column, kind, said in found:
        yield f"| `{column}` | {kind} | {said.strip()} |"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(with_tables(file.read_text(encoding="utf-8")), encoding="utf-8")
