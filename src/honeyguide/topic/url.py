"""URL topics: a word in the address, a piece of it, or a pattern with * and ?."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from honeyguide.base import BadInput, knob
from honeyguide.topic.argument import quote
from honeyguide.topic.base import Topic, check_threshold
from honeyguide.topic.registry import kind
from honeyguide.urls import tokens

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load

How = Literal["token", "substring", "glob"]
HOWS: tuple[How, ...] = ("token", "substring", "glob")


@kind("url", "words, a piece (substring=…) or a pattern (with * and ?) in the address", "url:*/wiki/*")
@dataclass(frozen=True)
class Url(Topic):
    """Matches addresses in either case, and scores 1 or 0."""

    reads_main = False
    spelled_out = True
    condition: ClassVar[bool] = True
    pattern: str
    how: How = "token"
    threshold: float = knob(0.5, "score from which a page belongs to the topic", 0, 1)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        if not self.pattern:
            raise BadInput("a url topic needs a word or a pattern, as in url:shop or url:*/wiki/*")
        if self.how not in HOWS:
            raise BadInput(f"urls are matched by 'token', 'substring' or 'glob', not {self.how!r}")

    def matches(self, url: str) -> bool:
        """Whether the address fits the pattern."""
        if self.how == "substring":
            return self.pattern.lower() in url.lower()
        if self.how == "glob":
            return glob_matches(self.pattern.lower(), url.lower())
        wanted = tokens(self.pattern)
        return bool(wanted) and _spaced(wanted) in _spaced(tokens(url))

    def score(self, page: Page) -> float:
        return float(self.matches(page.url))

    def words(self) -> dict[str, float]:
        return dict.fromkeys(tokens(self.pattern), 1.0) if self.how == "token" else {}

    def impossible(self) -> str:
        if self.how == "token" and self.threshold > 0 and not tokens(self.pattern):
            return f"{self.pattern!r} has no word in it that an address could have"
        return ""

    def explain(self, page: Page) -> str:
        return f"{self.pattern!r} is {'' if self.matches(page.url) else 'not '}in the address"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        return url(text)

    def argument(self) -> str:
        plain = _split(self.pattern) == (self.how, self.pattern)
        return quote(self.pattern if plain else f"{self.how}={self.pattern}")


def _spaced(parts: list[str]) -> str:
    return f" {' '.join(parts)} "


def glob_matches(pattern: str, text: str) -> bool:
    """Whether the whole text fits the pattern; each piece between stars is sought once, left to right.

    The first place a piece fits is as good as any later one, so nothing is ever tried again.
    """
    first, *rest = pattern.split("*")
    if not rest:
        return bool(_piece(first).fullmatch(text))
    *middle, last = rest
    here, end = len(first), len(text) - len(last)
    if here > end or not (_piece(first).match(text) and _piece(last).match(text, end)):
        return False
    for piece in middle:
        found = _piece(piece).search(text, here, end)
        if found is None:
            return False
        here = found.end()
    return True


def _piece(piece: str) -> re.Pattern[str]:
    return re.compile(re.escape(piece).replace(r"\?", "."), re.DOTALL)


def _split(text: str) -> tuple[How, str]:
    """How a pattern is matched, and the pattern itself: `substring=/a/` says so, others show it."""
    for how in HOWS:
        if text.startswith(f"{how}="):
            return how, text.removeprefix(f"{how}=")
    return ("glob" if "*" in text or "?" in text else "token"), text


def url(pattern: str, how: How | None = None, threshold: float = 0.5) -> Url:
    """Pages whose address has these words; `substring=…` asks for a piece, * and ? make a pattern."""
    found, text = _split(str(pattern)) if how is None else (how, str(pattern))
    return Url(text, found, threshold)
