"""A generated web that prints and parses each page once, however many crawls ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.web import SyntheticWeb

if TYPE_CHECKING:
    from honeyguide.base import Reply
    from honeyguide.synthetic import World

MOST_KEPT = 150_000  # pages, of some ten kilobytes each


class KeptWeb(SyntheticWeb):
    """Answers from `replies` where it can; webs that are given the same ones share them, each with its own clock."""

    def __init__(self, world: World, replies: dict[str, Reply]) -> None:
        super().__init__(world)
        self._replies = replies

    async def get(self, url: str) -> Reply:
        reply = self._replies.get(url)
        if reply is None:
            reply = await super().get(url)
            if len(self._replies) < MOST_KEPT:
                self._replies[url] = reply
        return reply
