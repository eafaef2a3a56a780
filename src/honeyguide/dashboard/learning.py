"""From what people said of a few pages, and what the topic said of the others, to a classifier."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.crawl.resume import stored_page
from honeyguide.store import Store
from honeyguide.topic import Classifier, train

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from honeyguide.base import Page
    from honeyguide.store import StoredVisit
    from honeyguide.web import Web

MOST_UNMARKED = 300  # pages of either verdict that nobody marked
TRUST = 10.0  # how much more a marked page weighs than one that is only judged


def learned(directory: Path, web: Callable[[], Web], random_seed: int) -> Classifier:
    """A classifier of the marks in a directory, saved in it; takes a while, and may run in a thread."""
    model = asyncio.run(_learned(directory, web(), random_seed))
    model.save(_free_name(directory))
    return model


async def _learned(directory: Path, web: Web, random_seed: int) -> Classifier:
    with Store.open(directory, write=False) as store:
        marks = store.marks()
        chosen = _chosen(store, marks, random_seed)
        pages: dict[bool, list[Page]] = {True: [], False: []}
        trust: dict[bool, list[float]] = {True: [], False: []}
        async with web:
            for visit in chosen:
                page = await stored_page(web, store, visit)
                side = marks.get(visit.url, bool(visit.relevant))
                if page is not None:
                    pages[side].append(page)
                    trust[side].append(TRUST if visit.url in marks else 1.0)
    model = train(pages[True], pages[False], trust=trust[True] + trust[False])
    return replace(model, marked=marks)


def _chosen(store: Store, marks: dict[str, bool], random_seed: int) -> list[StoredVisit]:
    """All marked pages, and of the others some of either verdict, the same for the same seed."""
    marked: list[StoredVisit] = []
    others: dict[bool, list[StoredVisit]] = {True: [], False: []}
    for visit in store.visits():
        if visit.error or visit.flag:
            continue
        if visit.url in marks:
            marked.append(visit)
        else:
            others[bool(visit.relevant)].append(visit)
    if not marked:
        raise BadInput("none of the marked pages is stored in this crawl: mark some of those it shows")
    draw = random.Random(random_seed)
    return marked + [v for side in others.values() for v in draw.sample(side, min(len(side), MOST_UNMARKED))]


def _free_name(directory: Path) -> Path:
    """The next model's file: earlier ones stay, for a crawl.toml may name them."""
    taken = [int(m[1]) for path in directory.glob("marked-*.hg") if (m := re.fullmatch(r"marked-(\d+)", path.stem))]
    return directory.absolute() / f"marked-{max(taken, default=0) + 1}.hg"
