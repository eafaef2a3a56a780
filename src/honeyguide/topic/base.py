"""What a topic is: it scores a page from 0 to 1 and says from which score on a page belongs to it."""

from __future__ import annotations

import abc
import copy
from typing import TYPE_CHECKING, ClassVar, Self

from honeyguide.base import BadInput, HoneyguideError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument

    Load = Callable[[str], list[Page]]

PAGE_WORDS = 50  # as many words as a learned topic says it is about


class BudgetSpent(HoneyguideError):
    """A topic may send no more pages to its function; `scores` holds what was paid for, None for the rest."""

    def __init__(self, message: str, scores: Sequence[float | None] = ()) -> None:
        super().__init__(message)
        self.scores = list(scores)


class Topic(abc.ABC):
    """Judges pages. A kind of topic needs `score`; the rest has an answer that does no harm."""

    threshold: float = 0.5
    slow: bool = False  # judging may wait, so pages are best brought in batches
    needs_parents: bool = False  # Page.parents must be filled in first
    reads_main: bool = True  # the main text is told from menus and footers
    reads_everything: bool = False  # the same, links get their surroundings, and judging may take its time
    spelled_out: bool = False  # its expression says all that it goes by: no file, no function
    condition: ClassVar[bool] = False  # it says where a page stands or how it is written, not what it is about
    kind: ClassVar[str] = ""  # its name in expressions, set when it is registered

    @abc.abstractmethod
    def score(self, page: Page) -> float:
        """How much the page is about the topic, 0 to 1."""

    async def judge(self, pages: Sequence[Page]) -> list[float]:
        """The scores of several pages."""
        return [self.score(page) for page in pages]

    def relevant(self, score: float) -> bool:
        """Whether a page with this score belongs to the topic."""
        return score >= self.threshold

    def words(self) -> dict[str, float]:
        """Words the topic is known to be about, the most telling with weight 1."""
        return {}

    def impossible(self) -> str:
        """Why no page can ever belong to the topic, or nothing."""
        return ""

    def excludes(self, other: Topic) -> bool:
        """Whether no page can belong to both this topic and the other."""
        return self == ~other

    def explain(self, page: Page) -> str:
        """What in the page speaks for the topic, in a few words."""
        return f"judged by {self}" if self.slow else f"{self} scores {self.score(page):.2f}"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        """The topic written as `kind:text`."""
        raise BadInput(f"a {cls.kind} topic cannot be written as text")

    def argument(self) -> str:
        """What stands after the colon, quoted where it must be."""
        return ""

    def at(self, threshold: float) -> Self:
        """The same topic with another threshold."""
        check_threshold(threshold)
        other = copy.copy(self)
        object.__setattr__(other, "threshold", float(threshold))
        return other

    def __str__(self) -> str:
        suffix = "" if self.threshold == type(self).threshold else f"@{self.threshold!r}"
        return f"{self.kind or type(self).__name__.lower()}:{self.argument()}{suffix}"

    def __and__(self, other: Topic) -> Topic:
        from honeyguide.topic.combine import And

        return And((self, other)) if isinstance(other, Topic) else NotImplemented

    def __or__(self, other: Topic) -> Topic:
        from honeyguide.topic.combine import Or

        return Or((self, other)) if isinstance(other, Topic) else NotImplemented

    def __invert__(self) -> Topic:
        from honeyguide.topic.combine import Not

        return Not(self)


def check_threshold(threshold: float) -> None:
    """Refuse a threshold that no score could be compared with."""
    if not 0 <= threshold <= 1:
        raise BadInput(f"a threshold lies between 0 and 1, and {threshold} does not")


def strongest(weights: dict[str, float], count: int = PAGE_WORDS) -> dict[str, float]:
    """The words with the largest positive weights, scaled so that the first weighs 1."""
    ranked = sorted(((w, t) for t, w in weights.items() if w > 0), key=lambda pair: (-pair[0], pair[1]))
    return {term: weight / ranked[0][0] for weight, term in ranked[:count]}


def reading(page: Page | str) -> str:
    """The text that tells what a page is about: its title and its main part."""
    return page if isinstance(page, str) else f"{page.title}\n{page.main or page.text}"
