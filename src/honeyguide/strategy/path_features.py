"""What tells of a link: how far it stands from keywords, how often they occur, what lies behind its page."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.topic.phrases import needle

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from honeyguide.base import Page

    Numbers = NDArray[np.float32]
    Places = NDArray[np.int64]

_WORD = re.compile(r"\w+")
MOST_LETTERS = 200_000  # of a page's text that is looked at

# Page 1 is the page the link stands on, page 2 one that links to it, page 3 one that links to that one. The distances
# are those of the link on each page, `harvest` that of all layers up to the page's, `hops` the links back to a
# valuable page.
RICH = (
    "distance1", "mean1", "count1", "hops1", "harvest1", "valuable1",
    "distance2", "mean2", "count2", "hops2", "harvest2", "valuable2",
    "distance3", "mean3", "count3", "hops3", "harvest3",
)  # fmt: skip
POOR = ("count1", "count2", "count3", "valuable1", "distance1")
MEDIAL = (*POOR, "mean1", "mean2", "mean3", "hops1", "hops2", "hops3")
SETS = {"poor": POOR, "medial": MEDIAL, "rich": RICH}


def keywords(weights: Mapping[str, float]) -> list[str]:
    """The terms to look for; a word that is only known as part of a phrase is none."""
    parts = {part for term in weights if " " in term for part in term.split()}
    return [term for term, weight in weights.items() if weight >= 1 or term not in parts]


class Reader:
    """Reads pages for keywords: how often they occur, and how far from each link."""

    def __init__(self, terms: Iterable[str], cap: int) -> None:
        self.needles = [wanted for term in terms if (wanted := needle(term, False))]
        self.cap = cap

    def read(self, page: Page) -> tuple[int, Numbers, Numbers]:
        """The keywords counted on the page, and for each of its links the least and the mean distance to them."""
        text = spaced(page.text)
        found = places(text, self.needles)
        count = len(found) + (len(places(spaced(page.title), self.needles)) if page.title else 0)
        if not len(found) or not page.links:
            far = np.full(len(page.links), self.cap, np.float32)
            return count, far, far
        first, last = spans(text, [link.anchor for link in page.links])
        return count, *distances(first, last, found, self.cap)


def spaced(text: str) -> str:
    """The words of a text in lower case, each between two blanks of its own, as topics look for phrases."""
    text = text[:MOST_LETTERS]
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold())
    found = _WORD.findall(folded)
    return f" {'  '.join(found)} " if found else ""


def places(text: str, needles: Iterable[str]) -> Places:
    """The numbers of the words at which any of the needles stands in a spaced text, in order."""
    offsets = []
    for wanted in needles:
        at = text.find(wanted)
        while at >= 0:
            offsets.append(at)
            at = text.find(wanted, at + len(wanted))
    return _word_numbers(text, sorted(offsets))


def _word_numbers(text: str, offsets: Sequence[int]) -> Places:
    """Which word stands at each of these offsets, given in order."""
    numbers, blanks, before = [], 0, 0
    for at in offsets:
        blanks += text.count(" ", before, at)
        before = at
        numbers.append(blanks // 2)
    return np.array(numbers, np.int64)


def spans(text: str, anchors: Sequence[str]) -> tuple[Places, Places]:
    """The first and the last word of each link: its anchor is looked for from the end of the one before.

    A link whose anchor is not found stands between its neighbours, as its number among the links tells.
    """
    found, offsets, lengths, end = [], [], [], 0
    for number, anchor in enumerate(anchors):
        wanted = spaced(anchor) if anchor.isascii() else needle(anchor, False)
        at = text.find(wanted, end) if wanted else -1
        if at >= 0:
            found.append(number)
            offsets.append(at)
            lengths.append(max(wanted.count(" ") // 2, 1))
            end = at + len(wanted)
    known = _word_numbers(text, offsets)
    first = _between(known, found, len(anchors), text.count(" ") // 2)
    last = first.copy()
    last[found] += np.array(lengths, np.int64) - 1
    return first, last


def _between(known: Places, found: Sequence[int], links: int, words: int) -> Places:
    at = np.interp(np.arange(links), [-1, *found, links], [0, *known.tolist(), words])
    places: Places = np.rint(at).astype(np.int64)
    return places


def distances(first: Places, last: Places, found: Places, cap: int) -> tuple[Numbers, Numbers]:
    """The least and the mean distance in words from links to keywords, none of them beyond the cap."""
    ends = np.concatenate(([-cap - 1], found, [found[-1] + last.max() + cap + 1]))
    next_ = np.searchsorted(ends, first)
    least = np.minimum(first - ends[next_ - 1], np.maximum(ends[next_] - last, 0))
    sums = np.concatenate(([0], np.cumsum(found)))
    far_before, before = np.searchsorted(found, first - cap), np.searchsorted(found, first)
    after, far_after = np.searchsorted(found, last, "right"), np.searchsorted(found, last + cap, "right")
    total = (before - far_before) * first - (sums[before] - sums[far_before])
    total += sums[far_after] - sums[after] - (far_after - after) * last
    total += (len(found) - (far_after - far_before)) * cap
    return np.minimum(least, cap).astype(np.float32), (total / len(found)).astype(np.float32)
