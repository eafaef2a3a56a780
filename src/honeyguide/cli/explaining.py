"""Why a URL was fetched, or waits, or was left out: the evidence behind its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide import urls
from honeyguide.base import WITH_PAGE, BadInput, visit_number
from honeyguide.cli.running import crawl_of
from honeyguide.cli.terminal import plain
from honeyguide.graph import QUEUED, STATES
from honeyguide.running import run_async
from honeyguide.store import Store, read_settings
from honeyguide.strategy.base import HELD_BACK
from honeyguide.web import Kind, kind_of
from honeyguide.web.stored import archived_page, stored_page

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.base import Page
    from honeyguide.crawl import Crawl
    from honeyguide.store import StoredVisit

PARENTS_SHOWN = 5


def explain_url(directory: Path, text: str) -> list[str]:
    """Lines that say what is known of a URL and what speaks for it."""
    settings = read_settings(directory)
    crawl = crawl_of(settings, directory)
    run_async(crawl.look_back())
    url = urls.normalize(text)
    id_ = crawl.graph.table.find(url) if isinstance(url, str) else None
    if id_ is None:
        raise BadInput(f"{text} was never seen by this crawl ({len(crawl.graph):,} URLs were)")
    said = (line for part in (_state, _waits, _topic, _evidence) for line in part(crawl, id_))
    return [plain(line) for line in (crawl.graph.url(id_), *said)]


def _state(crawl: Crawl, id_: int) -> list[str]:
    graph = crawl.graph
    state, depth = STATES[graph.state[id_]], int(graph.depth[id_])
    away = "a seed" if depth == 0 else f"{depth} links from a seed"
    if graph.visit_of[id_]:
        visit = _visit(crawl, id_)
        chosen = "" if visit.score is None else f"; chosen at a score of {visit.score:.6g}"
        number = f"visit {visit_number(visit.number):,} of {graph.visits:,}"
        return [f"  {state}{_outcome(crawl, id_, visit)}: {number}; {away}{chosen}"]
    if graph.why(id_):
        return [f"  {state} ({graph.why(id_)}); {away}"]
    return [f"  {state}, {_place(crawl, id_)}; {away}"]


def _waits(crawl: Crawl, id_: int) -> list[str]:
    """Why a queued URL cannot be asked for, where its host is the reason."""
    if crawl.graph.state[id_] != QUEUED:
        return []
    with Store.open(crawl.directory, write=False) as store:  # type: ignore[arg-type]
        why = store.why_waiting(crawl.graph.url(id_))
    return [f"  waits for its host ({why})"] if why else []


def _visit(crawl: Crawl, id_: int) -> StoredVisit:
    with Store.open(crawl.directory, write=False) as store:  # type: ignore[arg-type]
        return next(store.visits(int(crawl.graph.visit_of[id_]) - 1))


def _outcome(crawl: Crawl, id_: int, visit: StoredVisit) -> str:
    graph = crawl.graph
    if graph.why(id_):
        return f" ({graph.why(id_)}{f': {visit.detail}' if visit.detail else ''})"
    if crawl.guide.redirected(id_):
        return f", redirected to {graph.url(int(graph.links_from(id_)[0]))}"
    verdict = "relevant" if graph.relevant[id_] else "not relevant"
    return f", {verdict} ({graph.relevance[id_]:.3f}){_flagged(crawl, visit)}"


def _topic(crawl: Crawl, id_: int) -> list[str]:
    """What the topic says of a page that was fetched, where it needs nothing but the page for that."""
    visit = int(crawl.graph.visit_of[id_])
    page = run_async(_page(crawl, visit - 1)) if visit and not crawl.topic.needs_parents else None
    return [f"  by the topic: {crawl.topic.explain(page)}"] if page else []


async def _page(crawl: Crawl, number: int) -> Page | None:
    """The page of a visit, which is not asked for again."""
    assert crawl.directory is not None
    with Store.open(crawl.directory, write=False) as store:
        visit = store.visit(number)
        if visit is None or visit.error not in WITH_PAGE:
            return None
        if kind_of(crawl.settings.web) is not Kind.STORED:
            return archived_page(store, visit)
        async with crawl.web:
            return await stored_page(crawl.web, store, visit)


def _flagged(crawl: Crawl, visit: StoredVisit) -> str:
    original = "" if visit.copy_of is None else f" of {crawl.graph.url(visit.copy_of)}"
    flag = f", not counted: {visit.flag.replace('_', ' ')}{original}" if visit.flag else ""
    return flag + (f", {visit.change} since the crawl before" if visit.change else "")


def _place(crawl: Crawl, id_: int) -> str:
    queued = np.flatnonzero(crawl.graph.state[: len(crawl.graph)] == QUEUED)
    ranks = crawl.strategy.rank(queued)
    rank = crawl.strategy.rank(np.array([id_]))[0]
    if rank == HELD_BACK:
        return "not ranked yet, it is with the next pages" if crawl.strategy.unranked(id_) else "held back"
    ahead = int(np.count_nonzero(ranks > rank))
    return f"{ahead:,} of {len(queued):,} queued URLs score higher"


def _verdict(crawl: Crawl, id_: int) -> str:
    """The score; of what was fetched there is only the one it had then, for strategies forget it."""
    if crawl.graph.visit_of[id_] or crawl.strategy.unranked(id_):
        return "says of it, as things stand now"
    rank = crawl.strategy.rank(np.array([id_]))[0]
    return "holds it back" if rank == HELD_BACK else f"scores {rank:.6g}"


def _evidence(crawl: Crawl, id_: int) -> list[str]:
    graph, strategy = crawl.graph, crawl.strategy
    lines = [f"  {strategy.name} {_verdict(crawl, id_)}:"]
    if graph.depth[id_] == 0:
        lines.append("    - a seed: fetched before anything that was found")
    lines += [f"    - {line}" for line in strategy.explain(id_)]
    parents = graph.links_to(id_)
    for parent in parents[:PARENTS_SHOWN]:
        mark = "relevant" if graph.relevant[parent] else "not relevant"
        lines.append(f"  linked from {graph.url(parent)} ({mark}, {graph.relevance[parent]:.3f})")
    if len(parents) > PARENTS_SHOWN:
        lines.append(f"  … and {len(parents) - PARENTS_SHOWN} more")
    return lines
