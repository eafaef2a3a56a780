"""A figure: shown in the page, and there to be taken along as SVG and as CSV, without network and scripts."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from honeyguide.export.cleaning import cell
from honeyguide.report.style import ALONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Cell = str | int | float

LONGEST = 2000  # characters of a cell
UNQUOTED = " ,:;/()=!*'$?~@+"  # beside letters and digits: what a data: address may hold as it is


@dataclass(frozen=True)
class Drawing:
    """What is drawn, as SVG, and the numbers behind it."""

    name: str  # of its files
    label: str  # what there is to see, for those who cannot
    width: float
    height: float
    content: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def figure(drawing: Drawing, caption: str = "", kind: str = "", more: Sequence[str] = ()) -> str:
    """The drawing with a caption that is HTML already, its files, and links to more of them."""
    files = saved(svg_link(drawing), csv_link(drawing.name, drawing.head, drawing.rows), *more)
    picture = f'<svg viewBox="{_box(drawing)}" role="img" aria-label="{drawing.label}">{drawing.content}</svg>'
    return (
        f'<figure id="figure-{drawing.name}"><div class="wide {kind}">{picture}</div>'
        f"<figcaption>{caption} {files}</figcaption></figure>"
    )


def large(drawing: Drawing, caption: str = "", more: Sequence[str] = ()) -> str:
    """The same for one that is rather moved to and fro on a phone than shrunk."""
    return figure(drawing, caption, "large", more)


def saved(*links: str) -> str:
    """Links that save something, as what they are."""
    return f"<span class=saved>Save: {' '.join(links)}</span>"


def _box(drawing: Drawing) -> str:
    return f"0 0 {drawing.width:g} {drawing.height:g}"


def alone(drawing: Drawing) -> str:
    """The drawing as a file of its own, with its colours."""
    size = f'width="{drawing.width:g}" height="{drawing.height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{_box(drawing)}"><title>{drawing.label}</title>'
        f'<style>{ALONE}</style><rect {size} fill="#fff"/>{drawing.content}</svg>'
    )


def svg_link(drawing: Drawing) -> str:
    """A link that saves the drawing."""
    return _link(f"{drawing.name}.svg", "image/svg+xml", alone(drawing), "SVG")


def csv_link(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]], label: str = "CSV") -> str:
    """A link that saves numbers."""
    return _link(f"{name}.csv", "text/csv", as_csv(head, rows), label)


def csv_below(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """The same in a line of its own, below a table."""
    return f"<p class=asked>{saved(csv_link(name, head, rows))}</p>"


def _link(name: str, type_: str, content: str, label: str) -> str:
    address = quote(content, safe=UNQUOTED).replace("'", "%27")
    return f'<a download="{name}" href="data:{type_};charset=utf-8,{address}">{label}</a>'


def as_csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as a spreadsheet reads them, none of whose cells is a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def _cell(value: Cell) -> Cell:
    """A text is not too long, and kept from being a formula by an apostrophe; numbers stay what they are.

    >>> [_cell(value) for value in ("=1+2", "@x", "bees", -1, 0.123456789)]
    ["'=1+2", "'@x", 'bees', -1, 0.123457]
    """
    if isinstance(value, str):
        return cell(value if len(value) <= LONGEST else value[: LONGEST - 1] + "…")
    return round(value, 6) if isinstance(value, float) else value
