"""Strategies side by side: the same web, topics, seeds and budget for each, and figures with intervals."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honeyguide.evaluate.averages import Estimate, Row
    from honeyguide.evaluate.collection import Collection, read_collection
    from honeyguide.evaluate.comparing import compare
    from honeyguide.evaluate.comparison import ComparedTopic, Comparison, Result
    from honeyguide.evaluate.design import Design
    from honeyguide.evaluate.table import told

_HOME_OF = {
    "Collection": "collection",
    "ComparedTopic": "comparison",
    "Comparison": "comparison",
    "Design": "design",
    "Estimate": "averages",
    "Result": "comparison",
    "Row": "averages",
    "compare": "comparing",
    "read_collection": "collection",
    "told": "table",
}
__all__ = [
    "Collection",
    "ComparedTopic",
    "Comparison",
    "Design",
    "Estimate",
    "Result",
    "Row",
    "compare",
    "read_collection",
    "told",
]


def __getattr__(name: str) -> Any:
    """The command line takes its options from the design, and must not wait for all the rest."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
