"""Bytes and headers in, a Page out; what cannot be read as text comes back as a Page with only its type."""

from __future__ import annotations

import re
from collections.abc import Callable

from honeyguide.base import Page
from honeyguide.parse.pdf import read_pdf
from honeyguide.parse.plain import read_plain
from honeyguide.parse.sniff import media_type

__all__ = ["parse", "robots_words"]

Reader = Callable[[str, bytes, str], Page]


def _read_html(url: str, body: bytes, charset: str) -> Page:
    from honeyguide.parse.html import read_html

    return read_html(url, body, charset)


def _read_xhtml(url: str, body: bytes, charset: str) -> Page:
    from honeyguide.parse.html import read_xhtml

    return read_xhtml(url, body, charset)


READERS: dict[str, Reader] = {
    "text/html": _read_html,
    "application/xhtml+xml": _read_xhtml,
    "text/plain": read_plain,
    "application/pdf": read_pdf,
}


def parse(url: str, body: bytes, content_type: str = "text/html", x_robots_tag: str = "") -> Page:
    """Read one response. Never raises on what a server may send."""
    kind = media_type(body, content_type)
    reader = READERS.get(kind)
    page = reader(url, body, _charset(content_type)) if reader else Page(url=url, type=kind)
    if x_robots_tag:
        from dataclasses import replace

        page = replace(page, robots=page.robots | robots_words(x_robots_tag))
    return page


def _charset(content_type: str) -> str:
    found = re.search(r"charset\s*=\s*[\"']?([\w.:()+-]+)", content_type, re.IGNORECASE | re.ASCII)
    return found[1] if found else ""


def robots_words(text: str) -> frozenset[str]:
    """The directives of a robots meta tag or header that are meant for every agent.

    >>> sorted(robots_words("noindex, NoFollow, otherbot: noarchive"))
    ['nofollow', 'noindex']
    """
    parts = [part.strip().lower() for part in text.split(",")]
    found = frozenset(part for part in parts if part and ":" not in part)
    return found | {"noindex", "nofollow"} if "none" in found else found
