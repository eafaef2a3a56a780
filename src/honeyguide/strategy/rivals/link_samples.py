"""What is known of a link before it is followed, as a few numbers from 0 to 1."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.text import content_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Link
    from honeyguide.graph import Graph
    from honeyguide.topic import Topic

FEATURES = (
    "father relevant", "nearness of a relevant page", "relevant share of the path", "keyword in URL",
    "keyword in anchor", "phrase in anchor", "relevant share of the host", "host unknown", "share of topic words",
)  # fmt: skip
NEARNESS, HOST = 1, 6
NOTHING = "(?!)"  # a pattern that is found nowhere


class TopicWords:
    """Finds the topic's words and phrases in links."""

    def __init__(self, topic: Topic) -> None:
        terms = sorted(term.lower() for term in topic.words())
        self._words = {word for term in terms for word in content_words(term)}
        self._any_word = re.compile("|".join(map(re.escape, sorted(self._words))) or NOTHING)
        self._any_phrase = re.compile("|".join(re.escape(term) for term in terms if " " in term) or NOTHING)

    def about(self, link: Link) -> tuple[bool, bool, bool, float]:
        """Whether a word stands in the URL or the anchor, or a phrase in the anchor, and the share of such words."""
        words = content_words(link.anchor)
        known = sum(word in self._words for word in words)
        in_url = self._any_word.search(link.url.lower()) is not None
        phrase = self._any_phrase.search(link.anchor.lower()) is not None
        return in_url, known > 0, phrase, known / max(len(words), 1)


def host_features(graph: Graph, ids: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """The relevant share of each URL's host, ½ where nothing was fetched there, and whether that is so."""
    hosts = graph.host[ids]
    good, bad = graph.good[hosts], graph.bad[hosts]
    unknown = good + bad == 0
    return np.column_stack([np.where(unknown, 0.5, good / np.maximum(good + bad, 1)), unknown])


def quantized(values: NDArray[Any]) -> NDArray[np.float32]:
    """Values from 0 to 1 in steps of a tenth, rounded down; what is above 0 stays there."""
    steps = np.floor(values * 10 + 1e-6) / 10
    return np.where((values > 0) & (steps == 0), 1e-5, steps).astype(np.float32)
