"""A lexicon: the links and terms of pages about a domain, and how like it another page is.

Both likenesses are Jaccard scores as in Yohanes, Handoko, Wardana: Focused crawler optimization using genetic
algorithm, 2011 (equations 1 to 3).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.base import BadInput
from honeyguide.text import content_words, words
from honeyguide.topic.phrases import count, needle

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    Numbers = NDArray[np.integer[Any]]
    Weights = NDArray[np.float64]

MOST_TERMS = 5000  # that are kept of a lexicon


@dataclass
class Lexicon:
    """What several pages hold together: all their links, and how often each word and pair of words stands in them."""

    links: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    spread: Counter[str] = field(default_factory=Counter)  # on how many of the pages a term stands
    pages: int = 0

    def add(self, text: str, links: Iterable[str], keywords: Keywords) -> None:
        """Take in one more page; the keywords among its terms may have any form."""
        found = Counter(terms(text))
        found |= Counter(dict(zip(keywords.terms, keywords.counts(text), strict=True)))
        self.counts.update(found)
        self.spread.update(term for term, number in found.items() if number)
        self.links.update(links)
        self.pages += 1
        if len(self.counts) > 50 * MOST_TERMS:
            self.trim(keywords.terms)

    def best_terms(self, number: int) -> list[str]:
        """The terms with the highest tf · log(1 + pages / pages with the term)."""
        value = {term: n * math.log1p(self.pages / self.spread[term]) for term, n in self.counts.items() if n}
        return sorted(value, key=lambda term: (-value[term], term))[:number]

    def trim(self, keywords: Iterable[str]) -> None:
        """Forget the least of the terms, but no keyword."""
        kept = {*self.best_terms(MOST_TERMS), *keywords}
        self.counts = Counter({term: n for term, n in self.counts.items() if term in kept and n})
        self.spread = Counter({term: self.spread[term] for term in self.counts})

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "pages": self.pages,
            "links": sorted(self.links),
            "terms": list(self.counts),
            "counts": list(self.counts.values()),
            "spread": [self.spread[term] for term in self.counts],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Lexicon:
        """From plain values; others than `to_dict` gives are refused."""
        try:
            terms, counts, spread = values["terms"], values["counts"], values["spread"]
            made = cls(
                {link + "" for link in values["links"]},
                Counter({term + "": int(n) for term, n in zip(terms, counts, strict=True)}),
                Counter({term: int(n) for term, n in zip(terms, spread, strict=True)}),
                int(values["pages"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no lexicon of a genetic crawl ({error!r}); leave --learn-from out") from None
        return made


class Keywords:
    """Terms that are counted in many texts. A text is cut into words once, and only where it can hold a term."""

    def __init__(self, terms: Iterable[str] = ()) -> None:
        self.terms = list(terms)
        rows = [words(term) for term in self.terms]
        self.lengths = np.array([max(1, len(row)) for row in rows], np.int64)
        self._firsts = {row[0] for row in rows if row}
        self._looked_for = [(row[0] if row else "", _spaced(row) if len(row) > 1 else "") for row in rows]
        self._unspaced = {k for k, term in enumerate(self.terms) if not needle(term, False).startswith(" ")}

    def counts(self, text: str) -> list[int]:
        """How often each term stands in a text, as whole words where there are blanks between words."""
        lower = text.lower()
        if not any(first in lower for first in self._firsts):
            return [0] * len(self.terms)
        row = words(lower)
        single, spaced = Counter(row), _spaced(row)
        found = [spaced.count(phrase) if phrase else single[first] for first, phrase in self._looked_for]
        for k in self._unspaced:
            found[k] = count(self.terms[k], text)
        return found


def _spaced(row: list[str]) -> str:
    """Each word between two blanks of its own, so that neighbours never share one."""
    return f" {'  '.join(row)} "


def terms(text: str) -> list[str]:
    """The telling words of a text, and the pairs of them that stand side by side."""
    telling = set(content_words(text))
    row = words(text)
    pairs = (f"{one} {other}" for one, other in pairwise(row) if one in telling and other in telling)
    return [*(word for word in row if word in telling), *pairs]


def link_jaccard(links: AbstractSet[str], others: AbstractSet[str]) -> float:
    """The links in both, of those in either; 0 where there are none."""
    shared = len(links & others)
    either = len(links) + len(others) - shared
    return shared / either if either else 0.0


def keyword_weights(counts: Numbers, spread: Numbers, pages: int, lengths: Numbers) -> Weights:
    """d = tf · log(N / df · w): a column a keyword of w words, on df of N pages; 0 for one on no page yet."""
    rarity = np.zeros(len(spread))
    seen = spread > 0
    rarity[seen] = np.log(pages / spread[seen] * lengths[seen])
    weighed: Weights = counts * rarity
    return weighed


def keyword_jaccard(lexicon: Weights, pages: Weights) -> Weights:
    """Σ ab / (Σ a² + Σ b² − Σ ab) of the lexicon's weights and those of each page, a row a page."""
    shared = (pages * lexicon).sum(axis=1)
    either = (pages**2).sum(axis=1) + (lexicon**2).sum() - shared
    score: Weights = np.divide(shared, either, out=np.zeros(len(pages)), where=either > 0)
    return score
