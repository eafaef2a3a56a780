"""A topic as a lesson asks it about stored pages: whoever takes long is asked only what is not known of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.topic import BudgetSpent, Topic
from honeyguide.topic.answers import FunctionFailed
from honeyguide.topic.combine import Combination, Not, calibrated
from honeyguide.topic.links import Links
from honeyguide.topic.parts import leaves, with_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from honeyguide.base import Page
    from honeyguide.store import Store


def recalled(topic: Topic, before: Topic, store: Store, start: int = 0) -> Topic:
    """A topic whose parts that take long go by what the topic before said of the stored pages, from a visit on."""
    if not any(map(takes_long, leaves(topic))):
        return topic
    said = {v.url: calibrated(before, v.relevance) for v in store.visits(start) if v.error != "unjudged"}
    return with_leaves(topic, lambda leaf: _recalled(leaf, said) if takes_long(leaf) else leaf)


def unanswered(topic: Topic) -> dict[str, str]:
    """The addresses of pages about which a condition was asked in vain, and why."""
    doubted = (leaf for leaf in leaves(topic) if isinstance(leaf, Doubted))
    return {url: why for leaf in doubted for url, why in leaf.unanswered.items()}


def _recalled(leaf: Topic, said: Mapping[str, float]) -> Topic:
    return Doubted(leaf, said) if leaf.condition else Recalled(said)


def takes_long(topic: Topic) -> bool:
    """Whether asking it may mean waiting for a function, also for one behind a ~ or a link."""
    if isinstance(topic, Combination):
        return any(map(takes_long, topic.operands))
    if isinstance(topic, (Not, Links)):
        return takes_long(topic.operand if isinstance(topic, Not) else topic.neighbour)
    return topic.slow or (topic.reads_everything and not topic.condition)


class Recalled(Topic):
    """A part of a topic that asks nobody: what was said of a page by the whole stands for what the part said."""

    slow = True  # so that it counts only where the other parts leave the verdict open

    def __init__(self, said: Mapping[str, float]) -> None:
        self._said = said

    def score(self, page: Page) -> float:
        if page.url not in self._said:
            raise BudgetSpent(f"nothing was said of {page.url} yet, and a lesson asks nobody")
        return self._said[page.url]


class Doubted(Recalled):
    """A condition that takes long: it held of what was on topic, and is asked whether others broke it.

    They may have been off topic for another reason, and it was perhaps never asked about them.
    """

    def __init__(self, condition: Topic, said: Mapping[str, float]) -> None:
        super().__init__(said)
        self._condition = condition
        self.unanswered: dict[str, str] = {}  # why, by the address of the page
        self.needs_parents = condition.needs_parents

    async def judge(self, pages: Sequence[Page]) -> list[float]:
        return [await self._held(page) for page in pages]

    async def _held(self, page: Page) -> float:
        said = self.score(page)
        if said >= 0.5:
            return 1.0
        try:
            return calibrated(self._condition, (await self._condition.judge([page]))[0])
        except (BudgetSpent, FunctionFailed) as error:  # a lesson is not to fail for a page that may stay as it is
            self.unanswered[page.url] = str(error)
            return said
