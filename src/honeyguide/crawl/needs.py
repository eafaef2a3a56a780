"""What of pages is read in a crawl: what its topic and its strategy ask for, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.parse.reading import THOROUGH, Reading

if TYPE_CHECKING:
    from honeyguide.strategy import Strategy
    from honeyguide.topic import Topic


def needed(topic: Topic, strategy: Strategy, everything: bool) -> Reading:
    """How thoroughly pages are to be read."""
    if everything or topic.reads_everything:
        return THOROUGH
    return Reading(
        surroundings=strategy.needs_pages and strategy.needs_surroundings,
        main_text=(strategy.needs_pages and strategy.needs_main_text) or topic.reads_main,
    )
