"""Bytes and headers in, a Page out; what cannot be read as text comes back as a Page with only its type."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from honeyguide.base import Page
from honeyguide.parse.feeds import is_packed, read_feed, read_url_list, unpacked
from honeyguide.parse.pdf import read_pdf
from honeyguide.parse.plain import is_known, read_plain
from honeyguide.parse.reading import THOROUGH, Reading
from honeyguide.parse.sniff import media_type

__all__ = ["Reading", "parse", "robots_words"]

Reader = Callable[[str, bytes, str, Reading], Page]


def _read_html(url: str, body: bytes, charset: str, reading: Reading) -> Page:
    from honeyguide.parse.html import read_html

    return read_html(url, body, charset, reading)


def _read_xhtml(url: str, body: bytes, charset: str, reading: Reading) -> Page:
    from honeyguide.parse.html import read_xhtml

    return read_xhtml(url, body, charset, reading)


def _read_text(url: str, body: bytes, charset: str, reading: Reading) -> Page:
    page = read_plain(url, body, charset)
    return read_url_list(url, page.text) or page


def _read_pdf(url: str, body: bytes, charset: str, reading: Reading) -> Page:
    return read_pdf(url, body)


def _read_xml(url: str, body: bytes, charset: str, reading: Reading) -> Page:
    return read_feed(url, body, charset) or Page(url=url, type="application/xml")


def _read_packed(url: str, body: bytes, charset: str, reading: Reading) -> Page:
    """A packed sitemap; any other packed file only by its type."""
    inside = unpacked(body, reading.largest)
    listed = read_feed(url, inside, charset) or read_url_list(url, inside.decode("utf-8", "replace"))
    return listed or Page(url=url, type="application/gzip")


_XML = ("application/xml", "text/xml", *(f"application/{kind}+xml" for kind in ("rss", "atom", "rdf")))
READERS: dict[str, Reader] = {
    "text/html": _read_html,
    "application/xhtml+xml": _read_xhtml,
    "text/plain": _read_text,
    "application/pdf": _read_pdf,
    "application/gzip": _read_packed,
    **dict.fromkeys(_XML, _read_xml),
}


def parse(
    url: str,
    body: bytes,
    content_type: str = "text/html",
    x_robots_tag: str = "",
    reading: Reading = THOROUGH,
) -> Page:
    """Read one response. Never raises on what a server may send."""
    kind = "application/gzip" if is_packed(body) else media_type(body, content_type)
    reader = READERS.get(kind)
    page = reader(url, body, charset_of(content_type), reading) if reader else Page(url=url, type=kind)
    if x_robots_tag:
        page = replace(page, robots=page.robots | robots_words(x_robots_tag, reading.agent))
    return page


def charset_of(content_type: str) -> str:
    """The charset a Content-Type header names, where it is one that is known."""
    found = re.search(r"charset\s*=\s*[\"']?([\w.:()+-]+)", content_type, re.IGNORECASE | re.ASCII)
    return found[1] if found and is_known(found[1]) else ""


def robots_words(text: str, agent: str = "") -> frozenset[str]:
    """The directives of robots meta tags or headers, one a line, that are meant for every agent or for this one.

    >>> sorted(robots_words("noindex, NoFollow, otherbot: noarchive, nosnippet"))
    ['nofollow', 'noindex']
    """
    found = set()
    for line in text.split("\n"):
        meant = True
        for part in line.lower().split(","):
            name, colon, rest = (piece.strip() for piece in part.partition(":"))
            if colon and name not in _WITH_VALUES:
                meant, name, colon = name == agent, rest, ""
            if meant and name and not colon:
                found.add(name)
    return frozenset(found | {"noindex", "nofollow"} if "none" in found else found)


_WITH_VALUES = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
