"""Link topics: pages that link to, or are linked from, pages that match another topic."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from honeyguide.base import BadInput, Page, knob
from honeyguide.topic.argument import unquote
from honeyguide.topic.base import BudgetSpent, Topic, check_threshold
from honeyguide.topic.combine import calibrated
from honeyguide.topic.registry import kind, kinds
from honeyguide.topic.url import Url, url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load

Direction = Literal["to", "from", "either"]


@kind("links", "pages that link to (to:…) or are linked from (from:…) pages that match", "links:to:*/wiki/*")
@dataclass(frozen=True)
class Links(Topic):
    """Scores as the best neighbour does: a page that links here as it was fetched, a page that is linked to by its
    address and the words of the link, for it may never be fetched."""

    condition: ClassVar[bool] = True
    neighbour: Topic
    direction: Direction = "either"
    threshold: float = knob(0.5, "score from which a page belongs to the topic", 0, 1)
    slow: bool = field(init=False, compare=False, repr=False, default=False)
    needs_parents: bool = field(init=False, compare=False, repr=False, default=False)
    reads_everything: bool = field(init=False, compare=False, repr=False, default=True)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        if self.direction not in ("to", "from", "either"):
            raise BadInput(f"links go 'to', 'from' or 'either' way, not {self.direction!r}")
        object.__setattr__(self, "slow", self.neighbour.slow)
        object.__setattr__(self, "needs_parents", self.direction != "to")

    def neighbours(self, page: Page) -> list[Page]:
        """What is known of the neighbours of a page without fetching any."""
        out = () if self.direction == "from" else page.links
        parents = () if self.direction == "to" else page.parents
        return [*parents] + [Page(link.url, title=link.anchor, text=f"{link.anchor} {link.context}") for link in out]

    def _best(self, scores: Sequence[float]) -> float:
        return max((calibrated(self.neighbour, score) for score in scores), default=0.0)

    def score(self, page: Page) -> float:
        return self._best([self.neighbour.score(near) for near in self.neighbours(page)])

    async def judge(self, pages: Sequence[Page]) -> list[float]:
        groups = [self.neighbours(page) for page in pages]
        try:
            scores = iter(await self.neighbour.judge([near for group in groups for near in group]))
        except BudgetSpent as spent:
            raise BudgetSpent(str(spent), [None] * len(pages)) from spent
        return [self._best([next(scores) for _ in group]) for group in groups]

    def impossible(self) -> str:
        return self.neighbour.impossible() if self.threshold > 0 else ""

    def explain(self, page: Page) -> str:
        if self.slow:
            return f"a neighbour judged by {self.neighbour}"
        for near in self.neighbours(page):
            if self.neighbour.relevant(self.neighbour.score(near)):
                return f"{'linked from' if near in page.parents else 'links to'} {near.url}"
        return f"no known neighbour is {self.neighbour}"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        from honeyguide.topic.expression import parse

        direction: Direction = "either"
        if not text.quoted and text.startswith(("to:", "from:")):
            direction = "to" if text.startswith("to:") else "from"
            text = unquote(text.partition(":")[2])
        if not text.quoted and text.startswith("("):
            return cls(parse(text, load), direction)
        if not text.quoted and (name := text.partition(":")[0]) != text and name in {each.name for each in kinds()}:
            raise BadInput(f"links takes a topic in parentheses: links:{_way(direction)}({text})")
        return cls(url(text), direction)

    def argument(self) -> str:
        plain = isinstance(self.neighbour, Url) and self.neighbour.threshold == Url.threshold
        return _way(self.direction) + (self.neighbour.argument() if plain else f"({self.neighbour})")


def _way(direction: Direction) -> str:
    """A direction as expressions have it."""
    return "" if direction == "either" else f"{direction}:"


def links(
    pattern: str | Topic | None = None,
    *,
    to: str | Topic | None = None,
    source: str | Topic | None = None,
    threshold: float = 0.5,
) -> Topic:
    """Pages linking to (`to`), linked from (`source`), or either way next to (`pattern`) such pages."""
    ways: list[tuple[str | Topic | None, Direction]] = [(pattern, "either"), (to, "to"), (source, "from")]
    made: list[Topic] = [
        Links(url(near) if isinstance(near, str) else near, which, threshold)
        for near, which in ways
        if near is not None
    ]
    if not made:
        raise BadInput("links needs to=…, source=… or a pattern, as in links('*/wiki/*')")
    topic = made[0]
    for other in made[1:]:
        topic = topic | other
    return topic
