"""Pages of a crawl directory, parsed again: from its WARC files, or from the stored web the crawl ran on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from honeyguide.base import WITH_PAGE
from honeyguide.parse.markdown import markdown
from honeyguide.parse.reading import THOROUGH
from honeyguide.web.content import decoded, read

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.store import Store, StoredVisit
    from honeyguide.store.warc import Archived
    from honeyguide.web.base import Web


class Visited(Protocol):
    """What must be known of a visit to find its page."""

    @property
    def url(self) -> str: ...
    @property
    def error(self) -> str: ...
    @property
    def warc(self) -> int | None: ...
    @property
    def offset(self) -> int | None: ...


async def stored_page(web: Web, store: Store, visit: StoredVisit) -> Page | None:
    """The page of a visit: from the WARC files, or once more from the stored web it came from."""
    if page := archived_page(store, visit):
        return page
    return (await web.get(visit.url)).page if visit.error in WITH_PAGE else None


def archived_page(store: Store, visit: Visited) -> Page | None:
    """The page of a visit from the WARC files; None where it brought none, or they do not hold it."""
    found = _archived(store, visit)
    return read(visit.url, found.headers, found.body) if found else None


def archived_markdown(store: Store, visit: Visited, addresses: bool = True) -> str | None:
    """The main part of an archived page of HTML as Markdown; None where it is of another type, or not there."""
    if (found := _archived(store, visit)) is None:
        return None
    body = decoded(found.body, found.headers.get("content-encoding", ""), THOROUGH.largest)
    return markdown(visit.url, body, found.headers.get("content-type", ""), addresses)


def _archived(store: Store, visit: Visited) -> Archived | None:
    if visit.error not in WITH_PAGE or visit.warc is None or visit.offset is None:
        return None
    return store.archive.read(visit.warc, visit.offset)
