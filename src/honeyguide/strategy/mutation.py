"""Mutation by meta-search: queries made of a lexicon's terms, a few of which are exchanged each time."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TRIES = 10  # to make a query that was not asked yet
_LISTS = ("given", "asked", "now", "waiting", "answers")


@dataclass
class Queries:
    """So many queries of so many terms a generation; or, where there are any, the given ones in turn."""

    number: int
    words: int
    rate: float  # the chance that a term is exchanged
    seed: int
    own: Sequence[str] = ()  # the topic's words: one of them is in every query
    given: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    now: list[list[str]] = field(default_factory=list)  # the terms of the latest query in each place
    rounds: int = 0
    waiting: list[str] = field(default_factory=list)  # queries without an answer
    answers: list[list[int]] = field(default_factory=list)  # to the others of this round

    def following(self, pool: Sequence[str]) -> tuple[str, ...]:
        """What to ask next; nothing that was asked before, unless it was given."""
        if not self.rate:
            return ()
        self.rounds += 1
        new = self._next_given() if self.given else self._next_drawn(pool)
        self.asked += new
        self.waiting = list(new)
        return tuple(new)

    def answered(self, query: str, ids: list[int]) -> int:
        """Take an answer; the number of its query."""
        self.waiting.remove(query)
        self.answers.append(ids)
        return len(self.asked) - 1 - self.asked[::-1].index(query)

    def merged(self) -> list[int]:
        """What the searches of this round brought; those not answered by now are given up."""
        answers, self.answers, self.waiting = self.answers, [], []
        return in_turn(answers)

    def _next_given(self) -> list[str]:
        start = len(self.asked)
        return [self.given[(start + k) % len(self.given)] for k in range(min(self.number, len(self.given)))]

    def _next_drawn(self, pool: Sequence[str]) -> list[str]:
        chance = random.Random(f"{self.seed} queries {self.rounds}")
        known, new = set(self.asked), []
        latest, self.now = self.now, []
        for place in range(self.number):
            terms = latest[place] if place < len(latest) else []
            for _ in range(TRIES):
                terms = on_topic(mutated(terms, pool, self.words, self.rate, chance), self.own, chance)
                if (query := as_query(terms)) and query not in known:
                    new.append(query)
                    known.add(query)
                    break
            self.now.append(terms)
        return new

    def save(self) -> dict[str, Any]:
        """As plain values."""
        return {"rounds": self.rounds, **{name: list(getattr(self, name)) for name in _LISTS}}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.rounds = state["rounds"]
        for name in _LISTS:
            setattr(self, name, list(state[name]))


def mutated(terms: Sequence[str], pool: Sequence[str], words: int, rate: float, chance: random.Random) -> list[str]:
    """A query with each term exchanged, at the given rate, for one of the pool; a new one has only such terms."""
    if not terms:
        return chance.sample(pool, min(words, len(pool)))
    made = list(terms)
    for place in range(len(made)):
        others = [term for term in pool if term not in made]
        if others and chance.random() < rate:
            made[place] = chance.choice(others)
    return made


def on_topic(terms: list[str], own: Sequence[str], chance: random.Random) -> list[str]:
    """A query that holds a word of the topic's own, in place of another where it had none."""
    if terms and own and not set(terms) & set(own):
        terms[chance.randrange(len(terms))] = chance.choice(own)
    return terms


def as_query(terms: Iterable[str]) -> str:
    """Terms as a search takes them, those of several words in quotes, in the same order however they were drawn."""
    return " ".join(f'"{term}"' if " " in term else term for term in sorted(terms))


def in_turn(answers: Iterable[Sequence[int]]) -> list[int]:
    """Several answers as one: the first of each, then the second of each, and so on."""
    rows = zip_longest(*answers)
    return list(dict.fromkeys(id_ for row in rows for id_ in row if id_ is not None))


def read_queries(path: str) -> list[str]:
    """The queries in a file, one a line."""
    try:
        lines = Path(path).expanduser().read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise BadInput(f"the queries in {path!r} cannot be read: {error}") from None
    if not (queries := [line.strip() for line in lines if line.strip()]):
        raise BadInput(f"{path} holds no queries; write one a line")
    return queries
