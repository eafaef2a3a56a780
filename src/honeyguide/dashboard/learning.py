"""From what people said of a few pages, and what the topic said of the others, to a classifier."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from honeyguide.base import BadInput
from honeyguide.dashboard.taught import Teaching
from honeyguide.store import Store
from honeyguide.topic import Classifier, train
from honeyguide.topic.training import tf_idf
from honeyguide.web.stored import stored_page

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.base import Page
    from honeyguide.crawl import Crawl
    from honeyguide.store import StoredVisit

MOST_UNMARKED = 300  # pages of either verdict that nobody marked
TRUST = 10.0  # how much more a marked page weighs than one that is only judged


class Example(NamedTuple):
    """A page, on which side it is, and whether somebody said so."""

    page: Page
    relevant: bool
    marked: bool


def learned(crawl: Crawl) -> Classifier:
    """A classifier of the marks in a crawl's directory, saved in it; takes a while, and may run in a thread."""
    assert crawl.directory is not None
    model = asyncio.run(_learned(crawl, crawl.directory))
    model.save(_free_name(crawl.directory))
    return model


async def _learned(crawl: Crawl, directory: Path) -> Classifier:
    teaching, web = Teaching(crawl.topic), crawl.web
    with Store.open(directory, write=False) as store:
        marks = store.marks()
        async with web:
            found = [
                Example(page, side, visit.url in marks)
                for visit in _chosen(store, marks, crawl.settings.random_seed)
                if (page := await stored_page(web, store, visit)) is not None
                if (side := teaching.side(page, bool(visit.relevant), marks.get(visit.url))) is not None
            ]
    examples = _without_contradictions(found)
    wanted, others = ([e for e in examples if e.relevant == side] for side in (True, False))
    trust = [TRUST if example.marked else 1.0 for example in (*wanted, *others)]
    return replace(train([e.page for e in wanted], [e.page for e in others], trust=trust), marked=marks)


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


def _without_contradictions(examples: list[Example]) -> list[Example]:
    """Leave out pages that nobody marked and that are more like pages marked otherwise than like those of their side.

    They are likely to be wrong for the same reason as the marked ones.
    """
    vectors = tf_idf([example.page for example in examples])
    marked, relevant = (np.array([e[i] for e in examples], np.bool_) for i in (2, 1))
    gone = np.zeros(len(examples), np.bool_)
    for side in (True, False):
        own = np.maximum(
            *(_likeness(vectors, which & (relevant == side)) for which in (marked, np.ones_like(marked)))
        )
        gone |= (relevant == side) & (_likeness(vectors, marked & (relevant != side)) > own)
    return [example for example, out in zip(examples, gone & ~marked, strict=True) if not out]


def _likeness(vectors: Any, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How like the middle of the chosen pages each page is; 0 where none is chosen."""
    middle = np.asarray(vectors[np.flatnonzero(chosen)].sum(axis=0)).ravel()
    length = float(np.linalg.norm(middle))
    return np.asarray(vectors @ middle).ravel() / length if length else np.zeros(len(chosen))


def _free_name(directory: Path) -> Path:
    """The next model's file: earlier ones stay, for a crawl.toml may name them."""
    taken = [int(m[1]) for path in directory.glob("marked-*.hg") if (m := re.fullmatch(r"marked-(\d+)", path.stem))]
    return directory.absolute() / f"marked-{max(taken, default=0) + 1}.hg"
