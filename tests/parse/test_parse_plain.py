"""Plain text."""

import pytest

from honeyguide.parse import parse
from honeyguide.parse.plain import decode

URL = "http://bees.example/notes.txt"


def test_the_first_line_with_words_is_the_title():
    page = parse(URL, b"\n  \n  On bees  \nThey fly.\n", "text/plain")
    assert page.title == "On bees"
    assert page.text == page.main == "\n  \n  On bees  \nThey fly.\n"
    assert page.type == "text/plain"


def test_a_long_first_line_is_cut():
    assert parse(URL, b"bee " * 100, "text/plain").title == ("bee " * 25)


def test_markup_in_plain_text_is_text_and_no_link():
    page = parse(URL, b'<a href="x">y</a>', "text/plain")
    assert page.text == '<a href="x">y</a>'
    assert page.links == ()


@pytest.mark.parametrize(
    ("body", "label", "text", "charset"),
    [
        ("é".encode("utf-8-sig"), "iso-8859-2", "é", "utf-8"),
        ("é".encode("utf-16"), "", "é", "utf-16le"),
        ("é".encode("utf-16"), "utf-8", "é", "utf-16le"),
        (b"\xfe\xff\x00\xe9", "", "é", "utf-16be"),
        (b"\xe9", "iso-8859-1", "é", "iso-8859-1"),
        (b"\x93\xe9\x94", "latin1", "“é”", "latin1"),
        (b"\xcf\xf0", "windows-1251", "Пр", "windows-1251"),
        (b"\xc3\xa9", "", "é", "utf-8"),
        (b"\xc3\xa9", "klingon", "é", "utf-8"),
        (b"caf\xe9", "utf-8", "caf\ufffd", "utf-8"),
        (b"+AOk-", "utf-7", "+AOk-", "windows-1252"),
        (b"", "", "", "windows-1252"),
    ],
)
def test_byte_order_mark_before_label_before_the_look_of_the_bytes(body, label, text, charset):
    assert decode(body, label) == (text, charset)


def test_language_is_told_from_enough_text():
    french = "Les abeilles récoltent le nectar des fleurs et le transforment en miel pour passer l'hiver. " * 2
    assert parse(URL, french.encode(), "text/plain; charset=utf-8").language == "fr"
    assert parse(URL, b"Miel", "text/plain").language == ""
