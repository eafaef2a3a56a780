"""One page as it leaves a crawl: what was fetched, and what the crawl made of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honeyguide import urls
from honeyguide.base import BadInput, visit_number
from honeyguide.export.cleaning import address, one_line
from honeyguide.store.warc import named_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from honeyguide.store import StoredVisit


@dataclass(frozen=True, slots=True)
class Exported:
    """A fetched page. Texts are clean: whole characters, in an order and in lines that all readers see alike."""

    number: int  # 1, 2, 3 … in the order of the crawl
    url: str
    host: str
    title: str
    language: str  # ISO 639-1 where there is one, else 639-3; empty when unknown
    relevance: float
    relevant: bool
    depth: int  # links from a seed, when discovered
    date: str  # when it was fetched, in UTC; empty in a simulated crawl
    status: int
    type: str
    size: int  # bytes received
    digest: str  # of the body; of what a browser made of it where it was rendered
    score: float | None  # the strategy's, when its turn came; None for a seed
    flag: str  # why it does not count: copy, near_copy, sitemap, login, unjudged …
    copy_of: str  # the address of the page it is a copy of
    change: str  # against the crawl before: new, same, changed; or empty
    robots: str  # noindex and the like
    opt_outs: str  # how its owner reserved it from machine learning
    modified: str  # the Last-Modified header
    rendered: bool  # whether its text is what a browser made of it
    text: str = ""  # what a reader sees
    main: str = ""  # the same without menus and footers
    markdown: str = ""  # the main part with its headings, lists, links, tables and code


COLUMNS = tuple(field.name for field in dataclasses.fields(Exported))
FACTS = tuple(name for name in COLUMNS if name not in ("text", "main", "markdown"))
USUAL = (*FACTS, "text", "main")


def known_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Names of columns, each once; an unknown one is refused."""
    wanted = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    if unknown := [name for name in wanted if name not in COLUMNS]:
        raise BadInput(f"there is no column {unknown[0]!r}; choose from: {', '.join(COLUMNS)}")
    return wanted


def facts(visit: StoredVisit, copy_of: str) -> dict[str, object]:
    """What the books say of a page."""
    return {
        "number": visit_number(visit.number),
        "url": address(visit.url),
        "host": urls.host(address(visit.url)),
        "title": one_line(visit.title),
        "language": one_line(visit.language),
        "relevance": visit.relevance,
        "relevant": bool(visit.relevant),
        "depth": visit.depth,
        "date": one_line(visit.date),
        "status": visit.status,
        "type": one_line(visit.type),
        "size": visit.size,
        "digest": named_digest(visit.digest) if visit.digest else "",
        "score": visit.score,
        "flag": visit.flag or visit.error,
        "copy_of": address(copy_of),
        "change": visit.change,
        "robots": one_line(visit.robots),
        "opt_outs": one_line(visit.opt_outs),
        "modified": one_line(visit.modified),
        "rendered": visit.rendered,
    }
