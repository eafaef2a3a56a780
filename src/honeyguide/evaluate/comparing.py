"""Comparing strategies: choose topics, draw seeds, let every strategy crawl, and put the results together."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.evaluate.choosing import choose
from honeyguide.evaluate.collection import Collection
from honeyguide.evaluate.comparison import ComparedTopic, Comparison, Result
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.logbook import Logbook
from honeyguide.evaluate.measures import curve_points
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.notes import (
    about_early_ends,
    about_log,
    about_refusals,
    about_searches,
    about_starts,
    about_tests,
)
from honeyguide.evaluate.oracle import ORACLE
from honeyguide.evaluate.pool import run_jobs
from honeyguide.evaluate.relevance import Relevance, judge
from honeyguide.evaluate.starting import draw_starts
from honeyguide.evaluate.trials import Bench, Job, Refusal
from honeyguide.strategy import create
from honeyguide.strategy import strategies as known_strategies
from honeyguide.text import stable_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from honeyguide.base import Page
    from honeyguide.topic import Topic

    Progress = Callable[[int, int], None]  # how many crawls are made, and of how many

TOPICS = 10


def compare(
    web: Collection | Iterable[Page],
    strategies: Sequence[str] = (),
    topics: Sequence[str | Topic] = (),
    design: Design | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    log: str | Path | None = None,
) -> Comparison:
    """Let strategies, all of them where none is named, crawl a web for the same topics from the same seeds.

    Crawls are kept in the directory `log` as they end, and those it holds already are not made again.
    """
    design = design or Design()
    held = web if isinstance(web, Collection) else Collection.of(web)
    names = checked(strategies or list(known_strategies()))
    yardstick, budget = design.measured_against(names), design.budget(len(held.pages))
    design.cuts(len(held.pages), 0)  # refused now rather than after the topics are judged
    judged = judged_topics(held, topics, design)
    network = Network(held)
    starts = [start for topic in judged for start in draw_starts(network, topic, design)]
    bench = Bench(held, {str(j.topic): j.topic for j in judged}, starts, budget, design, network)
    book = Logbook(Path(log), _about(held, judged, design)) if log else None
    with contextlib.closing(book) if book else contextlib.nullcontext():
        results, refusals = _run(bench, names, jobs, progress or (lambda done, total: None), book)
    return Comparison(
        web=held.name,
        pages=len(held.pages),
        design=design,
        budget=budget,
        strategies=tuple(names),
        yardstick=yardstick,
        topics=tuple(ComparedTopic(str(j.topic), len(j.ids), j.share) for j in judged),
        starts=tuple(starts),
        points=tuple(curve_points(budget).tolist()),
        results=tuple(results),
        notes=(
            *_fewer(judged, topics, held, design),
            *about_starts(starts, list(bench.topics), design),
            *about_searches(results),
            *about_early_ends(results, budget),
            *about_refusals(refusals),
            *about_log(book),
            *about_tests(names),
        ),
    )


def _about(web: Collection, judged: list[Relevance], design: Design) -> dict[str, Any]:
    """What the crawls of a log have in common; the yardstick changes none of them."""
    settings = {name: value for name, value in asdict(design).items() if name != "yardstick"}
    pages = {"name": web.name, "pages": len(web.pages), "stamp": web.stamp()}
    return {"web": pages, "design": settings, "topics": {str(found.topic): found.stamp() for found in judged}}


def checked(names: Sequence[str]) -> list[str]:
    """Strategies as written, each once, all of them known."""
    for name in names:
        if name != ORACLE:
            create(name)
    return list(dict.fromkeys(names))


def judged_topics(web: Collection, given: Sequence[str | Topic], design: Design) -> list[Relevance]:
    """The topics given, else those the web was made with, else those the rule chooses."""
    ask = partial(judge, pages=web.pages)
    if given:
        return [_matching(found) for found in ask(given)]
    if web.topics and not design.labels:
        ordered = sorted(filter(design.takes, web.topics), key=stable_hash)[: design.topics]
        return ask([topic for topic in web.topics if topic in ordered])
    found = choose(web.pages, design.labels, design.topics or TOPICS, ask)
    found = [each for each in found if design.takes(str(each.topic))]
    if not found:
        raise BadInput(_why_none(web, design.labels))
    return found


def _matching(found: Relevance) -> Relevance:
    if not len(found.ids):
        raise BadInput(f"none of the {len(found.pages):,} pages of this web matches {found.topic}; try another topic")
    return found


def _why_none(web: Collection, labels: bool) -> str:
    if labels and not any(page.label for page in web.pages):
        return f"the pages of {web.name} have no labels; leave --labels out, or name topics with --topic"
    what = "label holds 0.2 to 50 %" if labels else "phrase in three titles or more matches 0.2 to 10 %"
    return f"no {what} of the {len(web.pages):,} pages of {web.name}; name topics with --topic"


def _fewer(found: list[Relevance], given: Sequence[object], web: Collection, design: Design) -> list[str]:
    wanted = len(found) if given or web.topics else design.topics or TOPICS
    return [f"Only {len(found)} of {wanted} topics were found in this web."] if len(found) < wanted else []


def _run(
    bench: Bench, names: list[str], processes: int, progress: Progress, book: Logbook | None
) -> tuple[list[Result], list[Refusal]]:
    repeats = range(bench.design.random_seeds)
    jobs = [Job(start, repeat, name) for start in range(len(bench.starts)) for repeat in repeats for name in names]
    made = dict(book.made) if book else {}
    open_ = [job for job in jobs if bench.name(job) not in made]
    refusals: list[Refusal] = []
    progress(len(jobs) - len(open_), len(jobs))
    try:
        for done, outcome in enumerate(run_jobs(bench, open_, processes), len(jobs) - len(open_) + 1):
            if isinstance(outcome, Refusal):
                refusals.append(outcome)
            else:
                made[outcome.job] = outcome
                if book:
                    book.add(outcome)
            progress(done, len(jobs))
    except KeyboardInterrupt:
        if book:
            book.catch_up()
            progress(sum(bench.name(job) in book.made for job in jobs), len(jobs))
        raise
    return [made[name] for job in jobs if (name := bench.name(job)) in made], refusals
