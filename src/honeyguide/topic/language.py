"""Language topics: pages written in one language."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from honeyguide.base import BadInput, knob
from honeyguide.languages import codes
from honeyguide.topic.base import Topic, check_threshold
from honeyguide.topic.registry import kind

if TYPE_CHECKING:
    from honeyguide.base import Page
    from honeyguide.topic.argument import Argument
    from honeyguide.topic.base import Load


def language_code(text: str) -> str:
    """The code pages carry for a language given as en, eng, en-GB or English.

    >>> language_code("English"), language_code("deu")
    ('en', 'de')
    """
    known, wanted = codes(), " ".join(text.casefold().split())
    code = wanted if wanted in known else wanted.replace("_", "-").partition("-")[0]
    if code in known:
        return known[code][0]
    near = difflib.get_close_matches(wanted[:40], known, n=1, cutoff=0.5)
    advice = f"did you mean {known[near[0]][1]} ({known[near[0]][0]})?" if near else "give a code such as en"
    raise BadInput(f"no language is known as {text[:40]!r}; {advice}")


@kind("language", "pages in one language, by code or English name", "language:en")
@dataclass(frozen=True)
class Language(Topic):
    """Scores 1 or 0; a page whose language is unknown scores 0."""

    reads_main = False
    spelled_out = True
    condition: ClassVar[bool] = True
    code: str
    threshold: float = knob(0.5, "score from which a page belongs to the topic", 0, 1)

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        object.__setattr__(self, "code", language_code(self.code))

    def score(self, page: Page) -> float:
        spoken = page.language.casefold().partition("-")[0]
        return float(codes().get(spoken, (spoken,))[0] == self.code)

    def excludes(self, other: Topic) -> bool:
        if isinstance(other, Language) and self.threshold and other.threshold:
            return self.code != other.code
        return super().excludes(other)

    def explain(self, page: Page) -> str:
        name = codes().get(page.language, ("", page.language))[1]
        return f"written in {name}" if name else "language unknown"

    @classmethod
    def parse_argument(cls, text: Argument, load: Load | None) -> Topic:
        return cls(str(text))

    def argument(self) -> str:
        return self.code


def language(code: str, threshold: float = 0.5) -> Language:
    """Pages in this language, given as en, eng or English."""
    return Language(code, threshold)
