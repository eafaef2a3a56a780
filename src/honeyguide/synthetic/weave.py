"""How the pages of the invented web are linked: menus, footers, lists, and what chance adds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.synthetic.draw import Chooser
from honeyguide.synthetic.pages import Kind, Pages
from honeyguide.synthetic.templates import Templates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from honeyguide.synthetic.rates import Topics
    from honeyguide.synthetic.sites import Site

    Ids = NDArray[np.int64]
    Part = tuple["Zone", Ids, Ids]  # sources and targets, in the order of the page

DEAD = 0.18  # chance that a link drawn leads nowhere
OLD_ADDRESS = 0.5  # chance that a link to a page that has moved still uses the old address
CITATIONS = 2  # lists of links that know a quiet page or a home page
AT_ONCE = 100_000  # pages linked at a time, so that memory does not grow with the web


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
    """The links of all pages in one row; those of page i stand from offsets[i] to offsets[i + 1].

    No page links to itself, or to another twice.
    """

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


def weave(sites: list[Site], pages: Pages, twins: Twins, topics: Topics, rng: np.random.Generator) -> Links:
    """Link everything; ids from the number of pages on are those of copies, moved, dead, and the trap."""
    n = len(pages.host)
    trap = n + len(twins.copies) + len(twins.moved) + len(twins.dead)
    chooser, citations = Chooser(sites, pages, topics, rng), _citations(pages, rng)
    children, templates = _children(pages), Templates(sites, pages, topics.count, trap, rng)
    packed = []
    for first in range(0, n, AT_ONCE):
        stop = min(first + AT_ONCE, n)
        source, target = chooser.links(first, stop, rng)
        parts: list[Part] = [
            (Zone.CONTENT, *children.of(first, stop)),
            (Zone.CONTENT, source, _to_twins(target, twins, n, rng)),
            (Zone.CONTENT, *citations.of(first, stop)),
            (Zone.MENU, *templates.menus(first, stop, rng)),
            (Zone.FOOTER, *templates.services(first, stop)),
            (Zone.NETWORK, *templates.networks(first, stop)),
        ]
        packed.append(_packed(parts, first, stop, trap + 1))
    return _joined(packed)


class Rows:
    """Links known from the start, by their source."""

    def __init__(self, source: NDArray[np.integer[Any]], target: Ids) -> None:
        order = np.argsort(source, kind="stable")
        self._source, self._target = source[order], target[order]

    def of(self, first: int, stop: int) -> tuple[Ids, Ids]:
        """Those of some pages in a row."""
        low, high = np.searchsorted(self._source, (first, stop))
        return self._source[low:high].astype(np.int64), self._target[low:high].astype(np.int64)


def _to_twins(target: Ids, twins: Twins, n: int, rng: np.random.Generator) -> Ids:
    """Lead some links to a page's other address, and some to the nearest that is gone."""
    first, result = n, target.copy()
    for pages, share in ((twins.copies, OLD_ADDRESS), (twins.moved, OLD_ADDRESS), (twins.dead, DEAD)):
        at = np.minimum(np.searchsorted(pages, target), len(pages) - 1)
        fits = rng.random(len(target)) < share
        if pages is not twins.dead:
            fits &= pages[at] == target if len(pages) else False
        result = np.where(fits, first + at, result)
        first += len(pages)
    return result


def _children(pages: Pages) -> Rows:
    """Home pages list the sections, lists further lists and articles."""
    listed = np.flatnonzero((pages.parent >= 0) & ~pages.quiet & ~np.isin(pages.kind, (Kind.SERVICE, Kind.PARTNERS)))
    return Rows(pages.parent[listed], listed)


def _citations(pages: Pages, rng: np.random.Generator) -> Rows:
    """Portals list the home pages, and the pages that nobody else knows, topic by topic."""
    cited = np.concatenate([pages.start, np.flatnonzero(pages.quiet)])
    cited = np.repeat(cited[np.argsort(pages.topic[cited], kind="stable")], CITATIONS)
    return Rows(rng.choice(np.flatnonzero(pages.kind == Kind.DIRECTORY), len(cited)), cited)


def _packed(parts: list[Part], first: int, stop: int, ids: int) -> Links:
    """Sort by page and zone; leave out links of a page to itself and repeated ones."""
    zone = np.concatenate([np.full(len(source), zone, np.int8) for zone, source, _ in parts])
    source, target = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    order = np.argsort((source - first) * len(Zone) + zone, kind="stable")
    zone, source, target = zone[order], source[order], target[order]
    _, kept = np.unique((source - first) * ids + target, return_index=True)
    kept = np.sort(kept)
    kept = kept[source[kept] != target[kept]]
    offsets = np.searchsorted(source[kept], np.arange(first, stop + 1))
    return Links(offsets, target[kept].astype(np.int32), zone[kept])


def _joined(packed: list[Links]) -> Links:
    starts = np.cumsum([0, *(len(links.targets) for links in packed)])
    offsets = [links.offsets[:-1] + at for links, at in zip(packed, starts, strict=False)]
    return Links(
        np.concatenate([*offsets, starts[-1:]]),
        np.concatenate([links.targets for links in packed]),
        np.concatenate([links.zones for links in packed]),
    )


def zones_of(links: Links, page: int) -> Iterator[tuple[Zone, list[int]]]:
    """The links of a page, zone by zone."""
    here = slice(links.offsets[page], links.offsets[page + 1])
    for zone in Zone:
        yield zone, links.targets[here][links.zones[here] == zone].tolist()
