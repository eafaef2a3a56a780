"""Plain text: its charset by the same rules as HTML, no links."""

from __future__ import annotations

import codecs

from honeyguide.base import Page
from honeyguide.parse.fingerprint import fingerprint
from honeyguide.parse.language import language_of


def decode(body: bytes, charset: str) -> tuple[str, str]:
    """Text and the name of its encoding: byte-order mark, then the label, then what the bytes look like."""
    from turbohtml.detect import detect  # registers the whatwg-* codecs

    found = detect(body)
    name = found.encoding or "windows-1252"
    if charset and not found.bom:
        name = _known(charset) or name
    text = body.decode(f"whatwg-{name.lower()}", "replace")
    return text.removeprefix("\ufeff"), name.lower().removesuffix("-sig")


def _known(label: str) -> str:
    try:
        codecs.lookup(f"whatwg-{label.lower()}")
    except (LookupError, ValueError):  # a label no browser knows
        return ""
    return label


def read_plain(url: str, body: bytes, charset: str) -> Page:
    """A page of plain text; its first line stands in for a title."""
    text, encoding = decode(body, charset)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return Page(
        url=url,
        title=first[:100],
        text=text,
        main=text,
        language=language_of(text),
        type="text/plain",
        charset=encoding,
        fingerprint=fingerprint(text),
    )
