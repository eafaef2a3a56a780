"""The command `evolve`: topics and winners as asked for, progress, and files that other commands read."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from honeyguide.base import BadInput
from honeyguide.cli.terminal import plain
from honeyguide.documents import load_documents
from honeyguide.evaluate.collection import read_collection
from honeyguide.evaluate.comparing import judged_topics
from honeyguide.evaluate.design import Design, is_for_tuning
from honeyguide.evolve.crawled import CrawledTrials, OnSeveralWebs
from honeyguide.evolve.evolution import Evolution
from honeyguide.evolve.fitness import Measure
from honeyguide.evolve.genome import Genome, KnobGenome, WeightGenome
from honeyguide.evolve.ground import Ground, label_topics
from honeyguide.evolve.keeping import Keeper
from honeyguide.evolve.question import WEIGHTED, Question
from honeyguide.evolve.searching import Search
from honeyguide.evolve.trials import SimulatedTrials, Trials
from honeyguide.strategy import create, strategies
from honeyguide.strategy.rank_weights import BEST_FIRST, LAST_SCORES, read_stages, score_names, write_stages
from honeyguide.text import stable_hash
from honeyguide.topic import as_topic

if TYPE_CHECKING:
    from pathlib import Path

    from honeyguide.evaluate.collection import Collection


SAY_EVERY = 10_000  # pages


def run_evolution(question: Question, output: Path, jobs: int) -> None:
    """Evolve, keep everything in the directory, and tell what came of it."""
    keeper = Keeper(output, asdict(question))
    genome, winners = _genome(question)
    training, validation, yardstick, said = _trials(question, keeper)
    typer.echo(plain(said), err=True)
    evolution = Evolution(
        genome,
        question.population,
        question.crossover,
        question.mutation,
        question.random_seed,
        winners,
        question.spread,
        question.distinct,
    )
    search = Search(evolution, training, validation, keeper, question.generations, jobs)
    try:
        search.run(_say)
        outcome, lines = search.conclude(*yardstick)
    except KeyboardInterrupt:
        if keeper.history:
            kept = keeper.history[-1]["generation"]
            typer.echo(f"honeyguide: generation {kept} is kept; the same command goes on", err=True)
        raise
    _write_best(question, outcome.best, outcome.fitness, output)
    typer.echo(plain("\n".join(["On topics or seeds it was not evolved on:", *(f"  {line}" for line in lines)])))
    typer.echo(plain(_use(question, outcome.best[0], output)))


class _Judging:
    """Says how many pages were judged, where they are many."""

    def __init__(self) -> None:
        self._pages = 0

    def count(self) -> None:
        self._pages += 1
        if self._pages % SAY_EVERY == 0:
            typer.echo(f"{self._pages:,} pages judged", err=True)


def _say(generation: int, best: float, mean: float) -> None:
    typer.echo(f"generation {generation}: best {best:.4f}, mean {mean:.4f}", err=True)


def _genome(question: Question) -> tuple[Genome, list[Any]]:
    if question.strategy != WEIGHTED:
        genome: Genome = KnobGenome(_known(question.strategy))
        return genome, [genome.encode(text) for text in [question.strategy, *question.start_from]]
    more = [name.strip() for name in question.more.split(",") if name.strip()]
    for name in more:
        if name not in LAST_SCORES:
            raise BadInput(f"--more {name}: further scores are {' and '.join(LAST_SCORES)}")
    names = [*score_names(question.parents), *more]
    genome = WeightGenome(names, question.stages)
    winners = [[stage for _, stage in read_stages(file)] for file in question.start_from]
    singles = [[{name: 1.0}] for name in names] if question.singles else []
    if len(singles) > question.population:
        raise BadInput(f"--singles: there are {len(names)} scores; the population must be as large or larger")
    return genome, [*map(genome.encode, [*winners, *singles])]


def _known(name: str) -> Any:
    if name not in strategies():
        raise BadInput(f"there is no strategy {name!r}; there are {', '.join(sorted(strategies()))}")
    return type(create(name))


def _trials(question: Question, keeper: Keeper) -> tuple[Trials, Trials, tuple[Any, str], str]:
    if question.strategy != WEIGHTED:
        return _crawled(question, keeper)
    ground = Ground.open(question.webs[0], _Judging().count)
    training, validation = _split(question, [str(topic) for topic in label_topics(ground.atlas)])
    judged = {text: ground.judged(as_topic(text, load_documents), "anchor" in question.more)
              for text in dict.fromkeys([*training, *validation])}  # fmt: skip
    keeper.on([ground.stamp(), Measure(question.fitness).stamp(), *(each.stamp() for each in judged.values())])
    made = [
        SimulatedTrials(ground, [judged[text] for text in texts], question, purpose)
        for texts, purpose in ((training, "training"), (validation, "validation"))
    ]
    said = _said(training, validation, _seeds_in_common(*made))
    return made[0], made[1], ([{"parent_1": 1.0}], BEST_FIRST), said


def _seeds_in_common(training: SimulatedTrials, validation: SimulatedTrials) -> float:
    """The share of seeds to validate from that were evolved on; a topic with few pages has no others."""
    evolved_on = {seed for case in training.cases for seed in case.seeds.tolist()}
    tried = [seed in evolved_on for case in validation.cases for seed in case.seeds.tolist()]
    return sum(tried) / len(tried)


def _crawled(question: Question, keeper: Keeper) -> tuple[Trials, Trials, tuple[Any, str], str]:
    training, validation, said = [], [], []
    webs = [*map(read_collection, question.webs)]
    keeper.on([web.stamp() for web in webs])
    for web in webs:
        topics = _split(question, [] if question.topic else _known_topics(web, question.topics))
        training.append(CrawledTrials(web, topics[0], question, "training"))
        validation.append(CrawledTrials(web, topics[1], question, "validation"))
        said.append(f"{web.name}: {_said(*topics)}")
    reference = question.strategy, f"{question.strategy} as it is"
    return OnSeveralWebs(training), OnSeveralWebs(validation), reference, "\n".join(said)


def _known_topics(web: Collection, wanted: int) -> list[str]:
    """Those a web was made with, or phrases chosen as for a comparison: enough for both purposes."""
    return list(web.topics) or [str(found.topic) for found in judged_topics(web, [], Design(topics=4 * wanted))]


def _split(question: Question, known: list[str]) -> tuple[list[str], list[str]]:
    """Topics to evolve on, and topics to validate on."""
    if question.topic:
        training, validation = question.topic, question.validate or question.topic
    else:
        known = sorted(known, key=stable_hash)
        training = [topic for topic in known if is_for_tuning(topic)][: question.topics]
        others = [topic for topic in known if not is_for_tuning(topic)][: question.topics]
        validation = question.validate or others
    if not training or not validation:
        raise BadInput(
            f"{', '.join(question.webs)}: too few topics to choose from; name some with --topic and --validate"
        )
    return training, validation


def _said(training: list[str], validation: list[str], in_common: float = 0.0) -> str:
    others = [topic for topic in validation if topic not in training]
    same = len(validation) - len(others)
    told = f" ({in_common:.0%} of them were evolved on, too)" if in_common else ""
    elsewhere = [f"other seeds of {'all' if not others else same} topics evolved on{told}"] if same else []
    return f"Evolving on {', '.join(training)}; validating on {', '.join([*elsewhere, *others])}"


def _write_best(question: Question, best: list[Any], fitness: list[float], output: Path) -> None:
    for stale in output.glob("best-*.*"):
        stale.unlink()
    for i, (found, value) in enumerate(zip(best, fitness, strict=True), 1):
        where = " ".join(question.webs)
        header = f"honeyguide evolve {where}: best {i}, {question.fitness} {value:.4f} where it was evolved"
        if question.strategy == WEIGHTED:
            starts = [question.pages * k // question.stages for k in range(question.stages)]
            write_stages(output / f"best-{i}.toml", list(zip(starts, found, strict=True)), header)
        else:
            (output / f"best-{i}.txt").write_text(f"{found}\n", encoding="utf-8")


def _use(question: Question, best: Any, output: Path) -> str:
    how = f"evolved:{output / 'best-1.toml'}" if question.strategy == WEIGHTED else best
    return f"Use it: honeyguide crawl --strategy '{how}' … (history: {output / 'history.csv'}, evolution.svg)"
