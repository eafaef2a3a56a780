"""Crawls and comparisons as self-contained HTML pages: no network, no scripts."""

from __future__ import annotations

from pathlib import Path

from honeyguide.report.compared import write_comparison
from honeyguide.report.figures import Figures, gather
from honeyguide.report.page import render
from honeyguide.store import Store
from honeyguide.store.errors import damage_told, told_plainly

__all__ = ["Figures", "gather", "write_comparison", "write_report"]


def write_report(directory: str | Path, output: str | Path | None = None) -> Path:
    """Write the report of a crawl directory; where it was written."""
    directory = Path(directory)
    with Store.open(directory, write=False) as store, damage_told(directory):
        figures = gather(store)
    path = Path(output) if output else directory / "report.html"
    with told_plainly(path.parent):
        path.write_text(render(figures), encoding="utf-8")
    return path
