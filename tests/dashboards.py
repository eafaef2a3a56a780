"""Crawls with a dashboard, for tests: on small webs, with a client that asks as the page would."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

import honeyguide as hg
from honeyguide.dashboard import Server, Session
from honeyguide.documents import load_documents
from honeyguide.store import read_settings
from honeyguide.topic import as_topic
from honeyguide.web import LiveWeb
from small_webs import page, web_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from honeyguide.settings import Settings


@dataclass
class Asker:
    """Asks a dashboard's server, with its token and as its own page unless told otherwise."""

    server: Server
    session: Session
    client: aiohttp.ClientSession
    visits: list[hg.Visit] = field(default_factory=list)

    @property
    def origin(self) -> str:
        """The beginning of its addresses."""
        return f"http://127.0.0.1:{self.server.note.port}"

    @property
    def own(self) -> dict[str, str]:
        """The headers that the page sends."""
        return {"Authorization": f"Bearer {self.server.note.token}", "Origin": self.origin}

    async def get(self, path: str, **headers: str) -> tuple[int, str, Any]:
        """Status, text and headers of an answer."""
        async with self.client.get(self.origin + path, headers={**self.own, **headers}) as answer:
            return answer.status, await answer.text(), answer.headers

    async def act(self, action: str, **given: object) -> tuple[int, dict[str, Any]]:
        """Do something as the page would."""
        async with self.client.post(f"{self.origin}/api/{action}", json=given, headers=self.own) as answer:
            return answer.status, await answer.json()

    async def seen(self, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """What the stream has told when something holds."""
        told: dict[str, Any] = {}
        async with asyncio.timeout(60), self.client.get(self.origin + "/api/events", headers=self.own) as answer:
            assert answer.status == 200
            async for line in answer.content:
                if line.startswith(b"data: "):
                    told |= json.loads(line[6:])
                    if until(told):
                        break
        return told

    async def phase(self, *phases: str) -> dict[str, Any]:
        """What the stream has told when the crawl is in one of these phases."""
        return await self.seen(lambda told: told["state"]["phase"] in phases)


@contextlib.asynccontextmanager
async def watched(
    crawl: hg.Crawl, web: Callable[[Settings], hg.Web], pause_after: int = -1, **given: Any
) -> AsyncIterator[Asker]:
    """A crawl that runs, with its dashboard; it is paused after so many visits, and stopped at the end."""
    session = Session(crawl, remaker(crawl.directory, web), **given)

    async def run(visits: list[hg.Visit]) -> None:
        async for visit in session:
            visits.append(visit)
            if len(visits) == pause_after:
                session.crawl.pause()

    async with Server(session) as server, aiohttp.ClientSession(read_bufsize=2**22) as client:
        asker = Asker(server, session, client)
        running = asyncio.create_task(run(asker.visits))
        try:
            yield asker
        finally:
            session.stop("terminated")
            await running


@contextlib.asynccontextmanager
async def opened(directory: Path, web: Callable[[Settings], hg.Web], **given: Any) -> AsyncIterator[Asker]:
    """The dashboard of a directory that nobody crawls."""
    remake = remaker(directory, web)
    session = Session(remake(read_settings(directory)), remake, steered=False, **given)
    await session.open()
    async with Server(session) as server, aiohttp.ClientSession(read_bufsize=2**22) as client:
        try:
            yield Asker(server, session, client)
        finally:
            await session.close()


def remaker(directory: Path | None, web: Callable[[Settings], hg.Web]) -> Callable[[Settings], hg.Crawl]:
    """How a session gets a fresh crawl of the same directory."""
    return lambda settings: hg.Crawl.from_settings(
        settings, as_topic(settings.topic, load_documents), web(settings), directory
    )


def live_crawl(settings: Settings, directory: Path | None = None) -> hg.Crawl:
    """A crawl of a server on this machine."""
    return hg.Crawl.from_settings(settings, as_topic(settings.topic), LiveWeb(settings), directory)


def slow_to_close(web: hg.Web, seconds: float = 1.5) -> hg.Web:
    """The same web, which takes a while to end its connections, as live ones may."""

    class Slow(type(web)):  # type: ignore[misc]
        async def __aexit__(self, *_: object) -> None:
            await asyncio.sleep(seconds)

    web.__class__ = Slow
    return web


def bees_and_contests() -> hg.Web:
    """Pages about bees, and about spelling bees; a keyword takes both for bees."""
    honey = "bees honey hive nectar beekeeper swarm pollen"
    spelling = "bees spelling contest words letters champion school"
    pages = [
        page(
            f"http://h{i % 4}.test/{i}",
            *(f"http://h{j % 4}.test/{j}" for j in range(i + 1, min(i + 5, 80))),
            text=text,
        )
        for i in range(80)
        for text in [f"{honey if i % 2 else spelling} number{i} {'more ' * (i % 7)}"]
    ]
    return web_of(*pages)


def is_about_bees(url: str) -> bool:
    """Which of them a page is, by its number."""
    return int(url.rpartition("/")[2]) % 2 == 1


def families(text: str) -> dict[str, Any]:
    """Metrics by name, as Prometheus's own parser reads them."""
    return {family.name: family for family in text_string_to_metric_families(text)}


def values(family: Any) -> dict[tuple[str, ...], float]:
    """The figures of a metric by its labels."""
    return {tuple(sample.labels.values()): sample.value for sample in family.samples}
