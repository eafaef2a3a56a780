"""One crawl in layers, none of it cut, looked at with several sets of keywords at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from honeyguide.crawl import Crawl
from honeyguide.documents import load_documents
from honeyguide.strategy.path_book import PathBook
from honeyguide.strategy.path_features import Reader, keywords
from honeyguide.strategy.paths import Paths
from honeyguide.synthetic import generate
from honeyguide.topic import as_topic
from honeyguide.web import SyntheticWeb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.base import Visit
    from honeyguide.graph import Graph
    from honeyguide.strategy.base import Ids, Lesson
    from honeyguide.topic import Topic


class View:
    """The crawl as a set of keywords sees it: which pages are valuable, and the features of links."""

    def __init__(self, topic: Topic, graph: Graph, cap: int) -> None:
        self.topic = topic
        self.book = PathBook(graph, cap)
        self._reader = Reader(keywords(topic.words()), cap)

    def take_in(self, visit: Visit) -> None:
        """Note a visit, as `paths` does."""
        page, count, valuable = visit.page if not visit.error else None, 0, False
        if page is not None:
            count, distance, mean = self._reader.read(page)
            self.book.enter_links(visit.number, visit.targets, distance, mean)
            valuable = not visit.flag and self.topic.relevant(self.topic.score(page))
        elif visit.error == "redirect":
            self.book.move(visit.id, int(visit.targets[0]))
        self.book.enter(visit.number, page is not None, valuable, count)

    def harvest(self, layers: range | None = None) -> float:
        """The share of valuable pages, in all layers beyond the seeds or in some."""
        is_page, valuable = self.book.verdicts()
        layers = layers or range(1, self.book.layer + 1)
        at = self.book.layers_of(np.arange(len(is_page)))
        within = (at >= layers.start) & (at < layers.stop)
        return float((valuable & within).sum() / max((is_page & within).sum(), 1))


@dataclass
class Layers(Paths):
    """The crawl of `paths` before it learns, with further views of it."""

    def look(self, topics: Sequence[Topic]) -> None:
        """Say which keywords there are to look with, before the crawl begins."""
        self._topics = topics

    def begin(self, graph: Graph, topic: Topic, seed: int) -> None:
        super().begin(graph, topic, seed)
        self.views = [View(wanted, graph, self.cap) for wanted in self._topics]

    def _take_in(self, visit: Visit) -> None:
        super()._take_in(visit)
        for view in self.views:
            view.take_in(visit)

    def _next_layer(self, changed: Ids = np.zeros(0, np.int32)) -> Lesson:  # noqa: B008 (never written to)
        before = self.book.layer
        lesson = super()._next_layer(changed)
        if self.book.layer > before:
            for view in self.views:
                view.book.close_layer()
        return lesson


def crawled(web: int, breadth: int, layers: int, seeds: int, about: int, random_seed: int) -> list[View]:
    """Crawl a generated web from pages on one topic, and look at it with the keywords of every topic."""
    world = generate(pages=web, seed=1 + random_seed)
    topics = [as_topic(world.query(topic), load_documents) for topic in world.topics]
    strategy = Layers(breadth=breadth, layers=layers, offline=1, train_from=1, train_to=layers + 1)
    strategy.look(topics)
    starts = world.topic_seeds(world.topics[about], seeds, random_seed)
    crawl = Crawl(starts, topics[about], strategy, web=SyntheticWeb(world), pages=100 * web, random_seed=random_seed)
    crawl.run()
    return strategy.views


def layer_sizes(view: View) -> NDArray[np.int64]:
    """How many pages came in each layer, the seeds' first."""
    is_page, _ = view.book.verdicts()
    return np.bincount(view.book.layers_of(np.flatnonzero(is_page)), minlength=view.book.layer + 1)
