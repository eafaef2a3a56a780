"""Going on with a crawl: the stored log is replayed through the same code that made it."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from honeyguide.base import RESOURCES, BadInput, Link, Page, Visit
from honeyguide.frontier.current_list import CurrentList
from honeyguide.graph import DONE, EXCLUDED, FAILED, QUEUED
from honeyguide.running import Breath
from honeyguide.store import Store
from honeyguide.store.errors import damage_told
from honeyguide.topic import BudgetSpent
from honeyguide.web import Kind, kind_of
from honeyguide.web.stored import stored_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.crawl.loop import Crawl
    from honeyguide.graph import Graph
    from honeyguide.settings import Settings
    from honeyguide.store import Kept, StoredVisit

    Rows = Sequence[tuple[int, str, int, str, str]]
    Judged = Mapping[int, tuple[float, bool]]  # relevance and verdict by the number of the visit

# Settings that exclude URLs, and the reason they give: where one was changed, these URLs are looked at again.
_EXCLUDED_BY = {
    "depth": "too_deep",
    "allow": "not_allowed",
    "deny": "denied",
    "same_site": "other_site",
    "per_host": "per_host",
    "allow_private": "private_address",
    "user_agent": "robots",
    "trap_after": "trap_pattern",
    "max_segments": "trap_path",
    "max_repeats": "trap_repeats",
    "max_parameters": "trap_parameters",
    "mirror_after": "mirror",
    "max_redirects": "redirect_chain",
    "max_queue": "queue_full",
}
_STATES = {"queued": QUEUED, "done": DONE, "failed": FAILED, "excluded": EXCLUDED}


async def reopen(crawl: Crawl, write: bool = True) -> Store:
    """Bring a crawl to where its directory stands."""
    assert crawl.directory is not None
    store = Store.open(crawl.directory, write)
    try:
        same_question(crawl.settings, store.settings, store.directory)
        if not write:
            store.hold_still()  # another process may be crawling
        if write:
            await _judge_the_rest(crawl, store)
        with damage_told(store.directory):
            await _replay(crawl, store)
        if write:
            _say_if_done(crawl)
            store.settings = crawl.settings
            store.archive.largest = crawl.settings.warc_size
            store.save_settings()
    except BaseException:
        store.close()
        raise
    return store


def _say_if_done(crawl: Crawl) -> None:
    fetched, wanted = crawl.fetched, crawl.settings.pages
    if fetched >= wanted:
        crawl.asking.remarks.append(f"it had {fetched:,} pages already: --pages {wanted} counts those of all runs")


def same_question(asked: Settings, stored: Settings, directory: Path, but: str = "") -> None:
    """Refuse to go on with a crawl that was asked something else."""
    asked.seed = asked.seed or stored.seed
    for name in ("topic", "seed", "web", "random_seed"):
        if name != but and getattr(asked, name) != getattr(stored, name):
            way_out = (
                "Choose another one, or ask for the same"
                if kind_of(stored.web) is Kind.HANDED
                else f"Choose another with -o, delete this one, or go on with it: honeyguide crawl {directory}"
            )
            raise BadInput(
                f"{directory} belongs to another crawl: its {name} is {_shown(getattr(stored, name))}, not "
                f"{_shown(getattr(asked, name))}. {way_out}"
            )


def _shown(value: object) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return text if len(text) < 80 else text[:77] + "…"


async def _replay(crawl: Crawl, store: Store) -> None:
    graph, rows = crawl.graph, list(store.urls())
    learning = await _Learning.begin(crawl, store, rows)
    await _enter(crawl, store, learning, store.visits(graph.visits))
    learning.catch_up()
    _discover(graph, rows[len(graph) :], None)
    for (name, reason), ids in _by_state(rows).items():
        graph.mark(np.array(ids), _STATES[name], reason)
    lifted = {
        reason
        for name, reason in _EXCLUDED_BY.items()
        if getattr(crawl.settings, name) != getattr(store.settings, name)
    }
    if lifted:
        crawl.guide.reconsider(lifted)
    for host, kind in _ruled(store).items():
        if kind == "block":
            crawl.guide.block(host)
        elif crawl.guide.has_blocked(host):  # somebody unblocked it while nobody crawled
            crawl.guide.unblock(host)
    if isinstance(crawl.frontier, CurrentList):
        crawl.frontier.restore(store.events(), graph.queued().tolist())
    await _catch_up(crawl)


async def _catch_up(crawl: Crawl) -> None:
    """After a replay: rank all that is queued, and take up a simulated clock where it stood."""
    crawl.guide.rank(crawl.graph.queued())
    crawl.guide.weigh(np.arange(len(crawl.graph.hosts)))
    last = crawl.guide.last_asked
    if not crawl.web.live and last:
        await crawl.web.wait(max(last.values()))
        for host, asked in last.items():
            if gap := crawl.web.gap(crawl.graph.hosts[host]):
                crawl.frontier.rest(host, asked + gap)


async def _enter(crawl: Crawl, store: Store, learning: _Learning, visits: Iterable[StoredVisit]) -> None:
    """Enter stored visits as if they happened, and learn from those that were not learned from."""
    graph, strategy, breath, refreshes = crawl.graph, crawl.strategy, Breath(), store.refreshes()
    for stored in visits:
        learning.catch_up()
        _discover(graph, learning.rows[len(graph) : stored.known], stored)
        learns = stored.number >= learning.visits
        reads = learns and strategy.needs_pages and stored.flag not in RESOURCES
        page = await stored_page(crawl.web, store, stored) if reads else None
        page = _as_visited(graph, page, stored.targets) if page else None
        visit = _as_visit(stored, page, refreshes.get(stored.number, -1))
        crawl.enter(visit)
        if learns:
            crawl.guide.lesson_of(visit)
        await breath.take()


async def learn_anew(crawl: Crawl, judged: Judged) -> None:
    """Bring a crawl to the last of its directory's visits that was judged otherwise, and let it learn from them.

    Nothing is written. When it begins, or is brought further, only what came later is replayed.
    """
    assert crawl.directory is not None
    with Store.open(crawl.directory, write=False) as store:
        store.hold_still()
        learning = await _Learning.begin(crawl, store, list(store.urls()), anew=True)
        await _enter(crawl, store, learning, _judged_otherwise(store.visits(crawl.graph.visits), judged))
        crawl.events_replayed = learning.events


def _judged_otherwise(visits: Iterable[StoredVisit], judged: Judged) -> Iterator[StoredVisit]:
    last = max(judged)
    for stored in itertools.takewhile(lambda visit: visit.number <= last, visits):
        if stored.number in judged:
            relevance, relevant = judged[stored.number]
            error = stored.error.replace("unjudged", "")
            yield dataclasses.replace(stored, relevance=relevance, relevant=relevant, error=error)
        else:
            yield stored


def _ruled(store: Store) -> dict[str, str]:
    """The hosts that somebody blocked or unblocked, and which of it was the last."""
    return {event.query: event.kind for event in store.events() if event.kind in ("block", "unblock")}


def blocked_hosts(store: Store) -> list[str]:
    """The hosts that somebody blocked and did not unblock."""
    return sorted(host for host, kind in _ruled(store).items() if kind == "block")


class _Learning:
    """Brings a strategy to where it stood: from the state kept last, then by what happened since."""

    def __init__(self, crawl: Crawl, store: Store, rows: Rows, kept: Kept | None) -> None:
        self._strategy = crawl.strategy
        self._graph = crawl.graph
        self.rows = rows
        self.events = crawl.events_replayed  # that were taken in
        self._events = deque(list(enumerate(store.events()))[self.events :])
        self._kept = kept
        self._loaded = False
        self.visits = kept.visits if kept else 0  # that need not be learned from again

    @classmethod
    async def begin(cls, crawl: Crawl, store: Store, rows: Rows, anew: bool = False) -> _Learning:
        """With the state kept last; the state of another strategy is of no use, it learns from the beginning.

        A crawl that was brought some way already goes on from there.
        """
        if crawl.graph.visits:
            return cls(crawl, store, rows, None)
        crawl.graph.intern(crawl.settings.seed)
        crawl.guide.resources.recall(store.resource_ids())
        kept = None if anew else store.knowledge()
        if kept and kept.strategy != crawl.settings.strategy:
            kept = None
        if kept and kept.version != crawl.strategy.version:
            crawl.asking.remarks.append(
                f"what {kept.name} had learned is in version {kept.version}, not {crawl.strategy.version}:"
                " it learned anew from the log"
            )
            kept = None
        if kept is None and (store.writable or anew):
            await crawl.prepare()
        return cls(crawl, store, rows, kept)

    def catch_up(self) -> None:
        """Take in what happened between the visit before and the next one."""
        graph, strategy = self._graph, self._strategy
        while self._events and self._events[0][1].visits <= graph.visits:
            number, event = self._events.popleft()
            self.events = number + 1
            _discover(graph, self.rows[len(graph) : event.known], None)
            if graph.visits >= self.visits and number >= (self._kept.events if self._kept else 0):
                self._load()
                if event.kind == "search":
                    strategy.found(event.query, np.array(event.found, np.intp))
                elif event.kind == "idle":
                    strategy.idle()
        if graph.visits >= self.visits:
            self._load()

    def _load(self) -> None:
        if self._kept and not self._loaded:
            self._strategy.load(self._kept.state)
            self._loaded = True


def _discover(graph: Graph, rows: Rows, stored: StoredVisit | None) -> None:
    """Enter the URLs a visit discovered, and what it says of the depth of others."""
    if rows:
        first = len(graph)
        graph.intern([row[1] for row in rows], rows[0][2])
        graph.depth[first : len(graph)] = [row[2] for row in rows]
    if stored is not None and len(stored.targets):
        depth = int(graph.depth[stored.id]) + (stored.error != "redirect")
        graph.depth[stored.targets] = np.minimum(graph.depth[stored.targets], depth)


def _by_state(rows: Iterable[tuple[int, str, int, str, str]]) -> dict[tuple[str, str], list[int]]:
    groups: dict[tuple[str, str], list[int]] = {}
    for id_, _, _, state, reason in rows:
        groups.setdefault((state, reason), []).append(id_)
    return groups


def _as_visited(graph: Graph, page: Page, targets: NDArray[np.intp]) -> Page:
    """A page read again, with the links its visit had: some may have been left out then, or added."""
    links, wanted = page.links, [graph.url(id_) for id_ in targets.tolist()]
    if len(links) == len(wanted) and all(link.url == url for link, url in zip(links, wanted, strict=True)):
        return page
    found: dict[str, deque[Link]] = {}
    for link in links:
        found.setdefault(link.url, deque()).append(link)
    return replace(page, links=tuple(found[url].popleft() if found.get(url) else Link(url) for url in wanted))


def _as_visit(stored: StoredVisit, page: Page | None, refreshes: int) -> Visit:
    return Visit(
        number=stored.number,
        id=stored.id,
        url=stored.url,
        targets=stored.targets,
        page=page,
        score=math.inf if stored.score is None else stored.score,
        relevance=stored.relevance,
        relevant=bool(stored.relevant),
        error=stored.error,
        detail=stored.detail,
        status=stored.status,
        size=stored.size,
        started=stored.started,
        seconds=stored.seconds,
        flag=stored.flag,
        copy_of=-1 if stored.copy_of is None else stored.copy_of,
        refreshes=refreshes,
        given_up=stored.given_up,
        change=stored.change,
        bad_links=stored.bad_links,
        cut_links=stored.cut_links,
        digest=stored.digest,
        fingerprint=stored.fingerprint,
    )


async def _judge_the_rest(crawl: Crawl, store: Store) -> None:
    """Judge the pages that the topic's budget did not reach last time, as far as it reaches now."""
    verdicts = []
    for stored in store.unjudged():
        page = await stored_page(crawl.web, store, stored)
        try:
            score = (await crawl.topic.judge([page]))[0] if page else 0.0
        except BudgetSpent:
            break
        verdicts.append((score, crawl.topic.relevant(score) and not stored.flag, stored.number))
    if verdicts:
        store.rejudge(verdicts)
        store.commit()
