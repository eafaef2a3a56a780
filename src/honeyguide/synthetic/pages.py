"""Which pages stand on the sites: sections, articles, link lists, and what each is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import words
from honeyguide.synthetic.sites import Role, Site

if TYPE_CHECKING:
    from numpy.typing import NDArray

LISTED = 4  # articles on one page of a section's list
TRUE_TO_SECTION = {Role.TOPICAL: 0.93, Role.MIXED: 0.82, Role.PORTAL: 1.0, Role.TRAP: 1.0}
HUBS = 0.04  # share of articles that are lists of links
QUIET = 0.04  # share of articles that only lists of links elsewhere know of
SIDE_SECTION = 0.12  # the part of a topical site that is about something else


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


@dataclass(frozen=True, slots=True)
class Pages:
    """All pages, a column for each of their properties; the pages of a site follow each other."""

    host: NDArray[np.int32]
    kind: NDArray[np.int8]
    topic: NDArray[np.int16]
    section: NDArray[np.int16]  # -1 outside of sections
    quiet: NDArray[np.bool_]
    start: list[int]  # each site's home page, which is its first
    sections: list[list[Section]]
    picks: NDArray[np.int16]  # random numbers that titles are made of


def lay_out(sites: list[Site], topics: int, rng: np.random.Generator) -> Pages:
    """Divide every site into pages and say what each is about."""
    start = np.concatenate([[0], np.cumsum([site.size for site in sites])]).tolist()
    plans = _plan_sections(sites, topics, rng)
    sections = [_cut(site, at, plan) for site, at, plan in zip(sites, start, plans, strict=False)]
    n = start[-1]
    pages = Pages(
        host=np.repeat(np.arange(len(sites), dtype=np.int32), [site.size for site in sites]),
        kind=np.full(n, Kind.ARTICLE, np.int8),
        topic=np.full(n, topics, np.int16),
        section=np.full(n, -1, np.int16),
        quiet=np.zeros(n, np.bool_),
        start=start[:-1],
        sections=sections,
        picks=rng.integers(0, 10_000, (n, 5)).astype(np.int16),
    )
    for h, site in enumerate(sites):
        _fill_site(pages, h, site, topics, rng)
    return pages


Plan = list[tuple[str, int, int]]  # name, topic and number of pages of each section


def _plan_sections(sites: list[Site], topics: int, rng: np.random.Generator) -> list[Plan]:
    """Topical sites are planned as they come; mixed ones make up for topics that got less."""
    missing = _fair_shares(sites, topics, rng)
    plans: list[Plan] = []
    for site in sites:
        rest = site.size - 1 - len(words.SERVICE_PAGES)
        if site.role is Role.MIXED:
            plans.append(_mixed_plan(rest, missing, rng))
        elif site.role is Role.TOPICAL:
            plans.append(_topical_plan(rest, site.topic, topics, rng))
        else:
            plans.append(_even_plan(rest, topics, rng))
    return plans


def _fair_shares(sites: list[Site], topics: int, rng: np.random.Generator) -> NDArray[np.float64]:
    total = sum(site.size for site in sites)
    missing = total / topics * rng.uniform(0.85, 1.15, topics)
    for site in sites:
        if site.role is Role.TOPICAL:
            missing[site.topic] -= site.size
    least: NDArray[np.float64] = np.maximum(missing, total / topics / 10)
    return least


def _mixed_plan(rest: int, missing: NDArray[np.float64], rng: np.random.Generator) -> Plan:
    wanted = min(len(missing), max(2, rest // 25))
    chosen = rng.choice(len(missing), wanted, replace=False, p=missing / missing.sum())
    counts = _shared(rest, missing[chosen] * rng.uniform(0.7, 1.3, wanted))
    return [(words.TOPICS[t].name.replace(" ", "-"), int(t), c) for t, c in zip(chosen, counts, strict=True)]


def _topical_plan(rest: int, topic: int, topics: int, rng: np.random.Generator) -> Plan:
    names = _draw(words.SECTIONS, min(8, 1 + rest // 14), rng)
    side = max(2, int(rest * SIDE_SECTION))
    aside = int(rng.integers(0, topics + 1))
    counts = _shared(rest - side, rng.uniform(0.5, 1.5, len(names)))
    plan = [(name, topic, count) for name, count in zip(names, counts, strict=True)]
    return [*plan, (_draw(words.SIDE_SECTIONS, 1, rng)[0], topics if aside == topic else aside, side)]


def _even_plan(rest: int, topics: int, rng: np.random.Generator) -> Plan:
    names = _draw(words.SIDE_SECTIONS, 2 + (rest > 60), rng)
    return [(name, topics, c) for name, c in zip(names, _shared(rest, np.ones(len(names))), strict=True)]


def _draw(names: tuple[str, ...], k: int, rng: np.random.Generator) -> list[str]:
    return [names[i] for i in rng.choice(len(names), k, replace=False)]


def _shared(total: int, weights: NDArray[np.float64]) -> list[int]:
    """Whole parts of a total, of two or more, in proportion to weights."""
    parts = 2 + ((total - 2 * len(weights)) * weights / weights.sum()).astype(int)
    parts[0] += total - parts.sum()
    return [int(part) for part in parts]


def _cut(site: Site, start: int, plan: Plan) -> list[Section]:
    at = start + 1 + len(words.SERVICE_PAGES)
    sections = []
    for name, topic, count in plan:
        lists = range(at, at + max(1, -(-count // (LISTED + 1))))
        sections.append(Section(name, topic, lists, range(lists.stop, at + count)))
        at += count
    return sections


def _fill_site(pages: Pages, h: int, site: Site, topics: int, rng: np.random.Generator) -> None:
    home = pages.start[h]
    pages.kind[home] = Kind.HOME
    pages.topic[home] = site.topic
    pages.kind[home + 1 : home + 1 + len(words.SERVICE_PAGES)] = Kind.SERVICE
    pages.kind[home + len(words.SERVICE_PAGES)] = Kind.PARTNERS
    for s, section in enumerate(pages.sections[h]):
        lists = slice(section.lists.start, section.lists.stop)
        pages.kind[lists], pages.topic[lists], pages.section[lists] = Kind.SECTION, section.topic, s
        _fill_section(pages, s, section, site, topics, rng)


def _fill_section(pages: Pages, s: int, section: Section, site: Site, topics: int, rng: np.random.Generator) -> None:
    own, n = slice(section.articles.start, section.articles.stop), len(section.articles)
    other = np.where(rng.random(n) < 0.5, topics, rng.integers(0, topics, n))
    pages.section[own] = s
    pages.topic[own] = np.where(rng.random(n) < TRUE_TO_SECTION[site.role], section.topic, other)
    luck = rng.random(n)
    if site.role is Role.PORTAL:
        pages.topic[own] = topics
        pages.kind[own] = Kind.DIRECTORY
        return
    pages.kind[own] = np.where(luck < HUBS, Kind.HUB, Kind.ARTICLE)
    pages.quiet[own] = (luck > 1 - QUIET) & (site.role is not Role.TRAP)
