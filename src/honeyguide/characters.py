"""Characters that are not what they look like: the one list of those that no reader of a text is to meet."""

from __future__ import annotations

import re

# Each is the inside of a character class of a regular expression.
# Control characters but tab and newline, halves of characters, and what XML has no place for.
UNWRITABLE = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
REVERSING = "\u202a-\u202e\u2066-\u2069"  # turn the text after them round, so that it looks like another
BREAKING = "\x0b\x0c\x1c-\x1e\x85\u2028\u2029"  # begin a line for some readers, and none for others
INVISIBLE = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"  # take no room; many languages and emoji need some of them

_BREAKING = re.compile(f"[{BREAKING}]")
_NOT_FOR_READERS = re.compile(f"[{UNWRITABLE}{REVERSING}]")


def readable(text: str) -> str:
    """A text of whole characters that every reader takes for the same: in its order, in the same lines.

    Tabs and newlines stay, and so do the invisible characters that scripts and emoji are joined by.

    >>> readable("bees\\x1b[2J\\r\\nfly\\u2028far\\u202e\\ud800")
    'bees[2J\\nfly far\ufffd'
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _NOT_FOR_READERS.sub(_stand_in, _BREAKING.sub(" ", lines))


def _stand_in(found: re.Match[str]) -> str:
    return "\ufffd" if "\ud800" <= found[0] <= "\udfff" else ""


def printable(text: str) -> str:
    """A text of as many characters, with a blank for each that cannot be printed.

    >>> printable("bees\\x1b[2J\\u202efly")
    'bees [2J fly'
    """
    return "".join(c if c.isprintable() else " " for c in text)
