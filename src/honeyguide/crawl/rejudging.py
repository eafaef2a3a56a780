"""Judging stored pages anew by another topic, without asking the web for them again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from honeyguide.crawl.judge import Judge
from honeyguide.running import Breath
from honeyguide.store import Store
from honeyguide.web.stored import stored_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from honeyguide.base import Page
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
    """What a topic says of the stored pages; one that asks for the pages before a page must start at the first."""
    judge, breath = Judge(topic, web), Breath()
    parents: dict[int, list[Page]] = {}
    verdicts = []
    async with web:
        for stored in store.visits(start):
            page = await stored_page(web, store, stored)
            if page is not None:
                page = replace(page, parents=tuple(parents.get(stored.id, ())))
                score = await judge.score(page)
                verdicts.append((score, topic.relevant(score) and not stored.flag, stored.number))
            progress(stored.number + 1)
            await breath.take()
            if topic.needs_parents and page is not None:
                for target in set(stored.targets.tolist()):
                    parents.setdefault(target, []).append(replace(page, links=(), parents=()))
    return verdicts


def adopt(store: Store, topic: Topic, verdicts: Sequence[Verdict]) -> None:
    """Let a directory be known by another topic, and by what it says of the pages."""
    store.change_topic(str(topic))
    store.rejudge(verdicts)
    store.commit()
    store.save_settings()
