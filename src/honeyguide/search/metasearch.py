"""Public search engines through the library ddgs, which needs no account."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.search.base import Hit, Search, SearchFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TIMEOUT = 10  # seconds that one engine may take

_OTHERS = "wait some minutes, or name other engines, e.g. ddgs:mojeek"


class DdgsSearch(Search):
    """Asks some of the engines the library knows, or those that are named."""

    name = "ddgs"

    def __init__(self, engines: Iterable[str] = (), proxy: str = "") -> None:
        wanted, known = list(engines), known_engines()
        for engine in wanted:
            if engine not in known:  # the library would ask others instead
                raise BadInput(f"ddgs has no engine {engine!r:.80}; it has: {', '.join(known)}")
        self._backend = ",".join(wanted) or "auto"
        self._proxy = proxy

    async def _find(self, query: str, limit: int) -> list[Hit]:
        return await asyncio.to_thread(self._ask, query, limit)

    def _ask(self, query: str, limit: int) -> list[Hit]:
        from ddgs import DDGS

        try:
            rows = DDGS(proxy=self._proxy or None, timeout=TIMEOUT).text(
                query, max_results=limit, backend=self._backend
            )
        except Exception as error:  # pages of search engines change, and the library trips over them in many ways
            raise _failure(error) from error
        return [Hit(row.get("href") or "", row.get("title") or "", row.get("body") or "") for row in rows]


def known_engines() -> list[str]:
    """The engines for web pages in the installed version of the library."""
    try:
        from ddgs.engines import ENGINES
    except ImportError:
        raise BadInput("searching with ddgs needs an extra: pip install 'honeyguide[search]'") from None
    return sorted(ENGINES["text"])


def _failure(error: Exception) -> SearchFailed:
    from ddgs.exceptions import RatelimitException, TimeoutException

    kinds = {type(inner) for inner in _unwrapped(error)}
    if RatelimitException in kinds:
        return SearchFailed("ddgs", "its engines refuse so many requests (rate limit)", _OTHERS)
    if TimeoutException in kinds:
        return SearchFailed("ddgs", f"its engines did not answer within {TIMEOUT} s", _OTHERS)
    if "No results" in str(error):  # said as well where every engine answers with a refusal
        happened = "nothing came: no page has these words, or the engines refuse so many requests (rate limit)"
        return SearchFailed("ddgs", happened, f"try other words, {_OTHERS}")
    return SearchFailed("ddgs", f"its engines failed ({type(error).__name__}: {error!s:.200})", _OTHERS)


def _unwrapped(error: object) -> Iterator[Exception]:
    """An error and those inside: the library hands on what an engine raised as the argument of its own error."""
    while isinstance(error, Exception):
        yield error
        error = error.args[0] if error.args else None
