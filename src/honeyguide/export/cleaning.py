"""Texts from the web made fit to be written down: on one line, as an address, and nothing that steers a table."""

from __future__ import annotations

import re
from urllib.parse import quote

from honeyguide.characters import INVISIBLE, readable

# What a spreadsheet takes for the beginning of a formula, also after blanks, quotes and what cannot be seen.
_FORMULA = re.compile(f"[\\s\"'`{INVISIBLE}]*[=+\\-@＝＋－＠﹦﹢﹣﹫]|[\t\n]")
_NO_ADDRESS = re.compile("[^!-~]+")


def one_line(text: str) -> str:
    """A title, an anchor or a header: on one line, and read in the order it is written in."""
    return " ".join(readable(text).split())


def address(url: str) -> str:
    """A URL in ASCII without blanks, as those in normal form are already.

    >>> address("http://bees.example/a b\\u202e")
    'http://bees.example/a%20b%E2%80%AE'
    """
    return _NO_ADDRESS.sub(lambda found: quote(found[0], errors="replace"), url)


def cell(text: str) -> str:
    """A text for a table, which no spreadsheet takes for a formula.

    >>> cell("=cmd|' /C calc'!A0"), cell("a = b")
    ("'=cmd|' /C calc'!A0", 'a = b')
    """
    text = readable(text)
    return f"'{text}" if _FORMULA.match(text) else text
