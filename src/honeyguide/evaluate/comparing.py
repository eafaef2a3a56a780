"""Comparing strategies: choose topics, draw seeds, let every strategy crawl, and put the results together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.evaluate.choosing import choose, stable_hash
from honeyguide.evaluate.collection import Collection
from honeyguide.evaluate.comparison import ComparedTopic, Comparison, Result
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.measures import curve_points
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.notes import about_refusals, about_searches, about_starts
from honeyguide.evaluate.relevance import Relevance, judge
from honeyguide.evaluate.starting import Start, draw_starts
from honeyguide.evaluate.trials import Bench, Refusal, run_jobs
from honeyguide.strategy import create
from honeyguide.strategy import strategies as known_strategies

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
) -> Comparison:
    """Let strategies, all of them where none is named, crawl a web for the same topics from the same seeds."""
    design = design or Design()
    held = web if isinstance(web, Collection) else Collection.of(web)
    names = checked(strategies or list(known_strategies()))
    yardstick, budget = design.measured_against(names), design.budget(len(held.pages))
    judged = judged_topics(held, topics, design)
    starts = _starts(held, judged, design)
    bench = Bench(held, {str(j.topic): j.topic for j in judged}, starts, budget, design.random_seed)
    results, refusals = _run(bench, names, jobs, progress or (lambda done, total: None))
    notes = [*_fewer(judged, topics, held, design), *about_starts(starts, list(bench.topics), design)]
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
        notes=(*notes, *about_searches(results), *about_refusals(refusals)),
    )


def checked(names: Sequence[str]) -> list[str]:
    """Strategies as written, each once, all of them known."""
    for name in names:
        create(name)
    return list(dict.fromkeys(names))


def judged_topics(web: Collection, given: Sequence[str | Topic], design: Design) -> list[Relevance]:
    """The topics given, else those the web was made with, else those the rule chooses."""
    ask = partial(judge, pages=web.pages)
    if given:
        return [_matching(found) for found in ask(given)]
    if web.topics and not design.labels:
        ordered = sorted(web.topics, key=stable_hash)[: design.topics]
        return ask([topic for topic in web.topics if topic in ordered])
    found = choose(web.pages, design.labels, design.topics or TOPICS, ask)
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


def _starts(web: Collection, topics: list[Relevance], design: Design) -> list[Start]:
    network = Network(web)
    return [start for topic in topics for start in draw_starts(network, topic, design)]


def _run(bench: Bench, names: list[str], processes: int, progress: Progress) -> tuple[list[Result], list[Refusal]]:
    jobs = [(start, name) for start in range(len(bench.starts)) for name in names]
    results: list[Result] = []
    refusals: list[Refusal] = []
    progress(0, len(jobs))
    for done, outcome in enumerate(run_jobs(bench, jobs, processes), 1):
        if isinstance(outcome, Result):
            results.append(outcome)
        else:
            refusals.append(outcome)
        progress(done, len(jobs))
    return results, refusals
