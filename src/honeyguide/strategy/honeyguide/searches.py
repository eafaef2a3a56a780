"""Searches that are made where links bring little, and what came of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.honeyguide.words import ON_PAGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.strategy.honeyguide.words import Words
    from honeyguide.topic import Topic

    Ids = NDArray[np.integer[Any]]

PATIENCE = 20  # fetches between two searches
LITTLE = 0.25  # share of relevant pages among them below which links bring little
TERMS = 5  # of the topic that are asked for
TELLING = 2.0  # standard deviations of a word that is worth asking for


class Searches:
    """At most so many; the first for the words of the topic, the others with one word more that was learned."""

    def __init__(self, most: int, topic: Topic) -> None:
        self._most = most
        self._terms = _terms(topic.words())
        self.asked: list[str] = []
        self._words: list[str] = []  # those that were added
        self._exhausted: object = None  # what words told when there was no new one to ask for
        self.found: dict[int, int] = {}  # the number of the query that found a URL first
        self._since = [0, 0]  # fetches since the last search, and relevant ones among them
        self._followed = [0, 0]  # fetches of what searches found, likewise

    def note(self, visit: Visit) -> None:
        """Count what came of a fetch."""
        for counts in [self._since, self._followed] if visit.id in self.found else [self._since]:
            counts[0] += 1
            counts[1] += visit.relevant

    def due(self, words: Words, idle: bool = False) -> tuple[str, ...]:
        """The next query, if it is time for one."""
        fetched, good = self._since
        if len(self.asked) >= self._most or not (idle or self._is_time(fetched, good)):
            return ()
        query = self._next(words)
        if not query:
            return ()
        self._since = [0, 0]
        self.asked.append(query)
        return (query,)

    def _is_time(self, fetched: int, good: int) -> bool:
        return not self.asked or (fetched >= PATIENCE and good < LITTLE * fetched)

    def _next(self, words: Words) -> str:
        """The terms of the topic, and a word of relevant pages that was not asked for yet."""
        if self._terms and not self.asked:
            return " ".join(self._terms)
        if words.tells is self._exhausted:  # not sorted anew at every page
            return ""
        told = words.strongest(np.arange(len(words)), ON_PAGES, 10 * (len(self._words) + TERMS))
        new = [word for word, value in told if value >= TELLING and word not in (*self._terms, *self._words)]
        if not new:
            self._exhausted = words.tells
            return ""
        self._words.append(new[0])
        return " ".join([*self._terms, new[0]])

    def answer(self, query: str, ids: Ids) -> None:
        """Note what a search found."""
        number = len(self.asked) - 1 - self.asked[::-1].index(query)
        for id_ in ids.tolist():
            self.found.setdefault(id_, number)

    def chances(self, ids: Ids) -> NDArray[np.float64]:
        """Of URLs to be relevant, because a search found them; 0 where none did."""
        if not self.found:
            return np.zeros(len(ids))
        followed, good = self._followed
        there = np.fromiter((id_ in self.found for id_ in ids.tolist()), np.float64, len(ids))
        return there * (good + 1) / (followed + 2)

    def told(self, id_: int) -> list[str]:
        """How a URL was found, if by a search."""
        if id_ not in self.found:
            return []
        followed, good = self._followed
        return [f"found by a search for {self.asked[self.found[id_]]}; {good} of {followed} such pages were relevant"]

    def save(self) -> dict[str, Any]:
        """All of it."""
        found = np.array([*self.found.items()], np.int64).reshape(-1, 2)
        counts = np.array([*self._since, *self._followed], np.int64)
        return {"asked": list(self.asked), "asked_words": list(self._words), "found": found, "searched": counts}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.asked, self._words = list(map(str, state["asked"])), list(map(str, state["asked_words"]))
        ids, numbers = np.asarray(state["found"], np.int64).reshape(-1, 2).T.tolist()
        self.found = dict(zip(ids, numbers, strict=True))
        counts = np.asarray(state["searched"], np.int64).tolist()
        self._since, self._followed = counts[:2], counts[2:]


def _terms(weights: dict[str, float]) -> list[str]:
    """The terms of a topic that weigh most, phrases in quotes; their words are not asked for one by one."""
    parts = {word for term in weights if " " in term for word in term.split()}
    wanted = [term for term, weight in weights.items() if weight > 0 and term not in parts]
    best = sorted(wanted, key=lambda term: -weights[term])[:TERMS]
    return [f'"{term}"' if " " in term else term for term in best]
