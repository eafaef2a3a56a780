"""What speaks for a URL, in numbers: pages that link to it, what came of their other links, its host, and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.honeyguide.family import (
    CHILDREN,
    FARTHEST,
    GOOD_CHILDREN,
    GOOD_NEAR,
    HOPS,
    NEAR,
    Family,
)
from honeyguide.strategy.honeyguide.priors import KINDS
from honeyguide.strategy.honeyguide.texts import (
    GOOD,
    GOOD_ONWARD,
    KEYS,
    LEAD,
    ONWARD,
    SEEN,
    SEEN_ONWARD,
    WORTH,
    Texts,
)
from honeyguide.strategy.honeyguide.words import CLEAREST
from honeyguide.text import content_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.topic import Topic

    Ids = NDArray[np.integer[Any]]
    Numbers = NDArray[np.float64]

PARENTS = 3  # newest links to a URL that are looked at
TOLD = 8  # newest links to a page that learn what came of it
ONWARD_DOUBT = 5.0  # pages as expected that are added to those a folder led to
LITTLE = 1e-6
_AVERAGES = slice(9, 15)


class Evidence:
    """Learns from visits, and gives a row of numbers for each URL."""

    def __init__(self, graph: Graph, topic: Topic) -> None:
        self._graph = graph
        self.texts = Texts(graph, sorted({word for term in topic.words() for word in content_words(term)}))
        self.family = Family(graph)
        self.fetched = self.good = 0

    @property
    def base(self) -> float:
        """The share of relevant pages to be expected where nothing is known."""
        return (self.good + 0.5) / (self.fetched + 5)

    # -- learning ---------------------------------------------------------------------------------------------

    def make_room(self) -> None:
        """Know all that is new in the graph."""
        self.texts.read_urls()
        self.texts.make_room()
        self.family.make_room()

    def take_in(self, visit: Visit) -> Ids:
        """Learn from a visit that is in the graph already; the links beside those that led to it."""
        graph, number = self._graph, self._graph.visits - 1
        self.make_room()
        links = graph.links_into(visit.id, TOLD)
        if visit.error == "redirect":
            return self._move(number, links)
        if visit.page:
            self.texts.read_page(visit, visit.page)
            self.texts.read_anchors(visit, visit.page)
        self.fetched += 1
        self.good += visit.relevant
        self.texts.count(visit.id, links, visit.relevant)
        if len(links):
            self.texts.count_onwards(int(self.family.parents(links[:1])[0]), visit.relevant)
        return self.family.add(number, links, visit.relevant)

    def _move(self, number: int, links: Ids) -> Ids:
        """Let a redirect stand where the newest link to it stands."""
        if len(links):
            self.family.move(number, int(links[0]))
            self.texts.anchor_of[self._graph.edges - 1] = self.texts.anchor_of[links[0]]
        return links[:0]

    # -- telling ----------------------------------------------------------------------------------------------

    def rate(self, good: Any, all_: Any, doubt: float) -> Any:
        """The logarithm of a share to what is expected; as many cases as `doubt` says are added, as expected."""
        base = self.base
        return np.log((good + doubt * base) / ((all_ + doubt) * base))

    def of(self, ids: Ids, own: Visit | None = None) -> Numbers:
        """A row for each URL; of a URL just visited as it was before, its own verdict left out of its host's."""
        graph, texts, family = self._graph, self.texts, self.family
        family.make_room()  # where there is no link the last one is read, of this very visit perhaps, and not counted
        links = graph.newest_links_to(ids, PARENTS)
        there = links >= 0
        source = graph.link_source[links]
        beside = (family.links.rows[links] * there[:, :, None]).sum(axis=1)
        parents, good_parents, hosts, folder = (
            column[ids] for column in (graph.parents, graph.relevant_parents, graph.host, texts.folder_of)
        )
        good, bad = graph.good[hosts], graph.bad[hosts]
        if own:
            good, bad = good - own.relevant, bad - (not own.relevant)
        found = np.empty((len(ids), len(KINDS)))
        found[:, 0] = np.log1p(good_parents)
        found[:, 1] = good_parents / np.maximum(parents, 1)
        found[:, 2] = np.log1p(parents)
        found[:, 3] = graph.best_parent[ids]
        found[:, 4] = self.rate(good, good + bad, 3)
        found[:, 5] = self.rate(texts.folders.rows[folder, GOOD], texts.folders.rows[folder, SEEN], 3)
        found[:, 6] = self.rate(beside[:, GOOD_NEAR], beside[:, NEAR], 1)
        found[:, 7:9] = texts.urls.rows[ids, :2]
        self._of_links(found, ids, links, source)
        return found

    def promise(self, ids: Ids) -> Numbers:
        """The share of relevant pages among those that each will lead to: by folder, address and anchor."""
        texts = self.texts
        seen, good = texts.words.cases[4:]
        if not good:
            return np.zeros(len(ids))
        link = self._graph.last_in[ids]
        anchor = texts.anchors.rows[texts.anchor_of[link - 1], ONWARD] * (link > 0)
        folder = texts.folders.rows[texts.folder_of[ids]]
        base = good / seen
        share = (folder[:, GOOD_ONWARD] + ONWARD_DOUBT * base) / (folder[:, SEEN_ONWARD] + ONWARD_DOUBT)
        odds = share / (1 - share + LITTLE) * np.exp((anchor + texts.urls.rows[ids, ONWARD]) / 2)
        return np.asarray(odds / (1 + odds), np.float64)

    def _of_links(self, found: Numbers, ids: Ids, links: Ids, source: Ids) -> None:
        """What the links to each URL tell, on average and at best."""
        graph, there = self._graph, links >= 0
        page = self.family.pages.rows[graph.visit_of[source] - 1]
        anchor = self.texts.anchors.rows[self.texts.anchor_of[links]]
        told = np.empty((*links.shape, 7), np.float32)
        told[:, :, 0] = self.rate(page[:, :, GOOD_CHILDREN], page[:, :, CHILDREN], 2)
        told[:, :, 1] = graph.relevant_parents[source] / np.maximum(graph.parents[source], 1)
        told[:, :, 2] = 1 - page[:, :, HOPS] / FARTHEST
        told[:, :, 3] = anchor[:, :, WORTH]
        told[:, :, 4] = anchor[:, :, LEAD]
        told[:, :, 5] = graph.host[source] == graph.host[ids][:, None]
        told[:, :, 6] = anchor[:, :, KEYS]
        linked = np.maximum(there.sum(axis=1), 1)[:, None]
        found[:, _AVERAGES] = np.einsum("nmk,nm->nk", told[:, :, :6], there.astype(np.float32)) / linked
        best = np.where(there[:, :, None], told[:, :, (0, 3, 6)], np.float32(-CLEAREST)).max(axis=1)
        found[:, 15:] = best
        found[:, 17] = np.maximum(np.maximum(best[:, 2], 0), self.texts.urls.rows[ids, KEYS])

    # -- keeping ----------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """All that was learned."""
        self.make_room()
        return {"fetched": self.fetched, "good": self.good, **self.texts.save(), **self.family.save()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave, on the graph as it was."""
        self.fetched, self.good = int(state["fetched"]), int(state["good"])
        self.texts.load(state)
        self.family.load(state)
        self.make_room()
