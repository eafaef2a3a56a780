"""Sentences and anchors of the invented web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.synthetic import words

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

TELLING_ANCHOR = 0.75
SHORTEST, LONGEST = 80, 400  # words of a page's text
FUNCTION_SHARE, TOPIC_SHARE, LEAK_SHARE = 0.42, 0.25, 0.01


def sentences(topic: words.Vocabulary | None, others: Sequence[str], rng: random.Random) -> list[str]:
    """The text of a page: everyday words, a share of them the topic's, hardly any of other topics."""
    stream = _stream(topic.words if topic else (), others, rng)
    if topic:
        for word in (topic.name, *topic.signature * rng.randint(1, 2)):
            stream.insert(rng.randrange(len(stream)), word)
    text = []
    while stream:
        cut = rng.randint(7, 18)
        text.append(" ".join(stream[:cut]).capitalize() + ".")
        del stream[:cut]
    return text


def _stream(own: Sequence[str], others: Sequence[str], rng: random.Random) -> list[str]:
    lists = (words.FUNCTION, own or words.GENERAL, others, words.GENERAL)
    rest = 1 - FUNCTION_SHARE - TOPIC_SHARE - LEAK_SHARE
    chosen = rng.choices(lists, (FUNCTION_SHARE, TOPIC_SHARE, LEAK_SHARE, rest), k=rng.randint(SHORTEST, LONGEST))
    return [listed[int(rng.random() * len(listed))] for listed in chosen]


def anchor_text(title: str, subject: str, rng: random.Random) -> str:
    """What a link to a page says: its title, what it is about, or nothing telling."""
    if rng.random() >= TELLING_ANCHOR:
        return rng.choice(words.GENERIC_ANCHORS)
    return title if rng.random() < 0.5 else subject
