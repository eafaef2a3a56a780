"""Writing an export: the format, the pages that go into it, and what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.export.formats import FORMATS, check_output, columns_for, format_for
from honeyguide.export.options import Options
from honeyguide.export.source import Source

if TYPE_CHECKING:
    from honeyguide.export.selection import Selection


@dataclass(frozen=True)
class Outcome:
    """What an export wrote, and what it left out."""

    written: int
    counts: str  # pages, links or hubs
    left_out: Counter[str] = field(default_factory=Counter)


def export(
    directory: str | Path,
    output: str | Path,
    format: str = "",
    selection: Selection | None = None,
    options: Options | None = None,
) -> Outcome:
    """Write the pages of a crawl directory in one of the formats, whole or not at all."""
    directory, output, options = Path(directory), Path(output), options or Options()
    name = format_for(output, format)
    columns = columns_for(name, options)
    check_output(directory, output, name)
    form = FORMATS[name]
    with Source(directory, selection, columns, form.addresses) as source:
        written = form.write(source, output, options)
        return Outcome(written, form.counts, source.left_out.copy())
