"""Says, for a URL, which paths lead to it and how the links to it were voted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from honeyguide.strategy.path_learner import LEAST_EXAMPLES

if TYPE_CHECKING:
    from honeyguide.strategy.path_book import PathBook
    from honeyguide.strategy.paths import Paths

MOST_LINKS = 5  # that are told of


def told(strategy: Paths, id_: int) -> list[str]:
    """Where a URL stands, the vote of the links to it, and their paths."""
    book, learner = strategy.book, strategy.learner
    links = np.flatnonzero(book.target == id_)
    lines = [_standing(strategy, id_)]
    if not len(links):
        return [*lines, "no link from an earlier layer leads to it"]
    margins = learner.margins(links) if learner.model else np.zeros(len(links), np.float32)
    lines.append(_vote(strategy, margins))
    values = book.features(links[:MOST_LINKS], learner.names).T
    for link, margin, row in zip(links.tolist(), margins.tolist(), values.tolist(), strict=False):
        said = f" → {margin:+.2f}, {'good' if margin > 0 else 'not good'}" if learner.model else ""
        lines.append(f"{_path(book, link)}: {_features(learner.names, row)}{said}")
    more = len(links) - MOST_LINKS
    return [*lines, f"and {more} more links"] if more > 0 else lines


def _standing(strategy: Paths, id_: int) -> str:
    visit = int(strategy.graph.visit_of[id_]) - 1
    if visit >= 0:
        return f"fetched in layer {strategy.book.layers_of(np.array([visit]))[0]}"
    if not strategy.book.links_to(id_):
        return f"found in layer {strategy.book.layer}, a candidate for the next one"
    if not np.isfinite(strategy.value[id_]):
        return f"held back from layer {strategy.book.layer}"
    filler = ", though cut: too few others pass to fill it" if strategy.was_cut[id_] else ""
    return f"listed for layer {strategy.book.layer}{filler}"


def _vote(strategy: Paths, margins: np.ndarray[tuple[int], np.dtype[np.float32]]) -> str:
    if not strategy.learner.model:
        return f"{len(margins)} links to it; nothing is cut before {LEAST_EXAMPLES} examples of either kind are there"
    good = int((margins > 0).sum())
    passed = good >= (strategy.vote - 1e-6) * len(margins)
    return (
        f"{good} of {len(margins)} links to it good, {strategy.vote:.0%} needed: {'passed' if passed else 'cut'}; "
        f"chances {strategy.learner.model.chances(margins).sum():.3f} in all"
    )


def _path(book: PathBook, link: int) -> str:
    """The page a link stands on, and the first of the ways back from it, as far as two pages."""
    pages = [int(book.graph.visited()[book.source[link]])]
    for _ in range(2):
        before = np.flatnonzero(book.target == pages[-1])
        if not len(before):
            break
        pages.append(int(book.graph.visited()[book.source[before[0]]]))
    return " ← ".join(book.graph.url(page) for page in pages)


def _features(names: tuple[str, ...], values: list[float]) -> str:
    """Features by kind, from the page of the link backwards."""
    kinds: dict[str, list[str]] = {}
    for name, value in sorted(zip(names, values, strict=True), key=lambda pair: pair[0][-1]):
        kinds.setdefault(name[:-1], []).append(f"{value:.3g}")
    return ", ".join(f"{kind} {' ← '.join(found)}" for kind, found in kinds.items())
