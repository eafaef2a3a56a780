"""What a reader must know to trust the figures: topics and starts that are not as they were meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import BadInput
from honeyguide.evaluate.design import FAR, NEAR
from honeyguide.evaluate.significance import wilcoxon
from honeyguide.evaluate.starting import FAR_ENOUGH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from honeyguide.evaluate.comparison import Result
    from honeyguide.evaluate.design import Design
    from honeyguide.evaluate.logbook import Logbook
    from honeyguide.evaluate.starting import Start
    from honeyguide.evaluate.trials import Refusal

SHOWN = 10  # numbers of lines
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


def about_early_ends(results: Sequence[Result], budget: int) -> list[str]:
    """Strategies whose crawls ended before their pages were fetched: harvest is by the pages that were."""
    notes = []
    for strategy in dict.fromkeys(result.strategy for result in results):
        own = [result for result in results if result.strategy == strategy]
        early = [result.fetched / budget for result in own if result.fetched < budget]
        if early:
            share = sum(early) / len(early)
            notes.append(
                f"{strategy} ended early in {len(early)} of {len(own)} crawls, after {share:.0%} of the pages on"
                " average; its harvest is by the pages it fetched, its nAUC by those it might have."
            )
    return notes


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


def about_log(book: Logbook | None) -> list[str]:
    """Parts of the log that could not be used."""
    if book is None or not book.damaged:
        return []
    lines = ", ".join(map(str, book.damaged[:SHOWN])) + (", …" if len(book.damaged) > SHOWN else "")
    return [f"Damaged in {book.path.name}, and left as they are: lines {lines}. These crawls were made again."]


def about_tests(strategies: Sequence[str]) -> list[str]:
    """Why there are no p values, where there are none."""
    try:
        wilcoxon([1.0] if len(strategies) > 1 else [])
    except BadInput as error:
        return [f"{error}."]
    return []
