"""The searches of a crawl: for pages to begin with, and for what its strategy asks as it goes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from honeyguide.crawl.asking import Asking
    from honeyguide.crawl.guide import Guide

    Happened = Callable[[str, str, NDArray[np.intp] | Sequence[int]], None]

RESULTS = 20  # that are asked for at once


class Searching:
    """What is found goes to the guide, and each search is an event of the crawl."""

    def __init__(self, asking: Asking, guide: Guide, happened: Happened) -> None:
        self._asking = asking
        self._guide = guide
        self._happened = happened

    async def find_seeds(self, queries: Sequence[str]) -> None:
        """Begin with what searches find as well."""
        for query in queries:
            found = await self._asking.find(query, RESULTS)
            self._happened("seeds", query, self._guide.plant(found) if found else ())
        if not len(self._guide.graph) and not self._guide.by_request:
            raise BadInput(f"no search found a seed: {'; '.join(self._asking.remarks) or 'they brought no page'}")

    async def answer(self) -> tuple[list[int], str]:
        """Search for all that the strategy asks, and let it learn what came of it.

        Returns the ids of what was found, and a reason to stop, where the strategy gives one.
        """
        guide, all_found, stop = self._guide, list[int](), ""
        while guide.questions:
            query = guide.questions.pop(0)
            if not self._asking.has_search:
                raise BadInput(f"{guide.strategy.name} searches, and there is nothing to search with: add --search")
            found = guide.enter_found(await self._asking.find(query, RESULTS))
            self._happened("search", query, found)
            all_found += found.tolist()
            reason = guide.found(query, found)
            stop = stop or reason
        return all_found, stop
