"""What the pages of a section share: a menu, a footer, and links to other sites of the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import words
from honeyguide.synthetic.draw import Pool
from honeyguide.synthetic.sites import Role, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.synthetic.pages import Pages

    Ids = NDArray[np.int64]

MENU, MENU_SPREAD, LONGEST_MENU = 14.0, 0.5, 50  # links of a menu: the middle and spread of a lognormal number
SECTIONS_IN_MENU = 0.5  # the part of it that leads to other sections
WAY_UP = 0.8  # chance that a page without a menu links to the page that lists it
WAY_HOME = 0.15  # the same for the home page
NETWORK_LINKS = 2
FAMOUS = 4.0  # how much more footers name the sites about everything


class Templates:
    """The shared links of all pages, section by section."""

    def __init__(self, sites: list[Site], pages: Pages, topics: int, trap: int, rng: np.random.Generator) -> None:
        self._pages, self._topics = pages, topics
        self._trap = trap if sites[-1].role is Role.TRAP else -1
        self._site_topic = np.array([site.topic for site in sites])
        menus = [self._menu(h, k, s, rng) for h in range(len(sites)) for k, s in enumerate(pages.sections_of(h))]
        self._first = np.concatenate([[0], np.cumsum([len(menu) for menu in menus])])
        self._menus = np.array([target for menu in menus for target in menu], np.int64)
        self._networks = _networks(sites, pages, rng)
        self._templated = np.array([section.templated for section in pages.sections])

    def _menu(self, h: int, k: int, s: int, rng: np.random.Generator) -> list[int]:
        """Home, sections around this one, and what stands first in it."""
        section = self._pages.sections[s]
        if not section.templated:
            return []
        length = int(min(MENU * np.exp(MENU_SPREAD * rng.standard_normal()), LONGEST_MENU))
        others = self._pages.sections_of(h)
        around = others[max(0, k - int(length * SECTIONS_IN_MENU) // 2) :][: int(length * SECTIONS_IN_MENU)]
        fronts = [self._pages.sections[other].lists.start for other in around]
        home, own = int(self._pages.start[h]), [*section.lists, *section.articles[:length]]
        inside = [page for page in own if not self._pages.quiet[page]]
        return list(dict.fromkeys([home, *fronts, *inside[: max(0, length - 1 - len(fronts))]]))

    def menus(self, first: int, stop: int, rng: np.random.Generator) -> tuple[Ids, Ids]:
        """The menus of some pages in a row, and the ways up of pages that have none."""
        pages = np.arange(first, stop)
        section = self._pages.section[first:stop]
        shared = pages[(section >= 0) & self._templated[section]]
        which = self._pages.section[shared]
        counts = self._first[which + 1] - self._first[which]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        targets = self._menus[np.repeat(self._first[which], counts) + within]
        plain = pages[(section < 0) | ~self._templated[section]]
        plain = plain[self._pages.parent[plain] >= 0]
        home = plain[rng.random(len(plain)) < WAY_HOME]
        up = plain[(rng.random(len(plain)) < WAY_UP) | (self._pages.section[plain] < 0)]
        trap = pages[self._pages.host[pages] == len(self._site_topic) - 1]
        sources = np.concatenate([np.repeat(shared, counts), home, up, trap])
        homes, ups = self._pages.start[self._pages.host[home]], self._pages.parent[up].astype(np.int64)
        return sources, np.concatenate([targets, homes, ups, np.full(len(trap), self._trap)])

    def services(self, first: int, stop: int) -> tuple[Ids, Ids]:
        """Footers, on home pages and wherever there is a menu."""
        showing, each = self._showing(first, stop), len(words.SERVICE_PAGES)
        home = self._pages.start[self._pages.host[showing]]
        return np.repeat(showing, each), np.repeat(home, each) + 1 + np.tile(np.arange(each), len(showing))

    def networks(self, first: int, stop: int) -> tuple[Ids, Ids]:
        """Sites that a footer names; never one on the page's own topic."""
        showing = self._showing(first, stop)
        source = np.repeat(showing, NETWORK_LINKS)
        found = self._networks[self._pages.section[showing]].reshape(-1)
        topic = self._site_topic[found]
        good = (found != self._pages.host[source]) & ((topic != self._pages.topic[source]) | (topic == self._topics))
        return source[good], self._pages.start[found[good]]

    def _showing(self, first: int, stop: int) -> Ids:
        section = self._pages.section[first:stop]
        with_menu = (section >= 0) & self._templated[section]
        return np.flatnonzero(with_menu | (self._pages.parent[first:stop] < 0)) + first


def _networks(sites: list[Site], pages: Pages, rng: np.random.Generator) -> Ids:
    """The sites that each section's footers name, and last what home pages do."""
    network = np.array([site.network for site in sites])
    fame = np.array([FAMOUS if site.role is Role.MIXED else 1.0 for site in sites])
    host = np.append(np.repeat(np.arange(len(sites)), np.diff(pages.first_section)), len(sites) - 1)
    drawn = Pool(network, fame, int(network.max()) + 1).draw(np.repeat(network[host], NETWORK_LINKS), rng)
    return drawn.reshape(-1, NETWORK_LINKS)
