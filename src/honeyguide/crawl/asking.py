"""What a crawl asks others beside the web: searches, example pages, and what an earlier crawl has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import BadInput, FetchError, NotNow
from honeyguide.documents import load_documents
from honeyguide.search import Search, SearchFailed, create_search
from honeyguide.store import Store
from honeyguide.web import Archive

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.base import Page
    from honeyguide.settings import Settings
    from honeyguide.strategy import Strategy
    from honeyguide.web import Web

PATIENCE = 60.0  # seconds to wait for a page that a search found and that may not be asked for just now
TRIES = 3  # for a page that may not be asked for just now


class Asking:
    """The help that strategies get, with a count of what it cost. `remarks` are for people to read."""

    def __init__(self, settings: Settings, web: Web, search: str | Search) -> None:
        self._settings = settings
        self._web = web
        self._owns_search = isinstance(search, str)  # what was handed in may be used again
        self.search = search_for(settings, web) if isinstance(search, str) else search
        self.searches = self.failed = self.references = 0
        self.remarks: list[str] = []

    @property
    def has_search(self) -> bool:
        """Whether there is anything to search with."""
        return self.search is not None

    async def find(self, query: str, count: int) -> list[str]:
        """The URLs that a search finds, the best first; a failure is noted and brings nothing."""
        assert self.search is not None
        self.searches += 1
        try:
            return [hit.url for hit in await self.search.find(query, count)]
        except SearchFailed as error:
            self.failed += 1
            self._remark(f"searching for {query!r} failed: {error}")
            return []

    def close(self) -> None:
        """Let go of the search, and say which of several engines failed."""
        if self.search is not None:
            for failure in getattr(self.search, "failures", ()):
                self._remark(failure)
            if self._owns_search:
                self.search.close()

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)

    async def reference_pages(self, query: str, count: int) -> list[Page]:
        """The first pages that the search finds. They are fetched as politely as any, and are not visits."""
        if self._web.by_request:
            self._remark("pages beside the crawl are not fetched where another crawler fetches its pages")
            return []
        pages = [await self._page(url) for url in await self.find(query, count)]
        return [page for page in pages if page]

    async def _page(self, url: str) -> Page | None:
        for _ in range(TRIES):
            try:
                self.references += 1
                return (await self._web.get(url)).page
            except NotNow as later:
                if later.until - self._web.now() > PATIENCE:
                    break
                await self._web.wait(later.until)
            except FetchError:
                break
        return None

    def documents(self, source: str) -> list[Page]:
        """The pages of a file, a folder, a URL or a stored web."""
        return load_documents(source, settings=self._settings)

    def notes(self) -> dict[str, int]:
        """Requests that are no page requests of the crawl."""
        counts = {"searches": self.searches, "failed_searches": self.failed, "reference_pages": self.references}
        return {name: count for name, count in counts.items() if count}

    def learn_from(self, directory: Path, strategy: Strategy) -> None:
        """Let a strategy start from what the same strategy learned in another crawl."""
        with Store.open(directory, write=False) as store:
            kept = store.knowledge()
        if kept is None:
            raise BadInput(f"{directory} holds nothing learned: its crawl has not begun, or learned nothing to keep")
        if not kept.portable:
            raise BadInput(
                f"{directory} holds nothing for another crawl: {kept.name} learns nothing of the kind; leave"
                " --learn-from out"
            )
        if kept.name != strategy.name:
            raise BadInput(
                f"{directory} holds what {kept.name} learned, no use to {strategy.name}; add --strategy {kept.name}"
            )
        if kept.version != strategy.version:
            raise BadInput(
                f"{directory} holds knowledge of {kept.name} in version {kept.version}; this is version"
                f" {strategy.version}: crawl it anew, or leave --learn-from out"
            )
        if kept.topic != self._settings.topic:
            self._remark(f"what {directory} learned was learned for another topic: {kept.topic}")
        strategy.adopt(kept.portable)


def search_for(settings: Settings, web: Web) -> Search | None:
    """The search a crawl is told to use; on a stored web, when told nothing, an index of that web."""
    if settings.search:
        return create_search(settings.search, web, settings.proxy)
    return create_search("index", web) if isinstance(web, Archive) else None
