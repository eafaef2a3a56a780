"""Webs small enough to reason about, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide import Archive, Link, Page, SimulatedWeb
from honeyguide.atlas import AtlasBuilder
from honeyguide.search import Search

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.base import Reply


def page(url: str, *targets: str, label: str = "", text: str = "", anchor: str = "") -> Page:
    """A page that links to others."""
    links = tuple(Link(target, anchor, position=i) for i, target in enumerate(targets))
    return Page(url=url, text=text, main=text, label=label, links=links)


def stored(directory: Path, *pages: Page) -> Path:
    """A directory with these pages as a stored web."""
    builder = AtlasBuilder(directory)
    for each in pages:
        builder.add(each)
    builder.finish()
    return directory


def web_of(*pages: Page, delay: float = 0.0) -> Archive:
    """A stored web of a few pages."""
    return Archive({p.url: p for p in pages}, delay)


class FunctionWeb(SimulatedWeb):
    """A web that is a function from URL to Reply; what it raises is an error of that URL."""

    def __init__(self, answer, delay: float = 0.0) -> None:
        super().__init__(delay)
        self.answer = answer
        self.asked: list[str] = []

    async def get(self, url: str) -> Reply:
        self.asked.append(url)
        return self.answer(url)


def topical_web(hosts: int = 6, size: int = 40, bridges: int = 3) -> Archive:
    """Hosts in a ring, every other one about bees; each page links to the next ones on its host and to others."""
    pages = []
    for h in range(hosts):
        for i in range(size):
            near = [f"http://h{h}.test/{(i * 3 + k) % size}" for k in (1, 2, 3)]
            far = [f"http://h{(h + 1 + k) % hosts}.test/{i * 7 % size}" for k in range(bridges if i % 4 == 0 else 1)]
            bees = h % 2 == 0 and i % 5 != 0
            text = "bees make honey in the hive" if bees else "trains run on rails and on time"
            anchor = "about bees" if bees else "timetable"
            pages.append(
                page(f"http://h{h}.test/{i}", *near, *far, label="bees" if bees else "", text=text, anchor=anchor)
            )
    return web_of(*pages)


class NoSearch(Search):
    """Finds nothing."""

    name = "none"

    async def _find(self, query: str, limit: int) -> list[str]:
        return []
