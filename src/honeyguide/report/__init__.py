"""Crawls and comparisons as self-contained HTML pages: no network, no scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.report import side_by_side
from honeyguide.report.compared import write_comparison
from honeyguide.report.figures import Figures, gather
from honeyguide.report.page import render
from honeyguide.store import Store, new_file, spare_own_files
from honeyguide.store.errors import damage_told

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Figures", "different", "gather", "write_comparison", "write_report", "write_side_by_side"]


def write_report(directory: str | Path, output: str | Path | None = None) -> Path:
    """Write the report of a crawl directory; where it was written."""
    directory = Path(directory)
    return _written(render(_read(directory)), Path(output) if output else directory / "report.html")


def write_side_by_side(directories: Sequence[str | Path], output: str | Path | None = None) -> Path:
    """Write one page about several crawl directories; where it was written."""
    paths = different(directories)
    short = [path.resolve().name for path in paths]
    names = short if len(set(short)) == len(short) else list(map(str, paths))
    crawls = {name: _read(path) for name, path in zip(names, paths, strict=True)}
    return _written(side_by_side.render(crawls), Path(output) if output else Path("report.html"))


def different(directories: Sequence[str | Path]) -> list[Path]:
    """Each directory once, by the first name given for it."""
    first: dict[Path, Path] = {}
    for path in map(Path, directories):
        first.setdefault(path.resolve(), path)
    return list(first.values())


def _read(directory: Path) -> Figures:
    with Store.open(directory, write=False) as store, damage_told(directory):
        store.hold_still()
        return gather(store)


def _written(page: str, path: Path) -> Path:
    spare_own_files(path)
    with new_file(path) as fresh:
        fresh.write_text(page, encoding="utf-8")
    return path
