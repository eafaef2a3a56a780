"""Characters that are not what they look like: the one list of those that no reader of a text is to meet."""

from __future__ import annotations

# Each is the inside of a character class of a regular expression.
# Control characters but tab and newline, halves of characters, and what XML has no place for.
UNWRITABLE = "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
REVERSING = "\u202a-\u202e\u2066-\u2069"  # turn the text after them round, so that it looks like another
INVISIBLE = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"  # take no room; many languages and emoji need some of them


def printable(text: str) -> str:
    """A text of as many characters, with a blank for each that cannot be printed.

    >>> printable("bees\\x1b[2J\\u202efly")
    'bees [2J fly'
    """
    return "".join(c if c.isprintable() else " " for c in text)
