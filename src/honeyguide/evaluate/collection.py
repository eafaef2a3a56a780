"""A web in memory, read once and crawled many times."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, Excluded, FetchError, Reply
from honeyguide.running import no_garbage, run_async
from honeyguide.synthetic import World, generate
from honeyguide.web import SimulatedWeb, SyntheticWeb, Web, open_web

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from honeyguide.base import Page

GENERATED = "synthetic"


@dataclass(frozen=True)
class Collection:
    """What every known address answers; others are asked of the web behind, which makes pages without end."""

    name: str
    replies: dict[str, Reply]
    behind: Web | None = None
    topics: tuple[str, ...] = ()  # those it was made with

    @classmethod
    def of(cls, pages: Iterable[Page], name: str = "pages given in Python") -> Collection:
        """A web of these pages and no other."""
        return cls(name, _replies(pages))

    @cached_property
    def pages(self) -> list[Page]:
        """All pages, in the order of their URLs."""
        return [reply.page for _, reply in sorted(self.replies.items()) if reply.page]

    @cached_property
    def redirects(self) -> dict[str, str]:
        """Where addresses that hold no page lead."""
        return {url: reply.redirect for url, reply in self.replies.items() if reply.redirect}

    def stamp(self) -> str:
        """Tells this web from every other: a hash of all addresses and what they hold."""
        whole = hashlib.blake2b(digest_size=16)
        for url, reply in sorted(self.replies.items()):
            page = reply.page
            parts = [url, reply.redirect, reply.error]
            if page:
                parts += [page.title, page.text, page.label, *itertools.chain(*(link[:2] for link in page.links))]
            whole.update("\0".join(parts).encode("utf-8", "replace"))
            whole.update(b"\1")
        return whole.hexdigest()

    def web(self) -> Web:
        """The collection as a web to crawl, its clock at zero."""
        return _HeldWeb(self)


class _HeldWeb(SimulatedWeb):
    def __init__(self, held: Collection) -> None:
        super().__init__()
        self._held = held
        self.source = held.name

    async def get(self, url: str) -> Reply:
        reply = self._held.replies.get(url)
        if reply is not None:
            return reply
        if self._held.behind is None:
            raise Excluded("not_in_archive")
        return await self._held.behind.get(url)


def folder_name(source: str) -> str:
    """What a folder for what comes of a web is called."""
    return Path(source).resolve().name.replace(":", "-")


def check_names(webs: Sequence[str]) -> None:
    """Refuse webs whose folders would be the same."""
    folders = [folder_name(web) for web in webs]
    if twice := [web for web, folder in zip(webs, folders, strict=True) if folders.count(folder) > 1]:
        raise BadInput(f"webs are told apart by their names, and these are alike: {', '.join(twice)}")


def read_collection(source: str) -> Collection:
    """The web named on a command line: a path, or `synthetic:SEED:PAGES` for a generated one."""
    if world := named_world(source):
        return of_world(source, world)
    if not Path(source).exists():
        raise BadInput(f"{source} does not exist; name a stored web (directory, WARC or JSONL file), or {GENERATED}")
    with no_garbage():
        web = open_web(Path(source))
        held = _replies(web.pages())
        if not held:
            raise BadInput(f"{source} holds no pages, so there is nothing to crawl")
        linked = {link.url for reply in held.values() if reply.page for link in reply.page.links}
        return Collection(Path(source).name, held | run_async(_answers(web, linked - held.keys())))


def _replies(pages: Iterable[Page]) -> dict[str, Reply]:
    return {page.url: Reply(page, size=len(page.text)) for page in pages}


def named_world(source: str) -> World | None:
    """The generated web meant by `synthetic`, `synthetic:SEED` or `synthetic:SEED:PAGES`; None for any other."""
    name, *numbers = source.split(":")
    if name != GENERATED:
        return None
    if len(numbers) > 2 or not all(number.isdecimal() for number in numbers):
        raise BadInput(
            f"{source}: the seed of a generated web is a whole number, as in {GENERATED}:2, and so is the number of "
            f"its pages, as in {GENERATED}:2:10000"
        )
    return generate(**dict(zip(("seed", "pages"), map(int, numbers), strict=False)))


def of_world(name: str, world: World) -> Collection:
    """A generated web, all of its pages printed and read."""
    web = SyntheticWeb(world)
    topics = tuple(world.query(topic) for topic in world.topics)
    return Collection(name, run_async(_answers(web, set(world.urls))), web, topics)


async def _answers(web: Web, addresses: set[str]) -> dict[str, Reply]:
    """What a web has at these addresses; nothing for those it would not be asked for."""
    found = {}
    for url in sorted(addresses):
        try:
            found[url] = await web.get(url)
        except FetchError:
            continue
    return found
