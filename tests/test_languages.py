"""Language codes and names."""

import pytest

from honeyguide.languages import codes, short_code


@pytest.mark.parametrize(
    ("code", "short"),
    [
        ("deu", "de"),
        ("ger", "de"),
        ("de", "de"),
        ("DEU", "de"),
        ("cmn", "zh"),
        ("arb", "ar"),
        ("nb", "no"),
        ("pes", "fa"),
        ("yue", "yue"),
        ("gsw", "gsw"),
        ("german", "de"),
        ("tlh", "tlh"),
        ("", ""),
    ],
)
def test_short_code(code, short):
    assert short_code(code) == short


def test_names_of_several_words_are_found():
    assert codes()["scottish gaelic"] == ("gd", "Scottish Gaelic")
    assert codes()["volapük"] == ("vo", "Volapük")
    assert codes()["farsi"] == ("fa", "Persian")


def test_no_code_or_name_is_claimed_by_two_languages():
    named = {}
    for code, name in codes().values():
        assert named.setdefault(code, name) == name
    for short, name in named.items():
        assert codes()[short] == codes()[name.casefold()] == (short, name)


def test_every_code_of_iso_639_1_is_there():
    assert len({code for code in codes() if len(code) == 2}) == 183
