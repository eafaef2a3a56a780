"""PDF files, written by hand."""

import random

import pytest

from honeyguide.base import Page
from honeyguide.parse import parse

URL = "http://bees.example/paper.pdf"
ONLY_ITS_TYPE = Page(URL, type="application/pdf")


def pdf(*texts, kids=None):
    """A small PDF with one page for each text; `kids` in place of its true list of pages."""
    numbers = range(4, 4 + 2 * len(texts), 2)
    kids = kids or b" ".join(b"%d 0 R" % n for n in numbers)
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, kids.count(b"R")),
        3: b"<< /Title (On bees) >>",
    }
    for n, text in zip(numbers, texts, strict=True):
        stream = b"BT /F 12 Tf 72 700 Td (%s) Tj ET" % text
        font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
        objects[n] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F %s >> >> >>" % (n + 1, font)
        )
        objects[n + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
    return _file(objects)


def _file(objects):
    out, offsets = b"%PDF-1.4\n", []
    for n, content in objects.items():
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%s"
        b"trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, table, len(objects) + 1, len(out))
    )


def test_a_pdf_gives_its_title_and_the_text_of_every_page():
    page = parse(URL, pdf(b"Honey is made by bees", b"Wax too"), "application/pdf")
    assert page.title == "On bees"
    assert page.text == page.main == "Honey is made by bees\nWax too"
    assert page.type == "application/pdf"
    assert page.links == ()


@pytest.mark.parametrize("label", ["text/html", "application/octet-stream", "", "text/plain; charset=utf-8"])
def test_a_pdf_is_known_by_its_first_bytes(label):
    assert parse(URL, pdf(b"Honey"), label).text == "Honey"


@pytest.mark.parametrize(
    "body", [b"", b"no pdf", b"%PDF-1.4\nbroken", pdf(b"Honey")[:200], b"%PDF-1.7\n" + b"\0" * 5000]
)
def test_a_broken_pdf_keeps_only_its_type(body):
    assert parse(URL, body, "application/pdf") == ONLY_ITS_TYPE


@pytest.mark.parametrize("kids", [b"4 0 R 99 0 R", b"99 0 R", b"2 0 R"])
def test_a_pdf_with_a_broken_page_keeps_only_its_type(kids):
    assert parse(URL, pdf(b"Honey", kids=kids), "application/pdf") == ONLY_ITS_TYPE


def test_no_damage_makes_it_raise():
    rng = random.Random(1)
    for _ in range(300):
        body = bytearray(pdf(b"Honey", b"Wax"))
        for _ in range(rng.randrange(1, 30)):
            body[rng.randrange(5, len(body))] = rng.randrange(256)
        assert parse(URL, bytes(body), "application/pdf").type == "application/pdf"
