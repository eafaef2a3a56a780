"""Which pages of a web belong to a topic: asked once, and known to every crawl."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import BadInput
from honeyguide.crawl.copies import Copies
from honeyguide.documents import load_documents
from honeyguide.running import run_async
from honeyguide.settings import Settings
from honeyguide.topic import Topic, as_topic
from honeyguide.topic.judged import Judged, judge_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.base import Page

LIKE = 0.5  # topics that share more of their pages are too much alike


@dataclass(frozen=True)
class Relevance:
    """A judged topic and its pages, by their number in the order of URLs."""

    topic: Judged
    pages: Sequence[Page]

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The relevant pages; lists of links and gates in front of pages never count, as in a crawl."""
        found = [
            i
            for i, page in enumerate(self.pages)
            if self.topic.relevant(self.topic.scores[page.url]) and not (page.listing or page.gate)
        ]
        return np.array(found, np.int64)

    @property
    def share(self) -> float:
        """The base rate: relevant pages among all."""
        return len(self.ids) / len(self.pages)

    def stamp(self) -> str:
        """Tells these verdicts from others on the same web, though the topic be written the same."""
        return hashlib.blake2b(self.ids.tobytes(), digest_size=8).hexdigest()

    def overlaps(self, other: Relevance) -> bool:
        """Whether more than half of the pages of one of them belong to the other."""
        both = len(np.intersect1d(self.ids, other.ids, assume_unique=True))
        return both > LIKE * min(len(self.ids), len(other.ids))

    @cached_property
    def _counted(self) -> dict[bytes, int]:
        return {}

    def distinct(self, ids: NDArray[np.int64]) -> int:
        """How many of these pages a crawl could count: copies of each other count once."""
        known = ids.tobytes()  # most seeds lead to the same pages
        if known not in self._counted:
            self._counted[known] = self._distinct(ids)
        return self._counted[known]

    def _distinct(self, ids: NDArray[np.int64]) -> int:
        copies = Copies(Settings())
        number = 0
        for i in ids.tolist():
            flag, _ = copies.original(b"", self.pages[i].fingerprint)
            if not flag:
                copies.add(i, 0, b"", self.pages[i].fingerprint)
                number += 1
        return number


def judge(topics: Sequence[str | Topic], pages: Sequence[Page]) -> list[Relevance]:
    """Topics, each once, with their verdicts on every page."""
    meant = {str(topic): topic for topic in (as_topic(what, load_documents) for what in topics)}
    for topic in meant.values():
        if reason := topic.impossible():
            raise BadInput(f"the topic {topic} can match nothing: {reason}")
    return [Relevance(judged, pages) for judged in run_async(judge_all(list(meant.values()), pages))]
