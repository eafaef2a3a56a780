"""Places in pages: tag paths as vectors of n-grams, and the arms that like ones are gathered in."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.urls import split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Link

HASH_BITS, WORD_BITS, FACTOR = 12, 15, 766245317  # m, w and a of the hash that gives n-grams their places
PLACES = 1 << HASH_BITS
MOST_ARMS = 2000
_DIGITS = re.compile(r"\d+")


class TagPaths:
    """Tag paths as vectors of n-grams, and the arms they are gathered in."""

    def __init__(self, n: int, threshold: float) -> None:
        self._n, self._threshold = n, threshold
        self._forget()

    def _forget(self) -> None:
        self.arm_of: dict[str, int] = {}
        self._grams: dict[str, int] = {}
        self._crowd = np.zeros(PLACES)  # n-grams that share each place
        self._sums = np.zeros((PLACES, 64), np.float32)  # of the vectors in each arm: as good as their mean
        self._lengths = np.zeros(64)
        self.arms = 0

    def vector(self, path: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The places that are not zero, and their values: shares of n-grams, averaged over those of one place."""
        tags = ["[SOS]", *path.split("/"), "[EOS]"]
        grams = ["/".join(tags[i : i + self._n]) for i in range(max(len(tags) - self._n + 1, 1))]
        places = [self._place(gram) for gram in grams]
        distinct, counts = np.unique(places, return_counts=True)
        return distinct, counts / len(grams) / self._crowd[distinct]

    def _place(self, gram: str) -> int:
        known = gram in self._grams
        number = self._grams.setdefault(gram, len(self._grams))
        place = (number * FACTOR) % (1 << WORD_BITS) >> (WORD_BITS - HASH_BITS)
        self._crowd[place] += not known
        return place

    def assign(self, path: str) -> int:
        """The arm of a path: the nearest one if it is near enough, else a new one."""
        places, values = self.vector(path)
        arm, likeness = self._nearest(places, values)
        if likeness < self._threshold and self.arms < MOST_ARMS:
            arm, self.arms = self.arms, self.arms + 1
            self._make_room()
        self._sums[places, arm] += values.astype(np.float32)
        self._lengths[arm] = math.sqrt(float((self._sums[:, arm].astype(np.float64) ** 2).sum()))
        self.arm_of[path] = arm
        return arm

    def _nearest(self, places: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[int, float]:
        if not self.arms:
            return 0, -1.0
        dots = values @ self._sums[places, : self.arms]
        likeness = dots / (self._lengths[: self.arms] * math.sqrt(float(values @ values)))
        best = int(np.argmax(likeness))
        return best, float(likeness[best])

    def _make_room(self) -> None:
        if self.arms > len(self._lengths):
            self._lengths = enlarged(self._lengths, 2 * self.arms)
            sums = np.zeros((PLACES, len(self._lengths)), np.float32)
            sums[:, : self._sums.shape[1]] = self._sums
            self._sums = sums

    def save(self) -> dict[str, Any]:
        """Paths with their arms, the n-grams in their order, and the sums that are not zero."""
        places, arms = np.nonzero(self._sums[:, : self.arms])
        return {
            "paths": list(self.arm_of),
            "arm_of_path": np.array(list(self.arm_of.values()), np.int32),
            "grams": list(self._grams),
            "places": places.astype(np.int32),
            "arms_of_sums": arms.astype(np.int32),
            "sums": self._sums[places, arms],
            "lengths": self._lengths[: self.arms].copy(),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._forget()
        for gram in state["grams"]:
            self._place(gram)
        self.arm_of = dict(zip(state["paths"], np.asarray(state["arm_of_path"]).tolist(), strict=True))
        self.arms = len(state["lengths"])
        self._make_room()
        self._sums[state["places"], state["arms_of_sums"]] = state["sums"]
        self._lengths[: self.arms] = state["lengths"]


def place_of(link: Link) -> str:
    """The tag path of a link, or else its host and the shape of its URL.

    >>> from honeyguide.base import Link
    >>> place_of(Link("http://a.test/news/2024/flood-17.html?id=4"))
    'a.test/news/0/.html/?id'
    """
    if link.path:
        return link.path
    _, host, rest = split(link.url)
    path, _, query = rest.partition("?")
    *directories, last = _DIGITS.sub("0", path).split("/")
    name, dot, extension = last.rpartition(".")
    shape = f".{extension}" if dot and name else "0" if "0" in last else "a" if last else ""
    names = sorted(part.partition("=")[0] for part in query.split("&")) if query else []
    return "/".join([host, *filter(None, directories), shape, *(["?" + "&".join(names)] if names else [])])
