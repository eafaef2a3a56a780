"""Keyword topics: a word or a phrase in the title or the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from honeyguide.base import BadInput, knob
from honeyguide.text import STOP_WORDS
from honeyguide.topic.argument import quote
from honeyguide.topic.base import Topic, check_threshold
from honeyguide.topic.phrases import count, needle, times
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load

Mode = Literal["any", "all"]


@kind("keyword", "a word or phrase in the title or text", 'keyword:stem(any(solar, "heat pump"))')
@dataclass(frozen=True)
class Keyword(Topic):
    """Matches whole words in either case: one match scores 0.5, two 0.75, three 0.875 and so on."""

    reads_main = False
    spelled_out = True
    phrases: tuple[str, ...]
    mode: Mode = "any"
    stem: bool = False
    threshold: float = knob(0.5, "score from which a page belongs to the topic", 0, 1)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        if not self.phrases:
            raise BadInput("a keyword topic needs at least one word, as in keyword:solar")
        if self.mode not in ("any", "all"):
            raise BadInput(f"keywords are matched by 'any' or 'all', not {self.mode!r}")
        tidy = (" ".join(phrase.casefold().split()) for phrase in self.phrases)
        object.__setattr__(self, "phrases", tuple(dict.fromkeys(tidy)))
        if len(self.phrases) == 1:
            object.__setattr__(self, "mode", "any")

    def _counts(self, text: str) -> list[int]:
        return [count(phrase, text, self.stem) for phrase in self.phrases]

    def score(self, page: Page) -> float:
        counts = [a + b for a, b in zip(self._counts(page.title), self._counts(page.text), strict=True)]
        if self.mode == "any":
            return occurrences_score(sum(counts))
        matched = sum(n > 0 for n in counts) / len(counts)
        return occurrences_score(min(counts)) if matched == 1 else 0.5 * matched

    def words(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for phrase in self.phrases:
            parts = [part for part in phrase.split() if needle(part, False) and part not in STOP_WORDS]
            found |= {part: max(1 / len(parts), found.get(part, 0)) for part in parts}
            if needle(phrase, False):
                found[phrase] = 1.0
        return found

    def impossible(self) -> str:
        empty = [phrase for phrase in self.phrases if not needle(phrase, self.stem)]
        if self.threshold <= 0 or not empty or (self.mode == "any" and len(empty) < len(self.phrases)):
            return ""
        return f"the keyword {empty[0]!r} has no word in it, so no page can match"

    def explain(self, page: Page) -> str:
        places = [
            f"{phrase!r} {times(number)} in the {place}"
            for place, text in (("title", page.title), ("text", page.text))
            for phrase, number in zip(self.phrases, self._counts(text), strict=True)
            if number
        ]
        return ", ".join(places) or f"no {' or '.join(map(repr, self.phrases))}"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        call = text.call()
        stem = call is not None and call[0] == "stem"
        if call is not None and stem and len(call[1]) == 1 and call[1][0].call():
            call = call[1][0].call()
        if call is None:
            return cls((text,))
        name, phrases = call
        if name not in ("any", "all", "stem"):
            raise BadInput(f"keywords stand in any(…), all(…) or stem(…), not in {name}(…)")
        return cls(tuple(map(str, phrases)), "all" if name == "all" else "any", stem)

    def argument(self) -> str:
        inner = ", ".join(map(quote, self.phrases))
        if len(self.phrases) > 1:
            inner = f"{self.mode}({inner})"
        return f"stem({inner})" if self.stem else inner


def occurrences_score(number: int) -> float:
    """The score of something seen so many times: 0.5 for once, half the way to 1 for each time more.

    >>> [occurrences_score(n) for n in (0, 1, 2, 3)]
    [0.0, 0.5, 0.75, 0.875]
    """
    return 1 - 0.5 ** min(number, 64)


def keyword(*phrases: str, mode: Mode = "any", stem: bool = False, threshold: float = 0.5) -> Keyword:
    """Pages with any, or all, of these words or phrases."""
    return Keyword(phrases, mode, stem, threshold)
