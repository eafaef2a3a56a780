"""Arguments: what stands after the colon of a topic, how it is quoted and how it is taken apart."""

from __future__ import annotations

import re
from pathlib import Path

from honeyguide.base import BadInput

_BARE = re.compile(r"[\w./*?+%#-]+")
_CALL = re.compile(r"([\w.:]*)\((.*)\)", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\])')  # any other backslash stands for itself, as regular expressions need it


class Argument(str):
    """The text of an argument without its quotation marks; `quoted` tells whether it had any."""

    __slots__ = ("quoted",)
    quoted: bool

    def __new__(cls, text: str, quoted: bool = False) -> Argument:
        made = super().__new__(cls, text)
        made.quoted = quoted
        return made

    def call(self) -> tuple[str, list[Argument]] | None:
        """The name and the items of an argument like `any(solar, "heat pump")`; None for any other."""
        match = None if self.quoted else _CALL.fullmatch(self)
        return (match[1], items(match[2])) if match else None


def absolute(source: str) -> str:
    """Where a file is, whatever the working directory will be; a URL, or what is no file, as it is."""
    path = Path(source)
    return str(path.absolute()) if "://" not in source and path.exists() else str(source)


def quote(text: str) -> str:
    """The text as an argument, in quotation marks only where it needs them."""
    if _BARE.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unquote(text: str) -> Argument:
    """The argument that `text` writes down; the inverse of `quote`."""
    match = _QUOTED.fullmatch(text)
    return Argument(_ESCAPE.sub(r"\1", match[1]), quoted=True) if match else Argument(text)


def quoted_end(text: str, start: int) -> int:
    """Where the quoted string that opens at `start` has ended, or -1 when it never does."""
    match = _QUOTED.match(text, start)
    return match.end() if match else -1


def items(text: str) -> list[Argument]:
    """The arguments in a comma-separated list; commas inside quotes and parentheses do not count."""
    found = []
    depth = start = here = 0
    while here < len(text):
        character = text[here]
        if character == '"':
            here = max(quoted_end(text, here), here + 1)
            continue
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            found.append(text[start:here])
            start = here + 1
        here += 1
    found.append(text[start:])
    if not all(item.strip() for item in found):
        raise BadInput(f"({text}) has an empty place between its commas")
    return [unquote(item.strip()) for item in found]
