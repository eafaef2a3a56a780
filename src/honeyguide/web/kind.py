"""The kinds of web that crawls run on, told from what a crawl directory remembers."""

from __future__ import annotations

import enum

from honeyguide.web.base import Web
from honeyguide.web.handed import Handed
from honeyguide.web.live import LiveWeb


class Kind(enum.Enum):
    """Where the pages of a crawl came from, and whether they can come from there again."""

    LIVE = "the live web"  # can be asked again
    STORED = "a stored web"  # can be opened again, by its path
    HANDED = "pages that another crawler fetched"
    IN_PYTHON = "a web that was made in Python"  # gone with its program


_NAMED = {LiveWeb.source: Kind.LIVE, Handed.source: Kind.HANDED, Web.source: Kind.IN_PYTHON}


def kind_of(source: str) -> Kind:
    """The kind of web that a crawl's settings name.

    >>> kind_of("/webs/bees.jsonl")
    <Kind.STORED: 'a stored web'>
    """
    return _NAMED.get(source, Kind.STORED)
