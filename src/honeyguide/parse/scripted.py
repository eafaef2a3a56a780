"""Pages that are little more than a place for scripts to write to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Document

LITTLE = 200  # characters of text; a page with more says something as it is
ALMOST_NOTHING = 50
MANY = 3  # scripts from files of their own

# Where the usual frameworks write to.
_PLACES = "#root, #app, #__next, #__nuxt, #___gatsby, #svelte, #ember-app, #q-app, app-root, [ng-app]"
_ASKS = re.compile(r"javascript|enable scripts?|turn on scripts?", re.IGNORECASE)
_RUNS = re.compile(r"(?:text|application)/(?:x-)?(?:java|ecma)script|module", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Signs:
    """What is seen of scripts in a page."""

    files: int = 0  # scripts from files of their own
    written: int = 0  # characters of scripts in the page itself
    empty_place: bool = False  # an element that a framework would fill
    asks: bool = False  # the text for browsers without scripts asks for them


def signs(document: Document) -> Signs:
    """Look for scripts, before they are removed."""
    scripts = [each for each in document.select("script") if _RUNS.fullmatch(each.attr("type") or "module")]
    return Signs(
        files=sum(bool(each.attr("src")) for each in scripts),
        written=sum(len(each.text) for each in scripts if not each.attr("src")),
        empty_place=any(not place.text.strip() for place in document.select(_PLACES)),
        asks=any(_ASKS.search(each.text) for each in document.select("noscript")),
    )


def scripted(text: str, main: str, seen: Signs) -> str:
    """What a page's scripts are to it: "waits" where they have yet to write it, else "some", or none."""
    if not (seen.files or seen.written):
        return ""
    return "waits" if waits_for_scripts(text, main, seen) else "some"


def waits_for_scripts(text: str, main: str, seen: Signs) -> bool:
    """Whether a page would say more once its scripts have run; where it says so itself, menus do not count.

    >>> waits_for_scripts("Home News About", "", Signs(files=1, empty_place=True))
    True
    >>> waits_for_scripts("Bees " * 50, "Bees " * 50, Signs(files=9, empty_place=True, asks=True))
    False
    """
    if seen.empty_place or seen.asks:
        return len(main.strip()) < LITTLE
    size = len(text.strip())
    few_words = size < ALMOST_NOTHING and seen.files > 0
    return size < LITTLE and (seen.written > size or seen.files >= MANY or few_words)
