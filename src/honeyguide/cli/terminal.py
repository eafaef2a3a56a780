"""What is shown on a terminal: nothing remote gets there unescaped."""

from __future__ import annotations


def plain(text: str) -> str:
    """A text without control characters, which could move the cursor or hide what follows; newlines stay."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def duration(seconds: float) -> str:
    """A time people can read: 42 s, 3 min, 2 h 5 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
