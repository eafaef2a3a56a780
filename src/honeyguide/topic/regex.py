"""Regex topics: a regular expression over the title and the text."""

from __future__ import annotations

import itertools
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, knob
from honeyguide.topic.argument import quote
from honeyguide.topic.base import Topic, check_threshold
from honeyguide.topic.keyword import occurrences_score
from honeyguide.topic.phrases import times
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load

ENOUGH = 20  # matches; more would not change the score


@kind("regex", "a regular expression found in the title or text, in either case", 'regex:"colou?r"')
@dataclass(frozen=True)
class Regex(Topic):
    """Matches like a keyword does; `(?-i:Rust)` minds the case."""

    reads_main = False
    spelled_out = True
    pattern: str
    threshold: float = knob(0.5, "score from which a page belongs to the topic", 0, 1)
    _compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        object.__setattr__(self, "_compiled", compiled(self.pattern))

    def _matches(self, page: Page) -> list[re.Match[str]]:
        everywhere = itertools.chain(self._compiled.finditer(page.title), self._compiled.finditer(page.text))
        return list(itertools.islice(everywhere, ENOUGH))

    def score(self, page: Page) -> float:
        return occurrences_score(len(self._matches(page)))

    def explain(self, page: Page) -> str:
        found = self._matches(page)
        if not found:
            return f"nothing matches /{self.pattern}/"
        more = " or more" if len(found) == ENOUGH else ""
        return f"/{self.pattern}/ matches {times(len(found))}{more}, first {found[0][0][:60]!r}"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        return cls(str(text))

    def argument(self) -> str:
        return quote(self.pattern)


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern made ready; a wrong one is answered with the place where it goes wrong."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        where = "" if error.pos is None else f" at character {error.pos + 1}"
        raise BadInput(f"the regular expression {pattern!r} is not valid: {error.msg}{where}") from None
    except (OverflowError, RecursionError, ValueError) as error:
        raise BadInput(f"the regular expression {pattern[:80]!r} cannot be used: {error}") from None


def regex(pattern: str, threshold: float = 0.5) -> Regex:
    """Pages whose title or text has a match of this regular expression."""
    return Regex(pattern, threshold)
