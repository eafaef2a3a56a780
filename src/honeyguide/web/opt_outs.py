"""How owners reserve their pages from machine learning, in each of the forms in use."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WORDS = ("noai", "noimageai", "noml")  # in a robots meta tag or X-Robots-Tag
# Uses that a Content-Signal or Content-Usage line may refuse. Being searched and shown is not machine learning.
_USES = ("ai-train", "ai-input", "train-ai", "train-genai", "ai", "bots", "automated", "tdm")
_TERM = re.compile(r"([a-z-]+)\s*=\s*(no?|yes|y)(?![a-z])", re.IGNORECASE)


def of_words(words: Iterable[str]) -> frozenset[str]:
    """Those among the words of a robots tag."""
    return frozenset(word for word in words if word in _WORDS)


def of_headers(headers: Mapping[str, str]) -> frozenset[str]:
    """Those that came with a response."""
    found = set()
    if headers.get("tdm-reservation", "").strip() == "1":
        found.add("tdm-reservation")
    for name in ("content-signal", "content-usage"):
        found |= of_signal(name, headers.get(name, ""))
    return frozenset(found)


def of_signal(name: str, value: str) -> frozenset[str]:
    """The uses that a line refuses, with the line's name.

    >>> sorted(of_signal("content-signal", "search=yes, ai-train=no"))
    ['content-signal:ai-train']
    """
    terms = ((use.lower(), answer.lower()) for use, answer in _TERM.findall(value))
    return frozenset(f"{name}:{use}" for use, answer in terms if answer in ("n", "no") and use in _USES)


def of_tdmrep(body: bytes, path: str) -> frozenset[str]:
    """What /.well-known/tdmrep.json says of a path: the first rule that fits counts."""
    try:
        rules = json.loads(body)
    except (ValueError, RecursionError):
        return frozenset()
    for rule in rules if isinstance(rules, list) else ():
        if isinstance(rule, dict) and _fits(str(rule.get("location", "")), path):
            return frozenset(["tdm-reservation"] if rule.get("tdm-reservation") == 1 else ())
    return frozenset()


def _fits(pattern: str, path: str) -> bool:
    """Whether a path begins as a pattern says; a star stands for anything, a dollar sign for the end."""
    ends = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    last = rest.pop() if ends and rest else ""
    for part in rest:  # the earliest place is as good as any
        at = path.find(part, at) + len(part)
        if at < len(part):
            return False
    return not ends or (path.endswith(last) and at + len(last) <= len(path) and (len(path) == at or "*" in pattern))
