"""What kind of document a response is, by its label and by its first bytes."""

from __future__ import annotations

import re

_BINARY = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
# Compressed data holds a `<` in most of its kilobytes, but hardly ever a whole tag.
_TAG = re.compile(rb"<(?:!--|!doctype\b|\?xml\b|/?[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_WIDE_TAG = re.compile(rb"<\0[!?/a-z]\0|\0<\0[!?/a-z]", re.IGNORECASE)  # in UTF-16
_TEXTUAL = ("text/html", "application/xhtml+xml", "text/plain")
_LISTING = re.compile(rb"<(?:\w{1,20}:)?(?:urlset|sitemapindex|rss|feed|RDF)[\s>]")
_SAYS_NOTHING = ("", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*")


def media_type(body: bytes, content_type: str) -> str:
    """The media type to read a body as: the label, unless the bytes plainly say otherwise."""
    label = content_type.partition(";")[0].strip().lower()
    if body.startswith(b"%PDF-"):
        return "application/pdf"
    if label in (*_SAYS_NOTHING, *_TEXTUAL) and _LISTING.match(_root(body[:1024])):
        return "application/xml"
    if label in _SAYS_NOTHING:
        return _guess(body)
    if label in _TEXTUAL and _is_binary(body):
        return "application/octet-stream"
    return label


def _root(head: bytes) -> bytes:
    """What follows the declarations and comments a document begins with."""
    for _ in range(10):
        head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        for begin, end in ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!DOCTYPE", b">")):
            if head.startswith(begin):
                head = head.partition(end)[2]
                break
        else:
            break
    return head


def _guess(body: bytes) -> str:
    if _is_binary(body):
        return "application/octet-stream"
    head = body[:1024].lstrip().lower()
    return "text/html" if head.startswith(b"<") or b"<html" in head or b"<body" in head else "text/plain"


def _is_binary(body: bytes) -> bool:
    head = body[:1024]
    if head.startswith(_BYTE_ORDER_MARKS) or _TAG.search(head) or _WIDE_TAG.search(head):
        return False
    return len(head.translate(None, _BINARY)) < len(head)
