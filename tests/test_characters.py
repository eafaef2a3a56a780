"""Characters that no reader of a text is to meet, held against what Unicode says of each."""

import re
import sys
import unicodedata

import pytest

from honeyguide.characters import BREAKING, INVISIBLE, REVERSING, UNWRITABLE, printable, readable
from honeyguide.export.cleaning import cell, one_line
from honeyguide.report.markup import shown

EVERY = [chr(i) for i in range(sys.maxunicode + 1)]
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def listed(characters):
    return set(re.findall(f"[{characters}]", "".join(EVERY)))


def test_what_cannot_be_written_is_every_control_character_half_character_and_noncharacter_of_the_first_plane():
    expected = {c for c in EVERY if unicodedata.category(c) in ("Cc", "Cs")} - {"\t", "\n"}
    none = {chr(i) for i in range(0xFDD0, 0xFDF0)} | {"\ufffe", "\uffff"}
    assert listed(UNWRITABLE) == expected | none


def test_what_turns_a_text_round_is_what_unicode_says_does():
    assert listed(REVERSING) == {c for c in EVERY if unicodedata.bidirectional(c) in TURNING}


def test_what_breaks_a_line_is_what_python_breaks_one_at_but_those_that_every_reader_does():
    assert listed(BREAKING) == {c for c in EVERY if len(f"a{c}b".splitlines()) > 1} - {"\n", "\r"}


def test_a_readable_text_has_no_lines_but_those_that_every_reader_sees():
    text = readable("".join(f"a{c}b" for c in EVERY))
    assert text.splitlines() == text.split("\n")
    assert not listed(UNWRITABLE + REVERSING) & set(text)


def test_words_stay_apart_and_joined_as_they_were():
    assert readable("bees\x0cfly\u2028far\x85off") == "bees fly far off"
    persian, family, mark = "می\u200cخواهم", "👩\u200d👧", "C\u200f++"
    assert readable(persian + family + mark) == persian + family + mark


def test_what_is_invisible_only_shapes_other_characters():
    assert {unicodedata.category(c) for c in listed(INVISIBLE)} == {"Cf"}
    assert not listed(INVISIBLE) & listed(REVERSING)


@pytest.mark.parametrize("kind", [UNWRITABLE, REVERSING, BREAKING])
def test_report_and_export_let_none_of_them_through(kind):
    for character in listed(kind):
        assert shown(f"a{character}b") == "a\ufffdb"
        assert character not in one_line(f"a{character}b")
        assert character not in cell(f"a{character}b")


def test_a_formula_behind_what_is_invisible_is_one():
    assert all(cell(f"{character}=1+1").startswith("'") for character in listed(INVISIBLE))


def test_a_printable_text_is_as_long_as_it_was():
    text = "".join(EVERY[:4096])
    assert len(printable(text)) == len(text)
    assert printable(text).isprintable()
