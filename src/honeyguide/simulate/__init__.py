"""Simulated crawls of linear rank functions, compiled: hundreds of thousands of pages a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honeyguide.simulate.arrays import LinkArrays, LinkedWeb
from honeyguide.simulate.result import Simulated

if TYPE_CHECKING:
    from honeyguide.simulate.simulator import Simulator

__all__ = ["LinkArrays", "LinkedWeb", "Simulated", "Simulator"]


def __getattr__(name: str) -> Any:
    """The simulator needs Numba, which is an extra: imported when it is asked for."""
    if name == "Simulator":
        from honeyguide.simulate.simulator import Simulator

        return Simulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
