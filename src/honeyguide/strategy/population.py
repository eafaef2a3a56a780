"""The pages a genetic crawl has taken in: how often keywords stand in each, how fit it is, whether it survived."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph.table import enlarged
from honeyguide.strategy.lexicon import Keywords, Lexicon, keyword_jaccard, keyword_weights, link_jaccard

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from honeyguide.graph import Graph

UNDECIDED, KEPT, NOT_KEPT = range(3)
MOST_COUNTED = 65_535  # times that a keyword stands on a page

_COLUMNS: dict[str, type[np.generic]] = {
    "generation": np.int32,
    "by_links": np.float32,
    "by_words": np.float32,
    "fate": np.uint8,
}


class Population:
    """Columns by the number of the visit; `members` are the ids of the pages of the generation under way."""

    generation: NDArray[np.int32]
    by_links: NDArray[np.float32]
    by_words: NDArray[np.float32]
    fate: NDArray[np.uint8]

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.lexicon = Lexicon()
        self.settled = False  # whether lexicon and keywords stay as they are
        self.keywords = Keywords()
        self.query_terms: list[str] = []  # they and the best of the lexicon
        self.members: list[int] = []
        self.pages = 0  # that came, in all generations
        self._barred: set[int] = set()  # members that do not count: copies, gates …
        self._uncounted: dict[int, str] = {}  # texts of members that came before there were keywords
        self._counts = np.zeros(0, np.uint16)  # of keywords, row by row
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.zeros(1024, dtype))
        self.count_words(())

    @property
    def terms(self) -> list[str]:
        """The keywords."""
        return self.keywords.terms

    def count_words(self, keywords: Iterable[str]) -> None:
        """Make these the keywords, also of what came already."""
        self.keywords = Keywords(keywords)
        self._spread = np.zeros(len(self.terms), np.int64)  # on how many pages each keyword stands
        self._make_room()
        for id_, text in self._uncounted.items():
            self._count(id_, text)
        self._uncounted = {}

    def settle(self, number: int) -> None:
        """The lexicon is complete; where no keywords were given, its best terms are."""
        if not self.terms:
            self.count_words(self.lexicon.best_terms(number))
        self.lexicon.trim(self.terms)
        self.settled = True
        self.query_terms = list(dict.fromkeys([*self.terms, *self.lexicon.best_terms(number)]))

    def take_in(self, id_: int, generation: int, text: str | None, counts: bool) -> None:
        """Enter a visit; the page, where one came, is a member of the generation."""
        self._make_room()
        self.generation[self._row(id_)] = generation
        if text is None:
            return
        self.members.append(id_)
        self.pages += 1
        if not counts:
            self._barred.add(id_)
        elif not self.settled:
            self.lexicon.add(text, self.links_of(id_), self.keywords)
        if self.terms or self.settled:
            self._count(id_, text)
        else:
            self._uncounted[id_] = text

    def _row(self, id_: int) -> int:
        return int(self.graph.visit_of[id_]) - 1

    def _rows(self, ids: Iterable[int]) -> list[int]:
        return [self._row(id_) for id_ in ids]

    def _make_room(self) -> None:
        visits = self.graph.visits
        if visits > len(self.fate):
            for name in _COLUMNS:
                setattr(self, name, enlarged(getattr(self, name), visits))
        if visits * len(self.terms) > len(self._counts):
            self._counts = enlarged(self._counts, visits * len(self.terms))

    def _count(self, id_: int, text: str) -> None:
        found = np.array(self.keywords.counts(text), np.int64)
        self._spread += found > 0
        self.counts(id_)[:] = np.minimum(found, MOST_COUNTED)

    def counts(self, id_: int) -> NDArray[np.uint16]:
        """How often each keyword stands on a page."""
        start = self._row(id_) * len(self.terms)
        return self._counts[start : start + len(self.terms)]

    def links_of(self, id_: int) -> set[str]:
        """The addresses that a page links to."""
        return set(map(self.graph.url, self.graph.links_from(id_).tolist()))

    def select(self, draws: int, chance: random.Random) -> tuple[list[int], list[int], float]:
        """End a generation: who survives, who does not, and how fit they all were on average."""
        members, self.members = self.members, []
        fitness = self._weigh(members)
        survivors = drawn(members, fitness.tolist(), draws, chance)
        others = sorted(set(members) - set(survivors))
        self.fate[self._rows(survivors)] = KEPT
        self.fate[self._rows(others)] = NOT_KEPT
        self._barred = set()
        return survivors, others, float(fitness.mean()) if members else 0.0

    def _weigh(self, members: list[int]) -> NDArray[np.float64]:
        counts = np.array([self.counts(id_) for id_ in members], np.int64).reshape(len(members), len(self.terms))
        about = (self._spread, self.pages, self.keywords.lengths)
        by_words = keyword_jaccard(keyword_weights(self.lexicon_counts(), *about), keyword_weights(counts, *about))
        by_links = [link_jaccard(self.links_of(id_), self.lexicon.links) for id_ in members]
        counting = np.array([id_ not in self._barred for id_ in members], np.bool_)
        rows = self._rows(members)
        self.by_words[rows], self.by_links[rows] = by_words * counting, by_links * counting
        return self.fitness(members)

    def lexicon_counts(self) -> NDArray[np.int64]:
        """How often each keyword stands in the lexicon: once at least, since it is what the lexicon is about."""
        return np.array([max(1, self.lexicon.counts[word]) for word in self.terms], np.int64)

    def fitness(self, ids: Sequence[int]) -> NDArray[np.float64]:
        """½ Jaccard of links + ½ Jaccard of keywords, as it was when each page's generation ended."""
        rows = self._rows(ids)
        return 0.5 * self.by_links[rows].astype(np.float64) + 0.5 * self.by_words[rows]

    def kept(self, id_: int) -> bool:
        """Whether a page survived."""
        return self._row(id_) >= 0 and self.fate[self._row(id_)] == KEPT

    def survived(self) -> tuple[int, int]:
        """How many pages were kept, of how many there were to choose from."""
        fates = np.bincount(self.fate[: self.graph.visits], minlength=3)
        return int(fates[KEPT]), int(fates[KEPT] + fates[NOT_KEPT])

    def save(self) -> dict[str, Any]:
        """As arrays and plain values."""
        visits = self.graph.visits
        self._make_room()
        return {
            **{name: getattr(self, name)[:visits].copy() for name in _COLUMNS},
            "keyword_counts": self._counts[: visits * len(self.terms)].copy(),
            "keyword_spread": self._spread.copy(),
            "keywords": self.terms,
            "query_terms": self.query_terms,
            "lexicon": self.lexicon.to_dict(),
            "settled": self.settled,
            "members": list(self.members),
            "barred": sorted(self._barred),
            "uncounted": list(self._uncounted.items()),
            "pages": self.pages,
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        for name, dtype in _COLUMNS.items():
            setattr(self, name, np.array(state[name], dtype))
        self.count_words(state["keywords"])
        self.query_terms = list(state["query_terms"])
        self._counts = np.array(state["keyword_counts"], np.uint16)
        self._spread = np.array(state["keyword_spread"], np.int64)
        self.lexicon = Lexicon.from_dict(state["lexicon"])
        self.settled, self.pages = state["settled"], state["pages"]
        self.members, self._barred = list(state["members"]), set(state["barred"])
        self._uncounted = dict(state["uncounted"])
        self._make_room()


def drawn(members: list[int], fitness: list[float], draws: int, chance: random.Random) -> list[int]:
    """Roulette: those that come up in so many draws, each as likely as it is fit; all alike where none is fit."""
    if not members:
        return []
    lots = set(chance.choices(members, fitness if sum(fitness) > 0 else None, k=draws))
    return [member for member in members if member in lots]
