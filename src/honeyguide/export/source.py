"""The pages of a crawl directory, streamed: chosen by the books, read from the archive where their text is wanted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from honeyguide.base import BadInput, FetchError, Page
from honeyguide.characters import readable
from honeyguide.export.record import USUAL, Exported, facts
from honeyguide.export.selection import Selection
from honeyguide.running import run_async
from honeyguide.store import Store
from honeyguide.web import Kind, kind_of, open_web
from honeyguide.web.stored import archived_markdown, archived_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from honeyguide.store import StoredVisit
    from honeyguide.web import Web


class Source:
    """A crawl directory, open for reading. Counts what is left out, and why."""

    def __init__(
        self,
        directory: Path,
        selection: Selection | None = None,
        columns: Sequence[str] = USUAL,
        addresses: bool = True,  # whether Markdown says where links lead
    ) -> None:
        self.store = Store.open(directory, write=False)
        self.store.hold_still()  # several passes are to see the same
        self.selection = selection or Selection()
        self.columns = columns
        self._addresses = addresses
        self.left_out: Counter[str] = Counter()
        self._web: Web | None = None

    def chosen(self) -> Iterator[StoredVisit]:
        """The visits whose pages are wanted, in the order of the crawl."""
        self.left_out.clear()
        for visit in self.store.visits():
            if objection := self.selection.objection(visit):
                self.left_out[objection] += 1
            else:
                yield visit

    def records(self) -> Iterator[Exported]:
        """The pages that are wanted; one whose bytes can no longer be decoded is counted, not given."""
        for visit in self.chosen():
            try:
                yield self.record(visit)
            except FetchError as error:
                self.left_out[f"unreadable ({error.reason})"] += 1

    def record(self, visit: StoredVisit) -> Exported:
        """A page with the columns that were asked for."""
        copied = self.store.url(visit.copy_of) if visit.copy_of is not None else ""
        return Exported(**facts(visit, copied), **self._texts(visit))  # type: ignore[arg-type]

    def _texts(self, visit: StoredVisit) -> dict[str, str]:
        found: dict[str, str] = {}
        if "text" in self.columns or "main" in self.columns:
            page = self.page(visit)
            found = {"text": readable(page.text), "main": readable(page.main)}
        if "markdown" in self.columns:
            found["markdown"] = readable(self._markdown(visit))
        return found

    def page(self, visit: StoredVisit) -> Page:
        """The page of a visit, parsed again: from the archive, or from the stored web the crawl ran on."""
        page = archived_page(self.store, visit) or run_async(self._stored_web().get(visit.url)).page
        return page or Page(visit.url)

    def _markdown(self, visit: StoredVisit) -> str:
        """Of HTML its main part; of anything else, and in simulated crawls, the plain text there is."""
        return archived_markdown(self.store, visit, self._addresses) or self.page(visit).main

    def _stored_web(self) -> Web:
        if self._web is None:
            kind = kind_of(self.store.settings.web)
            if kind is not Kind.STORED:
                raise BadInput(
                    f"{self.store.directory} is the log of a crawl on {kind.value} and does not hold this text;"
                    " choose columns without texts: --columns url,title,relevance"
                )
            self._web = open_web(Path(self.store.settings.web))
        return self._web

    def choice(self) -> NDArray[np.bool_]:
        """By URL id: whether its page is wanted."""
        wanted = np.zeros(self.known, np.bool_)
        for visit in self.chosen():
            wanted[visit.id] = True
        return wanted

    @property
    def known(self) -> int:
        """How many URLs the crawl has discovered."""
        return sum(self.store.books().values())

    def close(self) -> None:
        """Let go of the directory."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
