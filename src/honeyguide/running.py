"""Running coroutines from plain code, and code that keeps all it makes."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import gc
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

_Result = TypeVar("_Result")

SELDOM = 50_000  # objects made since garbage was last looked for


@contextlib.contextmanager
def no_garbage() -> Iterator[None]:
    """Do not look for garbage while millions of objects are made and none let go of."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


@contextlib.contextmanager
def little_garbage() -> Iterator[None]:
    """Look for garbage less often: a page is hundreds of objects, and hardly any are part of a circle."""
    often, *rarely = gc.get_threshold()
    gc.set_threshold(often and max(often, SELDOM), *rarely)
    try:
        yield
    finally:
        gc.set_threshold(often, *rarely)


class Breath:
    """Lets others have their turn now and then in long work that never waits."""

    EVERY = 0.03  # seconds

    def __init__(self) -> None:
        self._taken = time.monotonic()

    async def take(self) -> None:
        """Let others in, if it is time."""
        if time.monotonic() - self._taken > self.EVERY:
            await asyncio.sleep(0)
            self._taken = time.monotonic()


def run_async(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end, on uvloop where there is one; in a thread of its own where a loop runs already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(coroutine)
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(_run, coroutine).result()


def _run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    with little_garbage(), asyncio.Runner(loop_factory=_fast_loop()) as runner:
        return runner.run(coroutine)


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made
