"""The kinds of topics there are: built-in ones and a user's own enter by the same door."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from honeyguide.base import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from honeyguide.topic.base import Topic

T = TypeVar("T", bound="type[Topic]")


class Kind(NamedTuple):
    """One kind of topic: its name in expressions, what it asks of a page, and how it is written."""

    name: str
    help: str
    example: str = ""


_kinds: dict[str, tuple[Kind, type[Topic]]] = {}


def kind(name: str, help: str = "", example: str = "") -> Callable[[T], T]:
    """Register a class of topics, so that expressions can name it: `@kind("keyword")`."""
    if not name.isidentifier() or name != name.lower():
        raise BadInput(f"a topic kind is named by one lower-case word, and {name!r} is not one")

    def register(topic_class: T) -> T:
        topic_class.kind = name
        first_line = (topic_class.__doc__ or "").partition("\n")[0]
        _kinds[name] = (Kind(name, help or first_line, example), topic_class)
        return topic_class

    return register


def kinds() -> list[Kind]:
    """All registered kinds, in order of their names."""
    return [_kinds[name][0] for name in sorted(_kinds)]


def find_kind(name: str) -> type[Topic]:
    """The class of a kind; a name that is none is answered with the nearest that is."""
    if name in _kinds:
        return _kinds[name][1]
    near = difflib.get_close_matches(name, _kinds, n=1)
    advice = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(_kinds))}"
    raise BadInput(f"no topic kind {name!r}; {advice}")
