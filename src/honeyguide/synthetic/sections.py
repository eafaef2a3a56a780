"""How the sites of the invented web are divided: sections on a topic each, as many pages on each as it is to have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import words
from honeyguide.synthetic.invented import vocabularies
from honeyguide.synthetic.sites import DEVOTED, Role, Site

if TYPE_CHECKING:
    from honeyguide.synthetic.rates import Topics

    Plan = list["Part"]

SMALLEST_SECTION, LARGEST_SECTION = 8, 2000
TYPICAL, SPREAD = 60, 1.1  # the middle and the spread of a lognormal number of pages
ALIKE_IN_A_ROW = 3  # sections on one topic that stand together on a site about everything
KEEPING = 0.86  # the part of a section that is on its topic in the end
TELLING_NAME = 0.2  # chance that a section on a site about everything is called by its topic


@dataclass(frozen=True, slots=True)
class Part:
    """A section to be: what it is called, its topic and how many pages it has."""

    name: str
    topic: int
    size: int


def plan_sections(sites: list[Site], topics: Topics, rng: np.random.Generator) -> list[Plan]:
    """Topical sites are planned as they come; the others get what the topics still lack."""
    supply = _Supply(sites, topics, rng)
    return [_named(_plan(site, supply, topics.count, rng), site, topics.count, rng) for site in sites]


def _plan(site: Site, supply: _Supply, topics: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    rest = site.size - 1 - len(words.SERVICE_PAGES)
    if site.role is Role.MIXED:
        return supply.take(rest)
    if site.role is Role.TOPICAL:
        side = max(2, int(rest * (1 - DEVOTED / KEEPING)))
        return [*((site.topic, size) for size in section_sizes(rest - side, rng)), *supply.take(side)]
    return [(topics, size) for size in section_sizes(rest, rng)]


def section_sizes(total: int, rng: np.random.Generator) -> list[int]:
    """Whole parts of a total: many small ones, few large ones."""
    sizes: list[int] = []
    while total > 0:
        size = min(
            total, int(np.clip(TYPICAL * np.exp(SPREAD * rng.standard_normal()), SMALLEST_SECTION, LARGEST_SECTION))
        )
        size = total if total - size < SMALLEST_SECTION else size
        sizes.append(size)
        total -= size
    return sizes


class _Supply:
    """Sections for sites about everything, those on one topic in short rows."""

    def __init__(self, sites: list[Site], topics: Topics, rng: np.random.Generator) -> None:
        room = sum(site.size for site in sites if site.role is Role.MIXED)  # and a little on the side of topical ones
        lacking = topics.rates * (1 - topics.scattered) * sum(site.size for site in sites)
        for site in sites:
            if site.role is Role.TOPICAL:
                lacking[site.topic] -= DEVOTED * site.size
        wanted = np.maximum(lacking / KEEPING, SMALLEST_SECTION)
        rows = [row for t, number in enumerate(wanted.tolist()) for row in self._rows(t, int(number), rng)]
        rows += self._rows(topics.count, max(0, room - int(wanted.sum())), rng)
        self._topics = topics.count
        self._left = [part for k in rng.permutation(len(rows)) for part in rows[k]]

    def _rows(self, topic: int, total: int, rng: np.random.Generator) -> list[list[tuple[int, int]]]:
        parts = [(topic, size) for size in section_sizes(total, rng)]
        return [parts[k : k + ALIKE_IN_A_ROW] for k in range(0, len(parts), ALIKE_IN_A_ROW)]

    def take(self, room: int) -> list[tuple[int, int]]:
        """Sections that fill a site."""
        taken: list[tuple[int, int]] = []
        while room > 0:
            topic, size = self._left.pop() if self._left else (self._topics, room)
            used = room if room - size < SMALLEST_SECTION else size
            if size - used >= SMALLEST_SECTION:
                self._left.append((topic, size - used))
            taken.append((topic, used))
            room -= used
        return taken


def _named(plan: list[tuple[int, int]], site: Site, topics: int, rng: np.random.Generator) -> Plan:
    seen: dict[str, int] = {}
    named: Plan = []
    for topic, size in plan:
        name = _name(topic, site, topics, rng)
        seen[name] = seen.get(name, 0) + 1
        named.append(Part(name + (f"-{seen[name]}" if seen[name] > 1 else ""), topic, size))
    return named


def _name(topic: int, site: Site, topics: int, rng: np.random.Generator) -> str:
    if topic == topics:
        return _any(words.SIDE_SECTIONS, rng)
    if site.role is Role.MIXED and rng.random() < TELLING_NAME:
        return vocabularies(topics)[topic].name.replace(" ", "-")
    return _any(words.SECTIONS, rng)


def _any(names: tuple[str, ...], rng: np.random.Generator) -> str:
    return names[int(rng.integers(len(names)))]
