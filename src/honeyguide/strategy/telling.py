"""What an intelligent crawl has learned, and why a URL is interesting, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from honeyguide.strategy.base import in_words_parents
from honeyguide.strategy.interest import FACTORS
from honeyguide.strategy.url_tokens import url_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from honeyguide.strategy.intelligent import Intelligent
    from honeyguide.strategy.interest import Belief, Knowledge, Tally

    Numbers = NDArray[np.integer[Any]]
    Logs = NDArray[np.float64]

NAMED = 5  # words, or tokens, that are named


def evidence(strategy: Intelligent, id_: int, words: Numbers) -> list[str]:
    """How the value of a URL comes about, by what is believed now."""
    belief, known = strategy.belief, strategy.known
    logs = strategy.logs(np.array([id_]))[:, 0]
    terms = zip(FACTORS, belief.weights.tolist(), logs.tolist(), strict=True)
    sum_ = " + ".join(f"{weight:.3g} × {log:.3f} ({name})" for name, weight, log in terms if weight)
    numbers = [known.tokens.number.get(token, len(belief.tokens)) for token in url_tokens(strategy.graph.url(id_))]
    return [
        f"interest {belief.priority(logs):.3f} = {sum_ or 'nothing tells'}; weight × log ratio",
        f"content: {_named(known.words, belief.words, words)} among the words of pages that link here",
        f"URL: {_named(known.tokens, belief.tokens, np.array(numbers, np.int64))} among its tokens",
        f"links: {in_words_parents(strategy.graph, id_)}; a relevant one ×{_shown(belief.log_p)},"
        f" another ×{_shown(belief.log_q)}",
        _siblings(strategy, id_),
    ]


def _siblings(strategy: Intelligent, id_: int) -> str:
    siblings, relevant = strategy.columns.siblings[id_], strategy.columns.relevant_siblings[id_]
    expected = siblings * strategy.belief.base
    return f"siblings: {relevant} of {siblings} crawled ones relevant, {expected:.2f} expected"


def _named(tally: Tally, logs: Logs, numbers: Numbers, good: bool = False) -> str:
    """The texts that tell most among some, or most of the good ones, with their interest ratios."""
    numbers = numbers[numbers < len(logs)]
    told = numbers[logs[numbers] != 0]
    telling = logs[told] if good else np.abs(logs[told])
    first = told[np.argsort(-telling * np.sqrt(tally.seen[told]), kind="stable")][:NAMED]
    texts = list(tally.number)
    named = ", ".join(f"{texts[i]} ×{_shown(float(logs[i]))}" for i in first.tolist())
    return f"{len(told)} tell" + (f" ({named}{', …' if len(told) > NAMED else ''})" if named else "")


def _shown(log: float) -> str:
    return f"{math.exp(log):.3g}"


def learned(known: Knowledge, belief: Belief) -> dict[str, str]:
    """The knowledge of a crawl for its report."""
    found = {"pages": f"{known.relevant:,} of {known.crawled:,} crawled pages relevant"}
    if not belief.weights.any():
        return found
    every = (known.words, belief.words, "words"), (known.tokens, belief.tokens, "URL tokens")
    found |= {
        name: f"{len(logs):,}, {_named(tally, logs, np.arange(len(logs)), good=True)}" for tally, logs, name in every
    }
    found["links"] = f"from a relevant page ×{_shown(belief.log_p)}, from another ×{_shown(belief.log_q)}"
    return found | {"weights": _weights(FACTORS, belief.weights.tolist())}


def _weights(names: Sequence[str], weights: Sequence[float]) -> str:
    return ", ".join(f"{name} {weight:.3g}" for name, weight in zip(names, weights, strict=True))
