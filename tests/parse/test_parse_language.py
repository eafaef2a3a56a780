"""The language of texts: plain English is told quickly, and as the detector would tell it."""

import pytest
from turbohtml.detect import detect_language

from honeyguide.parse.language import _is_plainly_english, language_of

ENGLISH = (
    "The keeper of the hives was at the gate when the first of the swarms came over the wall, and it is not easy"
    " to say which of us was more surprised by them."
)
DUTCH = (
    "De bijen die we in het voorjaar hadden gezien, is dit nu over of was het een ander volk? We had er een of twee"
    " in de tuin, en het was niet zo dat we er iets van wisten."
)
GERMAN = (
    "Der Imker sagte am Morgen nur einen Satz, »the bees are in the garden of the house«, und ging dann wieder an"
    " seine Arbeit, ohne sich noch einmal nach den Bienenstöcken oder nach uns umzusehen."
)


@pytest.mark.parametrize(("text", "language"), [(ENGLISH, "en"), (DUTCH, "nl"), (GERMAN, "de")])
def test_languages_are_told_as_the_detector_tells_them(text, language):
    assert language_of(text, "la") == language
    assert _is_plainly_english(text) == (language == "en") == (detect_language(text).language == "eng")


def test_english_words_without_variety_are_left_to_the_detector():
    assert not _is_plainly_english("the the the of of of " * 20)


def test_a_short_text_is_what_its_page_says():
    assert language_of("The bees of the garden", "de-AT") == "de"
