"""Weighted-term topics: a table of terms, each with what it is worth."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, knob
from honeyguide.topic.argument import absolute, quote
from honeyguide.topic.base import Topic, check_threshold, strongest
from honeyguide.topic.phrases import count, needle
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PAIR = re.compile(rf"\s*([^=\s][^=]*)=({_NUMBER})(?:[\s,;]+|$)")
_TERM_PART = re.compile(r"[^\s=,;]+")  # what would end a term where pairs stand in a row is dropped
IN_TITLE = 2  # times what a term in the text counts


@kind("weights", "pages whose words fit a table of weighted terms", 'weights:"solar=1 heat pump=0.5"')
@dataclass(frozen=True)
class Weights(Topic):
    """Scores the cosine between the table and the page's counts of its terms, the title counting double."""

    reads_main = False
    table: tuple[tuple[str, float], ...]
    stem: bool = True
    source: str = ""
    threshold: float = knob(0.3, "cosine from which a page belongs to the topic", 0, 1)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        for term, weight in self.table:
            if not needle(term, self.stem):
                raise BadInput(f"the term {term!r} in the table of weights has no word in it")
            if not math.isfinite(weight):
                raise BadInput(f"the weight of {term!r} is {weight}, which is no number to reckon with")
        if not self._length():
            raise BadInput("a table of weights needs a term that weighs something, as in weights:solar=1")

    def _terms(self) -> Mapping[str, float]:
        return _distinct(self.table, self.stem)

    def _length(self) -> float:
        return math.hypot(*self._terms().values())

    def counts(self, page: Page) -> dict[str, int]:
        """What each term of the table weighs in the page: 2 for each time in the title, 1 in the text."""
        return {
            term: IN_TITLE * count(term, page.title, self.stem) + count(term, page.text, self.stem)
            for term in self._terms()
        }

    def score(self, page: Page) -> float:
        counts = self.counts(page)
        length = math.hypot(*counts.values())
        if not length:
            return 0.0
        # Dividing the weights first keeps huge ones from overflowing.
        own = self._length()
        product = math.fsum(weight / own * counts[term] for term, weight in self._terms().items())
        return min(1.0, max(0.0, product / length))

    def words(self) -> dict[str, float]:
        return strongest(dict(self._terms()))

    def impossible(self) -> str:
        if self.threshold > 0 and all(weight <= 0 for weight in self._terms().values()):
            return "no term in the table of weights has a positive weight"
        return ""

    def explain(self, page: Page) -> str:
        found = {term: n for term, n in self.counts(page).items() if n}
        ranked = sorted(found, key=lambda term: -found[term])[:3]
        return ", ".join(f"{t!r} weighs {found[t]}" for t in ranked) or "no term of the table"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        call = text.call()
        exact = call is not None and call[0] == "exact" and len(call[1]) == 1
        source = str(call[1][0]) if call and exact else str(text)
        inline = parse_inline(source)
        return cls(inline or read_table(source), not exact, "" if inline else absolute(source))

    def argument(self) -> str:
        inline = " ".join(f"{term}={weight!r}" for term, weight in self.table)
        text = quote(self.source or inline)
        return text if self.stem else f"exact({text})"


@functools.lru_cache(maxsize=64)
def _distinct(table: tuple[tuple[str, float], ...], stem: bool) -> Mapping[str, float]:
    """The table with one term for each stem: the one that weighs most."""
    best: dict[str, tuple[str, float]] = {}
    for term, weight in table:
        key = needle(term, stem)
        if key not in best or abs(weight) > abs(best[key][1]):
            best[key] = (term, weight)
    return dict(best.values())


def parse_inline(text: str) -> tuple[tuple[str, float], ...]:
    """The pairs of `solar=1 heat pump=0.5`; none when the text is not altogether made of them."""
    pairs, here = [], 0
    while match := _PAIR.match(text, here):
        pairs.append((_tidy(match[1]), float(match[2])))
        here = match.end()
    return tuple(pairs) if here == len(text) else ()


def read_table(path: str) -> tuple[tuple[str, float], ...]:
    """The terms and weights in a file, one pair a line with a tab between; # starts a comment line."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise BadInput(f"the table of weights {path!r} cannot be read: {error}") from None
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and line[0] != "#"]
    return tuple(_row(path, number, line) for number, line in rows)


def _row(path: str, number: int, line: str) -> tuple[str, float]:
    term, _, weight = line.rpartition("\t")
    try:
        return _tidy(term), float(weight)
    except ValueError:
        raise BadInput(f"line {number} of {path!r} is not a term, a tab and a weight: {line!r}") from None


def _tidy(term: str) -> str:
    return " ".join(_TERM_PART.findall(term.casefold()))


def weights(table: Mapping[str, float], stem: bool = True, threshold: float = Weights.threshold) -> Weights:
    """Pages whose words fit this table of terms and what each is worth."""
    pairs = tuple((_tidy(term), float(weight)) for term, weight in table.items())
    return Weights(pairs, stem, threshold=threshold)
