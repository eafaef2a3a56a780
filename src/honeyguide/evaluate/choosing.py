"""Topics chosen by a fixed rule, so that nobody can pick those a strategy happens to like.

**Phrases.** A candidate is a word, or two words in a row, that stands in at least three titles; words have three
letters or more, nothing but letters, and are no stop words. Which pages a candidate matches is looked up in 2,000 of
them, drawn by a hash of their URLs; candidates that match less than 0.2 or more than 10 % are dropped.
**Labels.** All labels, and the broader ones above them, that hold 0.2 to 50 % of the pages.

**Choice.** The range of shares is cut into as many equal parts, on a logarithmic scale, as topics are wanted. In each
part, only the half of the phrases stays that stands most often in the titles of the pages it matches: it says what
pages are about, not how they are written. The candidates of a part are ordered by a hash of their text, and the first
is taken that is within bounds on the whole web and shares no more than half of its pages, or of theirs, with a topic
taken before. Where a part has none, the place is filled from what is left of all parts, in the same order.
"""

from __future__ import annotations

import functools
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from honeyguide.text import STOP_WORDS, stable_hash, words
from honeyguide.topic.keyword import keyword
from honeyguide.topic.label import label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from honeyguide.base import Page
    from honeyguide.evaluate.relevance import Relevance
    from honeyguide.topic import Topic

    Judge = Callable[[Sequence[Topic]], list[Relevance]]

RAREST, COMMONEST, LARGEST_LABEL = 0.002, 0.1, 0.5
TITLES = 3
SAMPLE = 2000
SHORTEST = 3
ALIKE = 0.5
ROUNDS = 20  # candidates judged for one place, at most


@dataclass(frozen=True)
class Candidate:
    """A topic that may be chosen, and the pages of the sample it matches."""

    topic: Topic
    seen: frozenset[int]
    share: float
    in_titles: float = 1.0  # of the pages it matches

    @property
    def order(self) -> bytes:
        """Its place among others: as good as drawn at random, and always the same."""
        return stable_hash(str(self.topic))

    def overlaps(self, other: Candidate) -> bool:
        """Whether they are too much alike, as far as the sample tells."""
        return len(self.seen & other.seen) > ALIKE * min(len(self.seen), len(other.seen))


def choose(pages: Sequence[Page], labels: bool, count: int, judge: Judge) -> list[Relevance]:
    """Up to so many topics of a web, the rarest first; fewer, or none, where it has no more."""
    most = LARGEST_LABEL if labels else COMMONEST
    parts = _in_parts(label_candidates(pages) if labels else phrase_candidates(pages), most, count)
    choice = _Choice(judge, most)
    if not labels:
        parts = [_most_telling(part) for part in parts]
    choice.fill(lambda: [part for part in parts if not choice.serves(part)])
    everything = [candidate for part in parts for candidate in part]
    choice.fill(lambda: [everything] * (count - len(choice.chosen)))
    return sorted(choice.chosen, key=lambda found: found.share)


def _in_parts(candidates: Iterable[Candidate], most: float, count: int) -> list[list[Candidate]]:
    parts: list[list[Candidate]] = [[] for _ in range(count)]
    for candidate in candidates:
        if RAREST <= candidate.share <= most:
            place = math.log(candidate.share / RAREST) / math.log(most / RAREST)
            parts[min(int(place * count), count - 1)].append(candidate)
    return parts


def _most_telling(part: list[Candidate]) -> list[Candidate]:
    ranked = sorted(part, key=lambda candidate: (-candidate.in_titles, candidate.order))
    return ranked[: (len(part) + 1) // 2]


class _Choice:
    """The topics taken so far. Judging many at once is cheaper, so that places are filled in rounds."""

    def __init__(self, judge: Judge, most: float) -> None:
        self.chosen: list[Relevance] = []
        self._judge = judge
        self._most = most
        self._taken: list[Candidate] = []
        self._tried: set[Topic] = set()

    def serves(self, part: Sequence[Candidate]) -> bool:
        """Whether one of them is taken."""
        return any(candidate in part for candidate in self._taken)

    def fill(self, places: Callable[[], list[list[Candidate]]]) -> None:
        """Take one candidate for every place that is open, while there are any that fit."""
        for _ in range(ROUNDS):
            proposed = self._proposals(places())
            for candidate, found in zip(proposed, self._judge([c.topic for c in proposed]), strict=True):
                if RAREST <= found.share <= self._most and not any(found.overlaps(other) for other in self.chosen):
                    self.chosen.append(found)
                    self._taken.append(candidate)
            if not proposed:
                return

    def _proposals(self, places: Iterable[list[Candidate]]) -> list[Candidate]:
        """The first of each place that was not tried; what the sample rules out need not be judged."""
        proposed: list[Candidate] = []
        for candidates in places:
            for candidate in sorted(candidates, key=lambda candidate: candidate.order):
                others = [*self._taken, *proposed]
                if candidate.topic not in self._tried and not any(candidate.overlaps(other) for other in others):
                    proposed.append(candidate)
                    self._tried.add(candidate.topic)
                    break
        return proposed


def phrase_candidates(pages: Sequence[Page]) -> list[Candidate]:
    """Words and phrases that stand in enough titles."""
    titles = Counter(phrase for page in pages for phrase in phrases(page.title))
    telling = {phrase for phrase, number in titles.items() if number >= TITLES}
    sample = sorted(pages, key=lambda page: stable_hash(page.url))[:SAMPLE]
    seen: defaultdict[str, set[int]] = defaultdict(set)
    for i, page in enumerate(sample):
        for phrase in phrases(f"{page.title}\n{page.text}") & telling:
            seen[phrase].add(i)
    scale = len(sample) / len(pages)
    return [
        Candidate(keyword(phrase), frozenset(found), len(found) / len(sample), titles[phrase] * scale / len(found))
        for phrase, found in seen.items()
    ]


def phrases(text: str) -> set[str]:
    """The words and pairs of words of a text that may be a topic.

    >>> sorted(phrases("The heat pump of 1996"))
    ['heat', 'heat pump', 'pump']
    """
    found = [word if _tells(word) else "" for word in words(text)]
    return {word for word in found if word} | {f"{a} {b}" for a, b in pairwise(found) if a and b}


@functools.lru_cache(maxsize=1 << 18)
def _tells(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha() and word not in STOP_WORDS


def label_candidates(pages: Sequence[Page]) -> list[Candidate]:
    """All labels, broader ones included."""
    seen: defaultdict[str, set[int]] = defaultdict(set)
    for i, page in enumerate(pages):
        for name in _and_broader(page.label.casefold().strip(" .")):
            seen[name].add(i)
    return [Candidate(label(name), frozenset(found), len(found) / len(pages)) for name, found in seen.items()]


def _and_broader(name: str) -> list[str]:
    parts = name.split(".")
    return [found for i in range(len(parts)) if (found := ".".join(parts[: i + 1]).strip(" ."))]
