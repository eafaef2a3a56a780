"""Similarity topics: pages that use the words of example pages, as often as they do."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, Page, knob
from honeyguide.text import content_words, stems
from honeyguide.topic.argument import absolute, quote
from honeyguide.topic.base import Topic, check_threshold, reading, strongest
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load


@kind("similar", "pages like the example pages in a file or at an address", "similar:examples.txt@0.4")
@dataclass(frozen=True)
class Similar(Topic):
    """Scores the cosine between a page's words and the centroid of the examples' words."""

    centroid: Mapping[str, float] = field(repr=False, hash=False)
    sources: tuple[str, ...] = ()
    examples: int = 1
    threshold: float = knob(0.3, "cosine from which a page belongs to the topic", 0, 1)
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)  # of the stems

    def __post_init__(self) -> None:
        check_threshold(self.threshold)

    def score(self, page: Page) -> float:
        return min(1.0, dot(unit_vector(stemmed(reading(page))), self.centroid))

    def words(self) -> dict[str, float]:
        return strongest({self.spellings.get(stem, stem): weight for stem, weight in self.centroid.items()})

    def explain(self, page: Page) -> str:
        vector = unit_vector(stemmed(reading(page)))
        shared = strongest({s: w * self.centroid[s] for s, w in vector.items() if s in self.centroid}, 3)
        if not shared:
            return "no word in common with the examples"
        common = ", ".join(self.spellings.get(stem, stem) for stem in shared)
        return f"{dot(vector, self.centroid):.2f} like the examples, mostly in {common}"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        if load is None:
            raise BadInput("example pages cannot be loaded here; in Python, give them to similar(…)")
        call = text.call()
        sources = tuple(map(absolute, call[1] if call and not call[0] else [text]))
        pages = [page for source in sources for page in load(source)]
        return _from_texts([reading(page) for page in pages], sources, cls.threshold)

    def argument(self) -> str:
        if len(self.sources) == 1:
            return quote(self.sources[0])
        if self.sources:
            return f"({', '.join(map(quote, self.sources))})"
        mark = f"{zlib.crc32(repr(self.centroid).encode()):08x}"  # tells other examples from these
        return quote(f"<{self.examples} example{'s' * (self.examples != 1)} {mark}>")


def stemmed(text: str) -> list[str]:
    """The stems of the content words of a text."""
    return stems(content_words(text))


def unit_vector(terms: Iterable[str]) -> dict[str, float]:
    """Log-scaled term counts, scaled to length 1."""
    logs = {term: 1 + math.log(number) for term, number in Counter(terms).items()}
    return _scaled(logs)


def _scaled(vector: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(math.fsum(weight * weight for weight in vector.values()))
    return {term: weight / length for term, weight in vector.items()} if length else {}


def dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The sum of the products of what two vectors share."""
    few, many = (one, other) if len(one) < len(other) else (other, one)
    return math.fsum(weight * many[term] for term, weight in few.items() if term in many)


def _from_texts(texts: list[str], sources: tuple[str, ...], threshold: float) -> Similar:
    total: dict[str, float] = {}
    for text in texts:
        for stem, weight in unit_vector(stemmed(text)).items():
            total[stem] = total.get(stem, 0.0) + weight
    if not total:
        raise BadInput("the examples have no words to compare pages with")
    return Similar(_scaled(total), sources, len(texts), threshold, _spellings(texts))


def _spellings(texts: list[str]) -> dict[str, str]:
    """For each stem the word it most often stands for."""
    counted = Counter(word for text in texts for word in content_words(text))
    ranked = sorted(counted, key=lambda word: (counted[word], word))
    return dict(zip(stems(ranked), ranked, strict=True))


def similar(examples: Page | str | Iterable[Page | str], threshold: float = Similar.threshold) -> Similar:
    """Pages whose words are like those of the examples, pages or plain texts."""
    several = [examples] if isinstance(examples, (Page, str)) else list(examples)
    return _from_texts([reading(example) for example in several], (), threshold)
