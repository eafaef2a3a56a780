"""Requests under way, and those that came back and wait to be taken in."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from honeyguide.base import Reply


@dataclass
class Landing:
    """A request that came back, one way or another."""

    id: int
    url: str
    score: float
    given_up: float
    started: float
    seconds: float = 0.0
    reply: Reply | None = None
    error: Exception | None = None
    relevance: float = 0.0


class Flights:
    """Each flight is a coroutine that ends in a Landing."""

    def __init__(self) -> None:
        self._under_way: set[asyncio.Task[None]] = set()
        self._landed: list[Landing] = []
        self._news = asyncio.Event()

    def __len__(self) -> int:
        return len(self._under_way) + len(self._landed)

    async def launch(self, flight: Coroutine[Any, Any, Landing], alone: bool) -> None:
        """Set a flight off; one that flies alone is waited for, which saves a task."""
        if alone:
            landing = await flight
            self._landed.append(landing)
            return
        task = asyncio.create_task(self._fly(flight))
        self._under_way.add(task)
        task.add_done_callback(self._cleared)

    async def _fly(self, flight: Coroutine[Any, Any, Landing]) -> None:
        landing = await flight
        self._landed.append(landing)  # only now looked up: the list is a new one after every taking
        task = asyncio.current_task()
        assert task is not None
        self._cleared(task)  # now, not when the task is cleared away: its place is free

    def _cleared(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self.wake()

    def wake(self) -> None:
        """Tell whoever waits that something happened."""
        self._news.set()

    async def landings(self, alarm: Coroutine[Any, Any, None]) -> list[Landing]:
        """What has landed; waits for a landing, a wake-up or the alarm when nothing has."""
        if self._landed:
            alarm.close()
        else:
            self._news.clear()
            ringing = asyncio.create_task(self._ring(alarm))
            await self._news.wait()
            ringing.cancel()
        landed, self._landed = self._landed, []
        return landed

    async def _ring(self, alarm: Coroutine[Any, Any, None]) -> None:
        await alarm
        self.wake()

    def call_back(self) -> None:
        """Give up on what is under way."""
        for task in self._under_way:
            task.cancel()

    async def end(self) -> None:
        """Call everything back and see it end."""
        self.call_back()
        await asyncio.gather(*self._under_way, return_exceptions=True)
