"""How functions of the compiled loop are compiled: without Python's lock, and with NumPy's rules for division.

They make no arrays, so they need not count who holds those that they are given (`_nrt`): that would be done at every
call, by atomic operations that cost more than most of the functions do. And they become one (`forceinline`), for an
array is handed over as seven numbers. Arrays of records keep the number of arguments small.

What was compiled is kept in the user's cache directory, for compiling takes longer than most simulations. Numba only
notices when a function's own file changes, so the place goes by what all files of the loop hold.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from honeyguide.base import BadInput
from honeyguide.strategy import rank_formulas

if TYPE_CHECKING:
    from collections.abc import Callable

try:
    import numba
except ImportError:
    raise BadInput("the compiled loop needs Numba; install it with: pip install 'honeyguide[simulate]'") from None

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "forceinline": True}
F = TypeVar("F", bound="Callable[..., Any]")


def _stamp() -> str:
    """What tells one state of the loop's code from another."""
    sources = [*sorted(Path(__file__).parent.glob("*.py")), Path(rank_formulas.__file__)]
    text = b"".join(path.read_bytes() for path in sources) + numba.__version__.encode()
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _cache() -> Path | None:
    """Where compiled functions are kept; nowhere where nothing can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(home).expanduser() / "honeyguide" / f"simulate-{_stamp()}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE = _cache()


def compiled(function: F) -> F:
    """A function compiled at its first call, unless that was done before."""
    if CACHE is None:
        made: Any = numba.njit(**OPTIONS)(function)
        return cast("F", made)
    config: Any = numba.config
    config.CACHE_DIR, before = str(CACHE), config.CACHE_DIR
    try:
        made = numba.njit(**OPTIONS, cache=True)(function)
    finally:
        config.CACHE_DIR = before
    return cast("F", made)
