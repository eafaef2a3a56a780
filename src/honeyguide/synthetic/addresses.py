"""Which URL each id of the invented web has, and what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.synthetic import calendar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

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
    def originals(self) -> NDArray[np.int32]:
        """The page each id is an address of, or once was; the trap's door counts to its host's home page."""
        twins = (self.twins.copies, self.twins.moved, self.twins.dead, self.pages.start[-1:])
        return np.concatenate([np.arange(len(self.pages.host)), *twins]).astype(np.int32)

    @cached_property
    def copies(self) -> range:
        """Ids of pages that stand there for the second time."""
        return range(len(self.pages.host), len(self.pages.host) + len(self.twins.copies))

    @cached_property
    def moved(self) -> range:
        """Ids of pages that have moved."""
        return range(self.copies.stop, self.copies.stop + len(self.twins.moved))

    @cached_property
    def dead(self) -> range:
        """Ids that links lead to although nothing is there."""
        return range(self.moved.stop, self.trap)

    @cached_property
    def trap(self) -> int:
        """The id of the first page of the endless calendar."""
        return len(self.originals) - 1

    def host(self, i: int) -> int:
        """The number of the host an id stands on."""
        return int(self.pages.host[self.originals[i]])

    def path(self, i: int) -> str:
        """Where on its host an id stands."""
        if i == self.trap:
            return calendar.ENTRY
        path = self.naming.path(int(self.originals[i]), gone=i in self.dead)
        return f"/print{path}" if i in self.copies else f"/old{path}" if i in self.moved else path

    def url(self, i: int) -> str:
        """The URL of an id."""
        return self.origins[self.host(i)] + self.path(i)

    @cached_property
    def origins(self) -> list[str]:
        """The beginning of the URLs of each host."""
        suffix = "" if self.port is None else f":{self.port}"
        return [f"http://{site.name}{suffix}" for site in self.sites]

    def each(self, ids: Iterable[int]) -> Iterator[str]:
        """The URLs of ids, one after the other."""
        return map(self.url, ids)

    @cached_property
    def urls(self) -> list[str]:
        """The URL of every id; not for webs of millions of pages."""
        return list(self.each(range(self.trap + 1)))

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of every URL; likewise."""
        return {url: i for i, url in enumerate(self.urls)}

    def page(self, url: str) -> int | None:
        """The page a URL shows; None where there is none, and for the calendar."""
        i = self.ids.get(url)
        return None if i is None else self.shown(i)

    def shown(self, i: int) -> int | None:
        """The page an id shows; None where there is none, and for the calendar."""
        return None if i >= self.moved.start else int(self.originals[i])
