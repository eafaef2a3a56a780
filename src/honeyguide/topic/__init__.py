"""Topics: what a page must be like to be wanted, written in Python or as an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honeyguide.base import BadInput
from honeyguide.topic.answers import FunctionFailed
from honeyguide.topic.argument import Argument
from honeyguide.topic.base import BudgetSpent, Topic
from honeyguide.topic.classifier import Classifier, classifier
from honeyguide.topic.combine import And, Not, Or
from honeyguide.topic.expression import TopicSyntaxError, parse
from honeyguide.topic.function import function
from honeyguide.topic.keyword import keyword
from honeyguide.topic.label import label
from honeyguide.topic.language import language
from honeyguide.topic.links import links
from honeyguide.topic.regex import regex
from honeyguide.topic.registry import Kind, kind, kinds
from honeyguide.topic.similar import similar
from honeyguide.topic.training import train
from honeyguide.topic.url import url
from honeyguide.topic.weights import weights

if TYPE_CHECKING:
    from honeyguide.topic.base import Load

__all__ = [
    "And",
    "Argument",
    "BudgetSpent",
    "Classifier",
    "FunctionFailed",
    "Kind",
    "Not",
    "Or",
    "Topic",
    "TopicSyntaxError",
    "as_topic",
    "classifier",
    "function",
    "keyword",
    "kind",
    "kinds",
    "label",
    "language",
    "links",
    "parse",
    "regex",
    "similar",
    "train",
    "url",
    "weights",
]


def as_topic(what: Any, load: Load | None = None) -> Topic:
    """The topic meant by a topic, an expression or a function."""
    if isinstance(what, Topic):
        return what
    if isinstance(what, str):
        return parse(what, load)
    if callable(what):
        return function(what)
    raise BadInput(f"a topic is an expression, a Topic or a function, not {type(what).__name__}")
