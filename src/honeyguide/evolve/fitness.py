"""What a crawl is worth: the ways to measure it that evolution can go by."""

from __future__ import annotations

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


def measure_named(name: str) -> Callable[[Course], float]:
    """One of these, or any function of a course, given as package.module:name."""
    if name in FITNESS:
        return FITNESS[name]
    found, where = imported(name), Course(np.array([True, False]), np.zeros(2, np.int32), 2, 1)
    try:
        worth = float(found(where))
    except Exception as error:  # a user's function may fail in any way
        raise BadInput(
            f"--fitness {name}: it fails on a crawl of two pages: {type(error).__name__}: {error}"
        ) from error
    if not worth >= 0:
        raise BadInput(f"--fitness {name}: a crawl is worth a number from 0 up, and not {worth}")
    return found
