"""Learns, from links whose targets were fetched, which links are good ones, and lets the links to a URL vote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from honeyguide.base import BadInput
from honeyguide.strategy.path_classifier import FITTED, HARVEST, Model, as_arrays, f1, from_arrays, reachable_shares
from honeyguide.strategy.path_features import SETS
from honeyguide.strategy.random import mixed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from honeyguide.strategy.path_book import PathBook

    Ids = NDArray[np.integer[Any]]
    Flags = NDArray[np.bool_]
    Numbers = NDArray[np.float32]

LEAST_EXAMPLES = 20  # of either kind, before there is a model
NEWEST = 5000  # examples that cart and svm, the harvest criteria and other crawls learn from
LEAST = 0.001  # what the layer and the draw weigh where nothing is learned
REFIT_AFTER, REFIT_SHARE = 50, 0.2  # examples that must be new for the model to be made anew within a layer


class Examples(NamedTuple):
    """Links to fetched pages, in the order of these fetches."""

    links: Ids
    good: Flags
    visits: Ids  # of what they lead to


class Votes(NamedTuple):
    """What the links to each URL say, by id."""

    share: Numbers  # of good ones
    order: Numbers  # the higher, the earlier it is fetched
    links: NDArray[np.int64]  # how many there are; 0 for what was fetched


class PathLearner:
    """One model, the examples it is made of, and the votes it gives. `layers` bounds what is learned from, once."""

    def __init__(
        self, book: PathBook, features: str, classifier: str, criterion: str, seed: int, layers: range | None
    ) -> None:
        self.book = book
        self.names = SETS[features]
        self.model: Model | None = None
        self.fresh = 0  # links whose target was fetched since the model was made
        self.learned = 0  # examples there were then
        self.learned_to = 0  # visits there were then
        self.tested = [0, 0, 0]  # rightly good, wrongly good, missed: before they were learned from
        self._question = {"features": features, "criterion": criterion, "cap": book.cap}
        self._classifier = classifier
        self._criterion = criterion
        self._seed = seed
        self._layers = layers
        self._adopted = np.zeros((len(self.names) + 1, 0), np.float32)
        self._votes: Votes | None = None

    def forget_votes(self) -> None:
        """Let them be counted anew: links have come."""
        self._votes = None

    def is_due(self) -> bool:
        """Whether there are enough new examples not to wait for the end of the layer."""
        enough = self.fresh >= max(REFIT_AFTER, REFIT_SHARE * self.learned)
        return enough and self._layers is None and self._criterion not in HARVEST

    def close_layer(self) -> None:
        """Learn from a layer that is over, where that is to be learned from."""
        self.forget_votes()
        if self._layers is None:
            self.learn()
        elif self.book.layer >= self._layers.stop:
            if self.model is None:
                self._layers = range(self._layers.start, self.book.layer)  # longer than asked, for want of examples
                self.learn()
            else:
                self._test_later()

    def _test_later(self) -> None:
        """Try the model on the layers after those it was made from; the last ones may not be judged yet."""
        assert self._layers is not None
        self._test(self.examples(range(self._layers.stop, self.book.layer)))
        judged = self.book.layer - (self._criterion in HARVEST)
        self.learned_to = max(self.learned_to, self.book.starts[judged])

    def learn(self) -> None:
        """Make the model anew; without examples of both kinds there is none."""
        examples = self.examples()
        self._test(examples)
        self.fresh, self.learned, self.learned_to = 0, len(examples.links), self.book.graph.visits
        newest = None if self._classifier == "nb" else NEWEST
        self._fit(np.hstack((self._adopted, self._table(examples, newest))))

    def _fit(self, table: Numbers) -> None:
        good = table[-1] > 0
        if min(good.sum(), (~good).sum()) >= LEAST_EXAMPLES:
            self.model = FITTED[self._classifier](table[:-1], good, self._seed)
        self.forget_votes()

    def _table(self, examples: Examples, newest: int | None) -> Numbers:
        """The features of examples, and whether they are good ones in the last row."""
        links, good = examples.links, examples.good
        if newest is not None:
            links, good = links[-newest:], good[-newest:]
        return np.vstack((self.book.features(links, self.names), good)).astype(np.float32)

    def _test(self, examples: Examples) -> None:
        new = examples.visits >= self.learned_to
        if self.model and new.any():
            said, good = self.margins(examples.links[new]) > 0, examples.good[new]
            counts = (said & good, said & ~good, ~said & good)
            self.tested = [n + int(flags.sum()) for n, flags in zip(self.tested, counts, strict=True)]

    def examples(self, layers: range | None = None) -> Examples:
        """All there are now, by the criterion, in the layers to learn from or in others."""
        layers = layers or self._layers
        is_page, valuable = self.book.verdicts()
        visits = self.book.visit_of_targets()
        links = np.flatnonzero(visits >= 0)
        links = links[is_page[visits[links]]]
        if layers is not None:
            found_in = self.book.layers_of(visits[links])
            links = links[(found_in >= layers.start) & (found_in < layers.stop)]
        links = links[np.argsort(visits[links], kind="stable")]
        if self._criterion in HARVEST:
            return self._by_harvest(links, visits, is_page, valuable)
        return Examples(links, valuable[visits[links]], visits[links])

    def _by_harvest(self, links: Ids, visits: Ids, is_page: Flags, valuable: Flags) -> Examples:
        """Judged by what was fetched beyond the target; so there must be a farther layer."""
        links = links[visits[links] < self.book.starts[max(self.book.layer - 1, 0)]]
        links = links if self._layers else links[-NEWEST:]
        if not len(links):
            return Examples(links, np.zeros(0, bool), links)
        first = int(visits[links[0]])
        inner = np.flatnonzero((self.book.source >= first) & (visits >= 0))
        inner = inner[is_page[visits[inner]]]
        beyond = reachable_shares(self.book.source[inner] - first, visits[inner] - first, valuable[first:])
        harvest = valuable.sum() / max(is_page.sum(), 1)
        good = HARVEST[self._criterion] * beyond[visits[links] - first] > harvest
        return Examples(links, good, visits[links])

    def margins(self, links: Ids) -> Numbers:
        """How good the model takes links to be."""
        assert self.model is not None
        return self.model.margins(self.book.features(links, self.names)).astype(np.float32)

    def votes(self) -> Votes:
        """Over the links to every URL not yet fetched. Without a model all of them are good."""
        known = len(self.book.graph)
        if self._votes is None or len(self._votes.share) < known:
            links = np.flatnonzero(self.book.visit_of_targets() < 0)
            target = self.book.target[links]
            counts = np.bincount(target, minlength=known)
            share, order = self._warm(links, target, counts) if self.model else self._cold(links, target, counts)
            self._votes = Votes(share.astype(np.float32), order.astype(np.float32), counts)
        return self._votes

    def _warm(self, links: Ids, target: Ids, counts: Ids) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        assert self.model is not None
        margins = self.margins(links)
        good = np.bincount(target, margins > 0, len(counts))
        chances = np.bincount(target, self.model.chances(margins), len(counts))
        return good / np.maximum(counts, 1), chances.astype(np.float64)

    def _cold(self, links: Ids, target: Ids, counts: Ids) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """As found, for the layers a model is trained on; else what is said for it, then the newest, then by lot."""
        order = np.zeros(len(counts))
        if self._layers is None:
            valuable, distance = self.book.features(links, ("valuable1", "distance1"))
            found_in = np.zeros(len(counts))
            found_in[target[::-1]] = self.book.layers_of(self.book.source[links])[::-1]  # the first link counts
            order += np.bincount(target, valuable + 1 - distance / self.book.cap, len(counts))
            order += LEAST * (found_in + draws(np.arange(len(counts)), self._seed))
        return np.ones(len(counts)), order

    def figures(self) -> dict[str, str]:
        """Of the examples, the test and the features."""
        examples = self.examples()
        table = self._table(examples, NEWEST)
        good = table[-1] > 0
        told = {"examples": f"{len(examples.links):,} links, {int(examples.good.sum()):,} of them good"}
        if any(self.tested):
            told["F1"] = f"{f1(*self.tested):.2f} on links {self._tested_on()}"
        if self._layers is not None:
            last, state = self._layers.stop - 1, "was made" if self.model else "is to be made"
            told["model"] = f"{state} from layers {self._layers.start} to {last}"
        if good.any() and not good.all():
            means = ((table[:-1, side].mean(axis=1)) for side in (good, ~good))
            for name, mean, other in zip(self.names, *means, strict=True):
                told[name] = f"{mean:.3g} on good links, {other:.3g} on others"
        return told

    def _tested_on(self) -> str:
        return "before they were learned from" if self._layers is None else "of later layers that were fetched"

    def knowledge(self) -> dict[str, Any]:
        """The newest examples."""
        table = np.hstack((self._adopted, self._table(self.examples(), NEWEST)))[:, -NEWEST:]
        return {**self._question, "examples": table} if table.shape[1] else {}

    def adopt(self, knowledge: dict[str, Any]) -> None:
        """Learn from another crawl's examples before there are any."""
        if not knowledge:
            raise BadInput("that crawl has no examples of links to learn from; let it fetch more pages first")
        for name, value in self._question.items():
            if knowledge.get(name) != value:
                raise BadInput(
                    f"that crawl learned with {name}={knowledge.get(name)}, this one has {name}={value}: set it so"
                    f" (--strategy paths:{name}={knowledge.get(name)}), or leave --learn-from out"
                )
        table = np.array(knowledge.get("examples"), np.float32)
        if table.ndim != 2 or len(table) != len(self._adopted) or not np.isfinite(table).all():
            raise BadInput("the examples of that crawl cannot be read; crawl it anew, or leave --learn-from out")
        self._adopted = table
        self._fit(table)

    def save(self) -> dict[str, Any]:
        """All that does not follow from the book."""
        numbers = {name: getattr(self, name) for name in ("fresh", "learned", "learned_to", "tested")}
        trained_to = self._layers.stop if self._layers else 0
        return {**numbers, **as_arrays(self.model), "adopted": self._adopted, "trained_to": trained_to}

    def load(self, state: dict[str, Any]) -> None:
        """Take back what `save` gave."""
        for name in ("fresh", "learned", "learned_to", "tested"):
            setattr(self, name, state[name])
        if self._layers:
            self._layers = range(self._layers.start, state["trained_to"])
        self.model = from_arrays(self._classifier, state)
        self._adopted = np.array(state["adopted"], np.float32)
        self.forget_votes()


def draws(ids: Ids, seed: int) -> NDArray[np.float64]:
    """A number from 0 to 1 for each id, drawn once."""
    return (mixed(ids, seed) >> np.uint64(40)) / 2.0**24
