"""Building an atlas from pages that come one by one, in any order, without holding their texts."""

from __future__ import annotations

import shutil
from array import array
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from honeyguide.atlas.layout import ARRAYS, Manifest, file_of, is_atlas, write_manifest
from honeyguide.atlas.numbers import Numbers
from honeyguide.atlas.pages import packed
from honeyguide.atlas.writing import Rows, Spool, write_array, write_links, write_strings, write_urls
from honeyguide.base import BadInput
from honeyguide.graph.table import UrlTable
from honeyguide.store.errors import told_plainly
from honeyguide.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.base import Page

MOST_LABELS = np.iinfo(np.uint16).max
MOST_REASONS = np.iinfo(np.uint8).max


class AtlasBuilder:
    """Takes pages, redirects and failures in; `finish` makes an atlas of them, which it is not before."""

    def __init__(self, directory: Path) -> None:
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise BadInput(f"{directory} exists and is not empty; name a new directory")
        with told_plainly(directory):
            directory.mkdir(parents=True, exist_ok=True)
            self._pages = Rows(directory, "page_data", "page_start")
            self._page_words = Rows(directory, "page_words", "page_words_start")
            self._anchors = Rows(directory, "anchor_words", "anchor_start")
            self._targets = Spool(directory, "out")  # as the table numbers them, until the end
        self._directory = directory
        self._table = UrlTable()
        self._words, self._labels, self._reasons = Numbers(), Numbers([""]), Numbers([""])
        self._held = bytearray()  # by number in the table: whether the page is there
        self._order, self._label, self._degree = array("i"), array("i"), array("i")  # by page
        self._aside: list[int] = []  # pages that are lists or gates
        self._manifest: Manifest | None = None  # of a web that was taken in as a whole
        self._redirects: dict[int, int] = {}
        self._failures: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._order)

    def add(self, page: Page) -> bool:
        """Take a page in; False when its URL is there already."""
        ids = self._table.intern([page.url, *(link.url for link in page.links)]).tolist()
        self._held.extend(bytes(len(self._table) - len(self._held)))
        if self._held[ids[0]]:
            return False
        self._held[ids[0]] = True
        with told_plainly(self._directory):
            self._write(page, ids[0], ids[1:])
        return True

    def _write(self, page: Page, own: int, targets: list[int]) -> None:
        anchors: dict[int, list[str]] = {}
        for target, link in zip(targets, page.links, strict=True):
            if target != own:
                found = anchors.setdefault(target, [])
                found.extend(["", *words(link.anchor)] if found else words(link.anchor))
        self._targets.append(list(anchors))
        self._anchors.extend([self._words.of(anchor) for anchor in anchors.values()])
        self._page_words.append(self._words.of(words(f"{page.title}\n{page.text}")))
        self._pages.append(packed(page))
        if page.listing or page.gate:
            self._aside.append(len(self._order))
        self._order.append(own)
        self._degree.append(len(anchors))
        self._label.append(self._labels.one(page.label, MOST_LABELS, "labels"))

    def add_redirect(self, url: str, target: str) -> None:
        """Note that an address leads to another."""
        own, other = self._table.intern([url, target]).tolist()
        self._redirects.setdefault(own, other)

    def add_failure(self, url: str, reason: str) -> None:
        """Note why an address holds no page."""
        own = int(self._table.intern([url])[0])
        self._failures.setdefault(own, self._reasons.one(reason, MOST_REASONS, "reasons"))

    def take(
        self,
        arrays: Mapping[str, NDArray[Any]],
        urls: Iterable[str],
        hosts: Iterable[str],
        labels: Iterable[str],
        reasons: Iterable[str],
        generated: dict[str, int],
    ) -> None:
        """Take in a whole web that was generated, as arrays: its pages are made anew whenever they are asked for."""
        with told_plainly(self._directory):
            self._close()
            for name in ("host", "label", "redirect", "failed"):
                write_array(self._directory, name, arrays[name])
            write_links(self._directory, arrays["out_start"], arrays["out"])
            write_urls(self._directory, urls)
            write_strings(self._directory, hosts, "host")
            write_strings(self._directory, (), "word")
        self._manifest = Manifest(len(arrays["label"]), list(labels), list(reasons), generated)

    def finish(self) -> None:
        """Complete the atlas."""
        with told_plainly(self._directory):
            if self._manifest is None:
                self._close()
                self._write_addresses()
                self._manifest = Manifest(len(self), self._labels.texts, self._reasons.texts, aside=self._aside)
            write_manifest(self._directory, self._manifest)

    def _close(self) -> None:
        for open_ in (self._pages, self._page_words, self._anchors, self._targets):
            open_.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """It is a stored web as a whole, or taken away again."""
        try:
            if kind is None:
                self.finish()
        finally:
            if not is_atlas(self._directory):
                self.abandon()

    def abandon(self) -> None:
        """Take away what was written."""
        self._close()
        shutil.rmtree(self._directory, ignore_errors=True)

    def _write_addresses(self) -> None:
        """Number the addresses anew, pages first, and write all that goes by these numbers."""
        directory, known = self._directory, len(self._table)
        pages = np.array(self._order, np.int64)
        others = np.flatnonzero(~np.isin(np.arange(known), pages))
        order = np.concatenate([pages, others]).astype(np.int64)
        number = np.empty(known, np.int32)
        number[order] = np.arange(known, dtype=np.int32)
        write_urls(directory, (self._table.url(i) for i in order.tolist()))
        write_array(directory, "host", self._table.host[order])
        write_strings(directory, self._table.hosts, "host")
        write_strings(directory, self._words.texts, "word")
        write_array(directory, "label", np.array(self._label, np.int64))
        redirects, failures = map(self._of_no_page, (self._redirects, self._failures))
        write_array(directory, "redirect", _column(known, redirects, number, -1, number))
        write_array(directory, "failed", _column(known, failures, number, 0))
        degrees = np.concatenate([np.array(self._degree, np.int64), np.zeros(len(others), np.int64)])
        out = np.fromfile(file_of(directory, "out"), ARRAYS["out"])
        write_links(directory, np.concatenate([[0], np.cumsum(degrees)]), number[out])

    def _of_no_page(self, noted: dict[int, int]) -> dict[int, int]:
        """What was noted of addresses, less those that hold a page after all, which counts."""
        held = len(self._held)
        return {id_: value for id_, value in noted.items() if id_ >= held or not self._held[id_]}


def _column(
    size: int,
    values: dict[int, int],
    number: NDArray[np.int32],
    missing: int,
    renumbered: NDArray[np.int32] | None = None,
) -> NDArray[Any]:
    """The values of some addresses, by their new numbers."""
    column = np.full(size, missing, np.int64)
    for id_, value in values.items():
        column[number[id_]] = value if renumbered is None else renumbered[value]
    return column
