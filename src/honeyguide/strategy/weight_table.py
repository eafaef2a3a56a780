"""A topic as a table of weighted terms, taken from pages about it, and how near texts come to it."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.strategy.reference import reference_pages
from honeyguide.text import content_words, stems, words
from honeyguide.urls import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from honeyguide.base import Page
    from honeyguide.strategy.base import Help
    from honeyguide.topic import Topic

OWN_WORDS = "the topic's own words, for the search found nothing"
IN_TITLE = 2  # times what a term in the text counts
MOST_FORMS = 1 << 17  # of words, kept at a time


async def first_weights(
    help: Help, topic: Topic, source: str, results: int, count: int
) -> tuple[dict[str, float], str]:
    """The table to begin with, and where it is from: given pages, pages that a search finds, or the topic's words."""
    pages = await reference_pages(help, topic, source, results, "tunnel")
    if weights := weigh_terms(pages, count):
        return weights, f"{len(pages)} reference page{'s' if len(pages) > 1 else ''}"
    if source:
        raise BadInput(f"there are no words in {source}: tunnel takes its table from pages with text")
    if not help.has_search:
        raise BadInput(
            "tunnel takes its table from pages about the topic: let it search for some (--search ddgs, searxng:URL or"
            " index:DIR), or give it some (--strategy tunnel:pages=FILE)"
        )
    if own := topic_terms(topic):
        return own, OWN_WORDS
    raise BadInput(f"the topic {topic} names no words to make a table of: add --strategy tunnel:pages=FILE")


def weigh_terms(pages: Sequence[Page], count: int) -> dict[str, float]:
    """The stems that weigh most in some pages, w = tf · df, with the largest weight made 1; ties by stem.

    >>> from honeyguide.base import Page
    >>> weigh_terms([Page("http://a.test/", text="bees and more bees"), Page("http://b.test/", text="a bee hive")], 2)
    {'bee': 1.0, 'hive': 0.16666666666666666}
    """
    tf: Counter[str] = Counter()
    df: Counter[str] = Counter()
    for page in pages:
        found = stems(content_words(_title_and_text(page)))
        tf.update(found)
        df.update(set(found))
    weights = {term: tf[term] * df[term] for term in tf}
    best = sorted(weights, key=lambda term: (-weights[term], term))[:count]
    return {term: weights[term] / weights[best[0]] for term in best}


def topic_terms(topic: Topic) -> dict[str, float]:
    """The stems of the topic's own words with their weights; of several with one stem, the largest."""
    weights: dict[str, float] = {}
    for term, weight in topic.words().items():
        for stem in stems(content_words(term)):
            if weight > 0:
                weights[stem] = max(weight, weights.get(stem, 0.0))
    return weights


class WeightTable:
    """Stems with positive weights. It grows: terms are added, or rise; none is ever taken away."""

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self.weights: dict[str, float] = {}
        self.position: dict[str, int] = {}  # of each term, in the order they came
        self._length = 0.0
        self._forms = _Forms(self.weights)
        self.take(weights or {})

    def __len__(self) -> int:
        return len(self.weights)

    def take(self, weights: Mapping[str, float]) -> bool:
        """Add terms; a known one keeps the larger weight. Whether anything changed."""
        better = {term: weight for term, weight in weights.items() if weight > self.weights.get(term, 0.0)}
        if better.keys() - self.weights.keys():
            self._forms.clear()
        self.weights.update(better)
        self.position = {term: position for position, term in enumerate(self.weights)}
        self._length = math.hypot(*self.weights.values())
        return bool(better)

    def by_weight(self, terms: Iterable[str]) -> list[str]:
        """Terms of the table, those that weigh most first."""
        return sorted(terms, key=lambda term: (-self.weights[term], term))

    def counts(self, found: Iterable[str]) -> dict[str, int]:
        """How often each term of the table is among some words."""
        counts: dict[str, int] = {}
        for word in found:
            if term := self._forms[word]:
                counts[term] = counts.get(term, 0) + 1
        return counts

    def in_text(self, text: str) -> dict[str, int]:
        """What the terms weigh in a text: 1 for each time they stand there."""
        return self.counts(words(text))

    def in_url(self, url: str) -> dict[str, int]:
        """What the terms weigh in the words of a URL."""
        return self.counts(tokens(url))

    def in_page(self, page: Page) -> dict[str, int]:
        """What the terms weigh in a page: 2 for each time in the title, 1 in the text."""
        counts = self.in_text(_text(page))
        for term, times in self.in_text(page.title).items():
            counts[term] = counts.get(term, 0) + IN_TITLE * times
        return counts

    def cosine(self, counts: Mapping[str, int]) -> float:
        """How near what the terms weigh in a text comes to what they weigh here, 0 to 1."""
        if not counts:
            return 0.0
        product = sum(self.weights[term] * times for term, times in counts.items())
        return min(1.0, product / (self._length * math.hypot(*counts.values())))

    def most_frequent(self, page: Page) -> str:
        """The term that a page has most often, the first by the alphabet among equals; empty where it has none."""
        counts = Counter(stems(content_words(_title_and_text(page))))
        return min(counts, key=lambda term: (-counts[term], term), default="")


class _Forms(dict[str, str]):
    """The term that each word met is a form of; empty for words that are of no term."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_FORMS:
            self.clear()
        kept = content_words(word)
        stem = stems(kept)[0] if kept else ""
        term = self[word] = stem if stem in self._weights else ""
        return term


def _title_and_text(page: Page) -> str:
    return f"{page.title}\n{_text(page)}"


def _text(page: Page) -> str:
    """What a page says: menus and footers would make all pages of a site alike."""
    return page.main or page.text
