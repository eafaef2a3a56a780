"""Prints the pages of the invented web: gathers what a page shows and has it rendered."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from honeyguide.synthetic.calendar import calendar_page
from honeyguide.synthetic.invented import vocabularies
from honeyguide.synthetic.pages import Kind
from honeyguide.synthetic.render import Anchor, Sheet, Template, pick_template, render
from honeyguide.synthetic.text import anchor_text, sentences
from honeyguide.synthetic.weave import Zone, zones_of

if TYPE_CHECKING:
    from honeyguide.synthetic.addresses import Addresses
    from honeyguide.synthetic.weave import Links
    from honeyguide.synthetic.words import Vocabulary

PROSE = (Kind.ARTICLE, Kind.SERVICE)
WITH_NOTE = 0.5  # chance that a link in a list is followed by a few words on its target


@dataclass(frozen=True)
class Printer:
    """Prints each page the same whenever it is asked."""

    seed: int
    topics: int
    addresses: Addresses
    links: Links

    def page(self, page: int) -> str:
        """The HTML of a page."""
        pages, naming = self.addresses.pages, self.addresses.naming
        host, topic = int(pages.host[page]), int(pages.topic[page])
        rng = random.Random(f"{self.seed} page {page}")
        text = sentences(
            self._topics[topic] if topic < self.topics else None, self._foreign[topic], rng, self._part(page)
        )
        zones = {zone: self._anchors(host, targets, zone, rng) for zone, targets in zones_of(self.links, page)}
        sheet = Sheet(
            site=self.addresses.sites[host].title,
            title=naming.title(page),
            text=text,
            menu=zones[Zone.MENU],
            content=zones[Zone.CONTENT],
            footer=zones[Zone.FOOTER],
            network=zones[Zone.NETWORK],
            prose=pages.kind[page] in PROSE,
        )
        return render(sheet, self._looks[host], rng)

    def trap(self, url: str) -> str | None:
        """The HTML of a month of the endless calendar; None when the URL is no such month."""
        host = len(self.addresses.sites) - 1
        origin = self.addresses.origins[host]
        if not url.startswith(f"{origin}/"):
            return None
        path = url.removeprefix(origin)
        return calendar_page(path, self.addresses.sites[host].title, self._looks[host], self.seed)

    def _part(self, page: int) -> int:
        """The part of the web whose own words a page uses: its section, else its site."""
        section = int(self.addresses.pages.section[page])
        return section if section >= 0 else len(self.addresses.pages.sections) + int(self.addresses.pages.host[page])

    def _anchors(self, host: int, targets: list[int], zone: Zone, rng: random.Random) -> list[Anchor]:
        return [self._anchor(host, target, zone, rng) for target in targets]

    def _anchor(self, host: int, target: int, zone: Zone, rng: random.Random) -> Anchor:
        known, naming = self.addresses, self.addresses.naming
        page, path, there = int(known.originals[target]), known.path(target), known.host(target)
        href = path if there == host else known.origins[there] + path
        title = naming.title(page)
        if zone != Zone.CONTENT:
            return Anchor(href, self._label(target, zone, title))
        note = naming.subject(page, rng) if rng.random() < WITH_NOTE else ""
        return Anchor(href, anchor_text(title, naming.subject(page, rng), rng), note)

    def _label(self, target: int, zone: Zone, title: str) -> str:
        if target == self.addresses.trap:
            return "Calendar"
        return "Home" if zone == Zone.MENU and self.addresses.path(target) == "/" else title

    @cached_property
    def _looks(self) -> list[Template]:
        return [pick_template(random.Random(f"{self.seed} {site.name}")) for site in self.addresses.sites]

    @cached_property
    def _topics(self) -> tuple[Vocabulary, ...]:
        return vocabularies(self.topics)

    @cached_property
    def _foreign(self) -> list[tuple[str, ...]]:
        """For each topic, and for none, the words that may leak in from the others."""
        return [
            tuple(word for k, vocabulary in enumerate(self._topics) if k != topic for word in vocabulary.words)
            for topic in range(self.topics + 1)
        ]
