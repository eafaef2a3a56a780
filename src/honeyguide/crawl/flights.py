"""Requests under way, and those that came back and wait to be taken in."""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from honeyguide.base import Reply


SLOW = 5.0  # seconds after which a flight makes room for another
MOST = 8  # times as many flights as there is room for, slow ones included
AT_FIRST = 2  # flights to a host that has not answered yet


class Landing(Struct):
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
    cost: float = 0.0  # seconds of this machine's time it took to read and to judge


class Flights:
    """Each flight is a coroutine that ends in a Landing.

    A slow host holds nobody up: it gets as many flights at once as it has shown to answer, one more for every quick
    answer and half as many after a slow one, and flights that take very long no longer count.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._under_way: dict[asyncio.Task[None], float] = {}  # since when
        self._window: dict[int, int] = {}  # how many flights a host may have at once
        self._landed: list[Landing] = []
        self._news = asyncio.Event()

    def __len__(self) -> int:
        return len(self._under_way) + len(self._landed)

    def full(self) -> bool:
        """Whether no other flight may set off now."""
        out = len(self)
        if out < self._room or self._room == 1:  # one at a time is waited for
            return out >= self._room
        return out >= MOST * self._room or out - self._slow() >= self._room

    def _slow(self) -> int:
        """How many flights no longer count; they set off in the order in which they are kept."""
        early = time.monotonic() - SLOW
        return sum(1 for _ in itertools.takewhile(lambda since: since <= early, self._under_way.values()))

    def frees(self) -> float:
        """In how many seconds the next flight will count as slow, and so make room; infinity when none will."""
        soon = [since for since in self._under_way.values() if since > time.monotonic() - SLOW]
        return max(0.0, min(soon) + SLOW - time.monotonic()) if soon and len(self) < MOST * self._room else math.inf

    def crowded(self, host: int, out: int) -> bool:
        """Whether a host should get no more than the `out` flights it has."""
        return self._room > 1 and out > min(self._window.get(host, AT_FIRST), self._room)

    def answered(self, host: int, quickly: bool) -> None:
        """Let a host have more flights at once, or fewer."""
        window = self._window.get(host, AT_FIRST)
        self._window[host] = min(window + 1, self._room) if quickly else max(window // 2, 1)

    async def launch(self, flight: Coroutine[Any, Any, Landing]) -> None:
        """Set a flight off; where there is room for one only it is waited for, which saves a task."""
        if self._room == 1:
            landing = await flight
            self._landed.append(landing)
            return
        task = asyncio.create_task(self._fly(flight))
        self._under_way[task] = time.monotonic()
        task.add_done_callback(self._cleared)

    async def _fly(self, flight: Coroutine[Any, Any, Landing]) -> None:
        landing = await flight
        self._landed.append(landing)  # only now looked up: the list is a new one after every taking
        task = asyncio.current_task()
        assert task is not None
        self._cleared(task)  # now, not when the task is cleared away: its place is free

    def _cleared(self, task: asyncio.Task[None]) -> None:
        self._under_way.pop(task, None)
        self.wake()

    def wake(self) -> None:
        """Tell whoever waits that something happened."""
        self._news.set()

    async def landings(self, alarm: Callable[[], Coroutine[Any, Any, None]]) -> list[Landing]:
        """What has landed; waits for a landing, a wake-up or the alarm when nothing has."""
        if not self._landed:
            self._news.clear()
            ringing = asyncio.create_task(self._ring(alarm()))
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
