"""What a strategy is: it learns from visits and scores URLs."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from msgspec import Struct

from honeyguide.base import BadInput, check_bounds
from honeyguide.strategy.own_files import is_file, kept_or_given

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from honeyguide.base import Page, Visit
    from honeyguide.graph import Graph
    from honeyguide.topic import Topic

    Ids = NDArray[np.integer[Any]]
    Scores = NDArray[np.float32]

NOTHING = np.zeros(0, np.int32)
HELD_BACK = np.float32(-np.inf)  # the score of a URL that is not to be fetched as things stand


class Lesson(Struct, frozen=True):
    """What a visit changed, and what the strategy asks of the crawl."""

    ids: Ids = NOTHING  # URLs whose score changed
    links: bool = True  # whether those of the visit's links did, too
    hosts: Ids = NOTHING  # hosts whose weight changed
    everything: bool = False  # all queued URLs are to be scored anew
    propose: tuple[str, ...] = ()  # URLs to add, found elsewhere than on a page
    search: tuple[str, ...] = ()  # for what; `found` is told of each answer before the next page is asked for
    not_kept: Ids = NOTHING  # fetched pages that do not belong to the collection
    exclude: tuple[tuple[int, str], ...] = ()  # URLs not to fetch, each with the reason
    stop: str = ""  # why the crawl should end


class Help(Protocol):
    """What a crawl does for a strategy before it begins."""

    @property
    def has_search(self) -> bool:
        """Whether there is anything to search with."""

    async def reference_pages(self, query: str, count: int) -> list[Page]:
        """The first pages that the search finds, fetched beside the crawl."""

    def documents(self, source: str) -> list[Page]:
        """The pages of a file, a folder, a URL or a stored web."""


@dataclass
class Strategy:
    """Subclass this, name it, and override `score` and mostly `learn`.

    The score of a URL may depend on the graph and on what the strategy itself has learned, on nothing else, and
    `learn` names every URL and host whose score changed; the visit's own links need not be named. Then a resumed
    crawl makes the same choices, and the frontier never gives a worse URL first. A score of `HELD_BACK` keeps a URL
    out of the frontier until it is scored anew. Fields made with `knob` are settings: `--strategy name:field=value`.
    """

    name: ClassVar[str] = ""
    needs_pages: ClassVar[bool] = False  # whether `learn` reads visit.page beyond its links' ids
    needs_surroundings: ClassVar[bool] = True  # if so, whether it reads the context or the path of links, too
    needs_main_text: ClassVar[bool] = True  # likewise, whether it reads the main text
    bare: ClassVar[str] = ""  # the setting that a bare word is for: --strategy name:word
    version: ClassVar[int] = 1  # of what `knowledge` gives; another version's is refused
    budget = 0  # pages the crawl may ask for

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        """Meet the graph to read from, the topic, and the seed for anything random."""
        self.graph = graph
        self.topic = topic
        self.seed = seed

    async def prepare(self, help: Help) -> None:
        """Get what it takes before the first page; called where there is no saved state to load."""
        return

    def learn(self, visit: Visit) -> Lesson:
        """Take in one visit, already entered in the graph, and say whose scores changed beside its links'."""
        return Lesson()

    def found(self, query: str, ids: Ids) -> Lesson:
        """Take in what a search brought, already entered in the graph, the best first; nothing where it failed."""
        return Lesson()

    def idle(self) -> Lesson:
        """Nothing is left to fetch: a last chance to search or to score anew. An empty lesson ends the crawl."""
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

    @property
    def to_be_ranked(self) -> Ids:
        """URLs that it holds back only until it learns from the latest visits."""
        return NOTHING

    def unranked(self, id: int) -> bool:
        """Whether a URL has no rank yet, for it came with visits that are still to be learned from."""
        return False

    @property
    def exact_from(self) -> float:
        """Scores below this one may be out of date: `catch_up` is called before a URL is chosen by one of them."""
        return -math.inf

    def catch_up(self) -> Lesson:
        """Bring the scores below `exact_from` up to date; called again, it reaches further down."""
        return Lesson()

    def explain(self, id: int) -> list[str]:
        """The evidence behind a URL's score, in plain words with the numbers."""
        raise NotImplementedError

    def save(self) -> dict[str, Any]:
        """What was learned, as arrays, numbers, texts and lists of them; {} when the graph holds it all."""
        return {}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""

    def knowledge(self) -> dict[str, Any]:
        """What was learned that may serve another crawl: nothing by id. {} when there is no such thing."""
        return {}

    def adopt(self, knowledge: dict[str, Any]) -> None:
        """Start from what another crawl learned."""
        raise BadInput(f"{self.name} learns nothing that could serve another crawl; leave --learn-from out")

    def figures(self) -> dict[str, str]:
        """What the report says of what was learned, by name."""
        return {}

    def evidence_weights(self) -> dict[str, float]:
        """What each kind of evidence counts by now, by name; the report shows how it changed. {} where none does."""
        return {}

    @classmethod
    def from_argument(cls, argument: str, directory: Path | None = None) -> Strategy:
        """The strategy with the knobs set as `field=value,…`; a bare word is for the knob that `bare` names.

        Of a file, the copy is read that the crawl directory holds, where there is one.
        """
        knobs = {f.name: f for f in dataclasses.fields(cls) if "help" in f.metadata}
        values: dict[str, Any] = {}
        for part in filter(None, argument.split(",")):
            key, equals, value = part.partition("=")
            if not equals and cls.bare:
                key, equals, value = cls.bare, "=", part
            if key not in knobs or not equals:
                raise BadInput(
                    f"strategy {cls.name} has no setting {key!r}; it has: {', '.join(knobs) or 'none'}"
                    " (write name:setting=value)"
                )
            text = kept_or_given(value, directory) if is_file(knobs[key], value) else value
            values[key] = _value(knobs[key], text)
        strategy = cls(**values)
        check_bounds(strategy)
        return strategy


def _value(knob: dataclasses.Field[Any], text: str) -> Any:
    """A knob's value from its text: a text, one of its choices, or a number, whole where its default is."""
    choices = knob.metadata.get("choices")
    if choices and text not in choices:
        raise BadInput(f"{knob.name}={text!r}: choose one of {', '.join(choices)}")
    if isinstance(knob.default, str):
        return text
    try:
        return int(text) if isinstance(knob.default, int) else float(text)
    except ValueError:
        whole = "whole " if isinstance(knob.default, int) else ""
        raise BadInput(f"{knob.name}={text!r}: a {whole}number is needed") from None


def share_of_relevant_parents(graph: Graph, ids: Ids) -> Scores:
    """Relevant among the fetched pages that link to each URL; 0 where none does."""
    parents = np.maximum(graph.parents[ids], 1)
    return (graph.relevant_parents[ids] / parents).astype(np.float32)


def in_words_parents(graph: Graph, id: int) -> str:
    """How many parents a URL has, and how many of them are relevant."""
    return f"{graph.relevant_parents[id]} of {graph.parents[id]} fetched parents relevant"
