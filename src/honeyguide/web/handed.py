"""A web whose pages somebody else fetches: it answers with what it was handed."""

from __future__ import annotations

import time

from honeyguide.base import BadInput, FetchError, Reply
from honeyguide.web.base import Web


class Handed(Web):
    """Nothing waits here: politeness is with whoever fetches, and so is the choice of what may be asked for."""

    source = "pages that another crawler fetched"
    by_request = True

    def __init__(self) -> None:
        self._answers: dict[str, Reply | FetchError] = {}

    def hand(self, url: str, answer: Reply | FetchError) -> None:
        """Give what came of a URL, which is asked for once."""
        self._answers[url] = answer

    async def get(self, url: str) -> Reply:
        answer = self._answers.pop(url, None)
        if answer is None:
            raise BadInput("the pages of this crawl are fetched by another crawler: go on with it there")
        if isinstance(answer, FetchError):
            raise answer
        return answer

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, until: float) -> None:
        """Its time passes by itself."""
