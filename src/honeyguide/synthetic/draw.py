"""Content links by chance: blocks of links on one topic, mostly on the host, with bridges between topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.synthetic.pages import Kind, Pages
from honeyguide.synthetic.sites import Role, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.synthetic.rates import Topics

    Ids = NDArray[np.int64]
    AnyIds = NDArray[np.integer[Any]]
    Floats = NDArray[np.float64]

BLOCK = 0.65  # chance that a link is on the topic of the link before it
FROM_SITE = 0.75  # chance that any other block is on a topic of the site, rather than on any at all
ON_HOST = 0.86  # chance that a content link of an ordinary page stays on its host
ON_HOST_OF_HUB = 0.6  # the same for lists of links
ON_HOST_SCATTERED = 0.1  # and for those that lead everywhere
CLOSE = 0.3  # chance that a link on the host and on the topic leads to a page nearby
REACH, REACH_OF_HUB = 15, 400  # how far away nearby is
HIDDEN_BOOST = 4.0  # how much more off-topic pages like to link to sites their own topic's pages ignore
POPULARITY_TAIL = 0.9
DEGREES = {  # content links drawn: the middle and the spread of a lognormal number
    Kind.HOME: (12.0, 0.2),
    Kind.SERVICE: (1.0, 0.1),
    Kind.SECTION: (1.0, 0.5),
    Kind.ARTICLE: (1.4, 1.1),
    Kind.HUB: (140.0, 0.75),
    Kind.DIRECTORY: (25.0, 0.5),
    Kind.PARTNERS: (30.0, 0.2),
}
FRONT_PAGE = 110.0  # the same on the home pages of portals and of sites about everything
APPEAL = {  # how readily pages of a kind are linked to, next to articles
    Kind.HOME: 4.0,
    Kind.SERVICE: 0.0,
    Kind.SECTION: 1.0,
    Kind.ARTICLE: 1.0,
    Kind.HUB: 3.0,
    Kind.DIRECTORY: 1.0,
    Kind.PARTNERS: 0.0,
}
MOST_LINKS = 400


class Pool:
    """Pages in groups, to draw from a group in proportion to weight."""

    def __init__(self, groups: AnyIds, weights: Floats, count: int) -> None:
        ids = np.flatnonzero(weights > 0)
        self._ids = ids[np.argsort(groups[ids], kind="stable")]
        self._sums = np.concatenate([[0.0], np.cumsum(weights[self._ids])])
        self._bounds = np.searchsorted(groups[self._ids], np.arange(count + 1))

    def draw(self, groups: AnyIds, rng: np.random.Generator) -> Ids:
        """A page of each group, or -1 where the group is empty."""
        first, stop = self._bounds[groups], self._bounds[groups + 1]
        low, high = self._sums[first], self._sums[stop]
        at = np.searchsorted(self._sums, low + rng.random(len(groups)) * (high - low), side="right") - 1
        found = self._ids[np.clip(at, 0, np.maximum(stop - 1, 0))]
        return np.where(first < stop, found, -1)

    def neighbours(self, who: Ids, groups: Ids, reach: Ids, rng: np.random.Generator) -> Ids:
        """A page up to so many places before or after each in its group, or -1 where the group is empty."""
        first, size = self._bounds[groups], self._bounds[groups + 1] - self._bounds[groups]
        at = self._after(who, first, first + size)
        step = rng.integers(1, reach + 1, len(who)) * rng.choice((-1, 1), len(who))
        found = self._ids[np.minimum(first + (at - first + step) % np.maximum(size, 1), len(self._ids) - 1)]
        return np.where(size > 0, found, -1)

    def _after(self, who: Ids, low: Ids, high: Ids) -> Ids:
        """Where each page would stand in its group: a binary search in many groups at once."""
        low, high = low.copy(), high.copy()
        while (low < high).any():
            middle = (low + high) // 2
            less = (low < high) & (self._ids[np.minimum(middle, len(self._ids) - 1)] < who)
            low, high = np.where(less, middle + 1, low), np.where(less | (low >= high), high, middle)
        return low


class Chooser:
    """Draws one link after the other for many pages at once."""

    def __init__(self, sites: list[Site], pages: Pages, topics: Topics, rng: np.random.Generator) -> None:
        self._topics, self._true = topics.count, topics.true_to_page
        self._own, self._host = pages.topic, pages.host
        self._scattered = np.isin(pages.kind, (Kind.DIRECTORY, Kind.PARTNERS))
        self._degrees = _degrees(sites, pages, rng)
        self._stay = np.where(pages.kind == Kind.HUB, ON_HOST_OF_HUB, ON_HOST)
        self._stay[self._scattered] = ON_HOST_SCATTERED
        self._reach = np.where(pages.kind == Kind.HUB, REACH_OF_HUB, REACH)
        weights, groups = _weights(sites, pages, rng), topics.count + 1
        hidden = np.array([site.hidden for site in sites])[self._host]
        self._site = Pool(self._host, weights, len(sites))
        self._near = Pool(self._host.astype(np.int64) * groups + self._own, weights, len(sites) * groups)
        self._open = Pool(self._own, np.where(hidden, 0.0, weights), groups)
        self._bridge = Pool(self._own, np.where(hidden, HIDDEN_BOOST, 1.0) * weights, groups)

    def links(self, first: int, stop: int, rng: np.random.Generator) -> tuple[Ids, Ids]:
        """Sources and targets of all links by chance of some pages in a row, place by place."""
        degrees = self._degrees[first:stop]
        state = self._new_topics(np.arange(first, stop), rng)
        drawn = []
        for place in range(int(degrees.max(initial=0))):
            here = np.flatnonzero(degrees > place)
            anew = here[rng.random(len(here)) >= BLOCK]
            state[anew] = self._new_topics(first + anew, rng)
            drawn.append((first + here, self._targets(first + here, state[here], rng)))
        if not drawn:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        source, target = (np.concatenate(column) for column in zip(*drawn, strict=True))
        return source[target >= 0], target[target >= 0]

    def _new_topics(self, who: Ids, rng: np.random.Generator) -> Ids:
        """The topic of a new block of links on each page."""
        luck, scattered = rng.random(len(who)), self._scattered[who]
        topics = rng.integers(0, self._topics + 1, len(who))
        true = self._true[self._own[who]]
        of_page = (luck < true) & ~scattered
        of_site = (luck < true + (1 - true) * FROM_SITE) & ~of_page & ~scattered
        topics[of_page] = self._own[who[of_page]]
        topics[of_site] = self._own[self._site.draw(self._host[who[of_site]], rng)]
        return topics

    def _targets(self, who: Ids, topics: Ids, rng: np.random.Generator) -> Ids:
        """A page on each topic; -1 where there is none."""
        found = np.full(len(who), -1)
        luck = rng.random(len(who)) / self._stay[who]
        groups = self._host[who].astype(np.int64) * (self._topics + 1) + topics
        close, near = luck < CLOSE, (luck >= CLOSE) & (luck < 1)
        found[close] = self._near.neighbours(who[close], groups[close], self._reach[who[close]], rng)
        found[near] = self._near.draw(groups[near], rng)
        own = topics == self._own[who]
        for pool, left in ((self._open, (found < 0) & own), (self._bridge, (found < 0) & ~own)):
            found[left] = pool.draw(topics[left], rng)
        return found


def _weights(sites: list[Site], pages: Pages, rng: np.random.Generator) -> Floats:
    popularity = 1 + rng.pareto(POPULARITY_TAIL, len(pages.host))
    appeal = np.array([APPEAL[kind] for kind in Kind])[pages.kind]
    trap = np.array([site.role is Role.TRAP for site in sites])[pages.host]
    return np.where(pages.quiet, 0.0, popularity * appeal * np.where(trap, 0.2, 1.0))


def _degrees(sites: list[Site], pages: Pages, rng: np.random.Generator) -> NDArray[np.int16]:
    middle, spread = np.array([DEGREES[kind] for kind in Kind]).T[:, pages.kind]
    front = np.array([site.role in (Role.MIXED, Role.PORTAL) for site in sites])[pages.host]
    middle = np.where(front & (pages.kind == Kind.HOME), FRONT_PAGE, middle)
    drawn: Floats = np.rint(middle * np.exp(spread * rng.standard_normal(len(pages.kind))))
    return np.clip(drawn, 1, MOST_LINKS).astype(np.int16)
