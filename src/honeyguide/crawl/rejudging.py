"""Judging stored pages anew by another topic, without asking the web for them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from honeyguide.crawl.judge import Judge
from honeyguide.running import Breath
from honeyguide.store import Store
from honeyguide.topic import BudgetSpent
from honeyguide.web.stored import stored_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from honeyguide.base import Page
    from honeyguide.store import StoredVisit
    from honeyguide.topic import Topic
    from honeyguide.web import Web

    Verdict = tuple[float, bool, int]  # relevance, relevant, number of the visit
    Progress = Callable[[int], None]


async def rejudge(directory: Path, web: Web, topic: Topic, progress: Progress = lambda _: None) -> int:
    """Judge every stored page by a new topic, which the directory is then known by; how many were judged."""
    with Store.open(directory) as store:
        verdicts = await judged_anew(store, web, topic, progress)
        adopt(store, topic, verdicts)
    return len(verdicts)


async def judged_anew(
    store: Store, web: Web, topic: Topic, progress: Progress = lambda _: None, start: int = 0
) -> list[Verdict]:
    """What a topic says of the stored pages, from a visit on."""
    judge, breath = Judge(topic, web), Breath()
    parents: dict[int, list[Page]] = {}
    asked = {stored.id for stored in store.visits(start)} if topic.needs_parents else set[int]()
    verdicts = []
    async with web:
        for stored in store.visits(0 if topic.needs_parents else start):
            if stored.number < start and asked.isdisjoint(stored.targets.tolist()):
                continue
            page = await stored_page(web, store, stored)
            if page is not None and stored.number >= start:
                page = replace(page, parents=tuple(parents.get(stored.id, ())))
                if (score := await _score(judge, page, stored)) is not None:
                    verdicts.append((score, topic.relevant(score) and not stored.flag, stored.number))
            progress(stored.number + 1)
            await breath.take()
            if topic.needs_parents and page is not None:
                for target in asked.intersection(stored.targets.tolist()):
                    parents.setdefault(target, []).append(replace(page, links=(), parents=()))
    return verdicts


async def _score(judge: Judge, page: Page, stored: StoredVisit) -> float | None:
    """What a topic says of a page; None where its budget did not reach it before, and does not now."""
    try:
        return await judge.score(page)
    except BudgetSpent:
        if stored.error != "unjudged":
            raise
        return None


def adopt(store: Store, topic: Topic, verdicts: Sequence[Verdict]) -> None:
    """Let a directory be known by another topic, and by what it says of the pages."""
    store.change_topic(str(topic))
    store.rejudge(verdicts)
    store.commit()
    store.save_settings()
