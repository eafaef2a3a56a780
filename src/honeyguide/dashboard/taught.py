"""What a lesson makes of a topic: its classifier is put in the place of the former one, or begins beside it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from honeyguide.topic import Classifier
from honeyguide.topic.parts import conditions, content, leaves, with_leaves

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.topic import Topic

SURE, DOUBTED = 0.6, 0.4  # beside a topic, a classifier takes pages in from here on, and leaves them out below


def taught(topic: Topic, model: Classifier) -> Topic:
    """A topic with what was learned: all that it asks beside stays as it is."""
    if former := _classifiers(topic):
        return with_leaves(topic, lambda leaf: model.at(leaf.threshold) if leaf in former else leaf)
    about, rules = content(topic), conditions(topic)
    learned = model if about is None else (about | model.at(SURE)) & model.at(DOUBTED)
    return learned if rules is None else learned & rules


def marks_known(topic: Topic) -> dict[str, bool]:
    """The marks that a topic has learned from."""
    former = _classifiers(topic)
    return dict(former[0].marked) if former else {}


def _classifiers(topic: Topic) -> list[Classifier]:
    """The classifier that a lesson trains anew, wherever it stands: one that learned from marks, or the first."""
    found = [leaf for leaf in leaves(topic) if isinstance(leaf, Classifier)]
    chosen = next((leaf for leaf in found if leaf.marked), found[0] if found else None)
    return [leaf for leaf in found if chosen and leaf.source == chosen.source]


@dataclass(frozen=True)
class Teaching:
    """Tells on which side of a topic a page is as an example of what the topic is about."""

    topic: Topic

    def side(self, page: Page, verdict: bool, mark: bool | None) -> bool | None:
        """What its mark says, or else the topic; None where it is left out for what it is not about.

        `verdict` is what was said of it when it was fetched, which topics that take long are not asked again.
        """
        if mark is None and self._says is not None:
            return self._says.relevant(self._says.score(page))
        if not mark and self._has_content and self._breaks_rules(page):
            return None
        return verdict if mark is None else mark

    @functools.cached_property
    def _says(self) -> Topic | None:
        """What is asked about pages that nobody marked; None where their verdicts are to be used."""
        former = _classifiers(self.topic)
        beside = len(former) > 1
        says = former[0].at(0.5) if former and not beside else content(self.topic)
        return None if says is None or says.needs_parents or says.reads_everything else says

    @functools.cached_property
    def _rules(self) -> Topic | None:
        rules = conditions(self.topic)
        return None if rules is None or rules.needs_parents or rules.reads_everything else rules

    @functools.cached_property
    def _has_content(self) -> bool:
        return content(self.topic) is not None

    def _breaks_rules(self, page: Page) -> bool:
        return self._rules is not None and not self._rules.relevant(self._rules.score(page))
