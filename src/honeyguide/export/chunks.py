"""Passages of pages for language models: cut at headings and paragraphs, each with where it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from honeyguide.base import BadInput
from honeyguide.export.lines import json_line
from honeyguide.export.outputs import new_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from honeyguide.export.record import Exported
    from honeyguide.export.source import Source

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
# In scripts without blanks between words every character counts as one; and no word is endless.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_UNSPACED}]|[^\\s{_UNSPACED}]{{1,100}}")


class Section(NamedTuple):
    """What stands below a heading, up to the next one."""

    headings: tuple[str, ...]  # outermost first
    blocks: list[str]  # paragraphs, lists, tables, code


def write_chunks(source: Source, path: Path, words: int, overlap: int) -> int:
    """One JSON object a passage; how many pages they are of."""
    if overlap >= words:
        raise BadInput(f"passages of {words} words cannot overlap by {overlap}; choose a smaller --overlap")
    written = 0
    with new_text(path) as file:
        for record in source.records():
            file.writelines(map(json_line, chunks_of(record, words, overlap)))
            written += 1
    return written


def chunks_of(record: Exported, words: int, overlap: int) -> list[dict[str, object]]:
    """The passages of a page, in their order."""
    found = [
        (section.headings, passage)
        for section in sections(record.markdown)
        for passage in passages(section.blocks, words, overlap)
    ]
    known = {name: getattr(record, name) for name in ("url", "title", "language", "relevance", "date", "opt_outs")}
    return [
        {**known, "position": position, "of": len(found), "headings": headings, "text": text}
        for position, (headings, text) in enumerate(found)
    ]


def sections(markdown: str) -> Iterator[Section]:
    """The parts of a text between headings; a heading is the first block of its own section.

    >>> [(s.headings, s.blocks) for s in sections("Hi.\\n\\n# A\\n\\n## B\\n\\nText.")]
    [((), ['Hi.']), (('A',), ['# A']), (('A', 'B'), ['## B', 'Text.'])]
    """
    path: dict[int, str] = {}
    current = Section((), [])
    for block in blocks(markdown):
        if heading := _HEADING.fullmatch(block):
            if current.blocks:
                yield current
            level = len(heading[1])
            path = {**{k: v for k, v in path.items() if k < level}, level: heading[2].strip()}
            current = Section(tuple(path[k] for k in sorted(path)), [])
        current.blocks.append(block)
    if current.blocks:
        yield current


def blocks(markdown: str) -> Iterator[str]:
    """What blank lines keep apart; those within code do not."""
    held: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        if line.strip() or fence:
            held.append(line)
        elif held:
            yield "\n".join(held)
            held = []
    if held:
        yield "\n".join(held)


def passages(parts: list[str], words: int, overlap: int) -> Iterator[str]:
    """A section in pieces of at most so many words, which end with a paragraph where one ends in their second half.

    >>> list(passages(["a b c", "d e", "f g h i j k"], 6, 1))
    ['a b c\\n\\nd e', 'e\\n\\nf g h i j', 'j k']
    """
    text = "\n\n".join(parts)
    spans = [found.span() for found in _WORD.finditer(text)]
    ends = _ends(parts)
    start = 0
    while start < len(spans):
        end = _cut(start, words, len(spans), ends)
        yield text[spans[start][0] : spans[end - 1][1]]
        if end == len(spans):
            return
        start = max(end - overlap, start + 1)


def _ends(parts: list[str]) -> list[int]:
    """After how many words each paragraph ends."""
    counts, total = [], 0
    for part in parts:
        total += sum(1 for _ in _WORD.finditer(part))
        counts.append(total)
    return counts


def _cut(start: int, words: int, last: int, ends: list[int]) -> int:
    if start + words >= last:
        return last
    return max((end for end in ends if start + words // 2 <= end <= start + words), default=start + words)
