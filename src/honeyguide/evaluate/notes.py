"""What a reader must know to trust the figures: topics and starts that are not as they were meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.evaluate.design import FAR, NEAR
from honeyguide.evaluate.starting import FAR_ENOUGH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honeyguide.evaluate.comparison import Result
    from honeyguide.evaluate.design import Design
    from honeyguide.evaluate.starting import Start
    from honeyguide.evaluate.trials import Refusal

FEW = 10  # relevant pages, below which a crawl's figures hang on single pages
WANTED = {NEAR: "relevant pages", FAR: "pages that lead to a relevant one"}


def about_starts(starts: Sequence[Start], topics: Sequence[str], design: Design) -> list[str]:
    """Topics that could not be started on as they should, near or far."""
    notes = []
    for kind in design.starts:
        drawn = [start for start in starts if start.start == kind]
        left_out = [topic for topic in topics if topic not in {start.topic for start in drawn}]
        few_seeds = _below(drawn, design.seeds, lambda start: len(start.seeds))
        notes += [
            _note(f"Left out, {kind}, because no relevant page can be reached", left_out),
            _note(f"Fewer than {design.seeds} seeds, {kind}, for want of {WANTED[kind]}", few_seeds),
            _note(f"Fewer than {FEW} relevant pages can be reached, {kind}", _below(drawn, FEW, _reachable)),
        ]
        if kind == FAR:
            closer = _below(drawn, FAR_ENOUGH, lambda start: start.distance)
            notes.append(
                _note(f"Far seeds nearer than {FAR_ENOUGH} links to a relevant page, for want of others", closer)
            )
    return [note for note in notes if note]


def _reachable(start: Start) -> int:
    return start.reachable


def _below(starts: Sequence[Start], limit: int, number: Callable[[Start], int]) -> list[str]:
    """Topics some of whose seed sets have too small a number, with the smallest."""
    least: dict[str, int] = {}
    for start in starts:
        least[start.topic] = min(number(start), least.get(start.topic, limit))
    return [f"{topic} ({found})" for topic, found in least.items() if found < limit]


def _note(what: str, topics: list[str]) -> str:
    return f"{what}: {', '.join(topics)}." if topics else ""


def about_searches(results: Sequence[Result]) -> list[str]:
    """Strategies that had more than links to go by."""
    notes = []
    for strategy in dict.fromkeys(result.strategy for result in results if result.searches):
        searches = [result.searches for result in results if result.strategy == strategy]
        mean = sum(searches) / len(searches)
        notes.append(f"{strategy} made {mean:.1f} searches a crawl, answered by an index of the whole web.")
    return notes


def about_refusals(refusals: Sequence[Refusal]) -> list[str]:
    """Strategies that could not be used with some topics, and why."""
    notes = []
    for strategy in dict.fromkeys(refusal.strategy for refusal in refusals):
        own = [refusal for refusal in refusals if refusal.strategy == strategy]
        topics = len({refusal.topic for refusal in own})
        notes.append(f"{strategy} could not be used with {topics} of the topics: {own[0].reason}")
    return notes
