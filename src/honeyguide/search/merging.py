"""Several search engines at once: each is asked, and their answers are merged by rank."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from honeyguide.search.base import Hit, Search, SearchFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FEWEST = 10  # hits to merge of each engine, a page of them, however few are wanted
SMOOTHING = 60  # of reciprocal rank fusion: how little a first place counts more than a second


class MetaSearch(Search):
    """Survives engines that fail as long as one answers; `failures` tells what failed so far, each once."""

    def __init__(self, engines: Sequence[Search]) -> None:
        self.engines = list(engines)
        self.name = " + ".join(engine.name for engine in engines)
        self.failures: list[str] = []

    async def _find(self, query: str, limit: int) -> list[Hit]:
        answers = await asyncio.gather(*(_asked(engine, query, max(limit, FEWEST)) for engine in self.engines))
        failed = [str(answer) for answer in answers if isinstance(answer, SearchFailed)]
        self.failures += [failure for failure in dict.fromkeys(failed) if failure not in self.failures]
        if len(failed) == len(answers):
            raise SearchFailed("search", f"no engine answered ({'; '.join(failed)})", "see to one of them")
        return merged(answer for answer in answers if isinstance(answer, list))

    def close(self) -> None:
        for engine in self.engines:
            engine.close()


async def _asked(engine: Search, query: str, limit: int) -> list[Hit] | SearchFailed:
    try:
        return await engine.find(query, limit)
    except SearchFailed as failure:
        return failure


def merged(answers: Iterable[list[Hit]]) -> list[Hit]:
    """All hits by the sum of their reciprocal ranks; among equals, the engine named first counts."""
    scores: dict[str, float] = defaultdict(float)
    hits: dict[str, Hit] = {}
    for answer in answers:
        for rank, hit in enumerate(answer, 1):
            scores[hit.url] += 1 / (SMOOTHING + rank)
            hits[hit.url] = _filled(hits.get(hit.url, hit), hit)
    return sorted(hits.values(), key=lambda hit: -scores[hit.url])


def _filled(hit: Hit, other: Hit) -> Hit:
    return Hit(hit.url, hit.title or other.title, hit.text or other.text)
