"""The invented web as arrays, for stores and measurements that take it as it is, however large.

What robots.txt forbids, and the endless calendar, are addresses like those of any archive that does not hold them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from msgspec.structs import replace

from honeyguide.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from honeyguide.base import Page
    from honeyguide.synthetic.world import World

TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True)
class WorldArrays:
    """Ids 0 to P - 1 hold pages, copies included; those from P to A - 1 are addresses that hold none."""

    HERE: ClassVar[int] = 0  # a page, or a redirect to one
    GONE: ClassVar[int] = 1  # nothing is there
    NOT_HELD: ClassVar[int] = 2  # forbidden by robots.txt, or the first month of an endless calendar

    world: World
    out_start: NDArray[np.int64]  # A + 1 of them
    out: NDArray[np.int32]  # distinct targets in the order of the page, without the page itself
    host: NDArray[np.int32]  # of every address
    label: NDArray[np.uint16]  # of every page
    redirect: NDArray[np.int32]  # where an address leads, else -1
    failed: NDArray[np.uint8]  # HERE, GONE or NOT_HELD
    ids: NDArray[np.int32]  # of the world, for every address here

    @property
    def urls(self) -> Iterator[str]:
        """The URLs of all addresses, made one after the other."""
        return self.world.addresses.each(self.ids.tolist())

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names of the hosts, by their numbers."""
        return self.world.hosts

    @cached_property
    def label_names(self) -> tuple[str, ...]:
        """The topics, by their numbers; 0 is none."""
        return ("", *(topic.replace(" ", "-") for topic in self.world.topics))

    def page(self, i: int) -> Page:
        """The page an id holds: its HTML, read like any other, and its label."""
        if not 0 <= i < len(self.label):
            raise IndexError(f"{i} holds no page; there are {len(self.label):,}")
        at = int(self.ids[i])
        body = self.world.body(at)
        assert body is not None  # ids below P hold pages
        return replace(parse(self.world.addresses.url(at), body, TYPE), label=self.label_names[int(self.label[i])])


def as_arrays(world: World) -> WorldArrays:
    """The arrays of a web; its pages are printed when they are asked for."""
    known, shut = world.addresses, _shut(world)
    total, pages = len(known.originals), known.moved.start - len(shut)
    ids = np.concatenate(
        [np.arange(shut.start), np.arange(shut.stop, known.moved.start), shut, np.arange(known.moved.start, total)]
    )
    here = np.empty(total, np.int32)
    here[ids] = np.arange(total)
    shown = known.originals[ids[:pages]]
    out_start, out = _out(world, shown, total)
    redirect, failed = np.full(total, -1, np.int32), np.full(total, WorldArrays.HERE, np.uint8)
    redirect[known.moved.start : known.moved.stop] = here[world.twins.moved]
    forbidden = world.pages.section[world.twins.dead] == world.closed
    failed[known.dead.start : known.dead.stop] = np.where(forbidden, WorldArrays.NOT_HELD, WorldArrays.GONE)
    failed[[*range(pages, pages + len(shut)), known.trap]] = WorldArrays.NOT_HELD
    return WorldArrays(
        world=world,
        out_start=out_start,
        out=here[out],
        host=world.pages.host[known.originals[ids]],
        label=((world.pages.topic[shown] + 1) % (world.topic_count + 1)).astype(np.uint16),
        redirect=redirect,
        failed=failed,
        ids=ids.astype(np.int32),
    )


def _shut(world: World) -> range:
    """Ids of the pages that robots.txt forbids; they follow each other."""
    section = world.pages.sections[world.closed]
    return range(section.lists.start, section.articles.stop)


def _out(world: World, shown: NDArray[np.int32], total: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The links of pages in this order, in the world's ids."""
    links = world.links
    counts = np.zeros(total, np.int64)
    counts[: len(shown)] = np.diff(links.offsets)[shown]
    start = np.concatenate([[0], np.cumsum(counts)])
    out = np.empty(start[-1], np.int32)
    # pages follow each other almost everywhere: copy runs, not links
    breaks = np.flatnonzero(np.diff(shown, prepend=-2) != 1)
    for low, high in zip(breaks.tolist(), [*breaks[1:].tolist(), len(shown)], strict=True):
        first, last = int(shown[low]), int(shown[high - 1])
        out[start[low] : start[high]] = links.targets[links.offsets[first] : links.offsets[last + 1]]
    return start, out
