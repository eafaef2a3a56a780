"""Words by number, and how much more often each goes with what is relevant than chance would have it."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.honeyguide.table import Numbered, Table
from honeyguide.strategy.noted import Rows, sums
from honeyguide.text import STOP_WORDS, may_carry_topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Numbers = NDArray[np.float32]
    Flags = NDArray[np.bool_]

STRONGEST = 3.0  # standard deviations that one word can speak for or against
CLEAREST = 4.0  # that several words can together
# What a word tells: by the pages it stands on; by what the links led to whose anchors or URLs have it; by whether the
# pages these led to have led to relevant ones in turn.
ON_PAGES, IN_LINKS, ONWARDS = KINDS = range(3)
SEEN_OF, GOOD_OF = [0, 2, 2], [1, 3, 4]  # columns of counts, by kind


class _Numbers(Numbered):
    """Words by number; those that carry no topic have -1."""

    def __init__(self) -> None:
        super().__init__()
        self.update(dict.fromkeys(STOP_WORDS, -1))

    def __missing__(self, text: str) -> int:
        if may_carry_topic(text):
            return super().__missing__(text)
        self[text] = -1
        return -1


class Words:
    """On how many pages and in how many followed links each word was met, and how many of these were relevant."""

    def __init__(self) -> None:
        self._number = _Numbers()
        self.counts = Table((0,) * 5)  # pages, relevant ones; the same of links; links to pages that led on
        self.cases = np.zeros(5)  # the same, whatever the words
        self.tells: Numbers = np.zeros((0, len(KINDS)), np.float32)

    def __len__(self) -> int:
        return len(self._number.texts)

    def numbers(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """The numbers of distinct words, new ones for those not met before; words that carry no topic have none."""
        found = np.fromiter(map(self._number.__getitem__, texts), np.int32, len(texts))
        self.counts.make_room(len(self))
        return found[found >= 0]

    def add_rows(self, rows: Rows, texts: Sequence[Iterable[str]]) -> None:
        """Add a row for each of several texts: at once, for most are short."""
        get = self._number.__getitem__
        found = [[number for number in map(get, each) if number >= 0] for each in texts]
        self.counts.make_room(len(self))
        rows.extend(np.array([*chain.from_iterable(found)], np.int32), np.array([*map(len, found)], np.int64))

    def count_page(self, numbers: Ids, good: bool, times: int = 1) -> None:
        """Enter a page that has these distinct words."""
        self.counts.rows[:, 0][numbers] += times  # column by column, which is several times as fast
        if good:
            self.counts.rows[:, 1][numbers] += times
        self.cases[:2] += (times, times * good)

    def count_links(self, numbers: Ids, good: Flags, cases: Flags) -> None:
        """Enter words of anchors and URLs, each with what it led to, and what came of all cases."""
        np.add.at(self.counts.rows[:, 2], numbers, 1)
        np.add.at(self.counts.rows[:, 3], numbers[good], 1)
        self.cases[2:4] += (len(cases), cases.sum())

    def count_leading(self, numbers: Ids, cases: int) -> None:
        """Enter words of links to pages that have led to a relevant one by now, and how many these are."""
        np.add.at(self.counts.rows[:, 4], numbers, 1)
        self.cases[4] += cases

    def weigh(self) -> None:
        """Believe what was counted so far; words met since then tell nothing yet."""
        counts = self.counts.rows[: len(self)]
        base = (self.cases[GOOD_OF] + 0.5) / (self.cases[SEEN_OF] + 1)
        self.tells = _surprise(counts[:, GOOD_OF], counts[:, SEEN_OF], base)

    def of_links(self, rows: Rows, which: Ids) -> Numbers:
        """What the words of anchors or URLs tell: by pages, by what links with them led to, and onwards."""
        items, owners = rows.gather(which)
        known = items < len(self.tells)
        told, owners = self.tells[items[known]], owners[known]
        lengths = np.maximum(rows.ends[which + 1] - rows.ends[which], 1)
        total = np.stack([sums(owners, told[:, kind], len(which)) for kind in KINDS], axis=1)
        bounded: Numbers = np.clip(total / np.sqrt(lengths)[:, None], -CLEAREST, CLEAREST).astype(np.float32)
        return bounded

    def strongest(self, numbers: Ids, kind: int, most: int) -> list[tuple[str, float]]:
        """The words among these that tell most, either way."""
        numbers = numbers[numbers < len(self.tells)]
        told = self.tells[numbers, kind]
        order = np.argsort(-np.abs(told), kind="stable")[:most]
        return [(self._number.texts[numbers[i]], float(told[i])) for i in order.tolist() if told[i]]

    def knowledge(self) -> dict[str, Any]:
        """The words met on several pages or in several links, and all counts."""
        counts = self.counts.rows[: len(self)]
        kept = np.flatnonzero((counts[:, 0] > 1) | (counts[:, 2] > 1))
        texts = [self._number.texts[n] for n in kept.tolist()]
        return {"words": texts, "counts": counts[kept].copy(), "cases": self.cases.copy()}

    def adopt(self, knowledge: dict[str, Any]) -> None:
        """Add what was counted elsewhere, and believe it."""
        numbers = np.fromiter(map(self._number.__getitem__, knowledge["words"]), np.intp, len(knowledge["words"]))
        counts, cases = np.asarray(knowledge["counts"], np.float32), np.asarray(knowledge["cases"], np.float64)
        if counts.shape != (len(numbers), 5) or cases.shape != (5,) or (numbers < 0).any() or (counts < 0).any():
            raise ValueError("words and their counts do not go together")
        self.counts.make_room(len(self))
        self.counts.rows[numbers] += counts
        self.cases += cases
        self.weigh()

    def save(self) -> dict[str, Any]:
        """All of it."""
        kept = {"words": list(self._number.texts), "counts": self.counts.save(len(self))}
        return {**kept, "cases": self.cases.copy(), "tells": self.tells.copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self._number = _Numbers()
        for word in state["words"]:
            self._number[str(word)]
        self.counts.load(state["counts"])
        self.cases = np.array(state["cases"], np.float64)
        self.tells = np.array(state["tells"], np.float32).reshape(-1, len(KINDS))


def _surprise(good: Numbers, seen: Numbers, base: NDArray[np.float64]) -> Numbers:
    """How far the relevant cases are from those expected, in standard deviations of the latter, one added."""
    spread = np.sqrt(base * (1 - base) * seen + 1)
    surprise: Numbers = np.clip((good - base * seen) / spread, -STRONGEST, STRONGEST).astype(np.float32)
    return surprise
