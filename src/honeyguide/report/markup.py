"""What all HTML pages share: one self-contained document, light and dark, without scripts, and tables."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #6b7684; --paper: #fff; --line: #dde3ea; --gold: #c77700; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf1; --soft: #97a3b1; --paper: #12171d; --line: #2b343f; --gold: #f0a63a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.asked { color: var(--soft); overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 1.2rem 0; }
.figures b { display: block; font-size: 1.7rem; line-height: 1.2; }
svg { width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 12px; text-anchor: middle; }
svg .right { text-anchor: end; } svg .axis { font-size: 13px; }
.grid { stroke: var(--line); } polyline { fill: none; stroke-width: 2.5; }
.lift { stroke: var(--gold); } .perfect { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 4 4; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; } .n { text-align: right; white-space: nowrap; }
.bar { display: inline-block; height: .6rem; background: var(--gold); border-radius: 2px; }
"""


def document(title: str, body: str, style: str = "") -> str:
    """A whole page around a body that is HTML already; a browser loads nothing for it, whatever it holds."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{style}</style>{body}</html>\n"
    )


def boxes(shown: Iterable[tuple[str, str]]) -> str:
    """Large figures with a word below each."""
    return f"<div class=figures>{''.join(f'<div><b>{value}</b>{label}</div>' for value, label in shown)}</div>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text_column: int = 0) -> str:
    """A table of cells that are HTML already; all columns but one hold numbers."""
    top = "".join(f"<th{'' if i == text_column else ' class=n'}>{name}</th>" for i, name in enumerate(head))
    body = "".join(
        "<tr>" + "".join(f"<td{'' if i == text_column else ' class=n'}>{c}</td>" for i, c in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<div class=wide><table><tr>{top}</tr>{body}</table></div>"
