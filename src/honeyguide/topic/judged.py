"""Judged topics: the verdicts on all pages of a web, made once and looked up by URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from honeyguide.base import BadInput
from honeyguide.topic.base import BudgetSpent, Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.base import Page


class Judged(Topic):
    """Looks known pages up and asks the topic about others; in all else it is the topic, its words included."""

    def __init__(self, topic: Topic, scores: dict[str, float]) -> None:
        self.topic = topic
        self.scores = scores
        self.threshold = topic.threshold
        object.__setattr__(self, "kind", topic.kind)

    def score(self, page: Page) -> float:
        known = self.scores.get(page.url)
        return self.topic.score(page) if known is None else known

    def words(self) -> dict[str, float]:
        return self.topic.words()

    def impossible(self) -> str:
        return self.topic.impossible()

    def excludes(self, other: Topic) -> bool:
        return self.topic.excludes(other)

    def explain(self, page: Page) -> str:
        return self.topic.explain(page)

    def argument(self) -> str:
        return self.topic.argument()

    def __str__(self) -> str:
        return str(self.topic)

    def __getattr__(self, name: str) -> Any:
        if name == "topic" or name.startswith("__"):  # neither is there yet when an object is being copied
            raise AttributeError(name)
        return getattr(self.topic, name)


async def judge_all(topics: Sequence[Topic], pages: Sequence[Page]) -> list[Judged]:
    """The topics with their verdicts on all pages, each seen with the pages that link to it where one asks."""
    seen = _with_parents(pages) if any(topic.needs_parents for topic in topics) else pages
    judged = [Judged(topic, {}) for topic in topics]
    quick = [(found.topic, found.scores) for found in judged if not found.topic.slow]
    for page in seen:  # all topics at once, for a page is cut into words once
        for topic, scores in quick:
            scores[page.url] = topic.score(page)
    for found in judged:
        if found.topic.slow:
            found.scores.update(await _in_batches(found.topic, seen))
    return judged


async def _in_batches(topic: Topic, pages: Sequence[Page]) -> dict[str, float]:
    try:
        scores = await topic.judge(pages)
    except BudgetSpent:
        raise BadInput(
            f"the budget of {topic} was spent before all {len(pages):,} pages were judged; give it a larger one"
        ) from None
    return {page.url: score for page, score in zip(pages, scores, strict=True)}


def _with_parents(pages: Sequence[Page]) -> list[Page]:
    parents: dict[str, list[Page]] = {}
    for page in pages:
        parent = replace(page, links=())
        for target in {link.url for link in page.links}:
            parents.setdefault(target, []).append(parent)
    return [replace(page, parents=tuple(parents.get(page.url, ()))) for page in pages]
