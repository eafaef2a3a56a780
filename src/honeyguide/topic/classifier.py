"""Classifier topics: a linear model over words and pairs of words."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, knob
from honeyguide.text import STOP_WORDS, words
from honeyguide.topic.argument import absolute, quote
from honeyguide.topic.base import Topic, check_threshold, reading, strongest
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load


def features(text: str) -> list[str]:
    """What the model counts: content words, and pairs of words that stand side by side."""
    found = words(text)
    pairs = list(map(" ".join, itertools.pairwise(found)))
    return [w for w in found if len(w) > 1 and w not in STOP_WORDS and not w.isdigit()] + pairs


@kind("classifier", "pages a trained model takes for the topic", "classifier:model.hg@0.7")
@dataclass(frozen=True)
class Classifier(Topic):
    """Scores the sigmoid of a linear margin over tf-idf features; margin 0 is score 0.5."""

    terms: Mapping[str, tuple[float, float]] = field(repr=False, hash=False)  # idf and coefficient
    intercept: float
    scale: float = 1.0
    quality: Mapping[str, float] = field(default_factory=dict, hash=False)
    threshold: float = knob(0.5, "probability from which a page belongs to the topic", 0, 1)
    source: str = field(default="", compare=False)
    marked: Mapping[str, bool] = field(default_factory=dict, hash=False, repr=False)  # what people said, by URL
    _last: list[tuple[Page | str, float]] = field(init=False, default_factory=list, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)

    def margin(self, page: Page | str) -> float:
        """How far the page lies on the topic's side of the model's border; below 0 on the other side."""
        last = self._last[0] if self._last else None  # the same model may stand twice in a topic
        if last is None or last[0] is not page:
            self._last[:] = [last := (page, self._margin(page))]
        return last[1]

    def _margin(self, page: Page | str) -> float:
        product = square = 0.0
        known = self.terms
        found = words(reading(page))
        # Words that are no features are not among the terms, so they need no sorting out.
        counts = Counter(found)
        counts.update(map(" ".join, itertools.pairwise(found)))
        for term, number in counts.items():
            if term in known:
                idf, coefficient = known[term]
                value = idf * (1 + math.log(number)) if number > 1 else idf
                product += value * coefficient
                square += value * value
        return product / math.sqrt(square) + self.intercept if square else self.intercept

    def score(self, page: Page) -> float:
        if page.url in self.marked:  # the model does not overrule people
            return float(self.marked[page.url])
        return sigmoid(self.scale * self.margin(page))

    def words(self) -> dict[str, float]:
        return strongest({term: weight for term, (_, weight) in self.terms.items() if " " not in term})

    def explain(self, page: Page) -> str:
        if page.url in self.marked:
            return f"marked by hand as {'' if self.marked[page.url] else 'not '}belonging to the topic"
        counts = Counter(features(reading(page)))
        pulls = {t: n * self.terms[t][0] * self.terms[t][1] for t, n in counts.items() if t in self.terms}
        telling = ", ".join(map(repr, strongest(pulls, 3)))
        return f"probability {self.score(page):.2f}" + (f", mostly for {telling}" if telling else "")

    def save(self, path: str | Path) -> None:
        """Keep the model in a file, from which `load` makes an equal one."""
        from honeyguide.topic.model import packed

        try:
            Path(path).write_bytes(packed(self))
        except OSError as error:
            raise BadInput(f"the classifier cannot be saved: {error}") from None
        object.__setattr__(self, "source", str(path))

    @classmethod
    def load(cls, path: str | Path) -> Classifier:
        """The model in a file that `save` wrote; any other file is refused, and nothing in it is run."""
        try:
            found = Path(path).stat()
            return _unpacked(str(path), found.st_mtime_ns, found.st_size)
        except FileNotFoundError:
            raise BadInput(
                f"the classifier {str(path)!r} cannot be read: there is no such file; bring it back, or say where"
                " it is now: --topic classifier:PATH"
            ) from None
        except (OSError, ValueError) as error:
            raise BadInput(f"the classifier {str(path)!r} cannot be read: {error}") from None

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        return cls.load(absolute(text))

    def argument(self) -> str:
        return quote(self.source or "<not saved>")

    def __str__(self) -> str:
        # The file has a threshold of its own, so there is no default to leave out.
        return f"classifier:{self.argument()}@{self.threshold!r}"


@functools.lru_cache(maxsize=1)  # a topic may name the same model twice
def _unpacked(path: str, _changed: int, _size: int) -> Classifier:
    from honeyguide.topic.model import unpacked

    return unpacked(Path(path).read_bytes(), path)


def sigmoid(x: float) -> float:
    """From any number to one between 0 and 1, with 0 going to 0.5."""
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    return 1 - 1 / (1 + math.exp(max(x, -700.0)))


def classifier(path: str | Path, threshold: float | None = None) -> Classifier:
    """Pages that the model saved in this file takes for its topic."""
    model = Classifier.load(path)
    return model if threshold is None else model.at(threshold)
