"""Sitemaps, sitemap indexes, RSS and Atom: pages that are nothing but links."""

from __future__ import annotations

import contextlib
import re
import zlib
from xml.parsers import expat

from honeyguide import urls
from honeyguide.base import Link, Page
from honeyguide.parse.plain import decode

MOST = 50_000  # links of one file, as the sitemap protocol has it
MOSTLY = 0.9  # of the lines of a text that is a list of URLs
PIECE = 65_536

_KINDS = {"urlset": "sitemap", "sitemapindex": "sitemap", "rss": "feed", "rdf": "feed", "feed": "feed"}
_ENTRIES = {"sitemap": ("url", "sitemap"), "feed": ("item", "entry")}
_PLACE = {"sitemap": "loc", "feed": "link"}
_DECLARED = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]+)")
_OF_THE_PARSER = ("utf-8", "us-ascii", "iso-8859-1", "utf-16")


def read_feed(url: str, body: bytes, charset: str) -> Page | None:
    """The links of an XML file that lists some; None when it is another kind of XML."""
    declared = _DECLARED.match(body)
    label = (charset or (declared[1].decode() if declared else "")).lower()
    if label and label not in _OF_THE_PARSER:  # the parser would ask Python for a module of that name
        body, label = decode(body, label)[0].encode("utf-8", "replace"), "utf-8"
    reader = _Reader(url)
    parser = expat.ParserCreate(label or None)
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
    """Collects the links of entries, with their titles where there are any; what is nested deeper is not theirs."""

    def __init__(self, url: str) -> None:
        self.kind = ""
        self._url = url
        self._bases = [(0, urls.resolver(url))]  # since which tag each holds: elements may name one of their own
        self._links: list[Link] = []
        self._bad = self._cut = 0
        self._depth = self._within = 0  # of tags; and since which one an entry is open
        self._place = self._title = ""
        self._is_lasting = False  # whether a guid is an address
        self._text: list[str] = []

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2].lower()
        self._depth += 1
        self._is_lasting = attributes.get("isPermaLink", "true") == "true"
        if isinstance(base := self._resolved(attributes.get("xml:base", "")), str) and base:
            self._bases.append((self._depth, urls.resolver(base)))
        self.kind = self.kind or _KINDS.get(name, "")
        if not self.kind:
            raise _Enough
        if not self._within and name in _ENTRIES[self.kind]:
            self._within, self._place, self._title = self._depth, "", ""
        elif self._is_part() and (self.kind, name) == ("feed", "link") and attributes.get("href"):
            self._place_at(attributes["href"] if attributes.get("rel", "alternate") == "alternate" else "")
        self._text = []

    def _resolved(self, place: str) -> str | urls.BadURL:
        return self._bases[-1][1](place) if place else ""

    def _leads_somewhere(self, guid: str) -> bool:
        return self._is_lasting and not self._place and "://" in guid

    def _place_at(self, place: str) -> None:
        """Note where an entry leads: by what is relative here and now."""
        target = self._resolved(place)
        self._place = target if isinstance(target, str) and target else self._place

    def _is_part(self) -> bool:
        return bool(self._within) and self._depth == self._within + 1

    def text(self, data: str) -> None:
        if self._within:
            self._text.append(data)

    def closed(self, name: str) -> None:
        name = name.rpartition(":")[2].lower()
        text = "".join(self._text).strip()
        self._text = []
        if self._is_part() and (name == _PLACE[self.kind] or (name == "guid" and self._leads_somewhere(text))):
            self._place_at(text)
        elif self._is_part() and name == "title":
            self._title = " ".join(text.split())
        elif self._within == self._depth:
            self._within = 0
            self._add()
        if self._bases[-1][0] == self._depth:
            self._bases.pop()
        self._depth -= 1

    def declared(self, *_: object) -> None:
        raise _Enough

    def _add(self) -> None:
        if len(self._links) >= MOST:
            self._cut += 1
            if self._cut > MOST:
                raise _Enough
            return
        if self._place:
            self._links.append(Link(self._place, self._title, position=len(self._links)))
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
    """The links of a text in which the lines are URLs, but for a few; None for any other text."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    looked_at = lines[:100]
    if sum(line.lower().startswith(("http://", "https://")) for line in looked_at) < max(1, MOSTLY * len(looked_at)):
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
            if stream.eof and stream.unused_data.startswith(b"\x1f\x8b"):  # another member
                body, stream = stream.unused_data, zlib.decompressobj(31)
    return bytes(plain)
