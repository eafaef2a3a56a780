"""Texts from the web made fit to be written down: whole characters, nothing that steers a terminal or a table."""

from __future__ import annotations

import re

# Control characters but tab and newline, halves of characters, and what XML has no place for.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REVERSING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # make a text look as if it were another
# What a spreadsheet takes for the beginning of a formula, also after blanks, quotes and what cannot be seen.
_FORMULA = re.compile("[\\s\"'`\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*[=+\\-@＝＋－＠﹦﹢﹣﹫]|[\t\n]")


def readable(text: str) -> str:
    """A text of whole characters without control characters; tabs and newlines stay.

    >>> readable("bees\\x1b[2J\\r\\nfly\\ud800")
    'bees[2J\\nfly\ufffd'
    """
    return _UNWRITABLE.sub(_stand_in, text.replace("\r\n", "\n").replace("\r", "\n"))


def _stand_in(found: re.Match[str]) -> str:
    return "\ufffd" if "\ud800" <= found[0] <= "\udfff" else ""


def one_line(text: str) -> str:
    """A title, an anchor or a header: on one line, and read in the order it is written in."""
    return " ".join(_REVERSING.sub("", readable(text)).split())


def cell(text: str) -> str:
    """A text for a table, which no spreadsheet takes for a formula.

    >>> cell("=cmd|' /C calc'!A0"), cell("a = b")
    ("'=cmd|' /C calc'!A0", 'a = b')
    """
    text = _REVERSING.sub("", readable(text))
    return f"'{text}" if _FORMULA.match(text) else text
