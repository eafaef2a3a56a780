"""Content links by chance: blocks of links on one topic, mostly on the host, with bridges between topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic.pages import Kind, Pages
from honeyguide.synthetic.sites import Role, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Floats = NDArray[np.float64]

BLOCK = 0.7  # chance that a link is on the topic of the link before it
TRUE_TO_PAGE = 0.45  # chance that a new block is on the page's own topic
FROM_SITE = 0.75  # chance that any other block is on a topic of the site, rather than on any at all
ON_HOST = 0.97  # chance that a content link of an ordinary page stays on its host
ON_HOST_SCATTERED = 0.1  # the same for pages that list links to everywhere
CLOSE = 0.8  # chance that a link on the host and on the topic leads to a page nearby
REACH = 3  # how far away nearby is
HIDDEN_BOOST = 4.0  # how much more off-topic pages like to link to sites their own topic's pages ignore
POPULARITY_TAIL = 1.2
DEGREES = {  # content links drawn: the middle and the spread of a lognormal number
    Kind.HOME: (12.0, 0.2),
    Kind.SERVICE: (1.0, 0.1),
    Kind.SECTION: (2.0, 0.3),
    Kind.ARTICLE: (4.0, 0.9),
    Kind.HUB: (30.0, 0.3),
    Kind.DIRECTORY: (25.0, 0.2),
    Kind.PARTNERS: (40.0, 0.2),
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
MOST_LINKS = 160


class Pool:
    """Pages in groups, to draw from a group in proportion to weight."""

    def __init__(self, groups: Ids, weights: Floats, count: int) -> None:
        ids = np.flatnonzero(weights > 0)
        self._ids = ids[np.argsort(groups[ids], kind="stable")]
        self._sums = np.concatenate([[0.0], np.cumsum(weights[self._ids])])
        self._bounds = np.searchsorted(groups[self._ids], np.arange(count + 1))
        self._place = np.full(len(weights), -1)
        self._place[self._ids] = np.arange(len(self._ids))

    def draw(self, groups: Ids, rng: np.random.Generator) -> Ids:
        """A page of each group, or -1 where the group is empty."""
        first, stop = self._bounds[groups], self._bounds[groups + 1]
        low, high = self._sums[first], self._sums[stop]
        at = np.searchsorted(self._sums, low + rng.random(len(groups)) * (high - low), side="right") - 1
        found = self._ids[np.clip(at, 0, np.maximum(stop - 1, 0))]
        return np.where(first < stop, found, -1)

    def neighbours(self, who: Ids, reach: int, rng: np.random.Generator) -> Ids:
        """A page a few places before or after each in its own group, or -1 for one that is in no group."""
        member, at = self._place[who] >= 0, np.maximum(self._place[who], 0)
        group = np.searchsorted(self._bounds, at, side="right") - 1
        first, size = self._bounds[group], np.diff(self._bounds)[group]
        step = rng.integers(1, reach + 1, len(who)) * rng.choice((-1, 1), len(who))
        return np.where(member, self._ids[first + (at - first + step) % size], -1)


class Chooser:
    """Draws one link after the other for many pages at once."""

    def __init__(self, sites: list[Site], pages: Pages, topics: int, rng: np.random.Generator) -> None:
        self._topics, self._rng = topics, rng
        self._own, self._host = pages.topic.astype(np.int64), pages.host.astype(np.int64)
        self._scattered = np.isin(pages.kind, (Kind.DIRECTORY, Kind.PARTNERS))
        weights = _weights(sites, pages, rng)
        hidden = np.array([site.hidden for site in sites])[self._host]
        self._site = Pool(self._host, weights, len(sites))
        self._near = Pool(self._host * (topics + 1) + self._own, weights, len(sites) * (topics + 1))
        self._open = Pool(self._own, np.where(hidden, 0.0, weights), topics + 1)
        self._bridge = Pool(self._own, np.where(hidden, HIDDEN_BOOST, 1.0) * weights, topics + 1)

    def topics(self, who: Ids) -> Ids:
        """The topic of a new block of links on each page."""
        n, rng = len(who), self._rng
        of_page = (rng.random(n) < TRUE_TO_PAGE) & ~self._scattered[who]
        of_site = (rng.random(n) < FROM_SITE) & ~self._scattered[who]
        local = self._own[self._site.draw(self._host[who], rng)]
        return np.where(of_page, self._own[who], np.where(of_site, local, rng.integers(0, self._topics + 1, n)))

    def targets(self, who: Ids, topics: Ids) -> Ids:
        """A page on each topic; -1 where there is none."""
        stay = self._rng.random(len(who)) < np.where(self._scattered[who], ON_HOST_SCATTERED, ON_HOST)
        near = self._near.draw(self._host[who] * (self._topics + 1) + topics, self._rng)
        own = topics == self._own[who]
        beside = self._near.neighbours(who, REACH, self._rng)
        close = own & (beside >= 0) & (self._rng.random(len(who)) < CLOSE)
        near = np.where(close, beside, near)
        far = np.where(own, self._open.draw(topics, self._rng), self._bridge.draw(topics, self._rng))
        return np.where(stay & (near >= 0), near, far)


def _weights(sites: list[Site], pages: Pages, rng: np.random.Generator) -> Floats:
    popularity = 1 + rng.pareto(POPULARITY_TAIL, len(pages.host))
    appeal = np.array([APPEAL[kind] for kind in Kind])[pages.kind]
    trap = np.array([site.role is Role.TRAP for site in sites])[pages.host]
    return np.where(pages.quiet, 0.0, popularity * appeal * np.where(trap, 0.2, 1.0))


def _degrees(sites: list[Site], pages: Pages, rng: np.random.Generator) -> Ids:
    middle, spread = np.array([DEGREES[kind] for kind in Kind]).T[:, pages.kind]
    front = np.array([site.role in (Role.MIXED, Role.PORTAL) for site in sites])[pages.host]
    middle = np.where(front & (pages.kind == Kind.HOME), FRONT_PAGE, middle)
    drawn: Floats = np.rint(middle * np.exp(spread * rng.standard_normal(len(pages.kind))))
    return np.clip(drawn, 1, MOST_LINKS).astype(np.int64)


def draw_links(sites: list[Site], pages: Pages, topics: int, rng: np.random.Generator) -> tuple[Ids, Ids, Ids]:
    """Sources, targets and places on the page of all content links that are left to chance."""
    chooser, degrees = Chooser(sites, pages, topics, rng), _degrees(sites, pages, rng)
    state = chooser.topics(np.arange(len(degrees)))
    drawn = []
    for place in range(int(degrees.max())):
        who = np.flatnonzero(degrees > place)
        stay = rng.random(len(who)) < BLOCK
        state[who] = np.where(stay, state[who], chooser.topics(who))
        drawn.append((who, chooser.targets(who, state[who]), np.full(len(who), place)))
    source, target, places = (np.concatenate(column) for column in zip(*drawn, strict=True))
    found = target >= 0
    return source[found], target[found], places[found]
