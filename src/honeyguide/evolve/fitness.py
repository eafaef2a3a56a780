"""What a crawl is worth: the ways to measure it that evolution can go by."""

from __future__ import annotations

import hashlib
import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import BadInput
from honeyguide.evaluate.measures import found_by, nauc
from honeyguide.topic.function import imported

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Course:
    """How a crawl went: visit by visit whether it brought a relevant page, and of which host."""

    relevant: NDArray[np.bool_]
    host: NDArray[np.integer]
    budget: int
    reachable: int  # relevant pages that there are to be found


def harvest(course: Course) -> float:
    """Relevant pages by pages that could be asked for: ending early gains nothing. This is the paper's."""
    return float(course.relevant.sum()) / course.budget


def target_recall(course: Course) -> float:
    """Relevant pages by those there are, or by the pages that could be asked for where these are fewer."""
    return float(course.relevant.sum()) / max(1, min(course.reachable, course.budget))


def area(course: Course) -> float:
    """nAUC: the same as recall, averaged over all moments of the crawl, so that finding early counts."""
    return nauc(found_by(course.relevant.tolist(), course.budget, course.reachable), course.reachable)


def exploration(course: Course) -> float:
    """Harvest where the k-th relevant page of a host counts 1/√k: new places are worth more than more of the same."""
    hosts = course.host[course.relevant]
    order = np.argsort(hosts, kind="stable")
    ordered = hosts[order]
    first = np.searchsorted(ordered, ordered)  # where each host begins
    nth = np.arange(len(ordered)) - first + 1
    return float((1 / np.sqrt(nth)).sum()) / course.budget


FITNESS: dict[str, Callable[[Course], float]] = {
    "harvest": harvest,
    "recall": target_recall,
    "nauc": area,
    "exploration": exploration,
}


class Measure:
    """One of these, or any function of a course, given as package.module:name."""

    def __init__(self, name: str) -> None:
        self._name, self._own = name, name not in FITNESS
        self._ask = imported(name) if self._own else FITNESS[name]

    def __call__(self, course: Course) -> float:
        if not self._own:
            return self._ask(course)
        try:
            worth = self._ask(course)
        except Exception as error:  # a user's function may fail in any way
            raise BadInput(f"--fitness {self._name} fails: {type(error).__name__}: {error}") from error
        if not isinstance(worth, (int, float, np.number)) or not 0 <= worth < math.inf:
            raise BadInput(f"--fitness {self._name}: a crawl is worth a number from 0 up, and not {worth!r}")
        return float(worth)

    def stamp(self) -> str:
        """Tells a function from what it was before it was changed; nothing where it is one of these."""
        if not self._own:
            return ""
        try:
            return hashlib.blake2b(inspect.getsource(self._ask).encode(), digest_size=16).hexdigest()
        except (OSError, TypeError):  # not written in Python
            return self._name
