"""Words that no dictionary has: the same number always gives the same word, and no two numbers the same."""

from __future__ import annotations

from functools import cache

from honeyguide.synthetic.words import TOPICS, Vocabulary

_ONSETS = "b c d f g h j k l m n p r s t v w y z th".split()
_VOWELS = "aeiou"
_ENDINGS = "sk rn lt nd mp st".split()
_SYLLABLES = tuple(onset + vowel for onset in _ONSETS for vowel in _VOWELS)
_WORDS = len(_SYLLABLES) ** 3
_STRIDE = 618_033  # shares no factor with the number of words, so that neighbours do not look alike

RARE = 20_000  # words anyone may use, hardly anyone does
TOPIC_WORDS, SECTION_WORDS = 49, 24
MOST_TOPICS = 200
_TOPICS_FROM = RARE
_SECTIONS_FROM = RARE + MOST_TOPICS * (TOPIC_WORDS + 3)


def invented(number: int) -> str:
    """A word.

    >>> invented(0), invented(1)
    ('bababask', 'rewajorn')
    """
    rest, mixed = divmod(number * _STRIDE, _WORDS)
    first, second, third = mixed // 10_000, mixed // 100 % 100, mixed % 100
    return _SYLLABLES[first] + _SYLLABLES[second] + _SYLLABLES[third] + _ENDINGS[(number + rest) % len(_ENDINGS)]


@cache
def vocabularies(count: int) -> tuple[Vocabulary, ...]:
    """The words of so many topics: listed ones first, then invented ones."""
    return TOPICS[:count] + tuple(_vocabulary(k) for k in range(len(TOPICS), count))


def _vocabulary(topic: int) -> Vocabulary:
    at = _TOPICS_FROM + topic * (TOPIC_WORDS + 3)
    name, first, second, *others = (invented(i) for i in range(at, at + TOPIC_WORDS + 3))
    return Vocabulary(name, (first, second), tuple(others))


def section_word(section: int, which: int) -> str:
    """A word that hardly any other part of the web has."""
    return invented((_SECTIONS_FROM + section * SECTION_WORDS + which) % _WORDS)
