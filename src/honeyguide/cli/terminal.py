"""What is shown on a terminal: nothing remote gets there unescaped."""

from __future__ import annotations


def plain(text: str) -> str:
    """A text without control characters, which could move the cursor or hide what follows; newlines stay."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)
