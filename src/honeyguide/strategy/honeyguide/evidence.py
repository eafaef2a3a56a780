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
from honeyguide.strategy.honeyguide.places import SEEN, Places
from honeyguide.strategy.honeyguide.priors import KINDS
from honeyguide.strategy.honeyguide.texts import (
    KEYS,
    LEAD,
    ONWARD,
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
PLACE_DOUBT = 3.0  # pages as expected that are added to those of a host or folder
ONWARD_DOUBT = 5.0  # pages as expected that are added to those a folder led to
LITTLE = 1e-6
_AVERAGES = slice(9, 15)


def strength(relevance: Any) -> Any:
    """How often scores have halved their distance to 1, which for keywords is how often these stand on a page.

    As a logarithm, for the tenth time tells less than the second.
    """
    return np.log1p(-np.log2(np.maximum(1 - relevance, LITTLE)))


class Evidence:
    """Learns from visits, and gives a row of numbers for each URL."""

    def __init__(self, graph: Graph, topic: Topic, memory: int) -> None:
        self._graph = graph
        self.texts = Texts(graph, {word for term in topic.words() for word in content_words(term)}, memory)
        self.hosts = Places(memory)
        self.family = Family(graph)
        self.fetched = self.good = 0
        self._noted: list[int] = []  # visits that are to be learned from, in their order
        self._moved: list[int] = []  # redirects, likewise

    @property
    def base(self) -> float:
        """The share of relevant pages to be expected where nothing is known."""
        return (self.good + 0.5) / (self.fetched + 5)

    # -- learning ---------------------------------------------------------------------------------------------

    def make_room(self) -> None:
        """Know all that is new in the graph."""
        self.texts.make_room()
        self.texts.read_new()
        self.texts.value_new()
        self.family.make_room()
        self.hosts.make_room(len(self._graph.hosts))

    @property
    def noted(self) -> Ids:
        """The visits that will be learned from."""
        return np.array(self._noted, np.int64)

    @property
    def waiting(self) -> int:
        """How many visits, redirects among them, were not taken in yet."""
        return len(self._noted) + len(self._moved)

    def note(self, visit: Visit) -> None:
        """Read a visit that is in the graph already; it counts when all that were noted are taken in."""
        self.texts.make_room()
        if visit.error == "redirect":
            self._moved.append(self._graph.visits - 1)
            return
        self._noted.append(self._graph.visits - 1)
        if visit.page:
            self.texts.read_page(visit, visit.page)
            self.texts.note_anchors(visit, visit.page)

    def take_in(self) -> Ids:
        """Learn from all visits that were noted; the links beside those that led to relevant pages."""
        for number in self._moved:
            self._move(number)
        visits = self.noted
        self._noted, self._moved = [], []
        if not len(visits):
            return visits
        ids = self._graph.visited()[visits]
        good, links = self._graph.relevant[ids], self._links_before(visits, ids)
        self.fetched += len(ids)
        self.good += int(good.sum())
        self.hosts.count(self._graph.host[ids], good)
        self.texts.count(visits, links, good)
        self.texts.count_leading(self.family.lead_to(links[good]))
        return self.family.add(visits, links, good)

    def _links_before(self, visits: Ids, ids: Ids) -> Ids:
        """The newest links to pages that were known when they were visited, the newest first."""
        links = self._graph.newest_links_to(ids, TOLD)
        before: Ids = np.where(links < self._graph.links_of(visits)[0][:, None], links, -1)
        return -np.sort(-before, axis=1)

    def _move(self, number: int) -> None:
        """Let a redirect stand where the newest link to it stands."""
        graph = self._graph
        newest = int(graph.last_in[graph.visited()[number]]) - 1
        self.family.move(number, newest)
        if newest >= 0:
            own = int(graph.links_of(np.array([number]))[0][0])
            self.texts.anchor_of[own] = self.texts.anchor_of[newest]

    # -- telling ----------------------------------------------------------------------------------------------

    def rate(self, good: Any, all_: Any, doubt: float) -> Any:
        """The logarithm of a share to what is expected; as many cases as `doubt` says are added, as expected."""
        base = self.base
        return np.log((good + doubt * base) / ((all_ + doubt) * base))

    def _of_places(self, places: Places, which: Ids) -> Any:
        """The share of relevant pages, or that among the latest where it is lower: the place dries up then."""
        return np.minimum(*(self.rate(good, seen, PLACE_DOUBT) for good, seen in places.told(which)))

    def of(self, ids: Ids) -> Numbers:
        """A row for each URL."""
        graph, texts, family = self._graph, self.texts, self.family
        family.make_room()  # where there is no link the last one is read, of this very visit perhaps, and not counted
        links = graph.newest_links_to(ids, PARENTS)
        there = links >= 0
        source = graph.link_source[links]
        beside = (family.links.rows[links] * there[:, :, None]).sum(axis=1)
        parents, good_parents = graph.parents[ids], graph.relevant_parents[ids]
        found = np.empty((len(ids), len(KINDS)))
        found[:, 0] = np.log1p(good_parents)
        found[:, 1] = good_parents / np.maximum(parents, 1)
        found[:, 2] = np.log1p(parents)
        found[:, 3] = strength(graph.best_parent[ids])
        found[:, 4] = self._of_places(self.hosts, graph.host[ids])
        found[:, 5] = self._of_places(texts.folders, texts.folder_of[ids])
        found[:, 6] = self.rate(beside[:, GOOD_NEAR], beside[:, NEAR], 1)
        found[:, 7:9] = texts.urls.rows[ids, :2]
        self._of_links(found, ids, links, source)
        return found

    def promise(self, ids: Ids) -> Numbers:
        """The chance of each to lead to a relevant page: by folder, address and anchor."""
        texts = self.texts
        seen, led = texts.words.cases[2], texts.words.cases[4]
        if not led:
            return np.zeros(len(ids))
        link, folder = self._graph.last_in[ids], texts.folder_of[ids]
        anchor = texts.anchors.rows[texts.anchor_of[link - 1], ONWARD] * (link > 0)
        base, in_folder = led / seen, texts.folders.rows[folder, SEEN]
        share = (texts.leading.rows[folder, 0] + ONWARD_DOUBT * base) / (in_folder + ONWARD_DOUBT)
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
        noted = {"noted": self.noted, "moved": np.array(self._moved, np.int64)}
        counted = {"fetched": self.fetched, "good": self.good, "hosts": self.hosts.save(len(self._graph.hosts))}
        return {**counted, **noted, **self.texts.save(), **self.family.save()}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave, on the graph as it was."""
        self.fetched, self.good = int(state["fetched"]), int(state["good"])
        self._noted, self._moved = (np.asarray(state[name], np.int64).tolist() for name in ("noted", "moved"))
        self.hosts.load(state["hosts"])
        self.texts.load(state)
        self.family.load(state)
        self.make_room()
