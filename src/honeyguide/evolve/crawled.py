"""Trying the settings of any strategy, in crawls like those of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.evaluate.comparing import judged_topics
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.network import Network
from honeyguide.evaluate.pool import run_jobs
from honeyguide.evaluate.starting import draw_starts
from honeyguide.evaluate.trials import Bench, Job, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from honeyguide.evaluate.collection import Collection
    from honeyguide.evaluate.comparison import Result
    from honeyguide.evaluate.starting import Start
    from honeyguide.evolve.question import Question

WORTH: dict[str, Callable[[Result, int], float]] = {
    "harvest": lambda result, budget: result.relevant / budget,
    "recall": lambda result, budget: result.relevant / max(1, min(result.reachable, budget)),
    "nauc": lambda result, budget: result.nauc,
}


class CrawledTrials:
    """Strategies as one writes them, each crawling from the same places."""

    def __init__(self, web: Collection, topics: Sequence[str], plan: Question, purpose: str) -> None:
        if plan.fitness not in WORTH:
            raise BadInput(f"settings are evolved by {', '.join(WORTH)}, not by {plan.fitness}")
        self._worth = WORTH[plan.fitness]
        training = purpose == "training"
        seed = plan.random_seed if training else ~plan.random_seed & 0x7FFFFFFF  # validation starts elsewhere
        design = Design(
            seed_sets=plan.runs,
            seeds=plan.seeds,
            start=plan.start,
            pages=plan.pages,
            random_seed=seed,
        )
        judged = judged_topics(web, topics, design)
        network = Network(web)
        self.cases: Sequence[Start] = [start for topic in judged for start in draw_starts(network, topic, design)]
        if not self.cases:
            raise BadInput(
                "there is no place to start from: no page off the topics leads to one on them; use near seeds"
            )
        budget = design.budget(len(web.pages))
        self._bench = Bench(web, {str(each.topic): each.topic for each in judged}, self.cases, budget, design)

    def try_all(self, individuals: Sequence[str], processes: int) -> Iterator[list[float]]:
        """Strategies as written; one that cannot be used with a topic is worth nothing there."""
        starts, names = range(len(self.cases)), list(dict.fromkeys(individuals))
        worth = dict.fromkeys(((name, start) for name in names for start in starts), 0.0)
        number = {self._bench.name(job): job for job in (Job(start, 0, name) for name in names for start in starts)}
        for made in run_jobs(self._bench, list(number.values()), processes):
            if isinstance(made, Refusal):
                continue
            job = number[made.job]
            worth[job.strategy, job.start] = self._worth(made, self._bench.budget)
        for name in individuals:
            yield [worth[name, start] for start in starts]

    def close(self) -> None:
        """Nothing is held between generations."""


class OnSeveralWebs:
    """Trials on webs, one after the other; each of their cases counts alike."""

    def __init__(self, trials: Sequence[CrawledTrials]) -> None:
        self._trials = trials
        self.cases = [case for each in trials for case in each.cases]

    def try_all(self, individuals: Sequence[str], processes: int) -> Iterator[list[float]]:
        """What each is worth, in all cases."""
        tried = [list(each.try_all(individuals, processes)) for each in self._trials]
        for on_webs in zip(*tried, strict=True):
            yield [worth for cases in on_webs for worth in cases]

    def close(self) -> None:
        """Let go of all."""
        for each in self._trials:
            each.close()
