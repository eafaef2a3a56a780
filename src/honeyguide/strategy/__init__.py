"""Strategies by name; a user's own class enters by the same door as the built-in ones."""

from __future__ import annotations

import difflib
import importlib
import shutil
from typing import TYPE_CHECKING, TypeVar

from honeyguide.base import BadInput
from honeyguide.strategy.base import Lesson, Strategy
from honeyguide.strategy.own_files import copy_of, named_files

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Lesson", "Strategy", "create", "keep_files", "register", "strategies"]

_registry: dict[str, type[Strategy]] = {}
_BUILT_IN = {
    "ache": "rivals.ache",
    "anthelion": "rivals.anthelion",
    "best-first": "best_first",
    "breadth-first": "breadth_first",
    "craw4llm": "rivals.craw4llm",
    "crawl4ai": "rivals.crawl4ai",
    "deep-deep": "rivals.deep_deep",
    "evolved": "evolved",
    "genetic": "genetic",
    "honeyguide": "honeyguide.strategy",
    "host-odds": "host_odds",
    "intelligent": "intelligent",
    "opic": "rivals.opic",
    "paths": "paths",
    "random": "random",
    "relevant-parents": "relevant_parents",
    "sb-classifier": "rivals.sb_classifier",
    "shark-search": "shark_search",
    "tres": "rivals.tres",
    "tunnel": "tunnel",
}
_Kind = TypeVar("_Kind", bound=type[Strategy])


def register(kind: _Kind) -> _Kind:
    """Make a strategy known by its name: a class decorator."""
    if not kind.name:
        raise BadInput(f"{kind.__name__} has no name: set the class attribute `name`")
    _registry[kind.name] = kind
    return kind


def strategies() -> dict[str, type[Strategy]]:
    """All registered strategies by name."""
    for name in _BUILT_IN:
        _known(name)
    return dict(sorted(_registry.items()))


def _known(name: str) -> type[Strategy] | None:
    """A strategy by its name; all others stay unloaded, which would take longer than to begin a crawl."""
    if name in _BUILT_IN:
        importlib.import_module(f"honeyguide.strategy.{_BUILT_IN[name]}")
    return _registry.get(name)


def create(text: str, directory: Path | None = None) -> Strategy:
    """A strategy from `name`, `name:setting=value,…` or `package.module:Class`, for a crawl in a directory."""
    name, _, argument = text.partition(":")
    if kind := _known(name):
        return kind.from_argument(argument, directory)
    if argument and argument.isidentifier():
        return _imported(name, argument)
    known = strategies()
    near = difflib.get_close_matches(name, known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise BadInput(f"no strategy {name!r}{hint} Known: {', '.join(known)}, or package.module:Class")


def keep_files(text: str, directory: Path) -> None:
    """Copy the files that a strategy was told to read into a crawl directory, unless it holds them."""
    name, _, argument = text.partition(":")
    kind = _known(name) if argument else None
    for file in named_files(kind, argument) if kind else ():
        copy = copy_of(file, directory)
        if not copy.exists():
            part = copy.with_name(f"{copy.name}.part")
            shutil.copyfile(file, part)
            part.replace(copy)


def _imported(module: str, name: str) -> Strategy:
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadInput(f"strategy {module}:{name} cannot be imported ({error})") from None
    if not (isinstance(kind, type) and issubclass(kind, Strategy)):
        raise BadInput(f"{module}:{name} is not a Strategy; make it a subclass of honeyguide.Strategy")
    return kind()
