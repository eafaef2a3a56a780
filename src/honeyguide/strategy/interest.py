"""What an intelligent crawl knows of the pages it has crawled, and how interesting that makes others.

Aggarwal, Al-Garawi, Yu: Intelligent crawling on the World Wide Web with arbitrary predicates, 2001.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from honeyguide.base import BadInput
from honeyguide.graph.table import enlarged

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    Logs = NDArray[np.float64]
    Counts = NDArray[np.integer[Any]]

FACTORS = ("content", "url", "links", "siblings")
_HALF = 0.5


def share(part: int, whole: int) -> float:
    """A share, with half a case added on either side, so that it is never nothing and never all.

    >>> share(0, 0), share(1, 3)
    (0.5, 0.375)
    """
    return (part + _HALF) / (whole + 1)


def significance(shares: Logs, base: float, hits: int) -> Logs:
    """By how many standard deviations shares of relevant pages differ from that of all pages (equations 6 and 9)."""
    return (shares - base) / math.sqrt(base * (1 - base) / (hits + _HALF))


def sibling_logs(relevant: Counts, visited: Counts, base: float) -> Logs:
    """The logarithms of relevant siblings to those expected; half a sibling where there is none, nothing without any.

    >>> round(math.exp(sibling_logs(np.array([9]), np.array([15]), 0.1)[0]), 6)
    6.0
    """
    expected = visited * base
    some = relevant > 0
    return np.log(np.where(some, relevant, _HALF)) - np.log(np.where(some, expected, expected + _HALF))


def balancing_weights(logs: Logs) -> Logs:
    """A weight for each kind of evidence (a row), so that all count alike on average; 0 for one that says nothing."""
    if not logs.shape[1]:
        return np.zeros(len(logs))
    means = np.abs(logs).mean(axis=1)
    return np.where(means > 0, 1 / np.where(means > 0, means, 1), 0.0)


@dataclass
class Belief:
    """What was made of the counts when all was ranked last; URLs are valued by it until the next time."""

    words: Logs = field(default_factory=lambda: np.zeros(0))  # log interest ratio by number; 0 where it tells nothing
    tokens: Logs = field(default_factory=lambda: np.zeros(0))
    base: float = _HALF
    log_p: float = 0.0  # of a link from a relevant page
    log_q: float = 0.0  # of a link from another page
    weights: Logs = field(default_factory=lambda: np.zeros(len(FACTORS)))

    def worth(self, words: NDArray[np.int32]) -> float:
        """What distinct words are worth together."""
        return float(self.words[words[words < len(self.words)]].sum())

    def priority(self, logs: Logs) -> Logs:
        """The weighted sum of logarithms of interest ratios, a row for each kind."""
        return np.asarray(sum(weight * row for weight, row in zip(self.weights.tolist(), logs, strict=True)))

    def save(self) -> dict[str, Any]:
        """All of it, under names of its own."""
        return {f"belief_{name}": value for name, value in vars(self).items()}

    @classmethod
    def load(cls, state: dict[str, Any]) -> Belief:
        """What `save` gave."""
        return cls(**{each.name: state[f"belief_{each.name}"] for each in fields(cls)})


class Rule(NamedTuple):
    """Which words and tokens tell something."""

    threshold: float = 2.0  # the least significance
    least: int = 1  # pages it was seen on
    most: int = 0  # how many may, those that differ most from page to page; 0: all


class _Numbers(dict[str, int]):
    """Texts, numbered as they are first asked for."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


