"""A focused crawler: give it a topic and seeds, and it learns while it crawls which links lead there.

Everything public is here, imported when first used, so that the command line starts at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from honeyguide.lazily import importer

if TYPE_CHECKING:
    from honeyguide.base import (
        BadInput,
        Excluded,
        FetchError,
        HoneyguideError,
        Link,
        NotNow,
        Page,
        Reply,
        Visit,
        knob,
    )
    from honeyguide.crawl import Crawl, Summary
    from honeyguide.documents import load_documents
    from honeyguide.export.pages import Pages, open  # noqa: A004 - hg.open is the right name
    from honeyguide.export.record import Exported
    from honeyguide.export.selection import Selection
    from honeyguide.frontier import Frontier
    from honeyguide.graph import Graph
    from honeyguide.report import write_report
    from honeyguide.settings import Settings
    from honeyguide.store import Store, StoreError
    from honeyguide.strategy import Lesson, Strategy, register, strategies
    from honeyguide.synthetic.making import generate
    from honeyguide.topic import (
        BudgetSpent,
        Classifier,
        Topic,
        TopicSyntaxError,
        as_topic,
        classifier,
        function,
        keyword,
        label,
        language,
        links,
        regex,
        similar,
        train,
        url,
        weights,
    )
    from honeyguide.urls import normalize
    from honeyguide.web import Archive, LiveWeb, SimulatedWeb, SyntheticWeb, Web, open_web

_HOMES = {
    "base": "BadInput Excluded FetchError HoneyguideError Link NotNow Page Reply Visit knob",
    "crawl": "Crawl Summary",
    "documents": "load_documents",
    "export.pages": "Pages open",
    "export.record": "Exported",
    "export.selection": "Selection",
    "frontier": "Frontier",
    "graph": "Graph",
    "report": "write_report",
    "settings": "Settings",
    "store": "Store StoreError",
    "strategy": "Lesson Strategy register strategies",
    "synthetic": "generate",
    "topic": "BudgetSpent Classifier Topic TopicSyntaxError as_topic classifier function keyword label language links"
    " regex similar train url weights",
    "urls": "normalize",
    "web": "Archive LiveWeb SimulatedWeb SyntheticWeb Web open_web",
}

__all__ = [
    "Archive",
    "BadInput",
    "BudgetSpent",
    "Classifier",
    "Crawl",
    "Excluded",
    "Exported",
    "FetchError",
    "Frontier",
    "Graph",
    "HoneyguideError",
    "Lesson",
    "Link",
    "LiveWeb",
    "NotNow",
    "Page",
    "Pages",
    "Reply",
    "Selection",
    "Settings",
    "SimulatedWeb",
    "Store",
    "StoreError",
    "Strategy",
    "Summary",
    "SyntheticWeb",
    "Topic",
    "TopicSyntaxError",
    "Visit",
    "Web",
    "as_topic",
    "classifier",
    "function",
    "generate",
    "keyword",
    "knob",
    "label",
    "language",
    "links",
    "load_documents",
    "normalize",
    "open",
    "open_web",
    "regex",
    "register",
    "similar",
    "strategies",
    "train",
    "url",
    "weights",
    "write_report",
]


__getattr__ = importer(__name__, _HOMES)


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]
