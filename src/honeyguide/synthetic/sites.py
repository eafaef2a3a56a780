"""Which sites the invented web has: their sizes, topics and networks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import TYPE_CHECKING

from honeyguide.synthetic import words
from honeyguide.synthetic.invented import invented, vocabularies

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from honeyguide.synthetic.rates import Topics

ZIPF = 2.0  # how fast sites get smaller from one rank to the next
SMALLEST_SITE = 12
HIDDEN_SHARE = 0.25  # the part of a topic's pages that only off-topic pages should lead to
ON_OWN_SITES = 0.25  # the part of a topic's pages that may stand on sites devoted to it
DEVOTED = 0.6  # the part of such a site that is on its topic
LARGE_PORTAL = 5  # the rank of the largest portal


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

    @property
    def title(self) -> str:
        """Its name, as its own header has it."""
        return self.name.removesuffix(".test").replace("-", " ").title()


def found_sites(pages: int, hosts: int, topics: Topics, rng: random.Random) -> list[Site]:
    """All sites, largest first."""
    sites = [Site(role, size, topics.count) for role, size in zip(_roles(hosts), _sizes(pages, hosts), strict=True)]
    wanted = (topics.rates * (1 - topics.scattered) * pages).tolist()
    _deal_topics(sites, wanted, rng)
    _hide_some(sites, wanted)
    _join_networks(sites, topics.count)
    _name(sites, topics.count, rng)
    return sites


def _sizes(pages: int, hosts: int) -> list[int]:
    weights = [(rank + 1) ** -ZIPF for rank in range(hosts)]
    spare, whole = pages - SMALLEST_SITE * hosts, sum(weights)
    sizes = [SMALLEST_SITE + int(spare * weight / whole) for weight in weights]
    sizes[0] += pages - sum(sizes)
    return sizes


def _roles(hosts: int) -> list[Role]:
    roles = [Role.TOPICAL] * hosts
    roles[0] = Role.MIXED
    roles[min(LARGE_PORTAL, hosts - 3)] = Role.PORTAL
    for k in range(max(1, hosts // 10)):
        roles[hosts - 2 - 3 * k] = Role.PORTAL
    roles[-1] = Role.TRAP
    return roles


def _deal_topics(sites: list[Site], wanted: list[float], rng: random.Random) -> None:
    """A site is devoted to a topic that has pages enough for it; where there is none, to everything."""
    left = [ON_OWN_SITES * number for number in wanted]
    for site in sites:
        if site.role is not Role.TOPICAL:
            continue
        room = [number if number >= DEVOTED * site.size else 0.0 for number in left]
        if any(room):
            site.topic = rng.choices(range(len(room)), room)[0]
            left[site.topic] -= DEVOTED * site.size
        else:
            site.role = Role.MIXED


def _hide_some(sites: list[Site], wanted: list[float]) -> None:
    for topic, number in enumerate(wanted):
        own = [site for site in sites if site.topic == topic]
        if len(own) > 1:
            min(own, key=lambda site: abs(site.size - HIDDEN_SHARE * number)).hidden = True


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


def closing_site(sites: Sequence[Site]) -> Site:
    """The site that keeps crawlers out of a section."""
    return next((site for site in sites if site.role is Role.TOPICAL), sites[0])


def _names(site: Site, topics: int, rng: random.Random) -> Iterator[str]:
    for k in count():
        yield _any_name(site, topics, rng) + ("" if k < 20 else f"-{invented(rng.randrange(10_000))}")


def _any_name(site: Site, topics: int, rng: random.Random) -> str:
    if site.role is Role.TRAP:
        return words.TRAP_SITE
    if site.role is Role.PORTAL:
        return rng.choice(words.PORTAL_SITES)
    if site.topic == topics:
        return rng.choice(words.GENERAL_SITES)
    first = rng.choice(vocabularies(topics)[site.topic].words).replace(" ", "-")
    return f"{first}-{rng.choice(words.SITE_ENDINGS)}"
