"""What all HTML pages share: one self-contained document without scripts, sections and tables; safe texts."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from honeyguide.characters import BREAKING, REVERSING, UNWRITABLE
from honeyguide.report.style import PAGE

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

LONGEST = 300  # characters of a text from the web
LONGEST_ADDRESS = 2000  # that is linked to
_UNSEEN = re.compile(f"[{UNWRITABLE}{REVERSING}{BREAKING}]")

# A browser loads nothing for the page, runs nothing and sends nothing, whatever it holds.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def shown(text: str, longest: int = LONGEST) -> str:
    """A text from anywhere as HTML and as XML: escaped, not too long, and nothing in it that is not seen.

    >>> shown("<b> & \\x00\\u202etxt.exe", 12)
    '&lt;b&gt; &amp; ��txt…'
    """
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return escape(_UNSEEN.sub("�", cut))


def quoted(text: str, longest: int = LONGEST) -> str:
    """A text from the web amid one of ours, which it cannot turn round."""
    return f"<bdi>{shown(text, longest)}</bdi>"


def web_link(url: str, longest: int = LONGEST) -> str:
    """An address of the web as a link to it, which tells nobody where one came from; any other as mere text."""
    plain = shown(url, longest)
    if not url.startswith(("http://", "https://")) or len(url) > LONGEST_ADDRESS or _UNSEEN.search(url):
        return plain
    return f'<a href="{escape(url)}" rel="noopener noreferrer nofollow">{plain}</a>'


def document(title: str, body: str, style: str = "") -> str:
    """A whole page around a body that is HTML already."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f'<meta http-equiv=Content-Security-Policy content="{POLICY}">'
        "<meta http-equiv=x-dns-prefetch-control content=off>"  # nor does it look up whom a link leads to
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>{shown(title)}</title><style>{PAGE}{style}</style>{body}</html>\n"
    )


def section(name: str, title: str, *parts: str) -> str:
    """A part of the page with its heading, which can be pointed at; nothing where there is nothing to say."""
    body = "".join(parts)
    return f'<section id="{name}"><h2>{title}</h2>{body}</section>' if body else ""


def boxes(figures: Iterable[tuple[str, str]]) -> str:
    """Large figures with a word below each."""
    return f"<div class=figures>{''.join(f'<div><b>{value}</b>{label}</div>' for value, label in figures)}</div>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: Container[int] = (0,)) -> str:
    """A table of cells that are HTML already; all columns but some hold numbers."""
    kinds = ["" if i in texts else " class=n" for i in range(len(head))]
    top = "".join(f"<th{kind}>{name}</th>" for kind, name in zip(kinds, head, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{kind}>{cell}</td>' for kind, cell in zip(kinds, row, strict=True))}</tr>" for row in rows
    )
    return f"<div class=wide><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
