"""Where pages are prepared: at first in this process, then, when there is much to do, in processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec

import msgspec

from honeyguide.web.packing import unpack
from honeyguide.web.preparing import Job, answered, archived, prepare
from honeyguide.web.worker import LENGTH, framed

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable

    from honeyguide.base import Reply

_Args = ParamSpec("_Args")

MUCH = 50  # pages after which workers are worth their start
BUFFER = 1 << 20  # bytes of a socket, so that most pages are sent at once
START = 60.0  # seconds a worker may take until it is ready
LARGE = 200_000  # bytes of a page that is never prepared in this process


class Workshop:
    """Give it jobs; one that takes too long, or brings a worker down, comes back as an error."""

    def __init__(self, workers: int | None, patience: float) -> None:
        self._workers = [_Worker() for _ in range((os.cpu_count() or 1) if workers is None else workers)]
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for worker in reversed(self._workers):
            self._idle.put_nowait(worker)
        self._for_large = asyncio.Semaphore(max(1, len(self._workers) // 2))
        self._begun = workers is not None
        self._patience = patience
        self._done = 0

    async def do(self, job: Job) -> Reply:
        """The reply that comes of a job."""
        self._done += 1
        self._begun |= self._done > MUCH or len(job.exchange.body) > LARGE
        if not self._workers or not self._begun:
            return await self._in_time(job)
        if len(job.exchange.body) <= LARGE:
            return await self._by_worker(job)
        async with self._for_large:  # small pages always find a worker that is not busy with a large one
            return await self._by_worker(job)

    async def _by_worker(self, job: Job) -> Reply:
        worker = await self._idle.get()
        try:
            return await self._sent(worker, job)
        except (TimeoutError, ConnectionError) as error:
            await worker.end()
            return await self._here(_given_up, job, error, self._patience)
        except asyncio.CancelledError:
            await worker.end()  # it would answer the next job with this one's reply
            raise
        finally:
            self._idle.put_nowait(worker)

    async def _in_time(self, job: Job) -> Reply:
        """Prepare a page in this process. A thread cannot be ended: after one that takes too long, workers do it."""
        try:
            async with asyncio.timeout(self._patience):
                return await self._here(prepare, job)
        except TimeoutError as error:
            self._begun = True
            return await self._here(_given_up, job, error, self._patience)

    async def _sent(self, worker: _Worker, job: Job) -> Reply:
        """A worker that is gone may have been so before: another one gets the same chance, but only once."""
        try:
            return await worker.do(job, self._patience)
        except ConnectionError:
            await worker.end()
            return await worker.do(job, self._patience)

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


class _Line(asyncio.Protocol):
    """The crawl's end of a worker's socket: one message out, one message in."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._awaited: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]

    async def exchange(self, message: bytes) -> bytes:
        """Send a message, which may be empty, and wait for the next one that comes."""
        assert self._transport is not None
        if self._transport.is_closing():
            raise ConnectionResetError("the worker is gone")
        self._awaited = asyncio.get_running_loop().create_future()
        self._transport.write(message)
        self.data_received(b"")  # it may be there already
        return await self._awaited

    def data_received(self, data: bytes) -> None:
        self._received += data
        if len(self._received) < LENGTH.size:
            return
        end = LENGTH.size + LENGTH.unpack_from(self._received)[0]
        if len(self._received) >= end and self._awaited and not self._awaited.done():
            self._awaited.set_result(bytes(memoryview(self._received)[LENGTH.size : end]))
            self._received = bytearray()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._awaited and not self._awaited.done():
            self._awaited.set_exception(ConnectionResetError("the worker is gone"))

    def close(self) -> None:
        """Hang up."""
        if self._transport:
            self._transport.abort()


class _Worker:
    """One process, started when it gets its first job, and again after it was ended."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._starting: asyncio.Future[None] | None = None
        self._spawned = asyncio.Event()  # the process is there, or will not be
        self._line = _Line()

    async def do(self, job: Job, patience: float) -> Reply:
        """The reply to a job. Whoever gives up on it must `end` the worker, or the next one gets its answer."""
        if self._process is None:
            self._spawned.clear()
            self._starting = asyncio.ensure_future(self._start())
            async with asyncio.timeout(START):
                await asyncio.shield(self._starting)
        async with asyncio.timeout(patience):
            return unpack(await self._line.exchange(framed(msgspec.msgpack.encode(job))))

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
                *command, stdin=theirs.fileno(), start_new_session=True
            )

    async def end(self) -> None:
        """Hang up, and see the process gone; one that is just starting is waited for first."""
        if self._starting is not None:
            await self._spawned.wait()
        self._line.close()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        self._process = self._starting = None
