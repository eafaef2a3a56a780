"""Counting words and phrases in a text: cut into words once, whatever the number of phrases."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter

from honeyguide.text import stems, words

_APOSTROPHES = re.compile("['’]")
_FOLD_TO_ASCII = "ßİŉſẚẞ\u212aﬀﬁﬂﬃﬄﬅﬆ"  # all letters beyond ASCII that become, at least in part, ASCII
# Thai, Lao, Khmer, kana, Han: no spaces between words, so a phrase may stand inside what looks like one.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@functools.lru_cache(maxsize=8)
def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@functools.lru_cache(maxsize=8)
def _plain(text: str) -> bytes | None:
    """A text with its ASCII letters folded, in a fifth of the time; None where others would become such letters."""
    if any(letter in text for letter in _FOLD_TO_ASCII):
        return None
    return text.encode("utf-8", "surrogatepass").lower()


def _surely_lacks(text: str, word: str) -> bool:
    """Whether a folded word is not in a text, as far as that can be told without folding all of it."""
    if text.isascii() or not word.isascii():
        return False
    plain = _plain(text)
    return plain is not None and word.encode() not in plain


def _tokens(text: str, stem: bool) -> list[str]:
    found = words(_APOSTROPHES.sub(" ", _folded(text)))
    return stems(found) if stem else found


def _spaced(tokens: list[str]) -> str:
    """Each word between two blanks of its own, so that neighbours never share one."""
    return f" {'  '.join(tokens)} " if tokens else ""


@functools.lru_cache(maxsize=8)
def _haystack(text: str, stem: bool) -> tuple[str, Counter[str]]:
    tokens = _tokens(text, stem)
    return _spaced(tokens), Counter(tokens)


@functools.lru_cache(maxsize=100_000)
def needle(phrase: str, stem: bool) -> str:
    """The form in which a phrase is looked for; empty when it has no word in it."""
    spaced = _spaced(_tokens(phrase, stem))
    return spaced.strip() if _UNSPACED.search(spaced) else spaced


def count(phrase: str, text: str, stem: bool = False) -> int:
    """How often the phrase stands in the text, as whole words, in either case."""
    wanted = needle(phrase, stem)
    if not wanted or not text:
        return 0
    first, _, more = wanted.strip(" ").partition("  ")
    if not stem:
        parts = (first, *more.split())
        if any(_surely_lacks(text, word) for word in parts):
            return 0
        folded = _folded(text)
        if any(word not in folded for word in parts):
            return 0
        if wanted[0] == " ":  # not worth cutting the text into words
            return _in_a_row(_row_of_words(wanted), first, folded) if more else _whole_words(first, folded)
    spaced, counts = _haystack(text, stem)
    if wanted[0] != " ":
        return spaced.count(wanted)
    return spaced.count(wanted) if more and first in counts else counts[first] * (not more)


def _whole_words(word: str, text: str) -> int:
    """How often a word stands in a text by itself, not within another."""
    found, at = 0, text.find(word)
    while at >= 0:
        end = at + len(word)
        found += not (_is_of_a_word(text[at - 1 : at]) or _is_of_a_word(text[end : end + 1]))
        at = text.find(word, end)
    return found


@functools.lru_cache(maxsize=10_000)
def _row_of_words(wanted: str) -> re.Pattern[str]:
    return re.compile(r"\W+".join(map(re.escape, wanted.split())) + r"(?!\w)")


def _in_a_row(row: re.Pattern[str], first: str, text: str) -> int:
    """How often words stand in a text in a row, with nothing but blanks and signs between them."""
    found, at = 0, text.find(first)
    while at >= 0:
        match = None if _is_of_a_word(text[at - 1 : at]) else row.match(text, at)
        found += match is not None
        at = text.find(first, match.end() if match else at + len(first))
    return found


def _is_of_a_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def times(number: int) -> str:
    """A count in words.

    >>> times(1), times(3)
    ('once', '3 times')
    """
    return "once" if number == 1 else f"{number} times"
