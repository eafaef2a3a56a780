"""Search engines: public ones, a SearXNG instance, the index of a stored web, and several of them at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.search.base import Hit, Search, SearchFailed
from honeyguide.search.index import IndexSearch
from honeyguide.search.merging import MetaSearch
from honeyguide.search.metasearch import DdgsSearch
from honeyguide.search.searxng import SearxngSearch
from honeyguide.web import Archive, open_web

if TYPE_CHECKING:
    from honeyguide.web import Web

__all__ = [
    "DdgsSearch",
    "Hit",
    "IndexSearch",
    "MetaSearch",
    "Search",
    "SearchFailed",
    "SearxngSearch",
    "create_search",
]

_KNOWN = "ddgs, ddgs:ENGINE,ENGINE, searxng:URL, index, index:DIR, or several, joined by ' + '"


def create_search(text: str, web: Web | None = None, proxy: str = "") -> Search:
    """A search engine by its name: `ddgs`, `searxng:http://localhost:8080/`, `index`; several as `ddgs + index:DIR`.

    `index` alone is the stored web that is crawled. Engines elsewhere are asked through the proxy.
    """
    engines = [_engine(name.strip(), web, proxy) for name in re.split(r"\s\+(?:\s|$)", text)]
    return engines[0] if len(engines) == 1 else MetaSearch(engines)


def _engine(text: str, web: Web | None, proxy: str) -> Search:
    kind, _, argument = text.partition(":")
    if kind == "ddgs":
        return DdgsSearch((name for part in argument.split(",") if (name := part.strip())), proxy)
    if kind == "searxng":
        return SearxngSearch(argument, proxy=proxy)
    if kind == "index":
        return IndexSearch(open_web(Path(argument).expanduser()) if argument else _stored(web))
    raise BadInput(f"there is no search engine {text!r:.80}; there are: {_KNOWN}")


def _stored(web: Web | None) -> Archive:
    if isinstance(web, Archive):
        return web
    raise BadInput(
        "`index` searches the stored web that a simulated crawl runs on, and there is none here; name one as "
        "index:DIR, or search with ddgs or searxng:URL"
    )
