"""Sentences and anchors of the invented web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.synthetic import words
from honeyguide.synthetic.invented import RARE, SECTION_WORDS, invented, section_word

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

TELLING_ANCHOR = 0.5
SET_PHRASE = 0.2  # of the anchors that tell nothing; others are everyday words, as texts everywhere have them
SHORTEST, LONGEST = 80, 400  # words of a page's text
SHIFT = 17  # places in its topic's list of words from one part of the web to the next
UNEVEN = 2.5  # 1: every word of a list is as frequent as any other; more: the first are the most frequent
RARE_AT_ONCE = 20  # different rare words on a page
FUNCTION_SHARE, TOPIC_SHARE, PART_SHARE, RARE_SHARE, LEAK_SHARE = 0.42, 0.06, 0.07, 0.12, 0.06


def sentences(topic: words.Vocabulary | None, others: Sequence[str], rng: random.Random, part: int = -1) -> list[str]:
    """The text of a page: everyday words, a share of them the topic's, some of its part of the web's alone."""
    stream = _stream(topic.words if topic else words.GENERAL, others, part, rng)
    if topic:
        for word in (topic.name, *topic.signature * rng.randint(1, 2)):
            stream.insert(rng.randrange(len(stream)), word)
    text = []
    while stream:
        cut = rng.randint(7, 18)
        text.append(" ".join(stream[:cut]).capitalize() + ".")
        del stream[:cut]
    return text


def _stream(own: Sequence[str], others: Sequence[str], part: int, rng: random.Random) -> list[str]:
    here = [section_word(part, k) for k in range(SECTION_WORDS)] if part >= 0 else words.GENERAL
    rare = [invented(rng.randrange(RARE)) for _ in range(RARE_AT_ONCE)]
    lists = (words.FUNCTION, own, here, rare, others, words.GENERAL)
    shares = (FUNCTION_SHARE, TOPIC_SHARE, PART_SHARE, RARE_SHARE, LEAK_SHARE)
    chosen = rng.choices(lists, (*shares, 1 - sum(shares)), k=rng.randint(SHORTEST, LONGEST))
    return [favoured(listed, part if listed is own else 0, rng.random()) for listed in chosen]


def favoured(listed: Sequence[str], part: int, luck: float) -> str:
    """A word of a list, by luck from 0 to 1; each part of the web has its own most frequent ones.

    >>> favoured("abcde", 0, 0.4), favoured("abcde", 0, 0.9), favoured("abcde", 1, 0.4)
    ('a', 'd', 'c')
    """
    return listed[(int(luck**UNEVEN * len(listed)) + part * SHIFT) % len(listed)]


def anchor_text(title: str, subject: str, rng: random.Random) -> str:
    """What a link to a page says: its title, what it is about, or nothing telling."""
    if rng.random() >= TELLING_ANCHOR:
        return rng.choice(words.GENERIC_ANCHORS) if rng.random() < SET_PHRASE else _everyday(rng)
    return title if rng.random() < 0.5 else subject


def _everyday(rng: random.Random) -> str:
    return " ".join(favoured(words.GENERAL, 0, rng.random()) for _ in range(rng.randint(1, 3)))
