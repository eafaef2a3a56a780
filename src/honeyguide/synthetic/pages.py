"""Which pages stand on the sites: sections, articles, link lists, and what each is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import words
from honeyguide.synthetic.sections import TYPICAL, Part, plan_sections
from honeyguide.synthetic.sites import Role, Site, closing_site

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.synthetic.rates import Topics

LISTED, LIST_SPREAD = 14, 1.0  # articles on a page that lists them: how many there are on average, and how uneven
FAN = 8  # further lists that a list names
FRONT_SECTIONS = 40  # sections a home page names; each of them names a few of the others
LIST_ON_TOPIC = 0.5  # chance that a list is on the topic of what it lists
TRUE_TO_SECTION = {Role.TOPICAL: 0.92, Role.MIXED: 0.84, Role.PORTAL: 1.0, Role.TRAP: 1.0}
HUBS = 0.032  # share of articles that are lists of links
QUIET = 0.03  # share of articles that only lists of links elsewhere know of
PICKS = 10_000  # random numbers of pages are below this
NUMBERED = 0.6  # chance that the addresses in a section say nothing
TEMPLATED = 0.28  # chance that the pages of a section share a menu


class Kind(IntEnum):
    """What a page is for."""

    HOME = 0
    SERVICE = 1
    SECTION = 2
    ARTICLE = 3
    HUB = 4
    DIRECTORY = 5
    PARTNERS = 6


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a site."""

    name: str
    topic: int
    lists: range  # ids of the pages that list its articles
    articles: range
    templated: bool
    numbered: bool  # addresses of its articles say nothing about them


@dataclass(frozen=True, slots=True)
class Pages:
    """All pages, a column for each of their properties; the pages of a site follow each other."""

    host: NDArray[np.int32]
    kind: NDArray[np.int8]
    topic: NDArray[np.int16]
    section: NDArray[np.int32]  # -1 outside of sections
    parent: NDArray[np.int32]  # the page that lists it; -1 for home pages
    quiet: NDArray[np.bool_]
    start: NDArray[np.int64]  # each site's home page, which is its first
    sections: list[Section]  # of all sites, in their order
    first_section: NDArray[np.int64]  # of each site; one more than there are sites
    picks: NDArray[np.int16]  # random numbers that titles are made of

    def sections_of(self, host: int) -> range:
        """The numbers of the sections of a site."""
        return range(int(self.first_section[host]), int(self.first_section[host + 1]))


def lay_out(sites: list[Site], topics: Topics, rng: np.random.Generator) -> Pages:
    """Divide every site into pages and say what each is about."""
    plans = plan_sections(sites, topics, rng)
    start = np.concatenate([[0], np.cumsum([site.size for site in sites])])
    sections: list[Section] = []
    for at, plan, site in zip(start, plans, sites, strict=False):
        sections += _cut(int(at), plan, site is closing_site(sites), rng)
    pages = _blank(sites, start, sections, [len(plan) for plan in plans], topics.count, rng)
    straying = sum(site.size * (1 - TRUE_TO_SECTION[site.role]) for site in sites)
    other = topics.strays(straying / len(pages.host))
    for h, site in enumerate(sites):
        _fill_site(pages, h, site, other, rng)
    return pages


def _blank(
    sites: list[Site],
    start: NDArray[np.int64],
    sections: list[Section],
    counts: list[int],
    topics: int,
    rng: np.random.Generator,
) -> Pages:
    n = int(start[-1])
    return Pages(
        host=np.repeat(np.arange(len(sites), dtype=np.int32), [site.size for site in sites]),
        kind=np.full(n, Kind.ARTICLE, np.int8),
        topic=np.full(n, topics, np.int16),
        section=np.full(n, -1, np.int32),
        parent=np.full(n, -1, np.int32),
        quiet=np.zeros(n, np.bool_),
        start=start[:-1],
        sections=sections,
        first_section=np.concatenate([[0], np.cumsum(counts)]),
        picks=rng.integers(0, PICKS, (n, 5), np.int16),
    )


def _cut(start: int, plan: list[Part], closing: bool, rng: np.random.Generator) -> list[Section]:
    """The sections of a site; robots.txt closes the first of one of them, whose addresses then show it."""
    at = start + 1 + len(words.SERVICE_PAGES)
    sections: list[Section] = []
    due = float(rng.random())
    for part in plan:
        lists = range(at, at + max(1, round(part.size / (LISTED + 1))))
        articles = range(lists.stop, at + part.size)
        due += TEMPLATED * part.size / TYPICAL  # of every site the same part, however few sections it has
        templated = due >= max(1.0, part.size / TYPICAL)
        due -= part.size / TYPICAL if templated else 0.0
        numbered = bool(sections or not closing) and bool(rng.random() < NUMBERED)
        sections.append(Section(part.name, part.topic, lists, articles, templated, numbered))
        at += part.size
    return sections


def _fill_site(pages: Pages, h: int, site: Site, other: NDArray[np.float64], rng: np.random.Generator) -> None:
    home = int(pages.start[h])
    pages.kind[home] = Kind.HOME
    pages.topic[home] = site.topic
    services = slice(home + 1, home + 1 + len(words.SERVICE_PAGES))
    pages.kind[services], pages.parent[services] = Kind.SERVICE, home
    pages.kind[services.stop - 1] = Kind.PARTNERS
    fronts = [pages.sections[s].lists.start for s in pages.sections_of(h)]
    for k, s in enumerate(pages.sections_of(h)):
        above = home if k < FRONT_SECTIONS else fronts[(k - FRONT_SECTIONS) // FAN]
        _fill_lists(pages, s, above, len(other) - 1, rng)
        _fill_articles(pages, s, site, other, rng)


def _fill_lists(pages: Pages, s: int, above: int, topics: int, rng: np.random.Generator) -> None:
    """Lists name further lists, so that none is many links from the first."""
    section = pages.sections[s]
    own, n = slice(section.lists.start, section.lists.stop), len(section.lists)
    pages.kind[own], pages.section[own] = Kind.SECTION, s
    pages.topic[own] = np.where(rng.random(n) < LIST_ON_TOPIC, section.topic, topics)
    pages.parent[own] = section.lists.start + (np.arange(n) - 1) // FAN
    pages.parent[section.lists.start] = above
    shares = np.exp(LIST_SPREAD * rng.standard_normal(n)).cumsum()
    place = np.arange(len(section.articles)) / max(len(section.articles), 1) * shares[-1]
    pages.parent[section.articles.start : section.articles.stop] = section.lists.start + np.searchsorted(
        shares, place, side="right"
    )


def _fill_articles(pages: Pages, s: int, site: Site, other: NDArray[np.float64], rng: np.random.Generator) -> None:
    section = pages.sections[s]
    own, n = slice(section.articles.start, section.articles.stop), len(section.articles)
    strays = rng.choice(len(other), n, p=other)
    pages.section[own] = s
    pages.topic[own] = np.where(rng.random(n) < TRUE_TO_SECTION[site.role], section.topic, strays)
    luck = rng.random(n)
    if site.role is Role.PORTAL:
        pages.topic[own] = len(other) - 1
        pages.kind[own] = Kind.DIRECTORY
        return
    pages.kind[own] = np.where(luck < HUBS, Kind.HUB, Kind.ARTICLE)
    pages.quiet[own] = (luck > 1 - QUIET) & (site.role is not Role.TRAP)
