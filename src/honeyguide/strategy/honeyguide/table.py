"""What grows with a crawl: tables with a row for each page, link, anchor or URL, and texts by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray


class Table:
    """Rows of numbers, all of them as given at first; there is room to spare."""

    def __init__(self, first: Sequence[float], kind: Any = np.float32) -> None:
        self._first = np.array(first, kind)
        self.rows: NDArray[Any] = np.tile(self._first, (1024, 1))

    def make_room(self, size: int) -> None:
        """Have at least so many rows."""
        if size > len(self.rows):
            more = max(size, len(self.rows) * 9 // 8) - len(self.rows)
            self.rows = np.concatenate([self.rows, np.tile(self._first, (more, 1))])

    def save(self, size: int) -> NDArray[Any]:
        """The first rows, as many as mean something."""
        self.make_room(size)
        return self.rows[:size].copy()

    def load(self, rows: Any) -> None:
        """Take back what `save` gave."""
        self.rows = np.array(rows, self._first.dtype).reshape(-1, len(self._first))
        self.make_room(1024)


class Numbered(dict[str, int]):
    """Texts, each with a number: those given at first, then others as they are asked for."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = list(texts)
        super().__init__((text, number) for number, text in enumerate(self.texts))

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self.texts)
        self.texts.append(text)
        return number
