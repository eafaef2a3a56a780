"""The parts of a topic: what a page must be about, and conditions, which hold whatever it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.topic.combine import And, Combination, Or

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from honeyguide.topic.base import Topic


def content(topic: Topic) -> Topic | None:
    """What a page must be about, its conditions aside; None where there is nothing but conditions."""
    if isinstance(topic, And):
        return _joined(And, [part for part in topic.operands if not is_condition(part)])
    return None if is_condition(topic) else topic


def conditions(topic: Topic) -> Topic | None:
    """What holds of all pages of a topic, whatever they are about; None where there is no such thing."""
    if not isinstance(topic, Combination):
        return topic if is_condition(topic) else None
    found = [conditions(part) for part in topic.operands]
    if isinstance(topic, Or) and None in found:
        return None
    return _joined(type(topic), [each for each in found if each is not None])


def is_condition(topic: Topic) -> bool:
    """Whether it asks what a page is not, where it stands or how it is written, and for nothing else."""
    if isinstance(topic, Combination):
        return all(map(is_condition, topic.operands))
    return topic.condition


def leaves(topic: Topic) -> Iterator[Topic]:
    """What & and | join, from left to right; what stands behind a ~ is one leaf with it."""
    if isinstance(topic, Combination):
        for part in topic.operands:
            yield from leaves(part)
    else:
        yield topic


def with_leaves(topic: Topic, change: Callable[[Topic], Topic]) -> Topic:
    """The same topic with other leaves."""
    if isinstance(topic, Combination):
        return type(topic)(tuple(with_leaves(part, change) for part in topic.operands))
    return change(topic)


def _joined(join: type[Combination], parts: Sequence[Topic]) -> Topic | None:
    different = tuple(part for i, part in enumerate(parts) if part not in parts[:i])
    return join(different) if len(different) > 1 else different[0] if different else None