class Tally:
    """On how many crawled pages each text was seen, relevant ones apart; texts are numbered as they come."""

    def __init__(self) -> None:
        self.number: dict[str, int] = _Numbers()
        self.seen = np.zeros(1024, np.int64)  # by number, with room to spare
        self.relevant = np.zeros(1024, np.int64)

    def numbers(self, texts: Collection[str]) -> NDArray[np.int32]:
        """The numbers of texts, new ones for those not met before."""
        found = np.fromiter(map(self.number.__getitem__, texts), np.int32, len(texts))
        known = len(self.number)
        if known > len(self.seen):
            self.seen, self.relevant = enlarged(self.seen, known), enlarged(self.relevant, known)
        return found

    def count(self, numbers: NDArray[np.int32], relevant: bool) -> None:
        """Enter a page that has these distinct texts."""
        self.seen[numbers] += 1
        self.relevant[numbers] += int(relevant)

    def logs(self, base: float, hits: int, rule: Rule) -> Logs:
        """The logarithm of each text's interest ratio by number; 0 for those that tell nothing."""
        seen, relevant = self.seen[: len(self.number)], self.relevant[: len(self.number)]
        shares = (relevant + _HALF) / (seen + 1)
        telling = (np.abs(significance(shares, base, hits)) >= rule.threshold) & (seen >= rule.least)
        logs = np.where(telling, np.log(shares / base), 0.0)
        if rule.most and np.count_nonzero(logs) > rule.most:
            spread = np.abs(logs) * np.sqrt(seen)
            logs[np.argsort(-spread, kind="stable")[rule.most :]] = 0.0
        return logs

    def save(self, name: str) -> dict[str, Any]:
        """All of it, under names that begin with this one."""
        known = len(self.number)
        counts = {f"{name}_seen": self.seen[:known].copy(), f"{name}_relevant": self.relevant[:known].copy()}
        return {name: list(self.number), **counts}

    def add(self, state: dict[str, Any], name: str) -> None:
        """Add what another one saved."""
        texts = state[name]
        seen, relevant = (np.asarray(state[f"{name}_{kind}"], np.int64) for kind in ("seen", "relevant"))
        if not len(texts) == len(set(texts)) == len(seen) == len(relevant) or not (relevant >= 0).all():
            raise ValueError(f"{name} and their counts do not go together")
        if (seen < relevant).any():
            raise ValueError(f"more relevant pages have {name} than pages")
        numbers = self.numbers([str(text) for text in texts])
        self.seen[numbers] += seen
        self.relevant[numbers] += relevant


@dataclass
class Knowledge:
    """All counts that are learned from; only pages that came are counted, and links between them."""

    crawled: int = 0
    relevant: int = 0
    words: Tally = field(default_factory=Tally)
    tokens: Tally = field(default_factory=Tally)  # of URLs
    links: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, 2), np.int64))  # [from, to] relevant or not

    @property
    def base(self) -> float:
        """The share of relevant pages among those crawled: P(C)."""
        return share(self.relevant, self.crawled)

    def count_page(self, words: NDArray[np.int32], tokens: NDArray[np.int32], relevant: bool) -> None:
        """Enter a crawled page."""
        self.crawled += 1
        self.relevant += int(relevant)
        self.words.count(words, relevant)
        self.tokens.count(tokens, relevant)

    def belief(self, rule: Rule) -> Belief:
        """What to make of it; only the weights depend on the candidates."""
        base, links = self.base, int(self.links.sum())
        p = share(int(self.links[1, 1]), links) / base**2
        q = share(int(self.links[0, 1]), links) / (base * (1 - base))
        words, tokens = (tally.logs(base, self.relevant, rule) for tally in (self.words, self.tokens))
        return Belief(words, tokens, base, math.log(p), math.log(q))

    def save(self) -> dict[str, Any]:
        """All counts, as arrays, numbers and lists of texts."""
        counts = {"crawled": self.crawled, "relevant": self.relevant, "links": self.links.copy()}
        return {**counts, **self.words.save("words"), **self.tokens.save("tokens")}

    def add(self, state: dict[str, Any]) -> None:
        """Add all counts that were saved elsewhere."""
        try:
            crawled, relevant = int(state["crawled"]), int(state["relevant"])
            links = np.asarray(state["links"], np.int64)
            if not 0 <= relevant <= crawled or links.shape != (2, 2) or (links < 0).any():
                raise ValueError("the counts of pages and links make no sense")
            self.words.add(state, "words")
            self.tokens.add(state, "tokens")
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"what is to be learned from is no knowledge of an intelligent crawl ({error!r}); name the directory"
                " of a crawl that was made with --strategy intelligent"
            ) from None
        self.crawled += crawled
        self.relevant += relevant
        self.links += links
