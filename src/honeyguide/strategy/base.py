"""What a strategy is: it learns from visits and scores URLs."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from honeyguide.base import BadInput, check_bounds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.topic import Topic

    Ids = NDArray[np.integer[Any]]
    Scores = NDArray[np.float32]

NOTHING = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a visit changed, and what the strategy asks of the crawl. The visit's links are scored in any case."""

    ids: Ids = field(default_factory=lambda: NOTHING)  # other URLs whose score changed
    hosts: Ids = field(default_factory=lambda: NOTHING)  # hosts whose weight changed
    everything: bool = False  # all queued URLs are to be scored anew
    propose: tuple[str, ...] = ()  # URLs to add, found elsewhere than on a page
    exclude: tuple[tuple[int, str], ...] = ()  # URLs not to fetch, each with the reason
    stop: str = ""  # why the crawl should end


@dataclass
class Strategy:
    """Subclass this, name it, and override `score` and mostly `learn`.

    The score of a URL may depend on the graph and on what the strategy itself has learned, on nothing else, and
    `learn` names every URL and host whose score changed, the visit's own links aside. Then a resumed crawl makes
    the same choices, and the frontier never gives a worse URL first. Fields made with `knob` are settings:
    `--strategy name:field=value`.
    """

    name: ClassVar[str] = ""
    needs_pages: ClassVar[bool] = False  # whether `learn` reads visit.page beyond its links' ids

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        """Meet the graph to read from, the topic, and the seed for anything random."""
        self.graph = graph
        self.topic = topic
        self.seed = seed

    def learn(self, visit: Visit) -> Lesson:
        """Take in one visit, already entered in the graph, and say whose scores changed beside its links'."""
        return Lesson()

    def score(self, ids: Ids) -> Scores:
        """How promising URLs are, before the weight of their host; higher is fetched first."""
        raise NotImplementedError

    def weight(self, hosts: Ids) -> Scores:
        """A positive factor for all URLs of a host, so that a host's fortune changes at no cost."""
        return np.ones(len(hosts), np.float32)

    def rank(self, ids: Ids) -> NDArray[np.float64]:
        """The score that decides: the URL's times its host's weight."""
        weights = self.weight(self.graph.host[ids]).astype(np.float64)
        return self.score(ids).astype(np.float64) * weights

    def explain(self, id: int) -> list[str]:
        """The evidence behind a URL's score, in plain words with the numbers."""
        raise NotImplementedError

    def save(self) -> dict[str, Any]:
        """What was learned, as arrays, numbers, texts and lists of them; {} when the graph holds it all."""
        return {}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""

    @classmethod
    def from_argument(cls, argument: str) -> Strategy:
        """The strategy with the knobs set as `field=value,field=value`."""
        knobs = {f.name: f for f in dataclasses.fields(cls) if "help" in f.metadata}
        values = {}
        for part in filter(None, argument.split(",")):
            key, equals, value = part.partition("=")
            if key not in knobs or not equals:
                raise BadInput(
                    f"strategy {cls.name} has no setting {key!r}; it has: {', '.join(knobs) or 'none'}"
                    " (write name:setting=value)"
                )
            values[key] = _number(key, value)
        strategy = cls(**values)
        check_bounds(strategy)
        return strategy


def _number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadInput(f"{key}={text!r}: a number is needed") from None


def share_of_relevant_parents(graph: Graph, ids: Ids) -> Scores:
    """Relevant among the fetched pages that link to each URL; 0 where none does."""
    parents = np.maximum(graph.parents[ids], 1)
    return (graph.relevant_parents[ids] / parents).astype(np.float32)


def in_words_parents(graph: Graph, id: int) -> str:
    """How many parents a URL has, and how many of them are relevant."""
    return f"{graph.relevant_parents[id]} of {graph.parents[id]} fetched parents relevant"
