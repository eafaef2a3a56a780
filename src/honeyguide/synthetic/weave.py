"""How the pages of the invented web are linked: menus, footers, lists, and what chance adds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import words
from honeyguide.synthetic.draw import Pool, draw_links
from honeyguide.synthetic.pages import LISTED, Kind, Pages
from honeyguide.synthetic.sites import Role, Site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    Ids = NDArray[np.int64]
    Row = tuple[int, int, int]  # source, target, place on the page

DEAD = 0.09  # chance that a link drawn leads nowhere
OLD_ADDRESS = 0.5  # chance that a link to a page that has moved still uses the old address
MENU_SECTIONS = 2
NETWORK_LINKS = 1
FAMOUS = 4.0  # how much more footers name the sites about everything
CITATIONS = 2  # lists of links that know a quiet page or a home page
LATE = 1_000  # a place on the page after all that are drawn


class Zone(IntEnum):
    """The part of the page a link stands in, in the order of the page."""

    MENU = 0
    CONTENT = 1
    FOOTER = 2
    NETWORK = 3


@dataclass(frozen=True, slots=True)
class Twins:
    """Pages with a further address: a copy, one that has moved, one that is gone; each sorted."""

    copies: Ids
    moved: Ids
    dead: Ids


@dataclass(frozen=True, slots=True)
class Links:
    """The links of all pages in one row; those of page i stand from offsets[i] to offsets[i + 1]."""

    offsets: Ids
    targets: NDArray[np.int32]
    zones: NDArray[np.int8]


def pick_twins(pages: Pages, copies: int, rng: np.random.Generator) -> Twins:
    """Choose the pages with a second address."""
    articles = np.flatnonzero((pages.kind == Kind.ARTICLE) & ~pages.quiet)

    def some(count: int) -> Ids:
        return np.sort(rng.choice(articles, min(count, len(articles)), replace=False))

    n = len(pages.host)
    return Twins(some(copies), some(max(1, n // 80)), some(max(1, n // 4)))


def weave(sites: list[Site], pages: Pages, twins: Twins, topics: int, rng: np.random.Generator) -> Links:
    """Link everything; ids from the number of pages on are those of copies, moved, dead, and the trap."""
    source, target, place = draw_links(sites, pages, topics, rng)
    target = _to_twins(target, twins, len(pages.host), rng)
    trap = len(pages.host) + len(twins.copies) + len(twins.moved) + len(twins.dead)
    parts = [
        (Zone.CONTENT, source, target, place),
        (Zone.CONTENT, *_columns(_lists(pages))),
        (Zone.CONTENT, *_citations(pages, rng)),
        (Zone.MENU, *_columns(_menus(sites, pages, trap))),
        (Zone.FOOTER, *_services(pages)),
        (Zone.NETWORK, *_networks(sites, pages, topics, rng)),
    ]
    return _packed(parts, len(pages.host), trap + 1)


def _columns(rows: Iterable[Row]) -> tuple[Ids, Ids, Ids]:
    source, target, place = np.array(list(rows), np.int64).reshape(-1, 3).T
    return source, target, place


def _to_twins(target: Ids, twins: Twins, n: int, rng: np.random.Generator) -> Ids:
    """Lead some links to a page's other address, and some to the nearest that is gone."""
    first, result = n, target.copy()
    for pages, share in ((twins.copies, OLD_ADDRESS), (twins.moved, OLD_ADDRESS), (twins.dead, DEAD)):
        at = np.minimum(np.searchsorted(pages, target), len(pages) - 1)
        fits = (pages[at] == target) | (pages is twins.dead)
        result = np.where(fits & (rng.random(len(target)) < share), first + at, result)
        first += len(pages)
    return result


def _lists(pages: Pages) -> Iterator[Row]:
    """Home pages list the sections, sections their articles, page by page."""
    for home, sections in zip(pages.start, pages.sections, strict=True):
        for s, section in enumerate(sections):
            yield home, section.lists[0], s - LATE
            known = [i for i in section.articles if not pages.quiet[i]]
            for k, page in enumerate(section.lists):
                yield from ((page, i, j - LATE) for j, i in enumerate(known[k * LISTED : (k + 1) * LISTED]))
                if k + 1 < len(section.lists):
                    yield page, section.lists[k + 1], LATE


def _citations(pages: Pages, rng: np.random.Generator) -> tuple[Ids, Ids, Ids]:
    """Portals list the home pages, and the pages that nobody else knows."""
    cited = np.concatenate([np.array(pages.start), np.flatnonzero(pages.quiet)])
    cited = np.repeat(cited, CITATIONS)
    directories = np.flatnonzero(pages.kind == Kind.DIRECTORY)
    return rng.choice(directories, len(cited)), cited, LATE + pages.topic[cited].astype(np.int64)


def _menus(sites: list[Site], pages: Pages, trap: int) -> Iterator[Row]:
    for site, home, sections in zip(sites, pages.start, pages.sections, strict=True):
        menu = [home, *(section.lists[0] for section in sections[:MENU_SECTIONS])]
        menu += [trap] if site.role is Role.TRAP else []
        for page in range(home, home + site.size):
            yield from ((page, target, place) for place, target in enumerate(menu))


def _services(pages: Pages) -> tuple[Ids, Ids, Ids]:
    each = len(words.SERVICE_PAGES)
    source = np.repeat(np.arange(len(pages.host)), each)
    place = np.tile(np.arange(each), len(pages.host))
    return source, np.array(pages.start)[pages.host[source]] + 1 + place, place


def _networks(sites: list[Site], pages: Pages, topics: int, rng: np.random.Generator) -> tuple[Ids, Ids, Ids]:
    """Every footer names some sites of the network, but never one on the page's own topic."""
    source = np.repeat(np.arange(len(pages.host)), NETWORK_LINKS)
    network = np.array([site.network for site in sites])
    fame = np.array([FAMOUS if site.role is Role.MIXED else 1.0 for site in sites])
    found = Pool(network, fame, int(network.max()) + 1).draw(network[pages.host[source]], rng)
    topic = np.array([site.topic for site in sites])[found]
    good = (found != pages.host[source]) & ((topic != pages.topic[source]) | (topic == topics))
    target = np.array(pages.start)[found]
    return source[good], target[good], np.zeros(int(good.sum()), np.int64)


def _packed(parts: list[tuple[Zone, Ids, Ids, Ids]], n: int, ids: int) -> Links:
    """Sort by page and place; leave out links of a page to itself and repeated ones in a zone."""
    zone = np.concatenate([np.full(len(source), zone) for zone, source, _, _ in parts])
    source, target, place = (np.concatenate([part[k] for part in parts]) for k in (1, 2, 3))
    order = np.lexsort((place, zone, source))
    zone, source, target = zone[order], source[order], target[order]
    _, first = np.unique((source * len(Zone) + zone) * ids + target, return_index=True)
    kept = np.sort(first)
    kept = kept[(source[kept] != target[kept]) | (zone[kept] == Zone.MENU)]
    offsets = np.searchsorted(source[kept], np.arange(n + 1))
    return Links(offsets, target[kept].astype(np.int32), zone[kept].astype(np.int8))
