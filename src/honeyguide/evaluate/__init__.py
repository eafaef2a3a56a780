"""Strategies side by side: the same web, topics, seeds and budget for each, and figures with intervals."""

from __future__ import annotations

from honeyguide.evaluate.averages import Estimate, Row
from honeyguide.evaluate.collection import Collection, read_collection
from honeyguide.evaluate.comparing import compare
from honeyguide.evaluate.comparison import ComparedTopic, Comparison, Result
from honeyguide.evaluate.design import Design
from honeyguide.evaluate.table import told

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
