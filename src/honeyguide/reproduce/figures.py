"""Numbers as findings and tables show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from honeyguide.evaluate.averages import Estimate, by_topic, estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Case = tuple[str, int]  # a topic and the number of a seed set
_Trial = TypeVar("_Trial")


def over_topics(cases: Mapping[Case, float]) -> Estimate:
    """The mean of topics, each the mean of its seed sets, and the interval."""
    return estimate(by_topic(cases))


def with_interval(found: Estimate, digits: int = 2) -> str:
    """A mean and its interval.

    >>> with_interval(Estimate(0.5, 0.41, 0.6))
    '0.50 [0.41, 0.60]'
    """
    return f"{found.mean:,.{digits}f} [{found.low:,.{digits}f}, {found.high:,.{digits}f}]"


def percent(found: Estimate) -> str:
    """The same of a share, in per cent.

    >>> percent(Estimate(0.5, 0.41, 0.6))
    '50 % [41, 60]'
    """
    return f"{100 * found.mean:.0f} % [{100 * found.low:.0f}, {100 * found.high:.0f}]"


def slashed(values: Iterable[float], digits: int = 2) -> str:
    """Several numbers in a row.

    >>> slashed([0.83, 0.5])
    '0.83/0.50'
    """
    return "/".join(f"{value:,.{digits}f}" for value in values)


def grouped(trials: Mapping[Case, _Trial]) -> dict[str, list[_Trial]]:
    """The trials of each topic.

    >>> grouped({("bees", 0): 1, ("chess", 0): 2, ("bees", 1): 3})
    {'bees': [1, 3], 'chess': [2]}
    """
    topics = dict.fromkeys(topic for topic, _ in trials)
    return {topic: [trial for (name, _), trial in trials.items() if name == topic] for topic in topics}


def mean(values: Iterable[float]) -> float:
    """Of any numbers; 0 where there are none."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
