"""Words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.text import STOP_WORDS, content_words, distinct_words, stems, words


def test_words_are_lower_case_and_keep_their_apostrophes():
    assert words("The bee's knees, don’t — ÜBER_cool 3.5 l'été!") == [
        *["the", "bee's", "knees", "don’t", "über_cool", "3", "5", "l'été"]
    ]


def test_quotation_marks_are_no_part_of_a_word():
    assert words("'honey' ''wax''") == ["honey", "wax"]


def test_content_words_leave_out_what_says_nothing():
    assert content_words("A queen and 40 drones are in the hive 4x4 b") == ["queen", "drones", "hive", "4x4"]


def test_stems_are_porter_stems_in_order():
    assert stems(["ponies", "caresses", "relational", "bees", "hopping"]) == ["poni", "caress", "relat", "bee", "hop"]
    assert stems([]) == []


@settings(deadline=None)
@given(st.text())
def test_words_of_words_are_the_words(text):
    found = words(text)
    assert words(" ".join(found)) == found
    assert set(content_words(text)) <= set(found) - STOP_WORDS


@settings(deadline=None, max_examples=500)
@given(st.text() | st.text("aB'’_1 .-–\u0130\u03a3\u00a0\x1f\ud800"))
def test_distinct_words_are_the_words_each_once(text):
    assert distinct_words(text) == list(dict.fromkeys(words(text)))
