"""Where pages are prepared: at first in this process, then, when there is much to do, in processes of their own."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from typing import TYPE_CHECKING, Any, ParamSpec

from msgspec.structs import replace

from honeyguide.web.crew import NotBegun, Worker
from honeyguide.web.preparing import Job, answered, archived, prepare

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.base import Reply

_Args = ParamSpec("_Args")

MUCH = 50  # pages after which workers are worth their start
LARGE = 200_000  # bytes of a page that is never prepared in this process


class Workshop:
    """Give it jobs; one that takes too long, or brings a worker down, comes back as an error."""

    def __init__(self, workers: int | None, patience: float) -> None:
        self._workers = [Worker() for _ in range((os.cpu_count() or 1) if workers is None else workers)]
        self._waiting: deque[tuple[bool, asyncio.Future[Worker]]] = deque()  # whether large, and who gets a worker
        self._for_large = asyncio.Semaphore(max(1, len(self._workers) // 2))
        self._begun = self._at_once = workers is not None
        self._opening: asyncio.Future[Any] | None = None  # till the first worker is ready
        self._patience = patience
        self._done = 0

    async def do(self, job: Job) -> Reply:
        """The reply that comes of a job."""
        self._done += 1
        large = len(job.exchange.body) > LARGE
        self._begun |= self._done > MUCH or large
        if not self._workers or not (large or self._is_open()):
            return await self._in_time(job)
        if not large:
            return await self._by_worker(job, large)
        async with self._for_large:  # small pages always find a worker that is not busy with a large one
            return await self._by_worker(job, large)

    def _is_open(self) -> bool:
        """Whether small pages go to workers; while those start, nobody waits for them unless they were asked for."""
        if not self._begun or self._at_once:
            return self._begun
        if self._opening is None:
            starting = [worker.start() for worker in self._workers]
            self._opening = asyncio.ensure_future(asyncio.wait(starting, return_when=asyncio.FIRST_COMPLETED))
        return self._opening.done()

    async def _by_worker(self, job: Job, large: bool) -> Reply:
        """A worker that is gone may have been so before: another one gets the same chance, but only once."""
        tried = False
        while True:
            worker = await self._free(large)
            try:
                return await worker.do(job, self._patience)
            except NotBegun:
                continue
            except (TimeoutError, ConnectionError) as error:
                await worker.end()
                if tried or isinstance(error, TimeoutError):
                    return await self._here(_given_up, job, error, self._patience)
                tried = True
            except asyncio.CancelledError:
                await worker.end()  # it may be at this very job for long
                raise
            finally:
                self._leave(worker, large)

    async def _free(self, large: bool) -> Worker:
        """The worker with least to do; the job is its from here on."""
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append((large, turn))
        self._hand_out()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(turn.result(), large)
            raise

    def _hand_out(self) -> None:
        """Give workers to those who wait, first come, first served.

        A large page needs one that has nothing else to do: till then, none that came later goes beside another.
        """
        passed_over: list[tuple[bool, asyncio.Future[Worker]]] = []
        while self._waiting and (not passed_over or passed_over[-1][0]):
            large, turn = self._waiting.popleft()
            if turn.done():  # given up
                continue
            alone = large or bool(passed_over)
            free = [worker for worker in self._workers if worker.has_room(alone)]
            if free:
                turn.set_result(min(free, key=lambda worker: worker.jobs).taken(large))
            else:
                passed_over.append((large, turn))
        self._waiting.extendleft(reversed(passed_over))

    def _leave(self, worker: Worker, large: bool) -> None:
        worker.left(large)
        self._hand_out()

    async def _in_time(self, job: Job) -> Reply:
        """Prepare a page in this process. A thread cannot be ended: after one that takes too long, workers do it."""
        try:
            async with asyncio.timeout(self._patience):
                return await self._here(prepare, job)
        except TimeoutError as error:
            self._begun = True
            return await self._here(_given_up, job, error, self._patience)

    async def _here(self, function: Callable[_Args, Reply], *args: _Args.args, **kwargs: _Args.kwargs) -> Reply:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: function(*args, **kwargs))

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.end() for worker in self._workers))


def _given_up(job: Job, error: Exception, patience: float) -> Reply:
    """The answer is archived all the same; only reading it failed."""
    slow = isinstance(error, TimeoutError)
    detail = f"reading it took more than {patience:g} s" if slow else "reading it brought the parser down"
    return archived(job, replace(answered(job), error="parse_limited", detail=detail))
