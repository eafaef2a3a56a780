"""The language of a text, by what it says rather than by what its markup claims."""

from __future__ import annotations

from honeyguide.languages import short_code
from honeyguide.text import STOP_WORDS

ENOUGH = 80  # characters; a guess on less is worth less than the page's own label
LOOKED_AT = 600  # characters; more costs time and tells nothing new
PLAIN_SHARE, PLAIN_KINDS = 0.3, 6  # of words that no other language has so many of: all of them, and different ones


def language_of(text: str, declared: str = "") -> str:
    """ISO 639-1 code (639-3 where there is none), or empty when nothing speaks for any."""
    sample = text[:LOOKED_AT]
    if len(sample.strip()) >= ENOUGH:
        if _is_plainly_english(sample):
            return "en"
        from turbohtml.detect import detect_language

        found = detect_language(sample)
        if found.language:
            return short_code(found.language)
    return short_code(declared.partition("-")[0].partition("_")[0].strip().lower())


def _is_plainly_english(text: str) -> bool:
    """Told by its function words in a tenth of the time that telling it from a hundred languages takes."""
    words = text.lower().split()
    if "the" not in words or sum(map(STOP_WORDS.__contains__, words)) < PLAIN_SHARE * len(words):
        return False
    return len(STOP_WORDS.intersection(words)) >= PLAIN_KINDS
