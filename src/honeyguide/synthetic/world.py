"""The invented web as a whole: asked for pages, links, topics and places to start."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.base import BadInput
from honeyguide.synthetic.addresses import Addresses
from honeyguide.synthetic.invented import vocabularies
from honeyguide.synthetic.naming import Naming
from honeyguide.synthetic.pages import Kind, Pages
from honeyguide.synthetic.printer import Printer
from honeyguide.synthetic.sites import Role, Site, closing_site
from honeyguide.synthetic.world_arrays import WorldArrays, as_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.synthetic import words
    from honeyguide.synthetic.weave import Links, Twins


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
        return tuple(vocabulary.name for vocabulary in vocabularies(self.topic_count))

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
        page = self.addresses.shown(i)
        if page is None:
            return np.empty(0, np.int32)
        return self.links.targets[self.links.offsets[page] : self.links.offsets[page + 1]]

    def topic_of(self, url: str) -> str:
        """The name of the topic of a page, empty when it has none."""
        page = self.addresses.page(url)
        return "" if page is None else self._topic_names[int(self.pages.topic[page])]

    def query(self, topic: str) -> str:
        """A topic expression that holds for the pages on a topic and for no other."""
        first, second = self._vocabulary(topic).signature
        return f"keyword:all({first}, {second})"

    def html(self, url: str) -> bytes | None:
        """The page at a URL; None when there is none."""
        page = self.addresses.page(url)
        text = self._printer.trap(url) if page is None else self._printer.page(page)
        return None if text is None else text.encode()

    def body(self, i: int) -> bytes | None:
        """The page an id stands for; None when there is none, or a month of the calendar."""
        page = self.addresses.shown(i)
        return None if page is None else self._printer.page(page).encode()

    def redirect(self, url: str) -> str | None:
        """Where the page at a URL has moved to; None when it has not."""
        i = self.addresses.ids.get(url)
        moved = i is not None and i in self.addresses.moved
        return self.addresses.url(int(self.addresses.originals[i])) if moved and i is not None else None

    def robots(self, host: str) -> str:
        """The robots.txt of a host; one host keeps crawlers out of a section."""
        closed, path = self.closed_section
        return f"User-agent: *\nDisallow:{' ' + path if host == closed else ''}\n"

    @property
    def closed_section(self) -> tuple[str, str]:
        """The host and the path that robots.txt forbids."""
        return closing_site(self.sites).name, f"/{self.pages.sections[self.closed].name}/"

    @cached_property
    def closed(self) -> int:
        """The number of the section that robots.txt forbids."""
        return self.pages.sections_of(self.sites.index(closing_site(self.sites)))[0]

    @property
    def arrays(self) -> WorldArrays:
        """The web as arrays, made anew."""
        return as_arrays(self)

    @property
    def parameters(self) -> dict[str, int]:
        """What `generate` makes the same web of."""
        pages = len(self.pages.host) + len(self.twins.copies)
        return {"pages": pages, "hosts": len(self.sites), "seed": self.seed, "topics": self.topic_count}

    def portal_seeds(self, n: int) -> list[str]:
        """Places to start far from any topic: home pages of portals, then their lists of links."""
        homes = [
            at for at, site in zip(self.pages.start.tolist(), self.sites, strict=True) if site.role is Role.PORTAL
        ]
        lists = np.flatnonzero(self.pages.kind == Kind.DIRECTORY)
        spread = np.linspace(0, len(lists) - 1, min(len(lists), max(0, n - len(homes)))).astype(int)
        return [self.addresses.url(i) for i in (*homes, *lists[spread].tolist())[:n]]

    def topic_seeds(self, topic: str, n: int, seed: int = 0) -> list[str]:
        """Places to start on a topic, drawn among all its pages."""
        wanted = vocabularies(self.topic_count).index(self._vocabulary(topic))
        on_topic = np.flatnonzero(self.pages.topic == wanted).tolist()
        drawn = random.Random(f"{self.seed} {seed} {topic}").sample(on_topic, min(n, len(on_topic)))
        return [self.addresses.url(i) for i in drawn]

    def _vocabulary(self, topic: str) -> words.Vocabulary:
        if topic not in self.topics:
            raise BadInput(f"no topic {topic!r} on this web; there are {', '.join(self.topics)}")
        return vocabularies(self.topic_count)[self.topics.index(topic)]

    @cached_property
    def _topic_names(self) -> tuple[str, ...]:
        return (*self.topics, "")

    @cached_property
    def _printer(self) -> Printer:
        return Printer(self.seed, self.topic_count, self.addresses, self.links)
