"""The processes of a workshop, as the crawl sees them: each takes jobs in turn, and the next waits beside it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from collections import deque
from typing import TYPE_CHECKING, Self

import msgspec

from honeyguide.web.packing import unpack
from honeyguide.web.worker import LENGTH, framed

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable

    from honeyguide.base import Reply
    from honeyguide.web.preparing import Job

    Turn = tuple[asyncio.Future[bytes], Callable[[], None]]

BUFFER = 1 << 20  # bytes of a socket, so that most pages are sent at once
START = 60.0  # seconds a worker may take until it is ready
ALONE = {"OPENBLAS_NUM_THREADS": "1"}  # NumPy's threads have nothing to do here, and a tenth of a second to begin


class NotBegun(Exception):
    """The process ended over the job before; this one is to be given to another."""


class _Line(asyncio.Protocol):
    """The crawl's end of a worker's socket: messages out, and for each, in the same order, one in."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._turns: deque[Turn] = deque()  # the first is what the worker is at
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    async def exchange(self, message: bytes, begun: Callable[[], None] = lambda: None) -> bytes:
        """Send a message, which may be empty, and wait for its answer; `begun` is called when its turn comes."""
        assert self._transport is not None
        if self._transport.is_closing():
            raise ConnectionResetError("the worker is gone")
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._turns.append((answer, begun))
        if len(self._turns) == 1:
            begun()
        self._transport.write(message)
        self.data_received(b"")  # it may be there already
        return await answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        while self._turns and len(self._received) >= LENGTH.size:
            end = LENGTH.size + LENGTH.unpack_from(self._received)[0]
            if len(self._received) < end:
                return
            message = bytes(memoryview(self._received)[LENGTH.size : end])
            del self._received[:end]
            self._answer(message)

    def _answer(self, message: bytes) -> None:
        """Hand an answer to whoever waits for it, if anybody still does, and let the next one's time run."""
        answer, _ = self._turns.popleft()
        if not answer.done():
            answer.set_result(message)
        if self._turns and not self._turns[0][0].done():
            self._turns[0][1]()

    def connection_lost(self, exc: Exception | None) -> None:
        gone: Exception = ConnectionResetError("the worker is gone")
        for answer, _ in self._turns:
            if not answer.done():
                answer.set_exception(gone)
            gone = NotBegun()
        self._turns.clear()

    def close(self) -> None:
        """Hang up."""
        if self._transport:
            self._transport.abort()


class Worker:
    """One process, started when it gets its first job, and again after it was ended."""

    def __init__(self) -> None:
        self.jobs = 0  # that it has
        self._large = 0  # of these
        self._ending = 0  # how many see to it that the process ends
        self._process: Process | None = None
        self._starting: asyncio.Future[None] | None = None
        self._spawned = asyncio.Event()  # the process is there, or will not be
        self._line = _Line()

    def has_room(self, alone: bool) -> bool:
        """Whether it can be given a job that is its only one, or beside another; never beside a large page's."""
        return not self._ending and not self._large and self.jobs < (1 if alone else 2)

    def taken(self, large: bool) -> Self:
        """Count a job that it is about to be given."""
        self.jobs += 1
        self._large += large
        return self

    def left(self, large: bool) -> None:
        """Count that it has a job no more."""
        self.jobs -= 1
        self._large -= large

    def start(self) -> asyncio.Future[None]:
        """Start the process, where it was not yet; done when it is ready."""
        if self._starting is None:
            self._spawned.clear()
            self._starting = asyncio.ensure_future(self._start())
        return self._starting

    async def do(self, job: Job, patience: float) -> Reply:
        """The reply to a job. Whoever gives up on one that it is at must `end` the worker."""
        starting = self.start()
        if not starting.done():
            async with asyncio.timeout(START):
                await asyncio.shield(starting)
        starting.result()
        loop, message = asyncio.get_running_loop(), framed(msgspec.msgpack.encode(job))
        async with asyncio.timeout(None) as limit:
            return unpack(await self._line.exchange(message, lambda: limit.reschedule(loop.time() + patience)))

    async def _start(self) -> None:
        try:
            await self._spawn()
        finally:
            self._spawned.set()
        await self._line.exchange(b"")  # it says when it is ready

    async def _spawn(self) -> None:
        ours, theirs = socket.socketpair()
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        _, self._line = await asyncio.get_running_loop().create_connection(_Line, sock=ours)
        with theirs:
            command = (sys.executable, "-P", "-c", "from honeyguide.web.worker import main; main()")
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=theirs.fileno(), start_new_session=True, env=os.environ | ALONE
            )

    async def end(self) -> None:
        """Hang up, and see the process gone; one that is just starting is waited for first."""
        self._ending += 1
        try:
            await self._end()
        finally:
            self._ending -= 1

    async def _end(self) -> None:
        starting = self._starting
        if starting is not None:
            await self._spawned.wait()
        self._line.close()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        if starting is not None:
            await asyncio.gather(starting, return_exceptions=True)
        self._process = self._starting = None
