"""Which URL each id of the invented web has, and what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import calendar

if TYPE_CHECKING:
    from honeyguide.synthetic.naming import Naming
    from honeyguide.synthetic.pages import Pages
    from honeyguide.synthetic.sites import Site
    from honeyguide.synthetic.weave import Twins


@dataclass(frozen=True)
class Addresses:
    """Ids count the pages first, then copies, moved pages, dead addresses, and last the trap's door."""

    sites: list[Site]
    pages: Pages
    twins: Twins
    naming: Naming
    port: int | None

    @cached_property
    def originals(self) -> list[int]:
        """The page each id is an address of, or once was; the trap's door counts to its host's home page."""
        twins = (self.twins.copies, self.twins.moved, self.twins.dead, [self.pages.start[-1]])
        joined: list[int] = np.concatenate([np.arange(len(self.pages.host)), *twins]).tolist()
        return joined

    @cached_property
    def moved(self) -> range:
        """Ids of pages that have moved."""
        first = len(self.pages.host) + len(self.twins.copies)
        return range(first, first + len(self.twins.moved))

    @property
    def dead(self) -> range:
        """Ids that links lead to although nothing is there."""
        return range(self.moved.stop, self.trap)

    @property
    def trap(self) -> int:
        """The id of the first page of the endless calendar."""
        return len(self.originals) - 1

    def host(self, i: int) -> int:
        """The number of the host an id stands on."""
        return int(self.pages.host[self.originals[i]])

    @cached_property
    def paths(self) -> list[str]:
        """Where on its host each id stands."""
        path, twins = self.naming.path, self.twins
        return [
            *map(path, range(len(self.pages.host))),
            *(f"/print{path(page)}" for page in twins.copies.tolist()),
            *(f"/old{path(page)}" for page in twins.moved.tolist()),
            *(path(page, gone=True) for page in twins.dead.tolist()),
            calendar.ENTRY,
        ]

    @cached_property
    def origins(self) -> list[str]:
        """The beginning of the URLs of each host."""
        suffix = "" if self.port is None else f":{self.port}"
        return [f"http://{site.name}{suffix}" for site in self.sites]

    @cached_property
    def urls(self) -> list[str]:
        """The URL of every id."""
        return [self.origins[self.host(i)] + path for i, path in enumerate(self.paths)]

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of every URL."""
        return {url: i for i, url in enumerate(self.urls)}

    def page(self, url: str) -> int | None:
        """The page a URL shows; None where there is none, and for the calendar."""
        i = self.ids.get(url)
        return None if i is None or i >= self.moved.start else self.originals[i]
