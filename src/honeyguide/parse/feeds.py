"""Sitemaps, sitemap indexes, RSS and Atom: pages that are nothing but links."""

from __future__ import annotations

import contextlib
import zlib
from xml.parsers import expat

from honeyguide import urls
from honeyguide.base import Link, Page

MOST = 50_000  # links of one file, as the sitemap protocol has it
PIECE = 65_536

_KINDS = {"urlset": "sitemap", "sitemapindex": "sitemap", "rss": "feed", "rdf": "feed", "feed": "feed"}
_ENTRIES = ("url", "sitemap", "item", "entry")
_PLACES = ("loc", "link")


def read_feed(url: str, body: bytes, charset: str) -> Page | None:
    """The links of an XML file that lists some; None when it is another kind of XML."""
    reader = _Reader(url)
    parser = expat.ParserCreate(charset if charset.lower() in ("utf-8", "iso-8859-1", "us-ascii") else None)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.opened, reader.closed
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.declared  # entities are the way bombs and local files come in
    with contextlib.suppress(expat.ExpatError, _Enough, ValueError):  # what was read until then counts
        for start in range(0, len(body), PIECE):
            parser.Parse(body[start : start + PIECE], start + PIECE >= len(body))
    return reader.page() if reader.kind else None


class _Enough(Exception):
    """No more of this file is wanted."""


class _Reader:
    """Collects the links of entries, with their titles where there are any."""

    def __init__(self, url: str) -> None:
        self.kind = ""
        self._url = url
        self._links: list[Link] = []
        self._bad = self._cut = 0
        self._entry = False
        self._place = self._title = ""
        self._text: list[str] = []

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower()
        if not self.kind:
            self.kind = _KINDS.get(name, "")
            if not self.kind:
                raise _Enough
        if name in _ENTRIES:
            self._entry, self._place, self._title = True, "", ""
        elif self._entry and name == "link" and attributes.get("rel", "alternate") == "alternate":
            self._place = attributes.get("href", "")
        self._text = []

    def text(self, data: str) -> None:
        if self._entry:
            self._text.append(data)

    def closed(self, name: str) -> None:
        name = name.rpartition(":")[2].lower()
        text = "".join(self._text).strip()
        self._text = []
        if not self._entry:
            return
        if name in _PLACES and text:
            self._place = text
        elif name == "title":
            self._title = " ".join(text.split())
        elif name in _ENTRIES:
            self._entry = False
            self._add()

    def declared(self, *_: object) -> None:
        raise _Enough

    def _add(self) -> None:
        if len(self._links) >= MOST:
            self._cut += 1
            raise _Enough
        target = urls.resolve(self._place, self._url) if self._place else ""
        if isinstance(target, str) and target:
            self._links.append(Link(target, self._title, position=len(self._links)))
        else:
            self._bad += 1

    def page(self) -> Page:
        return Page(
            url=self._url,
            links=tuple(self._links),
            type="application/xml",
            listing=self.kind,
            bad_links=self._bad,
            cut_links=self._cut,
        )


def read_url_list(url: str, text: str) -> Page | None:
    """The links of a text in which every line is a URL; None for any other text."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or not all(line.lower().startswith(("http://", "https://")) for line in lines[:100]):
        return None
    found = [urls.normalize(line) for line in lines[:MOST]]
    links = tuple(Link(target, position=i) for i, target in enumerate(t for t in found if isinstance(t, str)))
    return Page(
        url=url,
        links=links,
        type="text/plain",
        listing="sitemap",
        bad_links=len(found) - len(links),
        cut_links=len(lines) - len(found),
    )


def is_packed(body: bytes) -> bool:
    """Whether a body is a gzip file, whatever it is called."""
    return body.startswith(b"\x1f\x8b\x08")


def unpacked(body: bytes, limit: int) -> bytes:
    """The beginning of what is inside a gzip file; as much as can be had of a damaged one."""
    stream, plain = zlib.decompressobj(31), bytearray()
    with contextlib.suppress(zlib.error):
        while len(plain) < limit and (part := stream.decompress(body, min(limit - len(plain), 1_000_000))):
            plain += part
            body = stream.unconsumed_tail
    return bytes(plain)
