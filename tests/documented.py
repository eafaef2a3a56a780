"""The docs as the tests read them: code blocks with their tags, and the commands in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUN, LIVE = ("sh {.run}", "python {.run}"), ("sh {.live}", "python {.live}")
_FENCE = re.compile(r"^```(?P<info>.*)\n(?P<text>(?:.*\n)*?)^```$", re.MULTILINE)
_SNIPPET = re.compile(r'^--8<-- "(.+)"$', re.MULTILINE)
_INLINE = re.compile(r"(?<!`)`(honeyguide [^`]+)`(?!`)")


class Block(NamedTuple):
    """A fenced block: what stands behind the fence, and its text with the files it includes."""

    page: str
    line: int
    info: str
    text: str


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page.name, text.count("\n", 0, found.start()) + 1, found["info"], _included(found["text"]))
        for found in _FENCE.finditer(text)
    ]


def _included(text: str) -> str:
    return _SNIPPET.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8").rstrip("\n"), text)


def commands(block: Block) -> list[list[str]]:
    """The words of each command of a shell block; here-documents are left out."""
    text = re.sub(r"<<'(\w+)'\n(?:.*\n)*?\1$", "", block.text, flags=re.MULTILINE).replace("\\\n", " ")
    return [words for line in text.splitlines() if (words := shlex.split(line, comments=True))]


def mentioned(page: Path) -> list[list[str]]:
    """The words of each command of ours that a page mentions in a sentence."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return [_words(found) for found in _INLINE.findall(text)]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quotation mark that is part of the sentence
        return command.split()
