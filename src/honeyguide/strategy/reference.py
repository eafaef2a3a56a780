"""The pages a topic is described by: given ones, or the first that a search finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.strategy.base import Help
    from honeyguide.topic import Topic

QUERY_TERMS = 8  # more only make engines lose sight of the topic


async def reference_pages(help: Help, topic: Topic, source: str, count: int, name: str) -> list[Page]:
    """The pages of the source, or the first `count` that a search for the topic's words finds; none without either.

    `name` is the strategy they are for, as errors call it.
    """
    if source:
        try:
            return help.documents(source)
        except BadInput as error:
            raise BadInput(f"the reference pages of {name} cannot be read: {error}") from None
    query = topic_query(topic)
    return await help.reference_pages(query, count) if query and help.has_search else []


def topic_query(topic: Topic) -> str:
    """What to search for: the topic's words, those that weigh most first, several words together in quotes."""
    weights = {term: weight for term, weight in topic.words().items() if weight > 0}
    best = sorted(weights, key=lambda term: (-weights[term], term))[:QUERY_TERMS]
    return " ".join(f'"{term}"' if " " in term else term for term in best)
