"""Media types by label and by first bytes."""

import zlib

import pytest

from honeyguide.parse import parse
from honeyguide.parse.sniff import media_type

BINARY = zlib.compress(bytes(range(256)) * 40 + b"".join(b"%d<" % n for n in range(4000)))
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10"


@pytest.mark.parametrize(
    ("body", "label", "kind"),
    [
        (b"<p>wax", "text/html", "text/html"),
        (b"<p>wax", "Text/HTML; charset=utf-8", "text/html"),
        (b"wax", "text/plain", "text/plain"),
        (b"<p>wax", "application/json", "application/json"),
        (b"%PDF-1.4", "text/html", "application/pdf"),
        (b"<p>wax", "", "text/html"),
        (b"\n  <!DOCTYPE html>", "application/octet-stream", "text/html"),
        (b"Hello <body>", "*/*", "text/html"),
        (b"wax and honey", "", "text/plain"),
        (b"", "", "text/plain"),
        (PNG, "", "application/octet-stream"),
        (PNG, "image/png", "image/png"),
    ],
)
def test_the_label_counts_unless_the_bytes_say_otherwise(body, label, kind):
    assert media_type(body, label) == kind


@pytest.mark.parametrize("label", ["text/html", "application/xhtml+xml", "text/plain", ""])
@pytest.mark.parametrize(
    "body",
    [
        PNG,
        PNG + b"<" + bytes(100),
        PNG + b"<\0\0 a<b",
        b"\xff\xd8\xff\xe1\0\0http://ns.adobe.com/xap/1.0/\0<?xpacket begin=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'>",
        b"PK\3\4\x14\0\0\0\x08\0<?<a<b",
        BINARY,
        b"\0" * 2000,
    ],
)
def test_binary_is_not_read_as_text_whatever_its_label(body, label):
    assert media_type(body, label) == "application/octet-stream"


@pytest.mark.parametrize(
    "body",
    [
        b"<html>\0<a href=x>wax\x01</a>",
        b"\x02\n<!-- old editor --><p>wax",
        "<p>wax".encode("utf-16"),
        "<p>воск".encode("utf-16-le"),
        "<p>воск".encode("utf-16-be"),
        b"\xef\xbb\xbf\x01<p>",
        b"\x1b$B%_%D%P%A\x1b(B",  # ISO-2022-JP shifts with escapes
        b"one\ftwo",
    ],
)
def test_text_with_stray_control_characters_is_still_text(body):
    assert media_type(body, "text/html") == "text/html"


@pytest.mark.parametrize("kind", ["image/png", "application/json", "text/css", "video/mp4", "application/zip"])
def test_other_types_keep_only_their_type(kind):
    page = parse("http://h.example/", b"<title>no</title><a href=x>no</a>", f"{kind}; charset=utf-8")
    assert (page.type, page.title, page.text, page.links) == (kind, "", "", ())


@pytest.mark.parametrize("piece", [b"<!---->", b"<?xml ?>", b"<!-- --", b" \n", b"<!DOCTYPE ", b"<a:"])
def test_no_beginning_takes_long_to_look_at(piece):
    assert media_type(piece * 500 + b"<p>bees", "text/html") in ("text/html", "application/octet-stream")
