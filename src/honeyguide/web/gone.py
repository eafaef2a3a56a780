"""A web that is gone with the program that made it: a crawl on it can be replayed, not gone on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from honeyguide.base import BadInput
from honeyguide.web.base import SimulatedWeb

if TYPE_CHECKING:
    from honeyguide.base import Reply


class Gone(SimulatedWeb):
    """Stands where a web made in Python stood; it keeps the clock, and has no page."""

    async def get(self, url: str) -> Reply:
        raise self._gone()

    def check(self) -> NoReturn:
        raise self._gone()

    def _gone(self) -> BadInput:
        return BadInput("this crawl ran on a web that was made in Python; go on with it there")
