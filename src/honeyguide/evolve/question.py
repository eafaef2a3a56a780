"""What an evolution can be asked for; imported by the command line, so it imports next to nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from honeyguide.base import BadInput, check_bounds, knob

WEIGHTED = "evolved"
STARTS = ("near", "far", "both")
MEASURES = ("harvest", "recall", "nauc", "exploration")


@dataclass
class Question:
    """What an evolution is asked for; its directory remembers it."""

    strategy: str = knob(WEIGHTED, "evolved: weights of its scores; any other: its settings, within their bounds")
    topic: list[str] = knob([], "topics to evolve on; without any, some of the web's labels")
    validate: list[str] = knob([], "topics to try the best on; without any, other labels, or other seeds")
    topics: int = knob(6, "topics to choose for each, where none is named: labels, or phrases for settings", 1)
    pages: int = knob(10_000, "pages a crawl may fetch", 1)
    seeds: int = knob(50, "pages a crawl starts from", 1)
    start: str = knob(
        "near", "near: on relevant pages; far: three links or more from any; settings: both", choices=STARTS
    )
    runs: int = knob(3, "crawls for each topic, from other seeds", 1)
    fitness: str = knob(
        "harvest", f"what crawls are judged by: {', '.join(MEASURES)}, or a function as package.module:name"
    )
    population: int = knob(50, "individuals that live at a time, an even number", 2)
    generations: int = knob(50, "generations after the first population", 0)
    crossover: float = knob(0.9, "chance that two parents exchange what is behind a point", 0, 1)
    mutation: float = knob(0.01, "chance that one bit of a child is flipped", 0, 1)
    current_list: int = knob(100, "length of the paper's current list; 0: the best URL is always next", 0, 10_000)
    parents: int = knob(5, "generations of parents among the scores", 1, 20)
    more: str = knob("", "further scores: anchor, host, or both with a comma between them")
    stages: int = knob(1, "parts of the crawl that have weights of their own", 1, 10)
    start_from: list[str] = knob([], "earlier winners to put into the first population: files of weights")
    singles: bool = knob(False, "put each score alone into the first population, best-first one of them")
    distinct: bool = knob(False, "of individuals that mean the same, let one survive before all others are in")
    random_seed: int = knob(0, "makes every random choice repeatable", 0)
    spread: float = knob(0, "share of bits in which the first ones differ from winners; 0: drawn at random", 0, 0.5)
    webs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.strategy == WEIGHTED and (self.start == "both" or len(self.webs) > 1):
            raise BadInput("weights are evolved from near or from far, on one web; both and several are for settings")
        for name in ("topic", "validate"):
            setattr(self, name, list(dict.fromkeys(getattr(self, name))))
        if self.singles and self.strategy != WEIGHTED:
            raise BadInput(f"--singles is for weights of scores; the settings of {self.strategy} have no such parts")
        if self.start not in STARTS:
            raise BadInput(f"start={self.start!r}: choose one of {', '.join(STARTS)}")
        if self.fitness not in MEASURES and ":" not in self.fitness:
            raise BadInput(f"fitness={self.fitness!r}: choose one of {', '.join(MEASURES)}, or package.module:name")
