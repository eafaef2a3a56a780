"""Label topics: what a labelled archive says a page is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from honeyguide.base import BadInput, knob
from honeyguide.topic.argument import quote
from honeyguide.topic.base import Topic, check_threshold
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load


@kind("label", "pages an archive labels so, or more precisely so", "label:science.biology")
@dataclass(frozen=True)
class Label(Topic):
    """`science` matches the labels science and science.biology, in either case, and scores 1 or 0."""

    reads_main = False
    spelled_out = True
    name: str
    threshold: float = knob(0.5, "score from which a page belongs to the topic", 0, 1)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        object.__setattr__(self, "name", self.name.casefold().strip(" ."))
        if not self.name:
            raise BadInput("a label topic needs a label, as in label:science.biology")

    def score(self, page: Page) -> float:
        return float(_within(page.label.casefold(), self.name))

    def excludes(self, other: Topic) -> bool:
        if not isinstance(other, Label) or not (self.threshold and other.threshold):
            return super().excludes(other)
        return not (_within(self.name, other.name) or _within(other.name, self.name))

    def explain(self, page: Page) -> str:
        return f"labelled {page.label!r}" if page.label else "not labelled"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        return cls(str(text))

    def argument(self) -> str:
        return quote(self.name)


def _within(label: str, name: str) -> bool:
    return label == name or label.startswith(f"{name}.")


def label(name: str, threshold: float = 0.5) -> Label:
    """Pages with this label in the archive, or one beneath it."""
    return Label(name, threshold)
