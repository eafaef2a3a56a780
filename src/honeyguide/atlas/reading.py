"""An atlas: a stored web as arrays on disk, opened at once whatever its size, and shared between processes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from honeyguide.atlas.layout import ARRAYS, is_atlas, mapped, read_manifest
from honeyguide.atlas.pages import unpacked
from honeyguide.atlas.strings import Strings, UrlIndex
from honeyguide.base import BadInput, Page
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


class Atlas:
    """Addresses are numbered, those that hold pages first: 0 … pages - 1.

    `out` has the distinct targets of every page in the order of first mention, never the page itself; `into` is the
    same the other way round; the words of anchors stand beside `out`. Arrays are read-only.
    """

    host: NDArray[np.int32]
    redirect: NDArray[np.int32]
    failed: NDArray[np.uint8]
    label: NDArray[np.uint16]
    out_start: NDArray[np.int64]
    out: NDArray[np.int32]
    into_start: NDArray[np.int64]
    into: NDArray[np.int32]
    anchor_start: NDArray[np.int64]
    anchor_words: NDArray[np.int32]
    page_words_start: NDArray[np.int64]
    page_words: NDArray[np.int32]
    page_start: NDArray[np.int64]
    page_data: NDArray[np.uint8]

    def __init__(self, directory: Path) -> None:
        if not is_atlas(directory):
            raise BadInput(f"{directory} is no stored web, or one whose import did not come to its end")
        self.directory = directory
        self.manifest = read_manifest(directory)
        self.pages = self.manifest.pages
        with told_plainly(directory):
            arrays = {name: mapped(directory, name, self.manifest.lengths[name]) for name in ARRAYS}
        for name in Atlas.__annotations__:
            setattr(self, name, arrays[name])
        self.urls = Strings(arrays["url_text"], arrays["url_start"])
        self.hosts = Strings(arrays["host_text"], arrays["host_start"])
        self.words = Strings(arrays["word_text"], arrays["word_start"])
        self._index = UrlIndex(self.urls, arrays["url_hash"], arrays["url_by_hash"])
        self._make: Callable[[int], Page] | None = None

    def __len__(self) -> int:
        return len(self.urls)

    def make_pages_with(self, make: Callable[[int], Page]) -> None:
        """Have pages made, where the web was generated and only its links are stored."""
        self._make = make

    def find(self, url: str) -> int | None:
        """The number of an address; None where it is not known."""
        return self._index.find(url)

    def page(self, i: int) -> Page:
        """One page, with its text and its links."""
        if self._make:
            return self._make(i)
        return unpacked(self.page_data[int(self.page_start[i]) : int(self.page_start[i + 1])])

    def all_pages(self) -> Iterator[Page]:
        """Every page, in the order of the numbers."""
        return map(self.page, range(self.pages))

    def links_from(self, i: int) -> NDArray[np.int32]:
        """Where a page links to."""
        return self.out[self.out_start[i] : self.out_start[i + 1]]

    def links_to(self, i: int) -> NDArray[np.int32]:
        """The pages that link to an address."""
        return self.into[self.into_start[i] : self.into_start[i + 1]]

    def why_failed(self, i: int) -> str:
        """The reason why an address holds no page; empty where there is none."""
        return self.manifest.reasons[int(self.failed[i])]

    def label_of(self, i: int) -> str:
        """The label of a page."""
        return self.manifest.labels[int(self.label[i])]

    @cached_property
    def word_numbers(self) -> dict[str, int]:
        """The number of every word."""
        return {self.words[i]: i for i in range(len(self.words))}
