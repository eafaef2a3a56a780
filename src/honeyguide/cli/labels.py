"""Labels for pages that come without: edge lists, WARC files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide.store.errors import told_plainly
from honeyguide.web.edges import address, columns, meaningful

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.base import Page


class Labels:
    """Labels from a file of their own: an address, a tab or comma, and its label on every line."""

    def __init__(self, path: Path) -> None:
        self._label_of: dict[str, str] = {}
        self._used: set[str] = set()
        self._bad: list[str] = []
        self._path = path
        with told_plainly(path):
            lines = path.read_bytes().splitlines()
        for number, text in meaningful(lines):
            node, *label = columns(text)
            url = address(node)
            if url is None or not label:
                self._bad.append(f"{path}, line {number}: an address, a tab and a label are needed")
            else:
                self._label_of[url] = ", ".join(label)

    def labelled(self, page: Page) -> Page:
        """A page with the label that the file has for it."""
        if page.url not in self._label_of:
            return page
        self._used.add(page.url)
        return replace(page, label=self._label_of[page.url])

    def complaints(self) -> list[str]:
        """Lines that could not be used."""
        strangers = len(self._label_of) - len(self._used)
        return self._bad + ([f"{self._path}: {strangers:,} labels are for no page that came in"] if strangers else [])
