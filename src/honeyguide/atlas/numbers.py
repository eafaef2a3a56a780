"""Numbers for texts, in the order they are met."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable


class Numbers:
    """0 for the first text, 1 for the next one that is another, and so on.

    >>> numbers = Numbers()
    >>> numbers.of(["bee", "hive", "bee"]), numbers.texts
    ([0, 1, 0], ['bee', 'hive'])
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(lambda: len(self._numbers))
        self.of(texts)

    def of(self, texts: Iterable[str]) -> list[int]:
        """The numbers of texts, new ones for those not met before."""
        return [self._numbers[text] for text in texts]

    def one(self, text: str, most: int, what: str) -> int:
        """The number of a text of which there may be so many."""
        number = self._numbers[text]
        if number > most:
            raise BadInput(f"there are more than {most:,} {what}, too many for a stored web; the last is {text!r}")
        return number

    @property
    def texts(self) -> list[str]:
        """All texts, in the order of their numbers."""
        return list(self._numbers)
