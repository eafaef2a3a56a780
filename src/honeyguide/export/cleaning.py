"""Texts from the web made fit to be written down: whole characters, nothing that steers a terminal or a table."""

from __future__ import annotations

import re

from honeyguide.characters import INVISIBLE, REVERSING, UNWRITABLE

_UNWRITABLE = re.compile(f"[{UNWRITABLE}]")
_REVERSING = re.compile(f"[{REVERSING}]")
# What a spreadsheet takes for the beginning of a formula, also after blanks, quotes and what cannot be seen.
_FORMULA = re.compile(f"[\\s\"'`{INVISIBLE}]*[=+\\-@＝＋－＠﹦﹢﹣﹫]|[\t\n]")


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
