"""The log of a crawl for programs: a JSON object a line, ASCII only, so that nothing remote gets out of its line."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from honeyguide.base import visit_number
from honeyguide.store.errors import told_plainly

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.base import Visit

_TOLD = ("url", "status", "error", "detail", "flag", "relevant", "relevance", "score", "size", "seconds")


class Journal:
    """Appends to a file; without one, nothing is written."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._file = None
        if path is not None:
            with told_plainly(path):
                self._file = path.open("a", encoding="ascii", buffering=1)

    def visit(self, visit: Visit) -> None:
        """A page was asked for, and this came of it."""
        if self._file:
            title = visit.page.title if visit.page else ""
            known = {name: getattr(visit, name) for name in _TOLD}
            self.event("visit", {"number": visit_number(visit.number), **known, "title": title})

    def event(self, kind: str, about: dict[str, Any]) -> None:
        """Something else happened."""
        if self._file and self._path:
            time = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            known = {name: _finite(value) for name, value in about.items()}
            with told_plainly(self._path):
                self._file.write(json.dumps({"time": time, "event": kind, **known}, allow_nan=False) + "\n")

    def close(self) -> None:
        """Write no more."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _finite(value: Any) -> Any:
    """JSON knows no infinity, the score of seeds."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value
