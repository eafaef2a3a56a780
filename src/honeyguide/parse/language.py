"""The language of a text, by what it says rather than by what its markup claims."""

from __future__ import annotations

from honeyguide.languages import short_code

ENOUGH = 80  # characters; a guess on less is worth less than the page's own label
LOOKED_AT = 600  # characters; more costs time and tells nothing new


def language_of(text: str, declared: str = "") -> str:
    """ISO 639-1 code (639-3 where there is none), or empty when nothing speaks for any."""
    sample = text[:LOOKED_AT]
    if len(sample.strip()) >= ENOUGH:
        from turbohtml.detect import detect_language

        found = detect_language(sample)
        if found.language:
            return short_code(found.language)
    return short_code(declared.partition("-")[0].partition("_")[0].strip().lower())
