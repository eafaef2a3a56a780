"""What a search engine is: words go in, addresses with a title and a few lines of text come out."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, NamedTuple

from honeyguide import urls
from honeyguide.base import HoneyguideError
from honeyguide.characters import printable

if TYPE_CHECKING:
    from collections.abc import Iterable


class SearchFailed(HoneyguideError):
    """A search engine gave no answer; the message says which one, what happened and what to do."""

    def __init__(self, provider: str, happened: str, advice: str) -> None:
        super().__init__(f"{provider}: {happened}; {advice}")
        self.provider = provider


class Hit(NamedTuple):
    """One page a search engine found."""

    url: str
    title: str = ""
    text: str = ""  # a few lines of it, as the engine shows them


class Search(abc.ABC):
    """Subclass this and override `_find`; what it returns is cleaned here, once for all."""

    name: str

    async def find(self, query: str, limit: int = 10) -> list[Hit]:
        """The best pages for some words, the best one first. Raises SearchFailed."""
        query = _one_line(query)
        if not query or limit < 1:
            return []
        return cleaned(await self._find(query, limit))[:limit]

    @abc.abstractmethod
    async def _find(self, query: str, limit: int) -> list[Hit]:
        """What the engine says to a query of one line; addresses may come as the engine writes them."""

    def close(self) -> None:
        """Let go of files that are open."""
        return


def cleaned(hits: Iterable[Hit]) -> list[Hit]:
    """Hits under their normalised addresses, each once and in their order; what has no address is dropped."""
    kept: dict[str, Hit] = {}
    for hit in hits:
        url = urls.normalize(hit.url)
        if isinstance(url, str):
            kept.setdefault(url, Hit(url, _one_line(hit.title), _one_line(hit.text)))
    return list(kept.values())


def _one_line(text: str) -> str:
    """A text without control characters, halves of characters and needless blanks."""
    return " ".join(printable(text).split())
