"""Where strategies are evolved: a stored web as arrays, topics with their verdicts on all pages, places to start."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.atlas import is_atlas, scores_of
from honeyguide.base import BadInput, Page
from honeyguide.evaluate.choosing import LARGEST_LABEL, RAREST
from honeyguide.evaluate.network import distances
from honeyguide.evaluate.starting import far_seeds, near_seeds
from honeyguide.simulate import LinkArrays
from honeyguide.strategy.path_features import keywords
from honeyguide.strategy.rank_formulas import anchor_share, judgment_of
from honeyguide.topic.label import label
from honeyguide.web.archive import open_atlas

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from honeyguide.atlas import Atlas
    from honeyguide.topic import Topic


BETWEEN = "  "  # anchors, whose words have one blank between them: an empty word stands there


@dataclass(frozen=True)
class JudgedTopic:
    """A topic, its verdict on every page, and what anchors say of it where that is asked for."""

    topic: Topic
    judgment: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    anchor_score: NDArray[np.float32] | None = None

    def stamp(self) -> str:
        """Tells these verdicts from others, though the topic be written the same."""
        return hashlib.blake2b(self.judgment.tobytes() + self.relevant.tobytes(), digest_size=16).hexdigest()

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The relevant pages."""
        return np.flatnonzero(self.relevant)


class Ground:
    """An atlas, read as the compiled loop wants it."""

    def __init__(self, atlas: Atlas, judged: Callable[[], None] = lambda: None) -> None:
        if not atlas.pages:
            raise BadInput(f"{atlas.directory} holds no pages, so there is nothing to crawl")
        self.atlas, self._judged = atlas, judged  # the latter is called with every page that had to be read for it

    def stamp(self) -> str:
        """Tells this web from every other: a hash of its hosts, labels, redirects and links."""
        web, whole = self.atlas, hashlib.blake2b(digest_size=16)
        for array in (web.host, web.label, web.redirect, web.out_start, web.out):
            whole.update(np.ascontiguousarray(array).view(np.uint8).data)
        return whole.hexdigest()

    @classmethod
    def open(cls, source: str, judged: Callable[[], None] = lambda: None) -> Ground:
        """The stored web in a directory."""
        path = Path(source)
        if not is_atlas(path):
            raise BadInput(f"{source} is no imported web; make one of it first: honeyguide import {source} -o DIR")
        return cls(open_atlas(path), judged)

    def judged(self, topic: Topic, with_anchors: bool = False) -> JudgedTopic:
        """A topic with its verdict on every page."""
        scores = self._label_scores(topic) if topic.kind == "label" else self._scores(topic)
        different, which = np.unique(scores, return_inverse=True)
        judgment = np.array([judgment_of(topic, score) for score in different], np.float32)
        relevant = np.array([topic.relevant(score) for score in different], np.bool_)
        if not relevant[which].any():
            raise BadInput(f"no page of {self.atlas.directory} matches {topic}; nothing could be found there")
        anchors = self.anchor_scores(topic) if with_anchors else None
        wanted = relevant[which]
        wanted[self.atlas.manifest.aside] = False  # as in a crawl
        return JudgedTopic(topic, judgment[which], wanted, anchors)

    def _label_scores(self, topic: Topic) -> NDArray[np.float64]:
        """One verdict a label, so that pages need not be read."""
        named = [topic.score(Page("http://page.invalid/", label=label)) for label in self.atlas.manifest.labels]
        return np.array(named)[self.atlas.label]

    def _scores(self, topic: Topic) -> NDArray[np.float64]:
        if topic.slow or topic.needs_parents:
            raise BadInput(f"evolution needs a topic that judges pages one by one, at once; {topic} does not")

        def score(page: Page) -> float:
            self._judged()
            return topic.score(page)

        if topic.spelled_out:
            return scores_of(self.atlas, str(topic), score)
        return np.fromiter(map(score, self.atlas.all_pages()), np.float64, self.atlas.pages)

    def anchor_scores(self, topic: Topic) -> NDArray[np.float32]:
        """The share of the topic's keywords in the anchor of every link: in the best, of several to a page."""
        atlas, terms = self.atlas, keywords(topic.words())
        if not terms or not len(atlas.anchor_words):
            raise BadInput(f"the score anchor needs a topic with words and stored anchors; {topic} has none here")
        telling = np.isin(atlas.anchor_words, [n for word, n in atlas.word_numbers.items() if _part_of(word, terms)])
        links = np.unique(np.searchsorted(atlas.anchor_start, np.flatnonzero(telling), "right") - 1)
        scores = np.zeros(len(atlas.out), np.float32)
        for link in links.tolist():
            words = atlas.anchor_words[atlas.anchor_start[link] : atlas.anchor_start[link + 1]]
            anchors = " ".join(atlas.words[i] for i in words.tolist()).split(BETWEEN)
            scores[link] = max(anchor_share(terms, anchor) for anchor in anchors)
        return scores

    def arrays(self, judged: JudgedTopic) -> LinkArrays:
        """What the compiled loop runs on."""
        atlas: Any = self.atlas
        names = ("out_start", "out", "host", "redirect", "failed")
        return LinkArrays(
            **{name: getattr(atlas, name) for name in names},
            judgment=judged.judgment,
            relevant=judged.relevant,
            anchor_score=judged.anchor_score,
        )

    def seeds(self, judged: JudgedTopic, near: bool, count: int, chance: random.Random) -> NDArray[np.int64]:
        """Relevant pages, drawn at random; or others, some links away from any."""
        if near:
            return near_seeds(np.where(judged.relevant, 0, -1).astype(np.int32), count, chance)
        found = far_seeds(self._links_to(judged), count, chance)
        if not len(found):
            raise BadInput(
                f"no page off the topic leads to one on it: {judged.topic} has no far seeds; use near ones"
            )
        return found

    def _links_to(self, judged: JudgedTopic) -> NDArray[np.int32]:
        ways = (self.atlas.into_start, self.atlas.into)
        return distances(ways, judged.ids)[: self.atlas.pages]


def _part_of(word: str, terms: Iterable[str]) -> bool:
    return any(word in term.split() for term in terms)


def label_topics(atlas: Atlas) -> list[Topic]:
    """The labels that hold 0.2 to 50 % of the pages."""
    shares = np.bincount(atlas.label, minlength=len(atlas.manifest.labels)) / atlas.pages
    named = zip(atlas.manifest.labels, shares.tolist(), strict=True)
    return [label(name) for name, share in named if name and RAREST <= share <= LARGEST_LABEL]
