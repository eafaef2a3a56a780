"""The little language of topics: kinds with arguments, joined by & | ~ and parentheses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from honeyguide.base import BadInput
from honeyguide.characters import printable
from honeyguide.topic.argument import Argument, quote, quoted_end, unquote
from honeyguide.topic.registry import find_kind

if TYPE_CHECKING:
    from honeyguide.topic.base import Load, Topic

DEEPEST = 50  # parentheses or tildes inside each other
SHOWN = 60  # characters of the expression on either side of the place that is wrong

_KIND = re.compile(r"([^\W\d]\w*):")
_SPACE = re.compile(r"\s*")
_PLAIN = re.compile(r'[^()&|~":]+')
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_THRESHOLD = re.compile(rf"@({_NUMBER})")
_WITH_THRESHOLD = re.compile(rf"(.+)@({_NUMBER})", re.DOTALL)


class TopicSyntaxError(BadInput):
    """An expression that cannot be read; the message shows where and what was expected."""

    def __init__(self, problem: str, expression: str, position: int) -> None:
        self.problem, self.expression, self.position = problem, expression, position
        start = max(0, position - SHOWN)
        shown = printable(expression[start : position + SHOWN])
        super().__init__(f"{problem}\n  {shown}\n  {' ' * (position - start)}^")


def parse(text: str, load: Load | None = None) -> Topic:
    """The topic an expression such as `keyword:solar & ~language:de` describes.

    `load` brings the pages of a source, a path or an address, for kinds that learn from examples.
    """
    try:
        return _Parser(text, load).whole()
    except RecursionError:
        raise TopicSyntaxError("the topic is nested too deeply", text, 0) from None


class _Parser:
    """Reads an expression from left to right; `here` is the place reached."""

    def __init__(self, text: str, load: Load | None) -> None:
        self.text, self.load, self.here, self.depth = text, load, 0, 0

    def whole(self) -> Topic:
        if not self.text.strip():
            self._wrong("the topic is empty; write one such as keyword:solar")
        topic = self._either()
        if self._peek():
            self._wrong("expected & or | before another topic" if self._peek() != ")" else "nothing opens this )")
        return topic

    def _either(self) -> Topic:
        topic = self._both()
        while self._take("|"):
            topic = topic | self._both()
        return topic

    def _both(self) -> Topic:
        topic = self._one()
        while self._take("&"):
            topic = topic & self._one()
        return topic

    def _one(self) -> Topic:
        tildes = 0
        while self._take("~"):
            tildes += 1
            if tildes > DEEPEST:
                self._wrong(f"more than {DEEPEST} tildes in a row")
        topic = self._group() if self._peek() == "(" else self._single()
        return ~topic if tildes % 2 else topic

    def _group(self) -> Topic:
        opened = self.here
        self._take("(")
        self.depth += 1
        if self.depth > DEEPEST:
            self._wrong(f"more than {DEEPEST} parentheses inside each other")
        topic = self._either()
        if not self._take(")"):
            self._wrong("expected & or | or )" if self._peek() else "this ( is never closed", opened)
        self.depth -= 1
        return topic

    def _single(self) -> Topic:
        start = self.here
        match = _KIND.match(self.text, start)
        if match is None:
            self._wrong(self._kind_missing())
        try:
            topic_class = find_kind(match[1].lower())
            self.here = start = match.end()
            argument, threshold = self._argument(match[1])
            topic = topic_class.parse_argument(argument, self.load)
            return topic if threshold is None else topic.at(threshold)
        except TopicSyntaxError:
            raise
        except (BadInput, OSError) as error:  # the loader may meet a missing file
            raise TopicSyntaxError(str(error), self.text, start) from error

    def _argument(self, kind: str) -> tuple[Argument, float | None]:
        if self.text.startswith('"', self.here):
            return self._quoted_argument()
        start = self.here
        self.here = end = self._bare_end(start)
        if end == start:
            self._wrong(f'expected a word or a "quoted text" right after {kind}:')
        raw = self.text[start:end]
        match = _WITH_THRESHOLD.fullmatch(raw)
        return (unquote(match[1]), float(match[2])) if match else (Argument(raw), None)

    def _quoted_argument(self) -> tuple[Argument, float | None]:
        start, end = self.here, self._after_quotes(self.here)
        match = _THRESHOLD.match(self.text, end)
        self.here = match.end() if match else end
        if self.here < len(self.text) and not re.match(r"[\s()&|]", self.text[self.here]):
            self._wrong("expected a space, & | ) or a threshold such as @0.5 after the quoted text")
        return unquote(self.text[start:end]), float(match[1]) if match else None

    def _after_quotes(self, start: int) -> int:
        end = quoted_end(self.text, start)
        return end if end > 0 else self._wrong("this quotation mark is never closed", start)

    def _bare_end(self, start: int) -> int:
        """Where an argument without quotes ends; its own parentheses and quotes may hold anything."""
        opened: list[int] = []
        here = start
        while here < len(self.text):
            character = self.text[here]
            if character == '"':
                here = self._after_quotes(here)
                continue
            if not opened and (character.isspace() or character in ")&|"):
                return here
            if character == "(":
                opened.append(here)
                if len(opened) + self.depth > DEEPEST:
                    self._wrong(f"more than {DEEPEST} parentheses inside each other", here)
            elif character == ")":
                opened.pop()
            here += 1
        return self._wrong("this ( is never closed", opened[-1]) if opened else here

    def _kind_missing(self) -> str:
        if not self._peek():
            return "expected a topic such as keyword:solar here, where the text ends"
        if self._peek() == '"':
            text = unquote(self.text[self.here : quoted_end(self.text, self.here)])
        else:
            plain = _PLAIN.match(self.text, self.here)
            text = Argument(plain[0].strip() if plain else "")
        if not text.strip():
            return f"expected a topic such as keyword:solar, not {self._peek()}"
        return f"{text[:SHOWN]!r} has no kind; did you mean keyword:{quote(text[:SHOWN])}?"

    def _peek(self) -> str:
        match = _SPACE.match(self.text, self.here)
        self.here = match.end() if match else self.here
        return self.text[self.here : self.here + 1]

    def _take(self, character: str) -> bool:
        if self._peek() != character:
            return False
        self.here += 1
        return True

    def _wrong(self, problem: str, position: int | None = None) -> NoReturn:
        raise TopicSyntaxError(problem, self.text, self.here if position is None else position)
