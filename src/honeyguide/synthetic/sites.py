"""Which sites the invented web has: their sizes, topics and networks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import TYPE_CHECKING

from honeyguide.synthetic import words

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

ZIPF = 1.3  # how fast sites get smaller from one rank to the next
SMALLEST_SITE = 12
NUMBERED = 0.3  # share of sites whose page addresses say nothing
HIDDEN_SHARE = 0.25  # the part of a topic's pages that only off-topic pages should lead to


class Role(IntEnum):
    """What a site is for."""

    TOPICAL = 0
    MIXED = 1
    PORTAL = 2
    TRAP = 3


@dataclass(slots=True)
class Site:
    """One host."""

    role: Role
    size: int
    topic: int  # the number of topics for a site about everything
    name: str = ""
    network: int = 0
    hidden: bool = False  # no page of its topic on another site links here
    numbered: bool = False  # page addresses say nothing about the page

    @property
    def title(self) -> str:
        """Its name, as its own header has it."""
        return self.name.removesuffix(".test").replace("-", " ").title()


def found_sites(pages: int, hosts: int, topics: int, rng: random.Random) -> list[Site]:
    """All sites, largest first."""
    sites = [Site(role, size, topics) for role, size in zip(_roles(hosts), _sizes(pages, hosts), strict=True)]
    _deal_topics(sites, topics, rng)
    _hide_some(sites, pages, topics)
    _join_networks(sites, topics)
    _name(sites, topics, rng)
    return sites


def _sizes(pages: int, hosts: int) -> list[int]:
    weights = [(rank + 1) ** -ZIPF for rank in range(hosts)]
    spare = pages - SMALLEST_SITE * hosts
    sizes = [SMALLEST_SITE + int(spare * weight / sum(weights)) for weight in weights]
    sizes[0] += pages - sum(sizes)
    return sizes


def _roles(hosts: int) -> list[Role]:
    roles = [Role.TOPICAL] * hosts
    for k in range(max(2, hosts // 8)):
        roles[k] = Role.MIXED
    for k in range(max(2, hosts // 10)):
        roles[hosts - 2 - 3 * k] = Role.PORTAL
    roles[-1] = Role.TRAP
    return roles


def _deal_topics(sites: list[Site], topics: int, rng: random.Random) -> None:
    """Deal sites out like cards, turning round at each end, so that no topic gets all the large ones."""
    order = rng.sample(range(topics), topics)
    topical = [site for site in sites if site.role is Role.TOPICAL]
    for k, site in enumerate(topical):
        lap, seat = divmod(k, topics)
        site.topic = order[seat if lap % 2 == 0 else topics - 1 - seat]


def _hide_some(sites: list[Site], pages: int, topics: int) -> None:
    wanted = HIDDEN_SHARE * pages / topics
    for topic in range(topics):
        own = [site for site in sites if site.topic == topic]
        if len(own) > 1:
            min(own, key=lambda site: abs(site.size - wanted)).hidden = True


def _join_networks(sites: list[Site], topics: int) -> None:
    """Sites of one topic join different networks, so that shared footers never lead along a topic."""
    most = max(sum(site.topic == topic for site in sites) for topic in range(topics))
    networks = max(2, len(sites) // 10, most)
    seen = [0] * (topics + 1)
    for site in sites:
        site.network = (seen[site.topic] + site.topic) % networks
        seen[site.topic] += 1


def _name(sites: list[Site], topics: int, rng: random.Random) -> None:
    taken: set[str] = set()
    for site in sites:
        stem = next(name for name in _names(site, topics, rng) if name not in taken)
        taken.add(stem)
        site.name = f"{stem}.test"
        site.numbered = rng.random() < NUMBERED
    # robots.txt closes a section of this one, which takes addresses that show the section
    next(site for site in sites if site.role is Role.TOPICAL).numbered = False


def _names(site: Site, topics: int, rng: random.Random) -> Iterator[str]:
    for k in count(1):
        yield _any_name(site, topics, rng) + ("" if k < 50 else f"-{k}")


def _any_name(site: Site, topics: int, rng: random.Random) -> str:
    if site.role is Role.TRAP:
        return words.TRAP_SITE
    if site.role is Role.PORTAL:
        return rng.choice(words.PORTAL_SITES)
    if site.topic == topics:
        return rng.choice(words.GENERAL_SITES)
    first = rng.choice(words.TOPICS[site.topic].words).replace(" ", "-")
    return f"{first}-{rng.choice(words.SITE_ENDINGS)}"
