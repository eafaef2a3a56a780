"""Who links to whom, redirects followed, and how judgments reach children, grandchildren and so on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.graph import DONE
from honeyguide.graph.table import enlarged
from honeyguide.strategy.base import NOTHING

if TYPE_CHECKING:
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Scores


class Lineage:
    """A link to a redirected address is one to the page that it leads to.

    A row of `judged` holds the highest judgment of the URL itself, of its parents, of theirs and so on, then the
    lowest of each with the sign turned: so all of it only ever rises. Where there is none, it is minus infinity.
    """

    def __init__(self, graph: Graph, generations: int) -> None:
        self._graph = graph
        self.generations = generations
        self.judged = self._unjudged(1024)
        self._moved = np.zeros(1024, np.bool_)
        self._heirs: dict[int, int] = {}  # where redirected addresses lead; to themselves when round in a circle
        last = generations  # children do not hear of it any more
        self._news = [column for column in range(2 * generations + 2) if column % (generations + 1) != last]

    def _unjudged(self, size: int) -> Scores:
        return np.full((size, 2 * self.generations + 2), -np.inf, np.float32)

    def make_room(self, size: int) -> None:
        """Have rows for so many URLs."""
        if size > len(self._moved):
            self._moved = enlarged(self._moved, size)
            grown = self._unjudged(len(self._moved))
            grown[: len(self.judged)] = self.judged
            self.judged = grown

    # -- links ------------------------------------------------------------------------------------------------

    def leads_to(self, ids: Ids) -> Ids:
        """Where addresses lead; the very same array where none of them was redirected."""
        if not self._heirs or not len(moved := self._moved[ids].nonzero()[0]):
            return ids
        ids = ids.copy()
        ids[moved] = [self.heir(id_) for id_ in ids[moved].tolist()]
        return ids

    def heir(self, id_: int) -> int:
        """Where an address leads by all redirects known."""
        while (heir := self._heirs.get(id_, id_)) != id_:
            id_ = heir
        return id_

    def children(self, id_: int) -> Ids:
        """Where the links of a fetched page lead."""
        return NOTHING if self._moved[id_] else self.leads_to(self._graph.links_from(id_))

    def parents(self, id_: int) -> list[int]:
        """The fetched pages with links that lead to a URL, once for each such link."""
        if not self._heirs:
            return self._graph.links_to(id_)
        found, addresses = [], [id_]
        while addresses:
            for source in self._graph.links_to(addresses.pop()):
                heir = self._heirs.get(source)
                if heir is None:
                    found.append(source)
                elif heir != source:
                    addresses.append(source)
        return found

    # -- what happens: each returns the URLs whose judgments rose ---------------------------------------------

    def judge(self, id_: int, judgment: float, children: Ids) -> list[Ids]:
        """Enter the judgment of a fetched page."""
        self.judged[id_, 0], self.judged[id_, self.generations + 1] = judgment, -judgment
        return self._hand_down(*self._raise(children, self._handed_down_by_one(id_)))

    def set_out(self, id_: int) -> None:
        """Begin to enter a redirect: for the time being it leads nowhere."""
        self._moved[id_], self._heirs[id_] = True, id_

    def arrive(self, id_: int, heir: int) -> list[Ids]:
        """Complete it: what was known of the old address is now known of the new one."""
        self._heirs[id_] = heir
        return self._hand_down(*self._raise(np.array([heir]), self.judged[id_]))

    def _hand_down(self, risen: Ids, pages: Ids) -> list[Ids]:
        """Tell the children of pages, and theirs, as long as there is news for them."""
        told = [risen] if len(risen) else []
        while len(pages):
            risen, pages = self._raise(*self._inheritance(pages))
            told.append(risen)
        return told

    def _inheritance(self, pages: Ids) -> tuple[Ids, Scores]:
        """The children of pages, each once, with the highest that any of the pages hands down to them."""
        families = [self.children(page) for page in pages.tolist()]
        children = np.concatenate(families)
        rows = np.repeat(self._handed_down(pages), [len(family) for family in families], axis=0)
        if len(pages) == 1 or not len(children):
            return children, rows
        order = np.argsort(children, kind="stable")
        children = children[order]
        first = np.flatnonzero(np.diff(children, prepend=-1))
        return children[first], np.maximum.reduceat(rows[order], first, axis=0)

    def _handed_down(self, pages: Ids) -> Scores:
        """Judgments as the children of pages see them: a generation older."""
        rows = self._unjudged(len(pages))
        rows[:, 1:] = self.judged[pages, :-1]
        rows[:, self.generations + 1] = -np.inf
        return rows

    def _handed_down_by_one(self, page: int) -> Scores:
        """The same of one page, as a list in half the time."""
        row = [-math.inf, *self.judged[page].tolist()]
        row[self.generations + 1] = -math.inf
        return np.array(row[:-1], np.float32)

    def _raise(self, ids: Ids, rows: Scores) -> tuple[Ids, Ids]:
        """Raise the judgments of URLs: the ones where any rose, and the fetched ones that can tell their children."""
        old = self.judged.take(ids, axis=0)
        rose = rows > old
        if not np.count_nonzero(rose):
            return NOTHING, NOTHING
        self.judged[ids] = np.maximum(old, rows)
        any_rose = np.logical_or.reduce(rose, axis=1)
        (fetched,) = (any_rose & (self._graph.state[ids] == DONE)).nonzero()
        if len(fetched):
            fetched = fetched[rose[fetched].take(self._news, axis=1).any(axis=1)]
        return ids[any_rose], ids[fetched]

    def save(self, known: int) -> dict[str, Any]:
        """All of it, as arrays."""
        heirs = np.array(list(self._heirs.items()), np.int32).reshape(-1, 2)
        return {"judged": self.judged[:known].copy(), "heirs": heirs}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        self.judged = np.array(state["judged"], np.float32)
        self._moved = np.zeros(len(self.judged), np.bool_)
        self._moved[state["heirs"][:, 0]] = True
        self._heirs = dict(state["heirs"].tolist())
