"""Running coroutines from plain code."""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_Result = TypeVar("_Result")


def run_async(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end, on uvloop where there is one; in a thread of its own where a loop runs already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(coroutine)
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(_run, coroutine).result()


def _run(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        return runner.run(coroutine)


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made
