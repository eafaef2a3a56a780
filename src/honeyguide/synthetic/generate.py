"""The invented web as a whole: made from a seed, then asked for pages, links, topics and places to start."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import BadInput
from honeyguide.synthetic import words
from honeyguide.synthetic.addresses import Addresses
from honeyguide.synthetic.naming import Naming
from honeyguide.synthetic.pages import Kind, Pages, lay_out
from honeyguide.synthetic.printer import Printer
from honeyguide.synthetic.sites import SMALLEST_SITE, Role, Site, found_sites
from honeyguide.synthetic.weave import Links, Twins, pick_twins, weave

if TYPE_CHECKING:
    from numpy.typing import NDArray

COPIES = 150  # one page of so many stands there twice


def generate(pages: int = 3000, hosts: int = 40, seed: int = 1, topics: int = 12, port: int | None = None) -> World:
    """A web of so many pages, the same for the same numbers wherever it is served."""
    _check(pages, hosts, topics)
    copies, rng = pages // COPIES, np.random.default_rng(seed)
    sites = found_sites(pages - copies, hosts, topics, random.Random(seed))
    laid = lay_out(sites, topics, rng)
    twins = pick_twins(laid, copies, rng)
    return World(seed, topics, sites, laid, twins, weave(sites, laid, twins, topics, rng), port)


def _check(pages: int, hosts: int, topics: int) -> None:
    if not 2 <= topics <= len(words.TOPICS):
        raise BadInput(f"there are words for 2 to {len(words.TOPICS)} topics, not for {topics}")
    # two sites about everything or more, two portals, and the trap
    if hosts < topics + 5 + hosts // 8 + hosts // 10:
        raise BadInput(f"{hosts} hosts are too few for {topics} topics; try {2 * topics + 10}")
    if pages < 2 * SMALLEST_SITE * hosts:
        raise BadInput(f"{hosts} hosts need {2 * SMALLEST_SITE * hosts} pages or more, not {pages}")


@dataclass(frozen=True)
class World:
    """The web. An id stands for one URL; pages come first, see `Addresses` for the rest."""

    seed: int
    topic_count: int
    sites: list[Site]
    pages: Pages
    twins: Twins
    links: Links
    port: int | None = None

    def at_port(self, port: int | None) -> World:
        """The same web, its hosts listening elsewhere."""
        return replace(self, port=port)

    @cached_property
    def addresses(self) -> Addresses:
        """Everything about ids and URLs."""
        naming = Naming(self.sites, self.pages, self.topic_count)
        return Addresses(self.sites, self.pages, self.twins, naming, self.port)

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of all topics."""
        return tuple(vocabulary.name for vocabulary in words.TOPICS[: self.topic_count])

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """The names of all hosts, largest first."""
        return tuple(site.name for site in self.sites)

    @property
    def urls(self) -> list[str]:
        """The URL of every id: pages, copies, moved pages, dead addresses, and the door of the trap."""
        return self.addresses.urls

    def links_of(self, i: int) -> NDArray[np.int32]:
        """The ids that id i links to, in the order of the page; nothing when no page stands there."""
        if i >= self.addresses.moved.start:
            return np.empty(0, np.int32)
        page = self.addresses.originals[i]
        return self.links.targets[self.links.offsets[page] : self.links.offsets[page + 1]]

    def topic_of(self, url: str) -> str:
        """The name of the topic of a page, empty when it has none."""
        page = self.addresses.page(url)
        topic = self.topic_count if page is None else int(self.pages.topic[page])
        return "" if topic == self.topic_count else words.TOPICS[topic].name

    def query(self, topic: str) -> str:
        """A topic expression that holds for the pages on a topic and for no other."""
        first, second = self._vocabulary(topic).signature
        return f"keyword:all({first}, {second})"

    def html(self, url: str) -> bytes | None:
        """The page at a URL; None when there is none."""
        page = self.addresses.page(url)
        text = self._printer.trap(url) if page is None else self._printer.page(page)
        return None if text is None else text.encode()

    def redirect(self, url: str) -> str | None:
        """Where the page at a URL has moved to; None when it has not."""
        i = self.addresses.ids.get(url)
        moved = i is not None and i in self.addresses.moved
        return self.urls[self.addresses.originals[i]] if moved and i is not None else None

    def robots(self, host: str) -> str:
        """The robots.txt of a host; one host keeps crawlers out of a section."""
        closed, path = self.closed_section
        return f"User-agent: *\nDisallow:{' ' + path if host == closed else ''}\n"

    @cached_property
    def closed_section(self) -> tuple[str, str]:
        """The host and the path that robots.txt forbids."""
        chosen = next(h for h, site in enumerate(self.sites) if site.role is Role.TOPICAL)
        return self.sites[chosen].name, f"/{self.pages.sections[chosen][0].name}/"

    def portal_seeds(self, n: int) -> list[str]:
        """Places to start far from any topic: home pages of portals, then their lists of links."""
        homes = [at for at, site in zip(self.pages.start, self.sites, strict=True) if site.role is Role.PORTAL]
        lists = np.flatnonzero(self.pages.kind == Kind.DIRECTORY)
        spread = np.linspace(0, len(lists) - 1, min(len(lists), max(0, n - len(homes)))).astype(int)
        return [self.urls[i] for i in (*homes, *lists[spread].tolist())][:n]

    def topic_seeds(self, topic: str, n: int, seed: int = 0) -> list[str]:
        """Places to start on a topic, drawn among all its pages."""
        wanted = words.TOPICS.index(self._vocabulary(topic))
        on_topic = np.flatnonzero(self.pages.topic == wanted).tolist()
        drawn = random.Random(f"{self.seed} {seed} {topic}").sample(on_topic, min(n, len(on_topic)))
        return [self.urls[i] for i in drawn]

    def _vocabulary(self, topic: str) -> words.Vocabulary:
        if topic not in self.topics:
            raise BadInput(f"no topic {topic!r} on this web; there are {', '.join(self.topics)}")
        return words.TOPICS[self.topics.index(topic)]

    @cached_property
    def _printer(self) -> Printer:
        return Printer(self.seed, self.topic_count, self.addresses, self.links)
