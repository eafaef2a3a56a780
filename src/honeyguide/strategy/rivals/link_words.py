"""Links as words: of the anchor, of the address and around the link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide import urls
from honeyguide.strategy.noted import Rows
from honeyguide.text import content_words, stems

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Link

    Ids = NDArray[np.integer[Any]]

MOST = {"around": 100, "url": 150, "anchor": 150}  # words of each kind that may tell something
FEW = 10  # where no word is met more often, two times are enough, else six
NOT_TOLD = {f"url {word}" for word in ("net", "http", "www", "cfm", "cgi", "asp", "php", "jsp")}


class LinkWords:
    """The words of links, as numbers, a row for each link."""

    def __init__(self) -> None:
        self.names: list[str] = []  # "kind stem", by number
        self._number: dict[str, int] = {}
        self._met: dict[str, int] = {}  # "kind word"; spares most of the stemming
        self.rows = Rows(np.int32)

    def add(self, link: Link, url: str) -> int:
        """A row for a link; its number."""
        path = urls.split(url)[2].replace("_", " ")
        found = {"around": link.context, "url": path, "anchor": link.anchor}
        numbers = {self._of(kind, word) for kind, text in found.items() for word in content_words(text)}
        return self.rows.append(np.array(sorted(numbers), np.int32))

    def _of(self, kind: str, word: str) -> int:
        key = f"{kind} {word}"
        number = self._met.get(key)
        if number is None:
            name = f"{kind} {stems([word])[0]}"
            number = self._met[key] = self._number.setdefault(name, len(self.names))
            self.names += [name] * (number == len(self.names))
        return number

    def telling(self, rows: Ids) -> NDArray[np.int64]:
        """The most frequent words of each kind in these rows, of three letters or more, met more than once."""
        counts = np.bincount(self.rows.gather(rows)[0], minlength=len(self.names))
        chosen: list[int] = []
        for kind, most in MOST.items():
            known = np.array([i for i in np.flatnonzero(counts).tolist() if self._may_tell(kind, i)], np.int64)
            if len(known):
                enough = known[counts[known] > (1 if counts[known].max() <= FEW else 5)]
                chosen += enough[np.argsort(-counts[enough], kind="stable")][:most].tolist()
        return np.array(sorted(chosen), np.int64)

    def _may_tell(self, kind: str, number: int) -> bool:
        name = self.names[number]
        return name.startswith(f"{kind} ") and len(name) > len(kind) + 3 and name not in NOT_TOLD

    def table(self, rows: Ids, telling: NDArray[np.int64]) -> NDArray[np.float32]:
        """Which row has which of the telling words."""
        place = np.full(len(self.names) + 1, len(telling))
        place[telling] = np.arange(len(telling))
        items, owners = self.rows.gather(rows)
        found = np.zeros((len(rows), len(telling) + 1), np.float32)
        found[owners, place[items]] = 1
        return found[:, :-1]

    def save(self) -> dict[str, Any]:
        """Names and rows."""
        return {"names": list(self.names), "items": self.rows.items.copy(), "ends": self.rows.ends.copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.names, self._met, self.rows = list(state["names"]), {}, Rows(np.int32)
        self._number = {name: i for i, name in enumerate(self.names)}
        self.rows.extend(state["items"], np.diff(state["ends"]))
