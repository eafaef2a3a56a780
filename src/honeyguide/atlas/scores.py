"""What topics think of every page of a stored web, kept beside its arrays: judged once, then opened at once."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.store import new_file
from honeyguide.store.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.atlas.reading import Atlas
    from honeyguide.base import Page

    Scores = NDArray[np.float64]

FOLDER = "scores"
TRIED = 25  # of the best pages, and as many of all, are judged again to see whether kept scores are still true


def scores_of(atlas: Atlas, name: str, score: Callable[[Page], float]) -> Scores:
    """The scores of all pages: those that are kept under this name, or new ones, which are kept from now on.

    The name must say all that the scores go by; that it means what it did is tried on a few pages.
    """
    path = atlas.directory / FOLDER / f"{hashlib.blake2b(name.encode(), digest_size=16).hexdigest()}.bin"
    kept = _opened(path, atlas.pages)
    if kept is not None and _still_true(atlas, kept, score):
        return kept
    found = np.fromiter(map(score, atlas.all_pages()), np.float64, atlas.pages)
    with contextlib.suppress(StoreError, OSError):  # a web that cannot be written to is judged anew each time
        _keep(path, name, found)
    return found


def _opened(path: Path, pages: int) -> Scores | None:
    if not path.is_file() or path.stat().st_size != 8 * pages:
        return None
    return np.memmap(path, np.float64, "r", shape=(pages,)).view(np.ndarray)


def _still_true(atlas: Atlas, kept: Scores, score: Callable[[Page], float]) -> bool:
    """The web may be another one by now, or the topic judge otherwise in another version."""
    best = np.argpartition(-kept, min(TRIED, len(kept) - 1))[:TRIED]
    spread = np.linspace(0, len(kept) - 1, TRIED).astype(int)
    return all(score(atlas.page(i)) == kept[i] for i in {*best.tolist(), *spread.tolist()})


def _keep(path: Path, name: str, scores: Scores) -> None:
    path.parent.mkdir(exist_ok=True)
    with new_file(path) as fresh:
        scores.tofile(fresh)
    with new_file(path.with_suffix(".txt")) as fresh:
        fresh.write_text(f"{name}\n", encoding="utf-8")
