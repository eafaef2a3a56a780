"""Phrases in texts: what is told without folding a text agrees with what folding tells."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.topic import phrases
from honeyguide.topic.phrases import count

SOME = st.text(st.sampled_from("sfkinaES ßſ\u212aﬁﬆİéÉ'’\u0301\u0307\u0331–ж語"), max_size=12)


def folded(text):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


@given(SOME, st.text("sfkina", min_size=1, max_size=3))
def test_what_a_text_surely_lacks_is_not_in_it_when_folded(text, word):
    if phrases._surely_lacks(text, word):
        assert word not in folded(text)


def test_all_letters_are_known_that_fold_to_ascii():
    found = {
        letter
        for letter in map(chr, range(128, sys.maxunicode + 1))
        if not "\ud800" <= letter <= "\udfff" and any(c.isascii() and c.isalnum() for c in folded(letter))
    }
    assert found == set(phrases._FOLD_TO_ASCII)


@pytest.mark.parametrize(
    ("phrase", "text", "times"),
    [
        ("file", "Der Pﬁle – ﬁle", 1),  # a ligature
        ("kelvin", "0 \u212aelvin – kelvin", 2),  # the sign of the unit
        ("strasse", "Straße – STRASSE", 2),
        ("bees", "Bienen – keine", 0),
        ("heat pump", "Heat – PUMP", 1),
        ("heat pump", "Heat – pumpe", 0),
        ("cafe", "cafe\u0301 – cafe", 1),  # with its accent behind it, it is another letter
    ],
)
def test_counting_in_texts_beyond_ascii(phrase, text, times):
    assert count(phrase, text) == times
