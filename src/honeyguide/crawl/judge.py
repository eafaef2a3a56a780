"""Asks the topic about pages: quick topics page by page, slow ones in batches that form by themselves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from honeyguide.topic import BudgetSpent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.base import Page
    from honeyguide.topic import Topic
    from honeyguide.web import Web

    Batch = list[tuple[Page, asyncio.Future[float]]]

LARGEST_BATCH = 64
LONG = 200_000  # characters that are not judged at once, between two requests


class Judge:
    """While a slow topic thinks about some pages, others gather for the next batch; no fetch waits for it."""

    def __init__(self, topic: Topic, web: Web) -> None:
        self._topic = topic
        self._web = web
        self._waiting: Batch = []
        self._thinking: asyncio.Task[None] | None = None

    async def score(self, page: Page) -> float:
        """How relevant a page is, 0 to 1."""
        if not self._topic.slow:
            if self._topic.reads_everything or len(page.text) > LONG:
                return await self._web.work(self._topic.score, page)
            return self._topic.score(page)  # quicker than telling a thread to
        answer: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((page, answer))
        if self._thinking is None:
            self._thinking = asyncio.create_task(self._think())
        return await answer

    async def _think(self) -> None:
        while self._waiting:
            batch = self._waiting[:LARGEST_BATCH]
            del self._waiting[:LARGEST_BATCH]
            await self._answer(batch)
        self._thinking = None

    async def _answer(self, batch: Batch) -> None:
        try:
            judged = await self._topic.judge([page for page, _ in batch])
        except BudgetSpent as error:
            known = error.scores or [None] * len(batch)
            self._give(batch, [error if score is None else score for score in known])
        except Exception as error:
            self._give(batch, [error] * len(batch))
        else:
            self._give(batch, judged)

    @staticmethod
    def _give(batch: Batch, answers: Sequence[float | Exception]) -> None:
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():  # its request was called back
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
